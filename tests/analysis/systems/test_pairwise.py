from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from mtsig_core.analysis.systems import pairwise as module
from mtsig_core.analysis.systems.pairwise import PairRow, Preview, Reuse, clusters, default_preset, pairwise
from mtsig_core.reports.pairs.documents import pairs_document
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance import PairDraws, run_preset

QUICK = Settings(n_bootstrap=300, n_permutations=300)


def numbers(levels, n=3, length=60, seed=0, replica=0.1):
    rng = np.random.default_rng(seed)
    base = rng.normal(0, 3, length)
    sizes = [n] * len(levels) if isinstance(n, int) else n
    return {
        f"s{k}": 20 + level + base + rng.normal(0, replica, (size, 1)) + rng.normal(0, 1, (size, length))
        for k, (level, size) in enumerate(zip(levels, sizes, strict=True))
    }


def test_rows_are_the_tests_of_each_pair(statistics_of):
    statistics = statistics_of(numbers([0, 0.2, 1.5]))
    found = pairwise(statistics, QUICK)
    assert found.preset.name == "coherent"
    assert [(r.a, r.b) for r in found.rows] == list(combinations(statistics.systems, 2))
    for row in found.rows:
        alone = run_preset("coherent", statistics, row.a, row.b, QUICK)
        assert (row.p, row.difference) == pytest.approx((alone.p, alone.difference))


def test_corrections_are_over_pairwise(statistics_of):
    found = pairwise(statistics_of(numbers([0, 0.1, 0.3, 0.5, 0.9])), QUICK, preset="ar-segment")
    p = [r.p for r in found.rows]
    np.testing.assert_allclose([r.p_holm for r in found.rows], multipletests(p, method="holm")[1])
    np.testing.assert_allclose([r.p_bh for r in found.rows], multipletests(p, method="fdr_bh")[1])
    assert all(r.corrected("none") <= r.corrected("bh") <= r.corrected("holm") for r in found.rows)


@pytest.mark.parametrize("higher", [True, False])
def test_best_first_and_better_by_quality(higher, statistics_of):
    found = pairwise(statistics_of(numbers([0, 3, 1.5]), higher=higher), QUICK)
    assert found.systems == (("s1", "s2", "s0") if higher else ("s0", "s2", "s1"))
    assert found.row("s0", "s1").better == ("s1" if higher else "s0")
    assert found.clusters == tuple((s,) for s in found.systems)


def test_systems_that_cannot_be_told_apart_share_a_cluster(statistics_of):
    found = pairwise(statistics_of(numbers([0, 0.02, 5, 5.02], n=4)), QUICK)
    assert [set(c) for c in found.clusters] == [{"s2", "s3"}, {"s0", "s1"}]
    assert found.rank_frame()["cluster"].tolist() == [1, 1, 2, 2]


def test_a_cluster_needs_every_win():
    def row(a, b, p):
        return PairRow(a, b, 1.0, p, p, p, None, True, a, None)

    rows = [row("x", "y", 0.01), row("x", "z", 0.01), row("y", "z", 0.2)]
    assert clusters(("x", "y", "z"), rows, 0.05) == (("x",), ("y", "z"))
    rows = [row("x", "y", 0.2), row("x", "z", 0.01), row("y", "z", 0.01)]
    assert clusters(("x", "y", "z"), rows, 0.05) == (("x", "y"), ("z",))
    rows = [row("x", "y", 0.01), row("x", "z", 0.2), row("y", "z", 0.01)]
    assert clusters(("x", "y", "z"), rows, 0.05) == (("x", "y", "z"),)


def test_a_copy_is_never_beaten(statistics_of):
    data = numbers([0, 3])
    found = pairwise(statistics_of({**data, "copy": data["s0"]}), QUICK)
    row = found.row("s0", "copy")
    assert (row.p, row.better) == (1, "")
    assert row.overlap == pytest.approx(1)


def test_copies_in_another_order_have_no_better_one(statistics_of):
    scores = np.random.default_rng(5).integers(0, 100, (3, 30)) * 0.1
    for preset in ("crossed", "welch-replicas", "ar-segment"):
        (row,) = pairwise(statistics_of({"a": scores, "b": scores[[2, 0, 1]]}), QUICK, preset=preset).rows
        assert (row.p, row.better) == (1, "")


def test_a_pair_with_a_single_output_says_of_whose_recipe_nothing_is_known(statistics_of):
    found = pairwise(statistics_of(numbers([0, 1, 2, 3], n=[1, 3, 3, 10])), QUICK)
    assert "says nothing about s0's training setup" in found.row("s0", "s1").note
    assert "Unreliable: s1 has 3 replicas" in found.row("s0", "s1").note
    assert "The systems have 3 and 10 replicas" in found.row("s1", "s3").note
    assert found.row("s1", "s2").note == ""
    assert "note" in found.to_frame()


