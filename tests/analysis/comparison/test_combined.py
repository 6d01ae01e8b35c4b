from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t, ttest_ind, ttest_rel

from mtsig_core.analysis.comparison.combined import combined
from mtsig_core.resampling import Settings
from mtsig_core.significance import crossed_test

QUICK = Settings(n_bootstrap=400)
LENGTHS = (30, 50)


@pytest.fixture
def sets(statistics_of):
    """Make two test sets with an effect of replicas that goes along from set to set."""

    def make(rng, n_a=4, n_b=4, replica=0.5, gain=0.0, lengths=LENGTHS, **more):
        effects = [rng.normal(0, replica, (n, 1)) for n in (n_a, n_b)]
        made = []
        for k, length in enumerate(lengths):
            a, b = (e + rng.normal(0, 1, length) + rng.normal(0, 2, (len(e), length)) for e in effects)
            made.append(statistics_of({"a": a, "b": b + gain}, test_set=f"set{k}", **more))
        return made

    return make


def test_one_set_twice_is_that_set_without_its_text_luck_halved(statistics_of):
    """The replicas' part must stay whole while the text's is halved: compare with the variance by hand.

    Strengths differ by segment, so that the crossed test decides.
    """
    rng = np.random.default_rng(1)
    a, b = (rng.normal(0, 1, (n, 1)) + rng.normal(0, 6, 40) + rng.normal(0, 1, (n, 40)) for n in (4, 4))
    one = statistics_of({"a": a, "b": b})
    found = combined([one, replace(one, test_set="again")], "a", "b", QUICK)
    crossed = crossed_test(a, b)
    assert found.difference == pytest.approx(crossed.difference)
    c = crossed.components
    whole = a.mean(1).var(ddof=1) / 4 + b.mean(1).var(ddof=1) / 4
    text = (c["MSd"] - c["MSe_A"] / 4 - c["MSe_B"] / 4) / 40
    half = (found.both[1] - found.both[0]) / 2
    assert half == pytest.approx(t.ppf(0.975, found.df) * max(whole + text / 2, c["MSd"] / 80) ** 0.5)


def test_each_set_counts_the_same(sets):
    found = combined(sets(np.random.default_rng(2), gain=1.0), "a", "b", QUICK)
    assert found.difference == pytest.approx(np.mean([s.difference for s in found.sets]))
    assert [s.segments for s in found.sets] == list(LENGTHS)
    assert found.text[0] < found.difference < found.text[1]
    assert found.both[1] - found.both[0] > found.text[1] - found.text[0]
    assert len(found.to_frame()) == 3


def test_the_text_interval_is_that_of_independent_sets(sets):
    made = sets(np.random.default_rng(3), lengths=(60, 60))
    found = combined(made, "a", "b", Settings(n_bootstrap=4000))
    spread = [np.var(s.of("b")[..., 0].mean(0) - s.of("a")[..., 0].mean(0)) / 60 for s in made]
    assert (found.text[1] - found.text[0]) / 3.92 == pytest.approx(np.sqrt(sum(spread)) / 2, rel=0.06)


@pytest.mark.parametrize("paired", [False, True])
def test_the_replicas_interval_is_t_of_their_means_over_the_sets(sets, paired):
    made = sets(np.random.default_rng(9), n_a=3, n_b=3)
    found = combined(made, "a", "b", replace(QUICK, paired=paired))
    a, b = (np.mean([s.of(x)[..., 0].mean(axis=1) for s in made], axis=0) for x in "ab")
    peer = ttest_rel(b, a) if paired else ttest_ind(b, a, equal_var=False)
    assert found.replicas == pytest.approx(tuple(peer.confidence_interval()))


def test_one_replica_on_a_side_is_told_of(sets):
    found = combined(sets(np.random.default_rng(5), n_a=1, n_b=6), "a", "b", QUICK)
    assert found.p is not None
    assert found.notes == (
        "a has one replica: this compares the training setup of b with that very output, "
        "and says nothing about the training setup of a.",
    )


def test_replicas_that_lack_a_set_are_left_out_and_told(sets):
    first, second = sets(np.random.default_rng(4))
    names = second.replicas
    short = replace(second, replicas=(names[0][:3], names[1]), values=second.values[[0, 1, 2, 4, 5, 6, 7]])
    found = combined([first, short], "a", "b", QUICK)
    assert (found.n_a, found.n_b) == (3, 4)
    assert "3 of 4 replicas of a" in found.notes[0]


def test_one_replica_each_has_text_luck_alone(sets):
    found = combined(sets(np.random.default_rng(5), n_a=1, n_b=1), "a", "b", QUICK)
    assert found.text is not None
    assert (found.replicas, found.both, found.p) == (None, None, None)
    assert "one replica of each system" in found.notes[-1]


def test_identical_systems_give_p_1(statistics_of):
    y = np.random.default_rng(6).normal(0, 1, (3, 20))
    made = [statistics_of({"a": y, "b": y}, test_set=name) for name in "xz"]
    assert combined(made, "a", "b", QUICK).p == 1
    constant = [statistics_of({"a": np.ones((3, 9)), "b": np.ones((3, 9))}, test_set=name) for name in "xz"]
    assert combined(constant, "a", "b", QUICK).p == 1


def test_refusals(sets, statistics_of):
    first, second = sets(np.random.default_rng(7))
    with pytest.raises(ValueError, match="at least 2 test sets"):
        combined([first], "a", "b", QUICK)
    other = replace(second, replicas=(tuple("wxyz"), second.replicas[1]))
    with pytest.raises(ValueError, match="no replica of 'a'"):
        combined([first, other], "a", "b", QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
def test_false_alarms(sets, paired):
    rng = np.random.default_rng(8)
    trials, settings = 400, Settings(n_bootstrap=2, paired=paired)
    hits = sum(combined(sets(rng), "a", "b", settings).p < 0.05 for _ in range(trials))
    assert 0.015 < hits / trials < 0.075
