"""How p varies with the number of replicas (Clark et al. 2011, Table 2, the simulated rows).

Again and again n replicas are drawn from each pool and tested by approximate randomization. The share of small
p-values is power on this test set and from these pools, not on new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.resampling.pool_tests import Pools, PoolTest, PoolUnit, pool_tests, sampled_comparisons
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import OfPair, Result, Scope

DRAWS = 250
NS = (1, 2, 3, 5, 10, 20, 50)
UNITS: tuple[PoolUnit, ...] = ("segment", "hypothesis")
_MOST: dict[PoolUnit, int] = {"segment": 300, "hypothesis": 50}  # replicas of a pool that are used
_STREAM = 210


@dataclass(frozen=True)
class PByNRow:
    """The p-values that n replicas of each system give.

    Attributes
    ----------
    unit : {"segment", "hypothesis"}
        What is permuted: all replicas of a segment as one block, or each pair of outputs on its own (Clark's).
    n : int
    low, median, high : float or None
        2.5% point, median and 97.5% point of p over the draws.
    share : float or None
        Share of the draws with p < alpha.
    wrong : float or None
        Share of the draws with p < alpha for which is worse over all replicas; None when these are equal.
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


@dataclass(frozen=True)
class PByNDesign:
    """Which numbers of replicas to look at, and how.

    Parameters
    ----------
    ns : tuple of int
        Numbers of replicas of each system; those beyond the smaller pool give a row with the reason.
    draws : int
        Comparisons drawn for each n; replicas are drawn without replacement.
    units : tuple of {"segment", "hypothesis"}
        What is permuted.

    Raises
    ------
    ValueError
        When an n or the number of draws is below 1.
    """

    ns: tuple[int, ...] = NS
    draws: int = DRAWS
    units: tuple[PoolUnit, ...] = UNITS

    def __post_init__(self) -> None:
        if not self.ns or min(self.ns) < 1 or self.draws < 1:
            raise ValueError(
                f"numbers of replicas and draws must be at least 1; got {list(self.ns)} and {self.draws}."
            )


@dataclass(frozen=True, eq=False)
class PByN(OfPair, Result):
    """p against the number of replicas.

    Attributes
    ----------
    scope : Scope
    design : PByNDesign
    rows : tuple of PByNRow
    p, differences : mapping of (unit, n) to ndarray of shape (draw,)
    difference : float
        D of all replicas.
    n_permutations : int
    alpha : float
    notes : tuple of str
        Where a random subset of the pools was used, or the pools leave nothing to draw.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example())
    >>> [(row.unit, row.n) for row in bench.pair().p_by_n([1, 2], draws=20, n_permutations=100).rows]
    [('segment', 1), ('segment', 2), ('hypothesis', 1), ('hypothesis', 2)]
    """

    scope: Scope
    design: PByNDesign
    rows: tuple[PByNRow, ...]
    p: dict[tuple[PoolUnit, int], np.ndarray]
    differences: dict[tuple[PoolUnit, int], np.ndarray]
    difference: float
    n_permutations: int
    alpha: float
    notes: tuple[str, ...] = ()

    def at(self, alpha: float) -> PByN:
        """Return the same p-values judged at another alpha."""
        rows = tuple(
            row if row.low is None
            else _row(row.unit, row.n, self.p[where], self.differences[where], self.difference, alpha)
            for row in self.rows
            for where in [(row.unit, row.n)]
        )  # fmt: skip
        return replace(self, rows=rows, alpha=alpha)

    def of(self, unit: PoolUnit) -> tuple[PByNRow, ...]:
        """Return the rows of a unit that are defined, by n."""
        return tuple(sorted((r for r in self.rows if r.unit == unit and r.low is not None), key=lambda r: r.n))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per unit and number of replicas, with headings for people."""
        names = {
            "unit": "permuted", "n": "replicas", "low": "p, 2.5%", "median": "p, median", "high": "p, 97.5%",
            "share": f"share of p < {self.alpha:g}", "wrong": "of these for the wrong side", "reason": "note",
        }  # fmt: skip
        if not any(row.reason for row in self.rows):
            del names["reason"]
        return pd.DataFrame([{title: getattr(row, key) for key, title in names.items()} for row in self.rows])


def p_by_n(
    statistics: SegmentStatistics, a: str, b: str, settings: Settings, design: PByNDesign | None = None,
    progress: Progress = no_progress,
) -> PByN:  # fmt: skip
    """Draw n replicas of each system, test them, and return the distribution of p for every n.

    Parameters
    ----------
    statistics, a, b, settings
        As of `mtsig_core.significance.Pair`.
    design : PByNDesign, optional
    progress : callable
    """
    design = design or PByNDesign()
    pools = _Pools(
        statistics.metric, statistics.of(a), statistics.of(b), settings,
        float(statistics.scores_of(b).mean() - statistics.scores_of(a).mean()),
    )  # fmt: skip
    rows: list[PByNRow] = []
    tests: dict[tuple[PoolUnit, int], PoolTest] = {}
    notes: list[str] = []
    for k, unit in enumerate(design.units):
        sub = subprogress(progress, k / len(design.units), (k + 1) / len(design.units))
        own_rows, own_tests, own_notes = _of_unit(pools, unit, design, sub)
        rows += own_rows
        tests |= {(unit, n): test for n, test in own_tests.items()}
        notes += own_notes
    return PByN(
        scope=Scope.of(statistics, a, b), design=design, rows=tuple(rows),
        p={key: test.p for key, test in tests.items()},
        differences={key: test.differences for key, test in tests.items()}, difference=pools.difference,
        n_permutations=settings.n_permutations, alpha=settings.alpha, notes=tuple(dict.fromkeys(notes)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Pools:
    """Statistics of all replicas of both systems, each of shape (replica, segment, statistic)."""

    metric: Metric
    a: np.ndarray
    b: np.ndarray
    settings: Settings
    difference: float

    def subsets(self, unit: PoolUnit) -> list[np.ndarray]:
        """Return random subsets of both pools where these are too large for a unit."""
        seed = self.settings.seed
        return [_subset(pool, _MOST[unit], seed, side) for side, pool in enumerate((self.a, self.b))]


def _of_unit(
    pools: _Pools, unit: PoolUnit, design: PByNDesign, progress: Progress
) -> tuple[list[PByNRow], dict[int, PoolTest], list[str]]:
    """Return the rows, tests by n, and notes of one unit."""
    settings = pools.settings
    unique = tuple(dict.fromkeys(int(n) for n in design.ns))
    used = pools.subsets(unit)
    smallest = min(map(len, used))
    possible = [n for n in unique if n <= smallest]
    groups = [sampled_comparisons(len(used[0]), len(used[1]), n, design.draws, settings.seed) for n in possible]
    tests = pool_tests(
        Pools(pools.metric, used[0], used[1]), groups, settings.n_permutations, settings.seed, unit=unit,
        progress=progress,
    ) if groups else []  # fmt: skip
    by_number = dict(zip(possible, tests, strict=True))
    rows = [
        _row(unit, n, test.p, test.differences, pools.difference, settings.alpha) for n, test in by_number.items()
    ]
    if len(used[0]) == len(used[1]) == smallest and smallest in by_number:
        rows = [_whole_pool(row) if row.n == smallest else row for row in rows]
    reason = f"the smaller pool has {count(smallest, 'replica')}"
    rows += [PByNRow(unit, n, None, None, None, None, None, reason) for n in unique if n > smallest]
    return rows, by_number, _notes(unit, (pools.a, pools.b), used, possible)


def _whole_pool(row: PByNRow) -> PByNRow:
    """Return the row of n the whole pool: its p varies by the permutations only, which is no width of a band."""
    reason = "n is the whole pool: every draw holds the same replicas, so the band has no width"
    return replace(row, low=row.median, high=row.median, reason=reason)


def _subset(pool: np.ndarray, most: int, seed: int, side: int) -> np.ndarray:
    if len(pool) <= most:
        return pool
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM, side))))
    return pool[np.sort(rng.choice(len(pool), size=most, replace=False))]


def _row(unit: PoolUnit, n: int, p: np.ndarray, differences: np.ndarray, difference: float, alpha: float) -> PByNRow:
    low, median, high = (float(q) for q in np.quantile(p, (0.025, 0.5, 0.975)))
    wrong = None if difference == 0 else float(np.mean((p < alpha) & (differences * difference < 0)))
    return PByNRow(unit, n, low, median, high, float(np.mean(p < alpha)), wrong)


def _notes(
    unit: PoolUnit, pools: Sequence[np.ndarray], used: Sequence[np.ndarray], possible: Sequence[int]
) -> list[str]:
    notes = []
    for pool, subset in zip(pools, used, strict=True):
        if len(subset) < len(pool):
            notes.append(f"Permuting by {unit} uses {len(subset)} of the {len(pool)} replicas of a pool, at random.")
    if max(map(len, used)) in possible:
        notes.append("Where n is the whole pool, every draw holds the same replicas: only the permutations vary p.")
    return notes
