"""How p moves with the number of replicas (Clark et al. 2011, Table 2, the simulated rows).

Again and again n replicas are drawn from each pool and tested by approximate randomization. The share of small
p-values is power on this test set and from these pools, not on new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.resampling.pool_tests import Pools, PoolUnit, pool_tests, sampled_comparisons
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

DRAWS = 250
NS = (1, 2, 3, 5, 10, 20, 50)
UNITS: tuple[PoolUnit, ...] = ("segment", "hypothesis")
_MOST: dict[PoolUnit, int] = {"segment": 300, "hypothesis": 50}  # replicas of a pool that are used
_STREAM = 210


@dataclass(frozen=True)
class PRow:
    """The p-values that n replicas of each system give.

    Attributes
    ----------
    unit : {"segment", "hypothesis"}
        What is swapped: all replicas of a segment as one block, or each pair of outputs on its own (Clark's).
    n : int
    low, median, high : float or None
        2.5 % point, median and 97.5 % point of p over the draws.
    share : float or None
        Share of the draws with p < alpha.
    wrong : float or None
        Share of the draws with p < alpha for the side that loses by all replicas; None when these are equal.
    reason : str
        Why numbers are None.
    """

    unit: PoolUnit
    n: int
    low: float | None
    median: float | None
    high: float | None
    share: float | None
    wrong: float | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ReplicatedP:
    """p against the number of replicas.

    Attributes
    ----------
    rows : tuple of PRow
    p, differences : mapping of (unit, n) to ndarray of shape (draw,)
    difference : float
        D of all replicas.
    pool_a, pool_b : int
        Replicas that there are.
    draws, n_permutations, seed : int
    alpha : float
    notes : tuple of str
        Where a random part of the pools was used, or the pools leave nothing to draw.
    """

    rows: tuple[PRow, ...]
    p: dict[tuple[PoolUnit, int], np.ndarray]
    differences: dict[tuple[PoolUnit, int], np.ndarray]
    difference: float
    pool_a: int
    pool_b: int
    draws: int
    n_permutations: int
    seed: int
    alpha: float
    notes: tuple[str, ...] = ()

    def at(self, alpha: float) -> ReplicatedP:
        """Return the same p-values judged at another level."""
        rows = tuple(
            row if row.low is None
            else _row(row.unit, row.n, self.p[where], self.differences[where], self.difference, alpha)
            for row in self.rows
            for where in [(row.unit, row.n)]
        )  # fmt: skip
        return replace(self, rows=rows, alpha=alpha)

    def of(self, unit: PoolUnit) -> tuple[PRow, ...]:
        """Return the rows of a unit that are defined, by n."""
        return tuple(sorted((r for r in self.rows if r.unit == unit and r.low is not None), key=lambda r: r.n))

    def to_frame(self) -> pd.DataFrame:
        """Return one row a unit and number of replicas, with headings for people."""
        names = {
            "unit": "swapped", "n": "replicas", "low": "p, 2.5 %", "median": "p, median", "high": "p, 97.5 %",
            "share": f"share of p < {self.alpha:g}", "wrong": "of these for the wrong side", "reason": "note",
        }  # fmt: skip
        if not any(row.reason for row in self.rows):
            del names["reason"]
        return pd.DataFrame([{title: getattr(row, key) for key, title in names.items()} for row in self.rows])


def replicated_p(
    statistics: SegmentStatistics,
    a: str,
    b: str,
    settings: Settings,
    *,
    ns: Sequence[int] = NS,
    draws: int = DRAWS,
    units: Sequence[PoolUnit] = UNITS,
    progress: Progress = no_progress,
) -> ReplicatedP:
    """Draw n replicas of each system, test them, and return what p comes to.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system.
    settings : Settings
    ns : sequence of int
        Numbers of replicas; those beyond the smaller pool give a row with the reason.
    draws : int
        Comparisons drawn for each n; replicas are drawn without replacement.
    units : sequence of {"segment", "hypothesis"}
    progress : callable

    Raises
    ------
    ValueError
        When an n or the number of draws is below 1.
    """
    unique = tuple(dict.fromkeys(int(n) for n in ns))
    if not unique or min(unique) < 1 or draws < 1:
        raise ValueError(f"numbers of replicas and draws must be at least 1; got {list(ns)} and {draws}.")
    pools = statistics.of(a), statistics.of(b)
    difference = float(statistics.scores_of(b).mean() - statistics.scores_of(a).mean())
    rows: list[PRow] = []
    found: dict[tuple[PoolUnit, int], np.ndarray] = {}
    differences: dict[tuple[PoolUnit, int], np.ndarray] = {}
    notes: list[str] = []
    for k, unit in enumerate(units):
        part = subprogress(progress, k / len(units), (k + 1) / len(units))
        used = [_part(pool, _MOST[unit], settings.seed, side) for side, pool in enumerate(pools)]
        smallest = min(map(len, used))
        possible = [n for n in unique if n <= smallest]
        groups = [sampled_comparisons(len(used[0]), len(used[1]), n, draws, settings.seed) for n in possible]
        tests = (
            pool_tests(
                Pools(statistics.metric, *used), groups, settings.n_permutations, settings.seed, unit=unit,
                progress=part,
            )  # fmt: skip
            if groups
            else []
        )
        for n, test in zip(possible, tests, strict=True):
            found[unit, n], differences[unit, n] = test.p, test.differences
            rows.append(_row(unit, n, test.p, test.differences, difference, settings.alpha))
        rows += [
            PRow(unit, n, None, None, None, None, None, f"the smaller pool has {count(smallest, 'replica')}")
            for n in unique if n > smallest
        ]  # fmt: skip
        notes += _notes(unit, pools, used, possible)
    sizes = len(pools[0]), len(pools[1])
    return ReplicatedP(
        tuple(rows),
        found,
        differences,
        difference,
        *sizes,
        draws,
        settings.n_permutations,
        settings.seed,
        settings.alpha,
        tuple(dict.fromkeys(notes)),
    )


def _part(pool: np.ndarray, most: int, seed: int, side: int) -> np.ndarray:
    if len(pool) <= most:
        return pool
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM, side))))
    return pool[np.sort(rng.choice(len(pool), size=most, replace=False))]


def _row(unit: PoolUnit, n: int, p: np.ndarray, found: np.ndarray, difference: float, alpha: float) -> PRow:
    low, median, high = (float(q) for q in np.quantile(p, (0.025, 0.5, 0.975)))
    wrong = None if difference == 0 else float(np.mean((p < alpha) & (found * difference < 0)))
    return PRow(unit, n, low, median, high, float(np.mean(p < alpha)), wrong)


def _notes(
    unit: PoolUnit, pools: Sequence[np.ndarray], used: Sequence[np.ndarray], possible: Sequence[int]
) -> list[str]:
    notes = []
    for pool, part in zip(pools, used, strict=True):
        if len(part) < len(pool):
            notes.append(f"Swapping by {unit} uses {len(part)} of the {len(pool)} replicas of a pool, drawn at random.")
    if max(map(len, used)) in possible:
        notes.append("Where n is the whole pool every draw holds the same replicas, so p moves by shuffling only.")
    return notes