def test_the_longer_output_is_not_the_better_one(statistics_of):
    statistics = statistics_of(numbers([0, 3]))
    statistics.metric.is_quality = False
    found = pairwise(statistics, QUICK)
    assert found.to_frame()["higher"].tolist() == ["s1"]
    assert "better" not in found.to_frame()
    told = pairs_document([found], QUICK, SimpleNamespace(digest="", assumptions=()))
    assert told["rows"][0]["better"] == ""


def test_undefined_pairs_are_kept_with_their_reason_and_out_of_the_corrections(statistics_of):
    found = pairwise(statistics_of(numbers([0, 1, 2], n=[1, 1, 4])), QUICK, preset="crossed")
    row = found.row("s0", "s1")
    assert row.p is row.p_holm is None
    assert "Not defined" in row.note
    others = [r for r in found.rows if r.p is not None]
    assert max(r.p_holm / r.p for r in others) <= 2 + 1e-9  # two questions, not three
    assert "note" in found.to_frame()


@pytest.mark.parametrize(
    ("sizes", "paired", "expected"),
    [([1, 1], False, "ar-segment"), ([1, 1, 4], False, "ar-segment"), ([1, 3, 4], False, "coherent"),
     ([3, 3], False, "coherent"), ([3, 3], True, "coherent-paired"), ([3, 4], True, "coherent-paired"),
     ([1, 4, 4], True, "coherent")],
)
def test_default_test(sizes, paired, expected, statistics_of):
    statistics = statistics_of(numbers([0] * len(sizes), n=sizes))
    assert default_preset(statistics, Settings(paired=paired)) == expected


def test_copies_count_as_one_run_in_the_choice_of_the_test(statistics_of):
    data = numbers([0, 1])
    copies = statistics_of({name: np.repeat(scores[:1], 3, axis=0) for name, scores in data.items()})
    assert default_preset(copies, Settings()) == "ar-segment"
    assert pairwise(copies, QUICK).rows[0].p is not None
    one = statistics_of({"a": np.repeat(data["s0"][:1], 3, axis=0), "b": data["s1"], "c": data["s1"] + 1})
    assert default_preset(one, Settings()) == "coherent"


def test_whole_runs_are_compared_by_runs_however_few_there_are(statistics_of):
    statistics = replace(statistics_of(numbers([0, 1, 2], n=[1, 1, 5])), whole_runs=True)
    assert default_preset(statistics, Settings()) == "coherent"


def test_overlap_comes_from_shared_draws(statistics_of):
    statistics = statistics_of(numbers([0, 0.5]))
    draws = bootstrap_scores(statistics, 300, QUICK.seed)
    found = pairwise(statistics, QUICK, reuse=Reuse(draws, lambda own: PairDraws()))
    assert found.rows == pairwise(statistics, QUICK).rows
    assert found.intervals["s0"].sd == pytest.approx(draws[:, :3].mean(axis=1).std(ddof=1))
    matrix = found.overlap_matrix()
    assert matrix.loc["s0", "s1"] == matrix.loc["s1", "s0"] == found.rows[0].overlap


def test_one_system_or_an_unknown_test_is_refused(statistics_of):
    with pytest.raises(ValueError, match="two systems"):
        pairwise(statistics_of(numbers([0])), QUICK)
    with pytest.raises(ValueError, match="preset must be one of"):
        pairwise(statistics_of(numbers([0, 1])), QUICK, preset="guess")


@pytest.mark.slow
def test_forty_systems(statistics_of):
    found = pairwise(statistics_of(numbers(np.arange(40) / 10, n=2, length=40)), QUICK)
    assert len(found.rows) == 780
    assert sum(map(len, found.clusters)) == 40


def test_sums_shared_by_pairs_give_each_pair_the_p_it_has_alone(statistics_of):
    statistics = statistics_of(numbers([0, 0.2, 0.4, 1.5], n=[1, 2, 3, 3]))
    for row in pairwise(statistics, QUICK, preset="ar-segment").rows:
        assert row.p == run_preset("ar-segment", statistics, row.a, row.b, QUICK).p


def test_what_there_is_is_published_with_quick_rows_for_the_rest(statistics_of, monkeypatch):
    monkeypatch.setattr(module, "_PUBLISH_SECONDS", -1.0)
    statistics, told = statistics_of(numbers([0, 0.2, 1.5])), []
    quick = pairwise(statistics, Settings(n_bootstrap=300, n_permutations=30), preset="ar-segment")
    found = pairwise(statistics, QUICK, preset="ar-segment", preview=Preview(quick, told.append))
    assert len(told) == 3
    for done, partial in enumerate(told, start=1):
        p = [row.p for row in partial.rows]
        assert p == [row.p for row in (*found.rows[:done], *quick.rows[done:])]
        np.testing.assert_allclose([row.p_holm for row in partial.rows], multipletests(p, method="holm")[1])
