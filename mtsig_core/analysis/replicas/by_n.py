"""How the difference varies with the number of replicas (Clark et al. 2011, Figure 2).

n replicas of each system are drawn from the pools at hand, or from normal distributions fitted to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.analysis.replicas.by_n_results import (
    DEFAULT_NS,
    SMALL_POOL,
    ByN,
    ByNDesign,
    ByNRow,
    Model,
    Pool,
    SettledSign,
)
from mtsig_core.formatting import count, format_percent
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance import Scope
from mtsig_core.significance.distributions import chdtri, ndtr, ndtri, normal_quantile

__all__ = ["DEFAULT_NS", "ByN", "ByNDesign", "ByNRow", "Pool", "SettledSign", "by_n"]
WRONG_SIGN_LEVELS = (0.05, 0.01)
_CHUNK = 2_000_000  # indices drawn at once: 16 MB
_BINS = 60
_MOST_REPLICAS = 1000  # nobody trains more to settle a sign
_STREAM = 100  # keeps these draws apart from those of the resampling engine


@dataclass(frozen=True, eq=False)
class _Pools:
    """The scores of both pools and how to draw from them."""

    a: np.ndarray
    b: np.ndarray
    replace: bool
    tolerance: float | None

    @cached_property
    def slack(self) -> float:
        """Size of rounding noise: a difference within it is none."""
        return 1e-12 * max(1.0, float(np.abs(self.a).max()), float(np.abs(self.b).max()))

    @cached_property
    def difference(self) -> float:
        difference = float(self.b.mean() - self.a.mean())
        return difference if abs(difference) > self.slack else 0.0

    @property
    def smallest(self) -> int:
        return min(self.a.size, self.b.size)

    def expected_variance(self) -> float:
        """Return the variance of D_1 for new replicas (ddof 1)."""
        return _variance(self.a, 1) + _variance(self.b, 1)

    def expected_sd(self, n: int) -> float:
        return math.sqrt(self.expected_variance() / n)

    def closed_form_sd(self, n: int) -> float:
        """Return the exact sd of D_n when the pools themselves are redrawn."""
        if self.replace:
            return math.sqrt(sum(_variance(p, 0) / n for p in (self.a, self.b)))
        # the finite-population correction 1 - n/N belongs to the ddof-1 variance: at n = 1 the two cases agree
        return math.sqrt(sum(_variance(p, 1) / n * (1 - n / p.size) for p in (self.a, self.b)))


def by_n(
    scores_a: Sequence[float] | np.ndarray, scores_b: Sequence[float] | np.ndarray, design: ByNDesign | None = None, *,
    scope: Scope | None = None, progress: Progress = no_progress,
) -> ByN:
    """Return the distribution of the difference between n replicas of each system, for every n of a design.

    Parameters
    ----------
    scores_a, scores_b : sequence of float, shapes (N_A,) and (N_B,)
        Scores m of the replicas of the baseline and of the other system.
    design : ByNDesign, optional
    scope : Scope, optional
    progress : Progress

    Raises
    ------
    ValueError
        When a pool is empty or has undefined scores.
    """
    design = design or ByNDesign()
    pools = _Pools(_pool(scores_a, "A"), _pool(scores_b, "B"), design.replace, design.tolerance)
    model: Model = design.model or ("normal" if pools.smallest < SMALL_POOL else "redraw")
    rows, differences = _rows(pools, design, model, progress)
    edges = _bin_edges(differences, pools.difference)
    pool_a, pool_b = (Pool(pool.size, _sd(pool)) for pool in (pools.a, pools.b))
    return ByN(
        scope=scope or Scope(systems=("A", "B")),
        design=design,
        model=model,
        rows=tuple(rows),
        differences=differences,
        bin_edges=edges,
        frequencies={n: np.histogram(d, edges)[0] / d.size for n, d in differences.items()},
        difference=pools.difference,
        pool_a=pool_a,
        pool_b=pool_b,
        sign=_settled_sign(pools),
    )


def _rows(
    pools: _Pools, design: ByNDesign, model: Model, progress: Progress
) -> tuple[list[ByNRow], dict[int, np.ndarray]]:
    """Return the rows, and the differences by n."""
    unique = tuple(dict.fromkeys(int(n) for n in design.ns))
    rows: list[ByNRow] = []
    differences: dict[int, np.ndarray] = {}
    for k, n in enumerate(unique):
        progress(k / len(unique), f"{count(n, 'replica')} of each system")
        if reason := _why_undefined(pools, n, model):
            rows.append(_undefined_row(pools, n, reason))
            continue
        normal = model == "normal"
        values = _normal_points(pools, n, design.draws) if normal else _redraw(pools, n, design.draws, design.seed)
        differences[n] = values
        rows.append(_row(pools, n, model, values))
    progress(1.0)
    return rows, differences


def _pool(scores: Sequence[float] | np.ndarray, name: str) -> np.ndarray:
    pool = np.asarray(scores, dtype=float)
    if pool.ndim != 1 or pool.size == 0 or not np.isfinite(pool).all():
        raise ValueError(f"scores of {name}: expected at least one number, all defined; got {scores!r}.")
    return pool


def _variance(pool: np.ndarray, ddof: int) -> float:
    # equal scores have no variance: the computed one would be rounding noise
    return 0.0 if np.ptp(pool) == 0 else float(pool.var(ddof=ddof))


def _sd(pool: np.ndarray) -> float | None:
    return math.sqrt(_variance(pool, 1)) if pool.size > 1 else None


def _why_undefined(pools: _Pools, n: int, model: Model) -> str:
    """Return why nothing can be said about n replicas; empty when something can."""
    if pools.smallest == 1:
        side = "both systems have" if pools.a.size == pools.b.size else "a system has"
        return f"{side} one replica: how far another would have landed is unknown"
    if model == "redraw" and not pools.replace and n >= pools.smallest:
        return f"{n} cannot be drawn without replacement from a pool of {pools.smallest} and still vary"
    return ""


def _undefined_row(pools: _Pools, n: int, reason: str) -> ByNRow:
    expected = pools.expected_sd(n) if pools.smallest > 1 else None
    return ByNRow(n, None, None, None, None, None, expected, None, None, reason)


def _redraw(pools: _Pools, n: int, draws: int, seed: int) -> np.ndarray:
    means = [_pool_means(pool, n, draws, seed, side, pools.replace) for side, pool in enumerate((pools.a, pools.b))]
    return means[1] - means[0]


def _pool_means(pool: np.ndarray, n: int, draws: int, seed: int, side: int, replace: bool) -> np.ndarray:
    """Return the means of n replicas drawn from a pool, shape (draws,)."""
    out = np.empty(draws)
    for chunk, rows in enumerate(_chunks(draws, n if replace else pool.size)):
        # the key makes each (n, side, chunk) a stream of its own, whatever else is asked in the same call
        sequence = np.random.SeedSequence(seed, spawn_key=(_STREAM, n, side, chunk))
        rng = np.random.Generator(np.random.PCG64DXSM(sequence))
        shape = (rows.stop - rows.start, n)
        out[rows] = pool[_indices(rng, pool.size, shape, replace)].mean(axis=1)
    return out


def _indices(rng: np.random.Generator, size: int, shape: tuple[int, int], replace: bool) -> np.ndarray:
    if replace:
        return rng.integers(0, size, shape)
    keys = rng.random((shape[0], size))
    return np.argpartition(keys, shape[1] - 1, axis=1)[:, : shape[1]]


def _chunks(draws: int, width: int) -> Iterator[slice]:
    step = max(1, _CHUNK // width)
    for start in range(0, draws, step):
        yield slice(start, min(draws, start + step))


def _normal_points(pools: _Pools, n: int, draws: int) -> np.ndarray:
    """Return the quantiles (k + 1/2)/draws of the normal model, shape (draws,)."""
    return pools.difference + pools.expected_sd(n) * ndtri((np.arange(draws) + 0.5) / draws)


def _row(pools: _Pools, n: int, model: Model, values: np.ndarray) -> ByNRow:
    sds = pools.closed_form_sd(n), pools.expected_sd(n)
    reason = "" if pools.difference != 0 else "the averages are equal: there is no sign to get wrong"
    if model == "normal":
        d, sd = pools.difference, sds[1]
        half = normal_quantile(0.975) * sd
        wrong, far = _normal_wrong(d, sd), _normal_far(pools, sd)
        return ByNRow(n, d, d - half, d, d + half, *sds, wrong, far, reason, _wrong_range(pools, n))
    low, median, high = (float(q) for q in np.quantile(values, (0.025, 0.5, 0.975)))
    mean, wrong, far = float(values.mean()), _wrong(pools, values), _far(pools, values)
    return ByNRow(n, mean, low, median, high, *sds, wrong, far, reason, _wrong_range(pools, n))


def _normal_wrong(difference: float, sd: float) -> float | None:
    if difference == 0:
        return None
    return float(ndtr(-abs(difference) / sd)) if sd > 0 else 0.0


def _wrong_range(pools: _Pools, n: int) -> tuple[float, float] | None:
    """Return P(wrong sign) at both ends of the 95% interval of the sd, by Satterthwaite's degrees of freedom."""
    variances = [(_variance(pool, 1), pool.size - 1) for pool in (pools.a, pools.b)]
    doubt = sum(v**2 / df for v, df in variances)
    if pools.difference == 0 or doubt == 0:
        return None
    sd, df = pools.expected_sd(n), sum(v for v, _ in variances) ** 2 / doubt
    low, high = (float(ndtr(-abs(pools.difference) / (sd * math.sqrt(df / chdtri(df, q))))) for q in (0.025, 0.975))
    return low, high


