from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.comparison import compare, compare_pair
from mtsig_core.metrics import SegmentStatistics, get_metric
from mtsig_core.reports.pairs.comparator import comparator
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance import Pair, applicable, coherent_test, crossed_test
from tests.analysis.comparison.conftest import QUICK, numbers, of


def test_difference_is_of_mean_scores(statistics_of):
    data = numbers(3, 5)
    result = of(statistics_of, data)
    assert result.difference == pytest.approx(data["B"].mean() - data["A"].mean())
    assert result.scores_b == pytest.approx(data["B"].mean(axis=1))
    assert (result.replicas_a, len(result.replicas_b)) == (("seed1", "seed2", "seed3"), 5)


def test_test_set_interval_is_the_percentile_interval_of_the_bootstrap(statistics_of):
    data = numbers()
    statistics = statistics_of(data)
    result = compare(statistics, "A", "B", QUICK)
    draws = bootstrap_scores(statistics, 400, 3)
    differences = draws[:, 4:].mean(axis=1) - draws[:, :4].mean(axis=1)
    assert np.array_equal(result.bootstrap_differences, differences)
    assert result.intervals.test_set == pytest.approx(np.quantile(differences, (0.025, 0.975)))
    segment = (data["B"].mean(axis=0) - data["A"].mean(axis=0)).std() / np.sqrt(150)
    width = result.intervals.test_set[1] - result.intervals.test_set[0]
    assert width == pytest.approx(2 * 1.96 * segment, rel=0.15)


def test_given_draws_are_used(statistics_of):
    statistics = statistics_of(numbers())
    draws = np.tile(np.arange(10.0)[:, None], (1, 8))
    draws[:, 4:] += 2
    result = compare_pair(Pair(statistics, "A", "B", QUICK, draws), presets=())
    assert result.bootstrap_differences.tolist() == [2.0] * 10
    assert (result.wins.b, result.wins.a, result.wins.tie) == (1, 0, 0)


def test_optimizer_interval_is_welch_or_paired_t(statistics_of):
    data = numbers(3, 5)
    a, b = (data[s].mean(axis=1) for s in "AB")
    welch = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.9)
    result = of(statistics_of, data, Settings(n_bootstrap=50, n_permutations=50, alpha=0.1))
    assert result.intervals.optimizer == pytest.approx(tuple(welch))
    data = numbers(4, 4)
    a, b = (data[s].mean(axis=1) for s in "AB")
    paired = stats.ttest_rel(b, a).confidence_interval(0.95)
    result = of(statistics_of, data, Settings(n_bootstrap=50, n_permutations=50, paired=True))
    assert result.intervals.optimizer == pytest.approx(tuple(paired))


@pytest.mark.parametrize(("n", "whose"), [((1, 1), "both systems have"), ((1, 4), "one of the systems has")])
def test_no_optimizer_interval_of_one_replica(statistics_of, n, whose):
    result = of(statistics_of, numbers(*n), Settings(n_bootstrap=50, n_permutations=50))
    assert result.intervals.optimizer is None
    assert result.intervals.reasons["optimizer"] == f"{whose} one replica, which shows no spread"


@pytest.mark.parametrize("paired", [False, True])
def test_verdict_and_third_interval_are_the_coherent_test(statistics_of, paired):
    statistics = statistics_of(numbers())
    settings = Settings(n_bootstrap=50, n_permutations=50, paired=paired)
    result = compare(statistics, "A", "B", settings)
    y_a, y_b = statistics.pseudo_values("A"), statistics.pseudo_values("B")
    expected = coherent_test(y_a, y_b, paired=paired)
    assert result.coherent.p == expected.p
    assert result.intervals.both == (expected.low, expected.high)
    assert result.test("coherent-paired" if paired else "coherent").p == expected.p
    crossed = crossed_test(y_a, y_b, paired=paired)
    assert result.crossed.p == result.test("crossed-paired" if paired else "crossed").p == crossed.p


