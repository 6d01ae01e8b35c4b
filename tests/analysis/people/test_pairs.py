"""Tests of pairs of systems, verdicts, clusters, means with and without annotators."""

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.people.items import item_scores
from mtsig_core.analysis.people.pairs import rank_sum, sign_test, signed_rank, system_pairs, unpaired_differences
from mtsig_core.analysis.people.systems import system_means, with_and_without
from mtsig_core.analysis.people.verdicts import human_verdicts
from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.resampling import Settings
from mtsig_core.significance.rank_clusters import rank_clusters

SETTINGS = Settings()


def two_systems(a, b, dimension="adequacy", n=None):
    n = len(a)
    return judgement_frame(
        {"system": ["a"] * n + ["b"] * n, "segment": [str(i) for i in range(n)] * 2, "dimension": dimension,
         "score": [*a, *b]}, 2 * n,
    )  # fmt: skip


def test_rank_tests_are_scipy_s_on_items(judged):
    scores = item_scores(judged, "score")
    row = system_pairs(scores, SETTINGS).row("s2", "s0")
    a, b = scores.of(row.a), scores.of(row.b)
    assert (row.a, row.b) == ("s2", "s0")
    assert row.tests["rank_sum"].p == pytest.approx(stats.mannwhitneyu(a, b).pvalue)
    assert row.tests["rank_sum"].p_a == pytest.approx(stats.mannwhitneyu(a, b, alternative="greater").pvalue)
    assert row.tests["signed_rank"].p == pytest.approx(stats.wilcoxon(a - b).pvalue)
    assert row.tests["signed_rank"].p_a == pytest.approx(stats.wilcoxon(a - b, alternative="greater").pvalue)
    assert row.tests["sign"].p == pytest.approx(stats.binomtest(row.wins_a, row.wins_a + row.wins_b).pvalue)
    assert row.win_rate == pytest.approx(np.mean(a > b))


def test_holm_is_statsmodels_(judged):
    from statsmodels.stats.multitest import multipletests

    pairs = system_pairs(item_scores(judged, "score"), SETTINGS)
    p = [row.tests["rank_sum"].p for row in pairs.rows]
    corrected = [row.tests["rank_sum"].p_holm for row in pairs.rows]
    np.testing.assert_allclose(corrected, multipletests(p, method="holm")[1])


def test_no_non_zero_difference_is_no_evidence():
    result = signed_rank(np.zeros(8))
    assert (result.p, result.n) == (1.0, 0)
    assert "No non-zero difference" in result.note
    one = signed_rank([0, 0, -2, 0, 0, 0, 0, 0])
    assert (one.p, one.n) == (1.0, 1)
    assert "Only 1 of 8" in one.note
    assert signed_rank([]).p is None
    assert rank_sum([3, 3], [3, 3, 3]).p == 1
    assert rank_sum([], [1]).p is None
    assert sign_test(0, 0).p == 1


def test_unpaired_bootstrap_has_the_spread_of_two_independent_means():
    rng = np.random.default_rng(5)
    a, b = rng.normal(0, 2, 300), rng.normal(1, 1, 80)
    draws = unpaired_differences(a, b, Settings(n_bootstrap=5000))
    assert draws.mean() == pytest.approx(b.mean() - a.mean(), abs=0.02)
    assert draws.std() == pytest.approx(np.hypot(a.std() / np.sqrt(300), b.std() / np.sqrt(80)), rel=0.05)


@pytest.mark.slow
def test_false_alarms_of_the_unpaired_bootstrap_and_the_rank_tests():
    rng = np.random.default_rng(6)
    hits = {"unpaired": 0, "rank_sum": 0, "signed_rank": 0, "sign": 0}
    n_trials = 400
    for trial in range(n_trials):
        frame = two_systems(rng.normal(size=40), rng.normal(size=40))
        row = system_pairs(item_scores(frame, "adequacy"), Settings(n_bootstrap=400, seed=trial)).rows[0]
        for name in hits:
            hits[name] += row.tests[name].p < 0.05
    # three standard errors of a share of .05 in 400 are .033; the sign test is discrete and stays below
    assert all(hits[name] / n_trials < 0.083 for name in hits)
    assert all(hits[name] / n_trials > 0.017 for name in ("unpaired", "rank_sum", "signed_rank"))


