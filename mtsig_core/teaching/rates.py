"""Test arena: experiments whose truth is known, and how often every test calls the systems different."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mtsig_core.analysis.calibration.arena import DRAWS, ArenaRow, exact_interval, world_like
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance import PRESETS
from mtsig_core.significance.conventions import OUTPUTS_NEW_TEXT, SETUP_NEW_TEXT, SETUP_THIS_TEXT
from mtsig_core.significance.distributions import normal_quantile
from mtsig_core.significance.simulated import World, p_values_of, simulated, simulated_presets
from mtsig_core.teaching.run import Run

ALPHA = 0.05
SEGMENTS = 100  # as in docs/false-alarms.md
_QUESTIONS = (SETUP_NEW_TEXT, SETUP_THIS_TEXT, OUTPUTS_NEW_TEXT)
_SIDE = "side"


@dataclass(frozen=True, eq=False)
class ArenaTrials:
    """Simulated pairs of systems, each tested by every preset that is defined for so many replicas.

    The same world, seed and draws as in `mtsig_core.analysis.calibration.arena.arena` give the same p-values.

    Parameters
    ----------
    world : World
    seed : int
    """

    world: World
    seed: int = 1

    chunk_size = 100  # experiments that share the draws of the tests, as in the arena
    most = 2000

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The presets, those for the arena's question first: new replicas on new text."""
        asked = {question: place for place, question in enumerate(_QUESTIONS)}
        return tuple(sorted(simulated_presets(self.world),
                            key=lambda name: asked.get(PRESETS[name].question, len(asked))))  # fmt: skip

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return p of every preset for a chunk of experiments, and which system has the higher score."""
        a, b = simulated(self.world, chunk, self.seed)
        side = np.sign(b.mean(axis=(1, 2)) - a.mean(axis=(1, 2)))
        return p_values_of(self.names, a, b, DRAWS, self.seed, chunk.index) | {_SIDE: side}


def world_of(statistics: SegmentStatistics, a: str, b: str) -> World:
    """Return a world on 100 segments whose variances stand to each other as those of two systems.

    The fewer the segments, the larger the effects of replicas are made, so that replicas have the same part in the
    variance of the difference.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Two systems; their difference is left out, so that every rejection is a false alarm.

    Raises
    ------
    ValueError
        Where a system has one replica, there is one segment, or nothing varies.
    """
    world = world_like(statistics, a, b)
    if world is None:
        raise ValueError("This lesson needs at least 2 replicas of each system, and 2 segments, whose scores vary.")
    return replace(world, segments=SEGMENTS, replica_sd=world.replica_sd * (world.segments / SEGMENTS) ** 0.5)


def rates(run: Run[ArenaTrials]) -> tuple[ArenaRow, ...]:
    """Return how often each test called the systems different so far, in the order of `names`; there must be one.

    Parameters
    ----------
    run : Run of ArenaTrials
    """
    rows = []
    for name in run.simulation.names:
        small = run[name] < ALPHA
        rejected, wrong = int(small.sum()), int((small & (run[_SIDE] < 0)).sum())
        rows.append(ArenaRow(PRESETS[name], rejected, wrong, rejected / run.n, *exact_interval(rejected, run.n)))
    return tuple(rows)


def rates_so_far(run: Run[ArenaTrials], name: str) -> np.ndarray:
    """Return the share of experiments that a test called different after each of them, shape (draw,).

    Parameters
    ----------
    run : Run of ArenaTrials
    name : str
        A preset.
    """
    return np.cumsum(run[name] < ALPHA) / np.arange(1, run.n + 1)


def monte_carlo_error(n: np.ndarray | int) -> np.ndarray:
    """Return by how much the share of a test that errs at its level strays in n experiments (95%), shape of n.

    Parameters
    ----------
    n : int or ndarray of int
    """
    return normal_quantile(0.975) * np.sqrt(ALPHA * (1 - ALPHA) / np.asarray(n))
