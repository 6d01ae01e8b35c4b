from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.planning.planner import Pilot, PlanDesign, _power, plan, plan_cell, text_alone
from mtsig_core.significance import coherent_test

PILOT = Pilot((1.0, 1.0), (100.0, 100.0), 50.0, 400, 400, (3.0, 3.0))


def test_the_null_is_rejected_about_as_often_as_alpha():
    tiny = plan_cell(PILOT, 1e-9, 5, 400)
    assert 0.02 < tiny.power < 0.06
    assert tiny.wrong_sign == pytest.approx(0.5, abs=0.08)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "length"), [(2, 100), (5, 200)])
def test_power_is_that_of_whole_simulated_experiments(n, length):
    rng, trials, gain = np.random.default_rng(1), 1200, 3.0
    hits = 0
    for _ in range(trials):
        a, b = (
            rng.normal(0, 1, (n, 1)) + rng.normal(0, 5, length) + rng.normal(0, 10, (n, length)) for _ in range(2)
        )
        hits += coherent_test(a, b + gain).p < 0.05
    cell = plan_cell(PILOT, gain, n, length, PlanDesign(simulations=20_000))
    assert cell.power == pytest.approx(hits / trials, abs=0.05)


def test_more_replicas_and_more_segments_find_more():
    power = {(n, length): plan_cell(PILOT, 1.5, n, length).power for n in (2, 5, 20) for length in (200, 800)}
    assert power[2, 200] < power[5, 200] < power[20, 200] < power[20, 800]


def test_with_many_replicas_power_is_bounded_by_the_text():
    at_limit = text_alone(PILOT, 0.8, 400, 0.05)
    assert plan_cell(PILOT, 0.8, 1000, 400).power == pytest.approx(at_limit, abs=0.03)


@pytest.mark.slow
def test_a_plan_says_what_is_needed_and_a_careful_one_asks_for_no_fewer():
    made = plan(PILOT, 1.5, PlanDesign(simulations=2000))
    assert made.needed in {c.n for c in made.cells}
    here = {c.n: c.power for c in made.cells if c.n_segments == 400}
    assert here[made.needed] >= 0.8 > max(p for n, p in here.items() if n < made.needed)
    assert made.needed_cautious >= made.needed
    sentence = made.sentence("BLEU")
    assert f"run {made.needed_cautious} replicas of each system on a test set of 400 segments" in sentence
    assert f"at the pilot's own variation {made.needed} would do" in sentence
    assert set(made.here()["segments"]) == {400}


@pytest.mark.slow
def test_what_cannot_be_found_is_said():
    text = plan(PILOT, 0.3, PlanDesign(simulations=300))
    assert text.needed is None
    assert "no number of replicas is enough" in text.sentence("BLEU")
    assert text_alone(PILOT, 0.3, text.text_needs, 0.05) >= 0.8 > text_alone(PILOT, 0.3, text.text_needs // 2, 0.05)
    luck = plan(Pilot((900.0, 900.0), (1.0, 1.0), 0.0, 400, 400), 0.5, PlanDesign(simulations=300))
    assert "Nor is any number of segments" in luck.sentence("BLEU")
    both = replace(luck, replicas_help=True, segments_help=True, least_segments=None).sentence("BLEU")
    assert both.endswith("It takes more of both: with 100 replicas even 3,200 segments are too few.")


@pytest.mark.parametrize("df", [1, 2, 10, 359, 1e6, 1e9])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5])
def test_the_power_of_a_t_test_is_defined_and_rises_however_far_the_tail(df, alpha):
    found = [_power(shift, 1.0, df, alpha) for shift in (0.01, 0.5, 1, 3, 4.9, 5.1, 8, 12, 15, 30, 100, 1000)]
    assert np.isfinite(found).all()
    assert (np.diff(found) > -1e-6).all()
    assert found[-1] > 0.999 or df < 3


def test_weak_experiments_exaggerate_and_sometimes_point_the_wrong_way():
    weak, strong = plan_cell(PILOT, 0.3, 2, 100), plan_cell(PILOT, 10, 10, 400)
    assert weak.exaggeration > 3
    assert weak.wrong_sign > 0.05
    assert strong.exaggeration == pytest.approx(1, abs=0.02)
    assert strong.wrong_sign == 0


def test_smallest_p_of_dealing_replicas():
    assert plan_cell(PILOT, 1, 3, 50).smallest_p == pytest.approx(0.1)


def test_same_seed_same_plan():
    assert plan_cell(PILOT, 1, 3, 50) == plan_cell(PILOT, -1, 3, 50)


def test_without_luck_everything_is_found():
    assert plan_cell(Pilot((0.0,), (0.0,), 0.0, 10, 10), 0.1, 2, 10).power == 1


@pytest.mark.parametrize(("difference", "target", "alpha"), [(0, 0.8, 0.05), (np.nan, 0.8, 0.05), (1, 1, 0.05),
                                                             (1, 0.8, 0)])
def test_numbers_out_of_range_are_named(difference, target, alpha):
    with pytest.raises(ValueError, match="must"):
        plan(PILOT, difference, PlanDesign(target, alpha))


def test_a_pilot_of_one_replica_each_gives_no_plan():
    with pytest.raises(ValueError, match="two or more"):
        Pilot((), (), 1.0, 100, 100)
