"""A/A calibration: one system's replicas are split and tested against each other; every rejection is a false alarm.

Few replicas can show that a test fails, never that it holds: the splits share the same replicas, so the share of false
alarms is descriptive. The expected rate of tests that take outputs as given, with its interval, comes from the
whole-replica effect F.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS, OfSystem, Pair, Preset, Result, Scope, applicable, run_on
from mtsig_core.significance.closed_form.crossed import two_way
from mtsig_core.significance.distributions import chdtri, ndtr, ndtri

FEWEST = 4  # replicas: halves of two
MOST_SPLITS = 126  # those of 10 replicas; of more replicas a random subset
DEFAULT = (
    "coherent", "crossed", "ar-segment", "bootstrap-centred", "bootstrap-paired", "welch-replicas", "ar-hypothesis",
    "bootstrap-replica", "two-way-bootstrap",
)
_STREAM = 300  # keeps the choice of splits apart from other draws of one seed
_HALVES = ("first half", "second half")


@dataclass(frozen=True)
class CalibrationDesign:
    """What is calibrated.

    Parameters
    ----------
    presets : tuple of str
        Permutations of whole replicas reject at most alpha by construction and are refused.
    most_splits : int
        Of larger pools a random subset of the splits is tested.

    Raises
    ------
    ValueError
        For a preset that cannot be calibrated by A/A splits.
    """

    presets: tuple[str, ...] = DEFAULT
    most_splits: int = MOST_SPLITS

    def __post_init__(self) -> None:
        possible = calibrated_presets()
        for name in self.presets:
            if name not in possible:
                raise ValueError(f"A/A calibration takes one of {', '.join(possible)}; not {name!r}.")


@dataclass(frozen=True, eq=False)
class CalibrationRow:
    """Results of one test over the splits.

    Attributes
    ----------
    preset : Preset
    p : ndarray of shape (split,)
        Ascending; splits on which the test is not defined are left out.
    below : int
        Splits with p < alpha.
    share : float or None
        Of the splits; None where the test is defined on none.
    """

    preset: Preset
    p: np.ndarray
    below: int
    share: float | None


@dataclass(frozen=True)
class ExpectedRate:
    """Expected false alarms of tests that take the outputs as given, at one alpha.

    Attributes
    ----------
    f : float
        MSa/MSe.
    rate : float
        2 Phi(-z / sqrt F).
    low, high : float
        The rate at (n - 1) F / q, q the .975 and .025 points of chi2(n - 1).
    """

    f: float
    rate: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Calibration(OfSystem, Result):
    """Tests of one system against itself.

    Attributes
    ----------
    scope : Scope
    n, n_splits, n_possible : int
        Replicas; splits tested; distinct splits that are possible.
    rows : tuple of CalibrationRow
        Empty where `note` says why.
    expected : ExpectedRate or None
    alpha : float
    note : str

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(4))
    >>> bench.calibration(n_bootstrap=100, n_permutations=100).n_splits  # of 4 replicas into halves
    3
    """

    scope: Scope
    n: int
    n_splits: int
    n_possible: int
    rows: tuple[CalibrationRow, ...]
    expected: ExpectedRate | None
    alpha: float
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test."""
        columns = ["test", "question", "splits", f"p < {self.alpha:g}", "share", "median p"]
        return pd.DataFrame([
            [r.preset.label, r.preset.question, len(r.p), r.below, r.share, float(np.median(r.p)) if len(r.p) else None]
            for r in self.rows
        ], columns=columns)