def _normal_far(pools: _Pools, sd: float) -> float | None:
    if pools.tolerance is None:
        return None
    return float(2 * ndtr(-pools.tolerance / sd)) if sd > 0 else 0.0


def _wrong(pools: _Pools, values: np.ndarray) -> float | None:
    """Return the share of draws with the opposite sign; half of those with none."""
    if pools.difference == 0:
        return None
    signed = values * np.sign(pools.difference)
    return float(np.mean(signed < -pools.slack) + np.mean(np.abs(signed) <= pools.slack) / 2)


def _far(pools: _Pools, values: np.ndarray) -> float | None:
    if pools.tolerance is None:
        return None
    return float(np.mean(np.abs(values - pools.difference) > pools.tolerance))


def _bin_edges(differences: Mapping[int, np.ndarray], difference: float) -> np.ndarray:
    """Return bins that hold the differences of every n."""
    low = min((float(d.min()) for d in differences.values()), default=difference)
    high = max((float(d.max()) for d in differences.values()), default=difference)
    if high - low <= 1e-9 * max(1.0, abs(difference)):
        low, high = difference - 0.5, difference + 0.5
    return np.linspace(low, high, _BINS + 1)


def _settled_sign(pools: _Pools) -> SettledSign:
    """Return the numbers of replicas that make a wrong sign rare."""
    nothing: dict[float, int | None] = dict.fromkeys(WRONG_SIGN_LEVELS)
    if pools.smallest == 1:
        why = "a system has one replica, so its variance is unknown"
        return SettledSign(nothing, f"How many replicas are needed is unknown: {why}.")
    if pools.difference == 0:
        return SettledSign(nothing, "The averages are equal, so no number of replicas can settle the sign.")
    needed: dict[float, int | None] = {level: _replicas_for(pools, level) for level in WRONG_SIGN_LEVELS}
    rarest = {n: level for level, n in sorted(needed.items(), reverse=True)}  # the lowest level that n reaches
    phrases = [f"below {format_percent(level)} with {_of_each(n)}" for n, level in rarest.items()]
    return SettledSign(needed, (
        "If new replicas vary as these do and the true difference is the one observed, the probability that the "
        f"averages point the wrong way is {', and '.join(phrases)} (normal model, on this text)."
    ))  # fmt: skip


def _of_each(n: int | None) -> str:
    return f"more than {_MOST_REPLICAS} replicas of each" if n is None else f"{count(n, 'replica')} of each"


def _replicas_for(pools: _Pools, level: float) -> int | None:
    sd = pools.expected_sd(1)
    if sd == 0:
        return 1
    wrong = ndtr(-abs(pools.difference) / sd * np.sqrt(np.arange(1, _MOST_REPLICAS + 1)))
    enough = np.flatnonzero(wrong < level)
    return int(enough[0]) + 1 if enough.size else None
