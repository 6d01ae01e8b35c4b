"""A simulated arena: data whose truth is known, and how often each test calls two systems different.

A segment score of replica i of system x on segment l is ``effect[x, i] + strength[x, l] + residual[x, i, l]`` (and the
gain, for B), each term normal. Every trial draws new replicas and new segments, so with a gain of 0 every rejection
is a false alarm for a question about new replicas on new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS, Preset, Result
from mtsig_core.significance.closed_form.crossed import segment_mean_square, two_way
from mtsig_core.significance.distributions import betaincinv
from mtsig_core.significance.simulated import World, p_values_of, simulated, simulated_presets

TRIALS = 2000
DRAWS = 399
_BLOCK = 2**21  # segment scores simulated at once, and ...
_SHARING = 100  # ... most trials that share the draws of the tests: one set for all would bias all alike

# what the table of false alarms shows: worlds without a difference, named
SCENARIOS: dict[str, World] = {
    "outputs only": World(),
    "replicas differ": World(replica_sd=2.0),
    "strengths differ": World(strength_sd=10.0),
    "both": World(replica_sd=2.0, strength_sd=10.0),
}


@dataclass(frozen=True)
class ArenaDesign:
    """How experiments are simulated and tested.

    Parameters
    ----------
    trials : int
        Simulated experiments.
    n_draws : int
        Bootstrap resamples or permutations per trial.
    alpha : float
    seed : int
    """

    trials: int = TRIALS
    n_draws: int = DRAWS
    alpha: float = 0.05
    seed: int = 12345


@dataclass(frozen=True)
class ArenaRow:
    """How often one test rejected.

    Attributes
    ----------
    preset : Preset
    rejected, wrong : int
        Trials with p < alpha; those of them for the side that is not better (half of all where nobody is).
    share, low, high : float
        Of the trials, with the exact 95% interval (Clopper and Pearson).
    """

    preset: Preset
    rejected: int
    wrong: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Arena(Result):
    """Rejection rates of tests on data whose truth is known."""

    world: World
    design: ArenaDesign
    rows: tuple[ArenaRow, ...]

    def row(self, preset: str) -> ArenaRow:
        """Return the row of a preset."""
        return next(row for row in self.rows if row.preset.name == preset)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test."""
        title = "false alarms" if self.world.gain == 0 else "power"
        columns = ["test", "question", title, "low", "high"]
        rows = [(r.preset.label, r.preset.question, r.share, r.low, r.high) for r in self.rows]
        return pd.DataFrame(rows, columns=columns)


def exact_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share, count of n (Clopper and Pearson 1934)."""
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 1 - tail))
    return low, high


def arena(
    world: World, design: ArenaDesign | None = None, *, presets: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> Arena:  # fmt: skip
    """Simulate pairs of systems and count how often each test rejects.

    A hundred trials share the draws of the tests, which saves time; the p of a single trial has the distribution that
    it has with draws of its own.

    Parameters
    ----------
    world : World
    design : ArenaDesign, optional
    presets : sequence of str, optional
        By default all that are defined for unpaired systems without documents.
    progress : Progress
    """
    design = design or ArenaDesign()
    names = tuple(presets) if presets is not None else simulated_presets(world)
    size = max(1, min(_SHARING, _BLOCK // (sum(world.replicas) * world.segments)))
    rejected, wrong = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for chunk in random_streams.chunks(design.trials, size):
        progress(chunk.start / design.trials, "simulating experiments")
        a, b = simulated(world, chunk, design.seed)
        difference = b.mean(axis=(1, 2)) - a.mean(axis=(1, 2))
        for name, p in p_values_of(names, a, b, design.n_draws, design.seed, chunk.index).items():
            small = p < design.alpha
            rejected[name] += int(np.count_nonzero(small))
            wrong[name] += int(np.count_nonzero(small & (difference < 0)))
    progress(1.0)
    return Arena(world, design, tuple(_row(PRESETS[n], rejected[n], wrong[n], design.trials) for n in names))


def _row(preset: Preset, rejected: int, wrong: int, trials: int) -> ArenaRow:
    return ArenaRow(preset, rejected, wrong, rejected / trials, *exact_interval(rejected, trials))


@dataclass(frozen=True)
class AlarmTable(Result):
    """False alarms of every test in several worlds without a difference."""

    arenas: tuple[tuple[str, Arena], ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test and one column per world: shares of rejected trials."""
        presets = [row.preset for row in self.arenas[0][1].rows]
        frame = pd.DataFrame({"test": [p.label for p in presets], "question": [p.question for p in presets]})
        for title, one in self.arenas:
            frame[title] = [row.share for row in one.rows]
        return frame


def alarm_table(
    n: int = 3, segments: int = 100, design: ArenaDesign | None = None, *, progress: Progress = no_progress
) -> AlarmTable:
    """Return the false alarms of every test in the worlds of `SCENARIOS`.

    Parameters
    ----------
    n, segments : int
        Replicas of each system; segments of the test set.
    design : ArenaDesign, optional
    progress : Progress
    """
    arenas = []
    for k, (title, world) in enumerate(SCENARIOS.items()):
        sub = subprogress(progress, k / len(SCENARIOS), (k + 1) / len(SCENARIOS))
        arenas.append((title, arena(replace(world, n=n, segments=segments), design, progress=sub)))
    return AlarmTable(tuple(arenas))


def world_of(statistics: SegmentStatistics, a: str, b: str) -> World | None:
    """Return the world that two systems are taken for: their variance components and their difference.

    The components are those of `mtsig_core.analysis.planning.components`; the systems share those of strengths and of
    single outputs.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        The baseline and the system: the gain is the mean of the second less that of the first.

    Returns
    -------
    World or None
        In score units. None where a system has one replica, there is one segment, or no replica varies.
    """
    y_a, y_b = statistics.pseudo_values(a), statistics.pseudo_values(b)
    n_segments = y_a.shape[1]
    if min(len(y_a), len(y_b), n_segments) < 2:
        return None
    squares = [two_way(y) for y in (y_a, y_b)]
    effects = [max(0.0, whole - rest) / n_segments for whole, rest in squares]
    residual = sum(rest for _, rest in squares) / 2
    if residual + sum(effects) <= 0:
        return None
    between = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), None)[0]
    between -= squares[0][1] / len(y_a) + squares[1][1] / len(y_b)
    return World(
        n=len(y_a), n_b=len(y_b), segments=n_segments, replica_sd=effects[0] ** 0.5, replica_sd_b=effects[1] ** 0.5,
        strength_sd=max(0.0, between / 2) ** 0.5, residual_sd=residual**0.5, gain=float(y_b.mean() - y_a.mean()),
    )


def world_like(statistics: SegmentStatistics, a: str, b: str) -> World | None:
    """Return a world without a difference whose variance components are those of two systems, for a residual of 10.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str

    Returns
    -------
    World or None
        Its replicas vary alike in both systems. None where a system has one replica, or nothing varies.
    """
    world = world_of(statistics, a, b)
    if world is None or not world.residual_sd:
        return None
    unit = 10 / world.residual_sd
    effect = sum(sd**2 for sd in world.replica_sds) / 2
    return World(
        n=min(world.replicas), segments=world.segments, replica_sd=unit * effect**0.5,
        strength_sd=unit * world.strength_sd,
    )
