"""Three tests that grow: the library's own draws and p-values, against exchanges made by hand."""

import numpy as np
import pytest
from scipy import stats

from mtsig_core.resampling import Settings
from mtsig_core.significance import run_preset
from mtsig_core.teaching import Run
from mtsig_core.teaching.null_distributions import (
    CENTRED,
    EXCHANGED,
    PAIRED,
    TESTS,
    A,
    B,
    NullDistributions,
    counted,
    invented_pair,
    result_of,
)


def run(n=999, segments=60, gain=2.0, **options):
    return Run(NullDistributions(invented_pair(segments, gain, 1, **options), A, B, seed=3)).step(n)


@pytest.mark.parametrize("number", [0, 7, 255, 256, 700])
def test_the_coins_are_those_of_the_draw(number):
    made = run()
    a, b = made.simulation.pair.values[..., 0]
    swapped = made.simulation.coins(number)
    assert np.where(swapped, a - b, b - a).mean() == pytest.approx(made["exchanged"][number])


@pytest.mark.parametrize("preset", TESTS)
def test_p_is_that_of_the_library_and_of_the_draws_shown(preset):
    made = run()
    result = result_of(made, preset)
    settings = Settings(n_bootstrap=999, n_permutations=999, seed=3)
    assert result.p == run_preset(preset, made.simulation.pair, A, B, settings).p
    draws, d = counted(made, preset), made.simulation.difference
    count = min((draws <= 0).sum(), (draws >= 0).sum()) if preset == PAIRED else (np.abs(draws) >= abs(d)).sum()
    assert result.p == pytest.approx((2 if preset == PAIRED else 1) * (count + 1) / 1000)


@pytest.mark.slow
def test_the_three_agree_with_the_paired_t_test():
    made = run(5000)
    a, b = made.simulation.pair.values[..., 0]
    expected = stats.ttest_rel(b, a).pvalue
    for preset in TESTS:
        assert result_of(made, preset).p == pytest.approx(expected, abs=0.04)


def test_the_centred_bootstrap_is_the_paired_one_moved_to_0():
    made = run()
    assert counted(made, CENTRED).mean() == pytest.approx(0, abs=1e-12)
    assert counted(made, PAIRED).std() == pytest.approx(counted(made, CENTRED).std())
    assert counted(made, EXCHANGED).std() == pytest.approx(counted(made, PAIRED).std(), rel=0.1)


def test_no_test_finds_a_difference_between_copies():
    made = run(300, gain=3.0, identical=True)
    assert made.simulation.difference == 0
    assert {result_of(made, preset).p for preset in TESTS} == {1.0}
