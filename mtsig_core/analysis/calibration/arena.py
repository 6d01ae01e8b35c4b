"""A simulated arena: data whose truth is known, and how often each test calls two systems different.

A segment score of replica i of system x on segment l is ``effect[x, i] + strength[x, l] + residual[x, i, l]`` (and the
gain, for B), each part normal. Every trial makes new replicas and new segments, so with a gain of 0 every rejection
is a false alarm for somebody who asks about new replicas on new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS
from mtsig_core.significance.crossed import segment_mean_square, two_way
from mtsig_core.significance.distributions import betaincinv
from mtsig_core.significance.simulated import World, p_values_of, simulated, simulated_presets

TRIALS = 2000
DRAWS = 399
_BLOCK = 2**21  # segment scores simulated at once, and ...
_SHARING = 100  # ... most trials that share the draws of the tests: one set for all would shift all of them alike

# what the table of false alarms shows: worlds without a difference, named
SCENARIOS: dict[str, World] = {
    "outputs only": World(),
    "replicas differ": World(replica_sd=2.0),
    "strengths differ": World(strength_sd=10.0),
    "both": World(replica_sd=2.0, strength_sd=10.0),
}


@dataclass(frozen=True)
class ArenaRow:
    """How often one test rejected.

    Attributes
    ----------
    preset, label, question : str
    honest : bool
        Whether the preset carries no warning.
    rejected, wrong : int
        Trials with p < alpha; those of them for the side that is not better (half of all where nobody is).
    share, low, high : float
        Of the trials, with the exact 95 % interval (Clopper and Pearson).
    """

    preset: str
    label: str
    question: str
    honest: bool
    rejected: int
    wrong: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Arena:
    """Tests on data whose truth is known."""

    world: World
    trials: int
    draws: int
    alpha: float
    rows: tuple[ArenaRow, ...]

    def row(self, preset: str) -> ArenaRow:
        """Return the row of a preset."""
        return next(row for row in self.rows if row.preset == preset)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a test."""
        title = "false alarms" if self.world.gain == 0 else "power"
        columns = ["test", "answers for", title, "low", "high"]
        rows = [(r.label, r.question, r.share, r.low, r.high) for r in self.rows]
        return pd.DataFrame(rows, columns=columns)


def exact_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share (Clopper and Pearson 1934)."""
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 1 - tail))
    return low, high


def arena(
    world: World,
    *,
    trials: int = TRIALS,
    n_draws: int = DRAWS,
    alpha: float = 0.05,
    seed: int = 12345,
    presets: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> Arena:
    """Simulate pairs of systems and count how often each test rejects.

    A hundred trials share the draws of the tests, which makes the arena quick; a trial's p is as it would be with
    its own.

    Parameters
    ----------
    world : World
    trials, n_draws : int
    alpha : float
    seed : int
    presets : sequence of str, optional
        All that are defined for unpaired systems without documents when left out.
    progress : Progress
    """
    names = tuple(presets) if presets is not None else simulated_presets(world)
    size = max(1, min(_SHARING, _BLOCK // (sum(world.replicas) * world.segments)))
    rejected, wrong = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for chunk in random_streams.chunks(trials, size):
        progress(chunk.start / trials, "simulating experiments")
        a, b = simulated(world, chunk, seed)
        difference = b.mean(axis=(1, 2)) - a.mean(axis=(1, 2))
        for name, p in p_values_of(names, a, b, n_draws, seed, chunk.index).items():
            small = p < alpha
            rejected[name] += int(np.count_nonzero(small))
            wrong[name] += int(np.count_nonzero(small & (difference < 0)))
    progress(1.0)
    rows = []
    for name in names:
        preset = PRESETS[name]
        low, high = exact_interval(rejected[name], trials)
        share = rejected[name] / trials
        rows.append(ArenaRow(name, preset.label, preset.question, preset.honest, rejected[name], wrong[name], share,
                             low, high))
    return Arena(world, trials, n_draws, alpha, tuple(rows))


@dataclass(frozen=True)
class AlarmTable:
    """False alarms of every test in several worlds without a difference."""

    arenas: tuple[tuple[str, Arena], ...]

    def to_frame(self) -> pd.DataFrame:
        """Return a row a test, a column a world; shares of rejected trials."""
        first = self.arenas[0][1]
        frame = pd.DataFrame({
            "test": [row.label for row in first.rows], "answers for": [row.question for row in first.rows],
        })
        for title, found in self.arenas:
            frame[title] = [row.share for row in found.rows]
        return frame


def alarm_table(
    n: int = 3, segments: int = 100, *, trials: int = TRIALS, n_draws: int = DRAWS, alpha: float = 0.05,
    seed: int = 12345, progress: Progress = no_progress,
) -> AlarmTable:
    """Return the false alarms of every test in the worlds of `SCENARIOS`, with n replicas a system."""
    found = []
    for k, (title, world) in enumerate(SCENARIOS.items()):
        part = subprogress(progress, k / len(SCENARIOS), (k + 1) / len(SCENARIOS))
        here = replace(world, n=n, segments=segments)
        found.append((title, arena(here, trials=trials, n_draws=n_draws, alpha=alpha, seed=seed, progress=part)))
    return AlarmTable(tuple(found))


def world_like(statistics: SegmentStatistics, a: str, b: str) -> World | None:
    """Return a world without a difference whose parts vary as two systems do, in units of a residual of 10.

    Returns
    -------
    World or None
        None where a system has one replica, or nothing varies.
    """
    y_a, y_b = statistics.pseudo_values(a), statistics.pseudo_values(b)
    if min(len(y_a), len(y_b)) < 2 or y_a.shape[1] < 2:
        return None
    squares = [two_way(y) for y in (y_a, y_b)]
    residual = sum(rest for _, rest in squares) / 2
    if residual <= 0:
        return None
    n_segments = y_a.shape[1]
    effect = sum(max(0.0, whole - rest) for whole, rest in squares) / 2 / n_segments
    between = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), None)[0]
    between -= squares[0][1] / len(y_a) + squares[1][1] / len(y_b)
    unit = 10 / residual**0.5
    return World(
        n=min(len(y_a), len(y_b)), segments=n_segments, replica_sd=unit * effect**0.5,
        strength_sd=unit * max(0.0, between / 2) ** 0.5,
    )
