import numpy as np
import pytest

from mtsig_core.metrics import StatisticsCache, get_metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench.workbench import Memo, Workbench

FEW = Settings(n_bootstrap=100, n_permutations=200)


@pytest.fixture
def bench(folder, tmp_path):
    from mtsig_core.loading import load

    return Workbench(load(folder)[0], cache=StatisticsCache(tmp_path / "cache"))


def test_a_memo_makes_a_thing_once_and_gives_up_the_least_recently_used():
    memo, made = Memo(limit=3 * 80), []

    def get(name):
        return memo.get((name,), lambda: made.append(name) or np.zeros(10), lambda array: array.nbytes)

    for name in "abcab":
        get(name)
    assert made == ["a", "b", "c"]
    get("d")
    get("a")
    get("c")
    assert made == ["a", "b", "c", "d", "c"]


def test_answers_agree_with_each_other(bench):
    bleu = get_metric("bleu")
    table = bench.table(["test"], [bleu], FEW)
    avg = {row.system: row.avg for row in table.rows}
    comparison = bench.compare("test", bleu, "plain", "better", FEW)
    assert comparison.difference == pytest.approx(avg["better"] - avg["plain"])
    assert bench.replication("test", bleu, "plain", "better", FEW).difference == pytest.approx(comparison.difference)
    medians = bench.medians("test", [bleu, get_metric("chrf")])
    assert medians["plain"][0].score in [r for row in table.rows if row.system == "plain" for r in row.scores.values()]
    overlap = bench.overlap("test", bleu, "plain", "better", FEW)
    of_a, of_b = overlap.draws
    assert of_a.shape == of_b.shape == (100,)
    assert overlap.a.mean == pytest.approx(of_a.mean())
    assert (of_b - of_a) == pytest.approx(comparison.bootstrap_differences)


def test_statistics_are_asked_for_once(bench, monkeypatch):
    import mtsig_core.workbench.workbench as module

    calls = []
    real = module.compute_statistics
    monkeypatch.setattr(module, "compute_statistics", lambda *a, **k: calls.append(a[1:3]) or real(*a, **k))
    for _ in range(2):
        bench.table(["test"], [get_metric("bleu")], FEW)
        bench.compare("test", get_metric("bleu"), "plain", "better", FEW)
    assert len(calls) == 2  # the test set and the tuning set


def test_segments_stand_side_by_side(bench):
    table = bench.segments("test", get_metric("chrf"), ("plain", "seed1"), ("better", "seed2"))
    assert len(table.index) == 40
    assert table.output_b == bench.experiment.system("better").replicas[1].outputs["test"]


def test_a_full_answer_goes_on_where_the_quick_one_ended(bench, monkeypatch):
    import mtsig_core.workbench.workbench as module

    asked = []
    real = module.bootstrap_scores
    monkeypatch.setattr(module, "bootstrap_scores", lambda *a, **k: asked.append((k["first"], a[1])) or real(*a, **k))
    bleu = get_metric("bleu")
    quick = bench.bootstrap("test", bleu, Settings(n_bootstrap=200))
    full = bench.bootstrap("test", bleu, Settings(n_bootstrap=300))
    assert asked == [(0, 200), (200, 300)]
    assert (full == real(bench.statistics("test", bleu), 300, Settings().seed)).all()
    assert (bench.bootstrap("test", bleu, Settings(n_bootstrap=200)) == quick).all()
    assert (full[:200] == quick).all()
    assert len(asked) == 2


def test_another_level_draws_nothing_again(bench, monkeypatch):
    from dataclasses import replace

    import mtsig_core.analysis.replicas.lottery as of_lottery
    import mtsig_core.analysis.replicas.p_by_n as of_replicated_p
    import mtsig_core.significance.pair as of_pairs
    import mtsig_core.workbench.workbench as module
    from mtsig_core.workbench.pair import Where, ask_all_pairs, ask_lottery, ask_replicated_p

    bleu = get_metric("bleu")
    where = Where(bench, "test", bleu, "plain", "better")

    def everything(settings):
        return (
            bench.table(["test"], [bleu], settings),
            bench.compare("test", bleu, "plain", "better", settings),
            ask_all_pairs(bench, "test", bleu, settings, preset="ar-hypothesis"),
            ask_lottery(where, settings),
            ask_replicated_p(where, settings, ns=(1, 2), draws=20),
        )

    def anew(*args, **kwargs):
        raise AssertionError("drawn again")

    everything(FEW)
    with monkeypatch.context() as patched:
        for place, name in (
            (module, "bootstrap_scores"), (of_pairs, "bootstrap_scores"), (of_pairs, "exchange"),
            (of_lottery, "pool_tests"), (of_replicated_p, "pool_tests"),
        ):
            patched.setattr(place, name, anew)
        _, comparison, pairs, luck, by_n = everything(replace(FEW, alpha=0.3))
    again = Workbench(bench.experiment, cache=bench.cache)
    where = Where(again, "test", bleu, "plain", "better")
    other = replace(FEW, alpha=0.3)
    assert [t.p for t in comparison.tests] == [t.p for t in again.compare("test", bleu, "plain", "better", other).tests]
    assert pairs.to_frame().equals(ask_all_pairs(again, "test", bleu, other, preset="ar-hypothesis").to_frame())
    fresh = ask_lottery(where, other)
    assert (luck.significant, luck.wrong, luck.alpha) == (fresh.significant, fresh.wrong, 0.3)
    assert by_n.to_frame().equals(ask_replicated_p(where, other, ns=(1, 2), draws=20).to_frame())