@pytest.mark.slow
def test_lower_is_better_turns_one_sided_tests_around(judged):
    up = system_pairs(item_scores(judged, "score"), SETTINGS)
    turned = judged.assign(score=-judged["score"])
    down = system_pairs(item_scores(turned, "score", higher_is_better=False), SETTINGS)
    assert up.systems == down.systems
    for one, other in zip(up.rows, down.rows, strict=True):
        for name in one.tests:
            assert one.tests[name].p_a == pytest.approx(other.tests[name].p_a)
        assert one.wins_a == other.wins_a


def test_adequacy_decides_first_and_fluency_falls_back():
    rng = np.random.default_rng(7)
    base, noise = rng.normal(size=80), rng.normal(size=80)
    same = system_pairs(item_scores(two_systems(base, base + 0.01 * noise), "adequacy"), SETTINGS)
    better = system_pairs(item_scores(two_systems(base, base + 2, "fluency"), "fluency"), SETTINGS)
    (fallback,) = human_verdicts(same, better).verdicts
    assert (fallback.better, fallback.decided_by, fallback.conflict) == ("b", "fluency", False)
    worse = system_pairs(item_scores(two_systems(base + 3, base), "adequacy"), SETTINGS)
    (first,) = human_verdicts(worse, better).verdicts
    assert (first.better, first.decided_by, first.conflict) == ("a", "adequacy", True)
    (neither,) = human_verdicts(same).verdicts
    assert (neither.better, neither.decided_by) == ("", "")
    with pytest.raises(ValueError, match="at least one dimension"):
        human_verdicts()


def test_clusters_need_every_pair_across_the_line():
    beats = {("a", "b"), ("a", "c"), ("a", "d"), ("b", "d")}
    assert rank_clusters("abcd", beats) == (("a",), ("b", "c", "d"))
    assert rank_clusters("abcd", beats | {("c", "d")}) == (("a",), ("b", "c"), ("d",))
    assert rank_clusters("ab", set()) == (("a", "b"),)


def test_raw_and_standardised_rankings_differ_when_shares_are_unbalanced():
    # a strict annotator saw s0 mostly, a lenient one s1; each prefers s0
    rows = [("s0", "strict", 40)] * 9 + [("s1", "strict", 30)] + [("s0", "lenient", 90)] + [("s1", "lenient", 80)] * 9
    frame = judgement_frame(
        {"system": [r[0] for r in rows], "annotator": [r[1] for r in rows], "score": [float(r[2]) for r in rows],
         "segment": [str(i) for i in range(20)], "dimension": "score"}, 20,
    )  # fmt: skip
    means = system_means(frame, "score", SETTINGS)
    assert [s.system for s in means.systems] == ["s1", "s0"]
    assert [s.standardised_rank for s in means.systems] == [2, 1]
    assert "differently" in means.note


@pytest.mark.slow
def test_intervals_cover_the_mean_of_many_items():
    covered = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        frame = judgement_frame({"system": "s", "segment": [str(i) for i in range(50)], "annotator": "x",
                                 "dimension": "score", "score": rng.normal(10, 3, 50).tolist()}, 50)  # fmt: skip
        (system,) = system_means(frame, "score", Settings(n_bootstrap=400, seed=seed)).systems
        covered += system.interval[0] <= 10 <= system.interval[1]
    assert 49 <= covered <= 60  # binomial(60, .95) is below 49 once in 10000


@pytest.mark.slow
def test_with_and_without_an_annotator(judged):
    both = with_and_without(judged, "score", ["a2"], SETTINGS)
    assert both.n_removed == (judged["annotator"] == "a2").sum()
    kept = judged[judged["annotator"] != "a2"]
    expected = item_scores(kept, "score")
    for system in both.without.systems:
        assert system.mean == pytest.approx(expected.means[expected.place(system.system)])
    assert len(both.to_frame()) == 3
    with pytest.raises(ValueError, match="No annotator 'nobody'"):
        with_and_without(judged, "score", ["nobody"], SETTINGS)
    with pytest.raises(ValueError, match="No judgement is left"):
        with_and_without(judged, "score", ["a0", "a1", "a2"], SETTINGS)


def test_one_judged_item_has_no_interval():
    frame = judgement_frame({"system": "s", "segment": "1", "dimension": "score", "score": [3.0]}, 1)
    (system,) = system_means(frame, "score", SETTINGS).systems
    assert (system.mean, system.interval, system.standardised) == (3, None, None)