def test_all_applicable_presets_by_default_and_only_those_asked_for(statistics_of):
    statistics = statistics_of(numbers())
    result = compare(statistics, "A", "B", QUICK)
    assert tuple(t.preset.name for t in result.tests) == applicable(statistics, "A", "B", QUICK)
    asked = compare(statistics, "A", "B", QUICK, presets=("welch-replicas",))
    assert [t.preset.name for t in asked.tests] == ["welch-replicas"]
    assert asked.test("ar-segment") is None
    assert asked.verdict.headline == result.verdict.headline
    assert result.to_frame()["test"].tolist() == list(applicable(statistics, "A", "B", QUICK))


@pytest.mark.parametrize(
    ("shift", "higher", "level", "words"),
    [
        (1.0, True, "better", "B is better than A by {} points: new runs made the same way on new text should"),
        (-1.0, True, "worse", "B is worse than A by {} points: new runs made the same way on new text should"),
        (-1.0, False, "better", "B is better than A: {} errors lower: new runs made the same way on new text should"),
        (1.0, False, "worse", "B is worse than A: {} errors higher: new runs made the same way on new text should"),
    ],
)
def test_better_is_better_whatever_the_direction(statistics_of, shift, higher, level, words):
    result = of(statistics_of, numbers(shift=shift), higher=higher)
    assert result.verdict.outcome == level
    assert words.format(f"{abs(result.difference):.2f}") in result.verdict.headline
    assert abs(result.difference) == pytest.approx(1, abs=0.2)
    assert (result.wins.b, result.wins.a) == ((1, 0) if level == "better" else (0, 1))
    assert result.difference * shift > 0


def test_undecided_says_what_luck_could_do(statistics_of):
    result = of(statistics_of, numbers(shift=0.1, replica_sd=0.3))
    assert result.coherent.p > 0.05
    assert result.verdict.outcome == "undecided"
    assert result.verdict.headline.startswith("Inconclusive: B looks")
    details = " ".join(result.verdict.details)
    assert "On these very outputs" in details
    assert "On this very text" in details
    assert f"A difference below {result.coherent.smallest_significant:.2f} points would not have been" in details
    assert "would have been found 4 times in 5" in details
    half = (result.intervals.optimizer[1] - result.intervals.optimizer[0]) / 2
    assert f"run-to-run variation alone could make a difference of {half:.2f} points" in details


def test_a_segment_test_alone_never_makes_the_headline(statistics_of):
    # whole replicas differ far more than segments do: significant on these outputs, not of the training setups
    data = numbers(3, 3, shift=1.0, replica_sd=3.0, seed=2)
    result = of(statistics_of, data)
    assert result.test("ar-segment").p < 0.05
    assert result.verdict.outcome == "undecided"


def test_swapping_the_systems_mirrors_everything(statistics_of):
    data = numbers(3, 5, shift=0.4)
    forth, back = of(statistics_of, data), of(statistics_of, {"A": data["B"], "B": data["A"]})
    assert forth.difference == pytest.approx(-back.difference)
    for name in ("optimizer", "both"):
        low, high = getattr(back.intervals, name)
        assert getattr(forth.intervals, name) == pytest.approx((-high, -low))
    assert {forth.verdict.outcome, back.verdict.outcome} in ({"better", "worse"}, {"undecided"})
    assert (forth.wins.a, forth.wins.b) == (back.wins.b, back.wins.a)


def test_copies_are_the_same_outputs(statistics_of):
    data = numbers(3)["A"]
    for copy in (data, data[[2, 0, 1]]):
        result = of(statistics_of, {"A": data, "B": copy})
        assert result.verdict.outcome == "same outputs"
        assert "identical" in result.verdict.headline
        assert "p = 1" in result.verdict.headline
        assert result.difference == 0
        assert result.test("ar-segment").p == 1
        assert (result.wins.a, result.wins.b, result.wins.tie) == (0, 0, 1)
        assert result.intervals.test_set == (0, 0)
    assert of(statistics_of, {"A": data[:1], "B": data[:1]}).verdict.outcome == "same outputs"
    assert of(statistics_of, {"A": data, "B": data[:2]}).verdict.outcome != "same outputs"


