"""What an experiment could have shown: the difference that is found 4 times in 5, by simulating the coherent test."""

from __future__ import annotations

import numpy as np

from mtsig_core.significance.simulation.designs import Design, Variation, difference_of_power, simulate

SIMULATIONS = 4000
POWER = 0.8
_STREAM = 0x5E


def detectable_difference(
    design: Design, variation: Variation, *, alpha: float = 0.05, power: float = POWER, seed: int = 12345
) -> float:
    """Return the true difference that experiments of a design find with a power, in score units.

    Not to be taken for the size below which a difference is not significant, half the interval's width: a true
    difference of just that size is missed half the time.

    Parameters
    ----------
    design : Design
    variation : Variation
    alpha, power : float
    seed : int
    """
    key = (_STREAM, *design.numbers, design.n_segments)
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=key)))
    squares = simulate(design, variation, SIMULATIONS, rng)
    return difference_of_power(squares.half_widths(alpha), squares.difference, power)
