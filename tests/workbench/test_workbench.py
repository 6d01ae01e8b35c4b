import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from mtsig_core.metrics import StatisticsCache, get_metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Cancelled
from mtsig_core.workbench import Memo, Workbench
from mtsig_core.workbench.memo import size_of

FEW = Settings(n_bootstrap=100, n_permutations=200)


@pytest.fixture
def bench(folder, tmp_path):
    from mtsig_core.loading import load

    return Workbench(load(folder), cache=StatisticsCache(tmp_path / "cache"))


def test_a_memo_computes_once_and_evicts_the_least_recently_used():
    memo, computed = Memo(limit=3 * 150), []

    def get(name):
        return memo.get((name,), lambda: computed.append(name) or np.zeros(10))

    for name in "abcab":
        get(name)
    assert computed == ["a", "b", "c"]
    get("d")
    get("a")
    get("c")
    assert computed == ["a", "b", "c", "d", "c"]


def test_two_threads_that_ask_at_once_compute_once():
    memo, computed, started = Memo(), [], threading.Event()

    def compute():
        started.set()
        time.sleep(0.2)
        computed.append(1)
        return object()

    with ThreadPoolExecutor(4) as pool:
        results = [pool.submit(memo.get, ("key",), compute) for _ in range(4)]
    assert len({id(result.result()) for result in results}) == len(computed) == 1


def test_whoever_waits_can_be_cancelled_and_goes_on_when_the_first_fails():
    memo, started, release = Memo(), threading.Event(), threading.Event()

    def fail():
        started.set()
        release.wait(10)
        raise ValueError("first")

    def cancel(fraction, what=""):
        assert what == "waiting for the same result"
        raise Cancelled

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(memo.get, ("key",), fail)
        assert started.wait(10)
        second = pool.submit(memo.get, ("key",), lambda: 2)
        with pytest.raises(Cancelled):
            memo.get(("key",), lambda: 3, progress=cancel)
        release.set()
        with pytest.raises(ValueError, match="first"):
            first.result()
        assert second.result() == 2
    assert memo.get(("key",), lambda: 4) == 2


def test_the_size_of_a_result_counts_its_arrays_tables_and_texts():
    @dataclass(frozen=True)
    class Small:
        values: np.ndarray
        names: tuple[str, ...] = ()

    array, frame = np.zeros(1000), pd.DataFrame({"x": np.zeros(1000)})
    assert size_of(Small(array)) >= array.nbytes
    assert size_of({"a": [frame]}) >= 8000
    assert size_of(Small(array, ("x" * 500,))) >= array.nbytes + 500


@pytest.mark.slow
def test_answers_agree_with_each_other(bench):
    bleu = get_metric("bleu")
    pair = bench.pair("test", bleu, "plain", "better")
    table = bench.table(["test"], [bleu], settings=FEW)
    avg = {row.system: row.avg for row in table.rows}
    comparison = pair.compare(settings=FEW)
    assert comparison.difference == pytest.approx(avg["better"] - avg["plain"])
    assert pair.by_n().difference == pytest.approx(comparison.difference)
    medians = bench.median("test", [bleu, get_metric("chrf")])
    assert medians["plain"][0].score in [r for row in table.rows if row.system == "plain" for r in row.scores.values()]
    shared = pair.overlap(settings=FEW)
    of_a, of_b = shared.draws
    assert of_a.shape == of_b.shape == (100,)
    assert shared.a.mean == pytest.approx(of_a.mean())
    assert (of_b - of_a) == pytest.approx(comparison.bootstrap_differences)


@pytest.mark.slow
def test_statistics_are_asked_for_once(bench, monkeypatch):
    import mtsig_core.workbench.shared as module

    calls = []
    real = module.compute_statistics
    monkeypatch.setattr(module, "compute_statistics", lambda *a, **k: calls.append(a[1:3]) or real(*a, **k))
    for _ in range(2):
        bench.table(["test"], [get_metric("bleu")], settings=FEW)
        bench.pair("test", get_metric("bleu"), "plain", "better").compare(settings=FEW)
    assert len(calls) == 2  # the test set and the tuning set


@pytest.mark.slow
def test_segments_stand_side_by_side(bench):
    table = bench.pair("test", get_metric("chrf"), "plain", "better").segments("seed1", "seed2")
    assert len(table.index) == 40
    assert table.output_b == bench.experiment.system("better").replicas[1].outputs["test"]


def test_a_full_answer_goes_on_where_the_quick_one_ended(bench, monkeypatch):
    import mtsig_core.workbench.shared as module

    asked = []
    real = module.bootstrap_scores
    monkeypatch.setattr(
        module, "bootstrap_scores", lambda *a, **k: asked.append((k["sampling"].first, a[1])) or real(*a, **k)
    )
    bleu = get_metric("bleu")
    quick = bench.bootstrap("test", bleu, Settings(n_bootstrap=200))
    full = bench.bootstrap("test", bleu, Settings(n_bootstrap=300))
    assert asked == [(0, 200), (200, 300)]
    assert (full == real(bench.statistics("test", bleu), 300, Settings().seed)).all()
    assert (bench.bootstrap("test", bleu, Settings(n_bootstrap=200)) == quick).all()
    assert (full[:200] == quick).all()
    assert len(asked) == 2


@pytest.mark.slow
def test_another_level_draws_nothing_again(bench, monkeypatch):
    from dataclasses import replace

    import mtsig_core.analysis.replicas.lottery as of_lottery
    import mtsig_core.analysis.replicas.p_by_n as of_replicated_p
    import mtsig_core.significance.pair as of_pairs
    import mtsig_core.workbench.shared as module

    bleu = get_metric("bleu")

    def everything(bench, settings):
        pair = bench.pair("test", bleu, "plain", "better")
        return (
            bench.table(["test"], [bleu], settings=settings),
            pair.compare(settings=settings),
            bench.pairwise("test", bleu, preset="ar-hypothesis", settings=settings),
            pair.lottery(settings=settings),
            pair.p_by_n((1, 2), draws=20, settings=settings),
        )

    def anew(*args, **kwargs):
        raise AssertionError("drawn again")

    everything(bench, FEW)
    other = replace(FEW, alpha=0.3)
    with monkeypatch.context() as patched:
        for place, name in (
            (module, "bootstrap_scores"), (of_pairs, "bootstrap_scores"), (of_pairs, "exchange"),
            (of_lottery, "pool_tests"), (of_replicated_p, "pool_tests"),
        ):
            patched.setattr(place, name, anew)
        _, comparison, pairs, lottery, by_n = everything(bench, other)
    again = Workbench(bench.experiment, cache=bench.cache)
    _, fresh_comparison, fresh_pairs, fresh_lottery, fresh_by_n = everything(again, other)
    assert [t.p for t in comparison.tests] == [t.p for t in fresh_comparison.tests]
    assert pairs.to_frame().equals(fresh_pairs.to_frame())
    assert (lottery.significant, lottery.wrong, lottery.alpha) == (fresh_lottery.significant, fresh_lottery.wrong, 0.3)
    assert by_n.to_frame().equals(fresh_by_n.to_frame())
