"""A/A calibration: one system's replicas set against each other, where every "significant" is a false alarm.

Few replicas can convict a test, never acquit it: the splits share the same replicas, so the share of false alarms
is descriptive. The rate to expect of tests that take outputs as given, with its interval, comes from the
whole-replica effect F.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS, Pair, applicable, run_on
from mtsig_core.significance.crossed import two_way
from mtsig_core.significance.distributions import chdtri, ndtr, ndtri

FEWEST = 4  # replicas: halves of two
MOST_SPLITS = 126  # those of 10 replicas; of more replicas a random part
DEFAULT = (
    "crossed", "ar-segment", "bootstrap-centred", "bootstrap-paired", "welch-replicas", "ar-hypothesis",
    "bootstrap-replica", "two-way-bootstrap",
)
_STREAM = 300  # keeps the choice of splits apart from other draws of one seed
_HALVES = ("first half", "second half")


@dataclass(frozen=True, eq=False)
class CalibrationRow:
    """What one test said of the splits.

    Attributes
    ----------
    preset, label, question : str
    p : ndarray of shape (split,)
        Ascending; splits on which the test is not defined are left out.
    below : int
        Splits with p < alpha.
    share : float or None
        Of the splits; None where the test is defined on none.
    """

    preset: str
    label: str
    question: str
    p: np.ndarray
    below: int
    share: float | None


@dataclass(frozen=True)
class ExpectedRate:
    """False alarms to expect of tests that take the outputs as given, at one level.

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
class Calibration:
    """Tests of one system against itself.

    Attributes
    ----------
    test_set, metric, label, system : str
    n, n_splits, n_possible : int
        Replicas; splits tested; distinct splits there are.
    rows : tuple of CalibrationRow
        Empty where `note` says why.
    expected : ExpectedRate or None
    alpha : float
    note : str

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 4, 50))  # 2 systems, 4 replicas, 50 segments
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> bench.calibration(n_bootstrap=100, n_permutations=100).n_splits  # of 4 replicas into halves
    3
    """

    test_set: str
    metric: str
    label: str
    system: str
    n: int
    n_splits: int
    n_possible: int
    rows: tuple[CalibrationRow, ...]
    expected: ExpectedRate | None
    alpha: float
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return a row a test."""
        columns = ["test", "answers for", "splits", f"p < {self.alpha:g}", "share", "median p"]
        return pd.DataFrame([
            [r.label, r.question, len(r.p), r.below, r.share, float(np.median(r.p)) if len(r.p) else None]
            for r in self.rows
        ], columns=columns)


def number_of_splits(n: int) -> int:
    """Return how many distinct ways there are to split n replicas in two halves; an odd one joins the second half."""
    whole = math.comb(n, n // 2)
    return whole // 2 if n % 2 == 0 else whole


def splits(n: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return the first halves of distinct splits: all, or a random part of them where there are more than `most`."""
    if number_of_splits(n) <= most:
        halves = combinations(range(n), n // 2)
        return [half for half in halves if n % 2 or 0 in half]
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    found: dict[tuple[int, ...], None] = {}
    while len(found) < most:
        half = set(rng.choice(n, n // 2, replace=False).tolist())
        if n % 2 == 0 and 0 not in half:
            half = set(range(n)) - half
        found[tuple(sorted(half))] = None
    return list(found)


def calibrated_presets() -> tuple[str, ...]:
    """Return the tests that A/A calibration can say something of.

    Permutations of whole replicas are left out: they reject alpha or less by construction. So are tests of pairs.
    """
    return tuple(
        name for name, preset in PRESETS.items()
        if not preset.needs.paired and not (preset.family == "exchange" and preset.unit.startswith("replica"))
    )


def expected_rate(f: float, n: int, alpha: float) -> ExpectedRate:
    """Return the false alarms to expect of a test whose variance knows nothing of whole replicas.

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
    statistics: SegmentStatistics,
    system: str,
    settings: Settings,
    *,
    presets: Sequence[str] = DEFAULT,
    most_splits: int = MOST_SPLITS,
    bootstrap: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> Calibration:
    """Split one system's replicas in two halves, in every way, and test the halves against each other.

    Parameters
    ----------
    statistics : SegmentStatistics
    system : str
    settings : Settings
        Replicas are taken as unpaired: halves of one system share no seeds.
    presets : sequence of str
        Permutations of whole replicas reject alpha or less by construction and are refused.
    most_splits : int
        Of larger pools a random part of the splits is tested.
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs of `statistics` on drawn test sets, to be used again.
    progress : Progress

    Raises
    ------
    ValueError
        For a preset that cannot be calibrated so.
    """
    known = calibrated_presets()
    for name in presets:
        if name not in known:
            raise ValueError(f"A/A calibration takes one of {', '.join(known)}; not {name!r}.")
    n = len(statistics.names(system))
    where = (statistics.test_set, statistics.metric.name, statistics.metric.label, system)
    if n < FEWEST:
        note = f"Not defined: {system} has {n} of the at least {FEWEST} replicas that two halves need."
        return Calibration(*where, n, 0, 0, (), None, settings.alpha, note)
    if statistics.n_segments < 2:
        note = "Not defined: one segment says nothing of how segments vary."
        return Calibration(*where, n, 0, 0, (), None, settings.alpha, note)
    unpaired = replace(settings, paired=False)
    halves = splits(n, most_splits, settings.seed)
    drawn = _drawn(statistics, system, unpaired, presets, bootstrap, subprogress(progress, 0, 0.2))
    found = _tested(statistics, system, unpaired, presets, halves, drawn, subprogress(progress, 0.2, 1))
    rows = tuple(_row(name, found[name], settings.alpha) for name in presets)
    ms_replica, ms_rest = two_way(statistics.pseudo_values(system))
    expected = expected_rate(ms_replica / ms_rest, n, settings.alpha) if ms_rest > 0 else None
    return Calibration(*where, n, len(halves), number_of_splits(n), rows, expected, settings.alpha)


def _drawn(
    statistics: SegmentStatistics, system: str, settings: Settings, presets: Sequence[str],
    bootstrap: np.ndarray | None, progress: Progress,
) -> np.ndarray | None:
    """Return the scores of the system's replicas on drawn test sets, shape (draw, replica), where a test needs them."""
    if bootstrap is not None:
        return bootstrap[:, statistics.rows(system)]
    if any(PRESETS[name].family == "bootstrap" and PRESETS[name].unit != "replica" for name in presets):
        return bootstrap_scores(statistics, settings.n_bootstrap, settings.seed, systems=(system,), progress=progress)
    return None


def _tested(
    statistics: SegmentStatistics, system: str, settings: Settings, presets: Sequence[str],
    halves: Sequence[tuple[int, ...]], drawn: np.ndarray | None, progress: Progress,
) -> dict[str, list[float]]:
    """Return the p-values of each test over the splits."""
    values, names, pseudo = statistics.of(system), statistics.names(system), statistics.pseudo_values(system)
    found: dict[str, list[float]] = {name: [] for name in presets}
    for k, half in enumerate(halves):
        progress(k / len(halves), "setting halves against each other")
        other = tuple(i for i in range(len(names)) if i not in half)
        order = [*half, *other]
        made = replace(
            statistics, systems=_HALVES, values=values[order],
            replicas=(tuple(names[i] for i in half), tuple(names[i] for i in other)),
        )
        pair = Pair(
            made, *_HALVES, settings, None if drawn is None else drawn[:, order],
            {_HALVES[0]: pseudo[list(half)], _HALVES[1]: pseudo[list(other)]},
        )
        possible = applicable(made, *_HALVES, settings)
        for name in presets:
            p = run_on(pair, name).p if name in possible else None
            if p is not None:
                found[name].append(p)
    progress(1.0)
    return found


def _row(name: str, found: Sequence[float], alpha: float) -> CalibrationRow:
    p = np.sort(np.array(found, dtype=float))
    below = int(np.count_nonzero(p < alpha))
    preset = PRESETS[name]
    return CalibrationRow(name, preset.label, preset.question, p, below, below / len(p) if len(p) else None)