def test_equal_statistics_are_not_said_to_be_equal_texts(statistics_of):
    # no output matches its reference exactly: 0 everywhere, whatever the words are
    headline = of(statistics_of, {"A": np.zeros((3, 20)), "B": np.zeros((2, 20))}).verdict.headline
    assert headline == "No difference: to points the outputs of both systems are identical in every segment (p = 1)."


def test_pairs_are_matched_by_name_and_the_others_left_out(statistics_of):
    statistics = statistics_of(numbers(3, 3))
    paired = replace(QUICK, paired=True)
    apart = replace(statistics, replicas=(("seed1", "seed2", "seed4"), ("seed4", "seed3", "seed1")))
    result = compare(apart, "A", "B", paired, presets=())
    assert result.replicas_a == result.replicas_b == ("seed1", "seed4")
    assert result.scores_b == pytest.approx(apart.scores_of("B")[[2, 0]])
    assert result.verdict.details[0] == "Replicas without a partner are left out: A/seed2, B/seed3."
    assert len(compare(apart, "A", "B", QUICK, presets=()).replicas_a) == 3
    with pytest.raises(ValueError, match="none of them has a partner"):
        compare(replace(statistics, replicas=(("x", "y", "z"), ("u", "v", "w"))), "A", "B", paired)


def test_copies_within_a_system_are_no_evidence_of_a_recipe(statistics_of):
    data = numbers(3, 3, shift=2.0)
    valid = of(statistics_of, data).verdict
    copied = of(statistics_of, {"A": data["A"], "B": data["B"][[0, 0, 0]]}).verdict
    assert not any("one run" in d for d in valid.details)
    assert copied.details[0] == "The 3 replicas of B have equal scores in every segment: they count as one run."
    alone = of(statistics_of, {"A": data["A"], "B": data["B"][:1]}).verdict
    assert (copied.outcome, copied.headline, copied.details[1:]) == (alone.outcome, alone.headline, alone.details)
    assert "says nothing about the training setup of B" in copied.headline
    both = of(statistics_of, {"A": data["A"][[1, 1]], "B": data["B"][[0, 0]]}).verdict
    assert both.outcome == "not defined"
    assert [d for d in both.details if "count as one run" in d] == [
        f"The 2 replicas of {name} have equal scores in every segment: they count as one run." for name in "AB"
    ]
    assert not any("?." in d for d in both.details)


def test_tests_of_whole_replicas_that_disagree_are_not_read_as_a_finding(statistics_of):
    # 2 against 10: the observed deal is the most extreme of 66, Welch's t has hardly one degree of freedom
    a, b = np.array([40.0, 46.0]), 50 + np.arange(10) / 10
    numbers = {"A": np.repeat(a[:, None], 30, axis=1), "B": np.repeat(b[:, None], 30, axis=1)}
    numbers["B"][:, :15] += 0.5
    result = of(statistics_of, numbers)
    assert result.test("ar-replica").p < 0.05 < stats.ttest_ind(a, b + 0.25, equal_var=False).pvalue
    (told,) = [d for d in result.verdict.details if d.startswith("On this very text")]
    assert "disagree" in told
    assert "should show" not in told


def test_a_warning_calls_systems_by_their_names(statistics_of):
    data = numbers(1, 3)
    statistics = statistics_of({"old": data["A"], "new": data["B"]})
    told = compare(statistics, "old", "new", QUICK).verdict.details
    assert "Unreliable: new has 3 replicas; use at least 5." in told


def test_one_replica_each_leaves_the_segment_test_only(statistics_of):
    result = of(statistics_of, numbers(1, 1, shift=1.0), presets=())
    assert result.verdict.outcome == "not defined"
    assert "it is unknown how much runs vary" in result.verdict.headline
    assert "On these very outputs, B is better" in result.verdict.headline
    assert result.crossed is None
    assert (result.intervals.optimizer, result.intervals.both) == (None, None)
    assert set(result.intervals.reasons) == {"optimizer", "both"}