def number_of_splits(n: int) -> int:
    """Return how many distinct ways there are to split n replicas in two halves; an odd one joins the second half."""
    whole = math.comb(n, n // 2)
    return whole // 2 if n % 2 == 0 else whole


def splits(n: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return the first halves of distinct splits, as places of replicas.

    Parameters
    ----------
    n : int
        Replicas.
    most : int
        Where there are more splits, a random subset of so many is returned.
    seed : int
    """
    if number_of_splits(n) <= most:
        halves = combinations(range(n), n // 2)
        return [half for half in halves if n % 2 or 0 in half]
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < most:
        half = set(rng.choice(n, n // 2, replace=False).tolist())
        if n % 2 == 0 and 0 not in half:
            half = set(range(n)) - half
        drawn[tuple(sorted(half))] = None
    return list(drawn)


def calibrated_presets() -> tuple[str, ...]:
    """Return the tests that A/A splits can calibrate.

    Permutations of whole replicas are left out: they reject at most alpha by construction. So are tests of pairs.
    """
    return tuple(
        name for name, preset in PRESETS.items()
        if not preset.needs.paired and not (preset.family == "exchange" and preset.unit.startswith("replica"))
    )


def expected_rate(f: float, n: int, alpha: float) -> ExpectedRate:
    """Return the expected false alarms of a test whose variance ignores the whole-replica effect.

    Parameters
    ----------
    f : float
        Whole-replica effect MSa/MSe of n replicas.
    n : int
    alpha : float
    """
    z = float(ndtri(1 - alpha / 2))

    def rate(ratio: float) -> float:
        return float(2 * ndtr(-z / math.sqrt(ratio))) if ratio > 0 else 0.0

    low, high = ((n - 1) * f / float(chdtri(n - 1, q)) for q in (0.025, 0.975))
    return ExpectedRate(f, rate(f), rate(low), rate(high))


def calibrate(
    statistics: SegmentStatistics, system: str, settings: Settings, design: CalibrationDesign | None = None, *,
    bootstrap: np.ndarray | None = None, progress: Progress = no_progress,
) -> Calibration:  # fmt: skip
    """Split one system's replicas into two halves, in every way, and test the halves against each other.

    Parameters
    ----------
    statistics : SegmentStatistics
    system : str
    settings : Settings
        Replicas are taken as unpaired: halves of one system share no seeds.
    design : CalibrationDesign, optional
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs of `statistics` on bootstrap resamples, to reuse.
    progress : Progress
    """
    design = design or CalibrationDesign()
    scope, n = Scope.of(statistics, system), len(statistics.names(system))
    if note := _why_undefined(system, n, statistics.n_segments):
        return Calibration(scope, n, 0, 0, (), None, settings.alpha, note)
    unpaired = replace(settings, paired=False)
    halves = splits(n, design.most_splits, settings.seed)
    drawing = subprogress(progress, 0, 0.2)
    drawn = None if bootstrap is None else bootstrap[:, statistics.rows(system)]
    if drawn is None:
        drawn = _drawn(statistics, system, unpaired, design.presets, drawing)
    pool = _Pool(statistics, system, drawn)
    p_values = _p_values(pool, unpaired, design.presets, halves, subprogress(progress, 0.2, 1))
    rows = tuple(_row(name, p_values[name], settings.alpha) for name in design.presets)
    ms_replica, ms_rest = two_way(statistics.pseudo_values(system))
    expected = expected_rate(ms_replica / ms_rest, n, settings.alpha) if ms_rest > 0 else None
    return Calibration(scope, n, len(halves), number_of_splits(n), rows, expected, settings.alpha)


def _why_undefined(system: str, n: int, n_segments: int) -> str:
    if n < FEWEST:
        return f"Not defined: {system} has {n} of the at least {FEWEST} replicas that two halves need."
    return "" if n_segments > 1 else "Not defined: these tests take scores of two or more segments."


def _drawn(
    statistics: SegmentStatistics, system: str, settings: Settings, presets: Sequence[str], progress: Progress
) -> np.ndarray | None:
    """Return the scores of the system's replicas on resamples, shape (draw, replica), where a test needs them."""
    if any(PRESETS[name].family == "bootstrap" and PRESETS[name].unit != "replica" for name in presets):
        return bootstrap_scores(statistics, settings.n_bootstrap, settings.seed, systems=(system,), progress=progress)
    return None


@dataclass(frozen=True, eq=False)
class _Pool:
    """The replicas of one system, with their scores on resamples, shape (draw, replica)."""

    statistics: SegmentStatistics
    system: str
    drawn: np.ndarray | None

    @cached_property
    def pseudo_values(self) -> np.ndarray:
        return self.statistics.pseudo_values(self.system)

    def split(self, half: tuple[int, ...], settings: Settings) -> Pair:
        """Return the replicas at these places against all others."""
        names = self.statistics.names(self.system)
        other = tuple(i for i in range(len(names)) if i not in half)
        order = [*half, *other]
        statistics = replace(
            self.statistics, systems=_HALVES, values=self.statistics.of(self.system)[order],
            replicas=(tuple(names[i] for i in half), tuple(names[i] for i in other)),
        )
        pseudo_values = {_HALVES[0]: self.pseudo_values[list(half)], _HALVES[1]: self.pseudo_values[list(other)]}
        drawn = None if self.drawn is None else self.drawn[:, order]
        return Pair(statistics, *_HALVES, settings, drawn, pseudo_values)


def _p_values(
    pool: _Pool, settings: Settings, presets: Sequence[str], halves: Sequence[tuple[int, ...]], progress: Progress
) -> dict[str, list[float]]:
    """Return the p-values of each test over the splits."""
    p_values: dict[str, list[float]] = {name: [] for name in presets}
    for k, half in enumerate(halves):
        progress(k / len(halves), "testing halves against each other")
        pair = pool.split(half, settings)
        possible = applicable(pair.statistics, *_HALVES, settings)
        for name in presets:
            p = run_on(pair, name).p if name in possible else None
            if p is not None:
                p_values[name].append(p)
    progress(1.0)
    return p_values


def _row(name: str, p_values: Sequence[float], alpha: float) -> CalibrationRow:
    p = np.sort(np.array(p_values, dtype=float))
    below = int(np.count_nonzero(p < alpha))
    return CalibrationRow(PRESETS[name], p, below, below / len(p) if len(p) else None)