@pytest.mark.parametrize(("n_a", "n_b", "single"), [(1, 6, "A"), (6, 1, "B")])
def test_one_replica_on_a_side_says_nothing_of_its_recipe(statistics_of, n_a, n_b, single):
    result = of(statistics_of, numbers(n_a, n_b, shift=2.0))
    other = "B" if single == "A" else "A"
    assert result.verdict.outcome == "better"
    assert f"he training setup of {other}" in result.verdict.headline
    assert f"he one output of {single}" in result.verdict.headline
    assert f"says nothing about the training setup of {single}" in result.verdict.headline
    assert result.intervals.both is not None
    assert "one replica" in result.intervals.reasons["optimizer"]


def test_on_request_the_single_replica_is_taken_to_vary_as_the_others_do(statistics_of):
    values = numbers(1, 6, shift=2.0)
    plain = of(statistics_of, values)
    result = of(
        statistics_of, values, settings=Settings(n_bootstrap=200, n_permutations=200, assume_equal_variation=True)
    )
    assert "would vary as those of B do" in result.verdict.headline
    assert "one output" not in result.verdict.headline
    assert result.coherent.p > plain.coherent.p
    assert result.test("coherent").p == result.coherent.p


def test_few_replicas_against_one_are_marked_unreliable(statistics_of):
    result = of(statistics_of, numbers(1, 3, shift=2.0))
    assert any("nreliable" in d for d in result.verdict.details)


def test_one_segment_gives_no_verdict_but_a_reason(statistics_of):
    result = of(statistics_of, numbers(3, 3, length=1))
    assert result.verdict.outcome == "not defined"
    assert "two or more segments" in result.verdict.headline
    assert result.intervals.both is None
    assert result.intervals.test_set is None
    assert "two or more segments" in result.intervals.reasons["test_set"]


def test_a_single_replica_cannot_be_paired_and_it_says_so(statistics_of):
    result = of(statistics_of, numbers(1, 5), Settings(n_bootstrap=50, n_permutations=50, paired=True))
    assert result.crossed.kind == "one replica"
    assert "compared as unpaired" in result.verdict.details[0]
    result = of(statistics_of, numbers(3, 5), Settings(n_bootstrap=50, n_permutations=50, paired=True))
    assert result.crossed.kind == "paired"
    assert result.basis.without_partner == ("B/seed4", "B/seed5")


def test_replica_exchange_that_can_never_be_significant_is_explained(statistics_of):
    details = of(statistics_of, numbers(3, 3)).verdict.details
    assert any("can never give a p below 0.100" in d for d in details)
    details = of(statistics_of, numbers(4, 4)).verdict.details
    assert not any("can never" in d for d in details)


def test_documents_reach_the_crossed_test(statistics_of):
    data = numbers(length=60)
    plain = compare(statistics_of(data), "A", "B", QUICK, presets=())
    grouped = compare(statistics_of(data, documents=np.repeat(np.arange(6), 10)), "A", "B", QUICK, presets=())
    assert grouped.crossed.components["MSd"] != plain.crossed.components["MSd"]


def test_refuses_unknown_and_equal_systems(statistics_of):
    statistics = statistics_of(numbers())
    with pytest.raises(ValueError, match="there are: 'A', 'B'"):
        compare(statistics, "A", "C", QUICK)
    with pytest.raises(ValueError, match="two systems"):
        compare(statistics, "A", "A", QUICK)
    with pytest.raises(ValueError, match="crossd"):
        compare(statistics, "A", "B", QUICK, presets=("crossd",))


def test_progress_rises_to_one(statistics_of):
    seen = []
    of(statistics_of, numbers(), progress=lambda fraction, what="": seen.append(fraction))
    assert seen == sorted(seen)
    assert seen[-1] == 1


@pytest.mark.slow
def test_multeval_example(multeval):
    settings = Settings()
    result = compare(multeval, "baseline", "sys1", settings)
    assert result.difference == pytest.approx(0.28666, abs=1e-4)
    assert result.verdict.outcome == "undecided"
    assert "sys1 looks better than baseline by 0.29 BLEU" in result.verdict.headline
    assert "p = 0.230" in result.verdict.headline
    assert (result.coherent.p, *result.intervals.both) == pytest.approx((0.2304, -0.4094, 0.9827), abs=5e-5)
    assert (result.crossed.se, result.crossed.df) == (pytest.approx(0.200, abs=1e-3), pytest.approx(3.8, abs=0.05))
    assert result.test("ar-replica").p == pytest.approx(0.30)
    assert result.test("welch-replicas").p == pytest.approx(0.23, abs=0.005)
    assert result.test("ar-hypothesis").p < 0.001
    copy = compare(multeval, "baseline", "sys2", settings)
    assert copy.verdict.outcome == "same outputs"
    assert copy.test("ar-segment").p == 1


@pytest.mark.slow
def test_pairing_sharpens_replicas_that_share_seeds(e2e_shared_seeds):
    settings = [Settings(n_bootstrap=200, n_permutations=200, paired=paired) for paired in (False, True)]
    free, paired = (compare(e2e_shared_seeds, "tgen-std", "tgen-plus", s) for s in settings)
    assert (free.verdict.outcome, paired.verdict.outcome) == ("undecided", "better")
    assert (free.crossed.p, paired.crossed.p) == (pytest.approx(0.143, abs=5e-4), pytest.approx(0.0070, abs=5e-5))
    assert free.coherent.p > free.crossed.p
    assert paired.test("ar-replica-paired").p == pytest.approx(0.0625)


@pytest.mark.parametrize("presets", [("crossed",), ("koehn",), ("ar-replica", "crossed")])
def test_the_verdict_does_not_depend_on_the_tests_shown(presets, statistics_of):
    rng = np.random.default_rng(2)
    statistics = statistics_of({"a": 20 + rng.normal(0, 2, (3, 30)), "b": 21 + rng.normal(0, 2, (3, 30))})
    settings = Settings(n_bootstrap=100, n_permutations=100)
    shown = compare(statistics, "a", "b", settings, presets=presets)
    assert tuple(test.preset.name for test in shown.tests) == presets
    assert shown.verdict == compare(statistics, "a", "b", settings).verdict


def test_no_direction_is_better_where_the_metric_is_no_quality():
    rng = np.random.default_rng(0)
    metric = get_metric("length")
    values = np.stack([rng.integers(9, 12, (6, 200)), np.full((6, 200), 10)], axis=-1).astype(float)
    values[3:, :, 0] += 3
    names = ("1", "2", "3")
    statistics = SegmentStatistics(metric, "t", "", ("A", "B"), (names, names), values)
    found = compare(statistics, "A", "B", Settings(n_bootstrap=100, n_permutations=100))
    assert found.verdict.outcome == "higher"
    assert found.verdict.headline.startswith("B is higher than A by ")
    words = set(comparator([found]).outcomes["Length"])
    assert "higher" in words
    assert not words & {"better", "worse"}
    assert not {"better", "worse"} & set(found.verdict.headline.split())
    assert compare(statistics, "B", "A", Settings(n_bootstrap=100, n_permutations=100)).verdict.outcome == "lower"


def test_another_difference_than_the_headline_says_how_it_is_scored(statistics_of):
    plain = statistics_of(numbers(2, 2, shift=3.0, replica_sd=0.5))
    heavy = plain.values.copy()
    heavy[0] *= 9  # this replica's score stays, but counts nine times in the score of both as one output
    together = "when the replicas of a system are scored as one output"
    for values, is_told in ((plain.values, False), (heavy, True)):
        result = compare(replace(plain, values=values), "A", "B", QUICK)
        sentence = next(one for one in result.verdict.details if one.startswith("On these very outputs, B is better"))
        assert (together in sentence) is is_told
