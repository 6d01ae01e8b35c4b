"""Where the luck in a difference comes from: variance components of the crossed design.

y[x, i, l] = mean[x] + replica[x, i] + segment[l] + system-by-segment[x, l] + residual[x, i, l]; the components follow
from mean squares in closed form. The difference of two systems holds no part of segment[l], which both share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.significance.crossed import segment_mean_square, two_way

DRAWS = 20_000
LEVEL = 0.95
_STREAM = 0xC0
CAUTIOUS = 0.8  # one-sided limit of the replicas' variance that a careful plan uses
NEEDED = "Not defined: {why}; nothing can be said of where the luck comes from."


@dataclass(frozen=True)
class Component:
    """One source of luck.

    Attributes
    ----------
    name : {"replica", "system by segment", "residual", "segment"}
    system : str
        Whose; empty where it belongs to the pair.
    sd, low, high : float
        Standard deviation of one effect, in score units, with its interval.
    share, share_low, share_high : float or None
        Of the variance of the difference D of these experiments; None for segments, which cancel in D.
    negative : bool
        Whether the estimate of the variance was negative and counts as 0.
    """

    name: str
    system: str
    sd: float
    low: float
    high: float
    share: float | None
    share_low: float | None
    share_high: float | None
    negative: bool


@dataclass(frozen=True)
class VarianceComponents:
    """All sources of luck in the difference of two systems.

    Attributes
    ----------
    rows : tuple of Component
        Empty where nothing can be said; `note` has the reason.
    replica, replica_upper, residual : tuple of float
        Variances of replicas, their one-sided upper 80 % limits, and of the residual: one a system, or one of the
        paired differences; systems with one replica are left out.
    interaction : float
        Variance of the difference of the systems' strengths over segments, times what documents add to it.
    n_segments, n_units : int
        Segments, and the units that are independent: segments, or documents.
    paired : bool
    note : str
    level : float

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> pair = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment"))).pair()
    >>> components = pair.components()
    >>> round(sum(row.share for row in components.rows if row.share is not None), 6)
    1.0
    """

    rows: tuple[Component, ...]
    replica: tuple[float, ...] = ()
    replica_upper: tuple[float, ...] = ()
    residual: tuple[float, ...] = ()
    interaction: float = 0.0
    n_a: int = 0
    n_b: int = 0
    n_segments: int = 0
    n_units: int = 0
    paired: bool = False
    note: str = ""
    level: float = LEVEL

    def to_frame(self) -> pd.DataFrame:
        """Return one row a component: sd with its interval, share with its interval."""
        return pd.DataFrame(
            [
                {
                    "component": row.name, "system": row.system or "both", "sd": row.sd, "sd, low": row.low,
                    "sd, high": row.high, "share of D": row.share, "share, low": row.share_low,
                    "share, high": row.share_high, "estimate below 0": row.negative,
                }
                for row in self.rows
            ],
            columns=["component", "system", "sd", "sd, low", "sd, high", "share of D", "share, low", "share, high",
                     "estimate below 0"],
        )  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """A component in the making: variance, its draws, and its weight in the variance of D (None: not in it)."""

    name: str
    system: str
    value: float
    drawn: np.ndarray
    weight: float | None


def variance_components(
    y_a: np.ndarray,
    y_b: np.ndarray,
    *,
    names: tuple[str, str] = ("A", "B"),
    documents: np.ndarray | None = None,
    paired: bool = False,
    seed: int = 12345,
    level: float = LEVEL,
) -> VarianceComponents:
    """Return the variance components of two systems' scores, with intervals.

    With mean squares as in `crossed_test`: replica (MSa - MSe)/L and residual MSe of each system with two replicas or
    more; system by segment MSd - MSe_A/n_A - MSe_B/n_B; segment, the covariance of the systems' segment means. Paired
    replicas: of the differences of equal index. Estimates below 0 count as 0 and are marked. Intervals are
    generalised confidence intervals (Weerahandi 1993): each mean square is divided by a draw of chi2(df)/df, as for
    normal effects, the components made again, and the quantiles taken.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values, in score units.
    names : tuple of two str
    documents : ndarray of shape (segment,), optional
        The system-by-segment part is then between documents: their correlation is in it.
    paired : bool
        Counts where both systems have the same number of replicas, at least two.
    seed : int
    level : float

    Raises
    ------
    ValueError
        When the systems do not have the same segments.
    """
    if y_a.ndim != 2 or y_b.ndim != 2 or y_a.shape[1] != y_b.shape[1]:
        raise ValueError(f"expected (replica, segment) of the same segments; got {y_a.shape} and {y_b.shape}.")
    n_a, n_b, length = len(y_a), len(y_b), y_a.shape[1]
    units = length if documents is None else len(np.unique(documents))
    if why := _why_not(n_a, n_b, length, units):
        return VarianceComponents((), n_a=n_a, n_b=n_b, n_segments=length, n_units=units, note=NEEDED.format(why=why))
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    together = paired and n_a == n_b > 1
    groups = [("", y_b - y_a)] if together else [(name, y) for name, y in zip(names, (y_a, y_b), strict=True)]
    parts: list[_Part] = []
    upper: list[float] = []
    noise, noise_drawn = 0.0, np.zeros(DRAWS)
    for name, y in groups:
        n = len(y)
        if n < 2:
            continue
        ms_a, ms_e = two_way(y)
        df_a, df_e = n - 1, (n - 1) * (length - 1)
        chi_a, drawn_e = rng.chisquare(df_a, DRAWS), ms_e * df_e / rng.chisquare(df_e, DRAWS)
        drawn_a = ms_a * df_a / chi_a
        replica_drawn = (drawn_a - drawn_e) / length
        upper.append(max(0.0, float(np.quantile(replica_drawn, CAUTIOUS))))
        parts.append(_Part("replica", name, (ms_a - ms_e) / length, replica_drawn, 1 / n))
        parts.append(_Part("residual", name, ms_e, drawn_e, 1 / (n * length)))
        noise, noise_drawn = noise + ms_e / n, noise_drawn + drawn_e / n
    ms_d, df_d = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), documents)
    drawn_d = ms_d * df_d / rng.chisquare(df_d, DRAWS)
    parts.append(_Part("system by segment", "", ms_d - noise, drawn_d - noise_drawn, 1 / length))
    parts.append(_segment_part(y_a, y_b, rng))
    of = {name: tuple(max(0.0, p.value) for p in parts if p.name == name) for name in ("replica", "residual")}
    return VarianceComponents(
        _rows(parts, level), of["replica"], tuple(upper), of["residual"], max(0.0, ms_d - noise), n_a, n_b, length,
        units, together, _note(names, n_a, n_b, paired, together, documents, units), level,
    )


def _why_not(n_a: int, n_b: int, length: int, units: int) -> str:
    if max(n_a, n_b) < 2:
        return "with one replica of each system, replicas cannot be told from segments"
    if length < 2:
        return "one segment does not show how segments vary"
    return "all segments belong to one document" if units < 2 else ""


def _segment_part(y_a: np.ndarray, y_b: np.ndarray, rng: np.random.Generator) -> _Part:
    """Return the covariance of segment means, by the mean squares of their sum and difference."""
    a, b = y_a.mean(axis=0), y_b.mean(axis=0)
    df = len(a) - 1
    sums, gaps = ((x * df / rng.chisquare(df, DRAWS)) for x in ((a + b).var(ddof=1), (a - b).var(ddof=1)))
    value = float((a + b).var(ddof=1) - (a - b).var(ddof=1)) / 4
    return _Part("segment", "", value, (sums - gaps) / 4, None)


def _rows(parts: Sequence[_Part], level: float) -> tuple[Component, ...]:
    """Return components with intervals; negative variances count as 0, in draws as well."""
    in_d = [p for p in parts if p.weight is not None]
    total = sum(max(0.0, p.value) * (p.weight or 0.0) for p in in_d)
    totals = sum((np.maximum(p.drawn, 0.0) * (p.weight or 0.0) for p in in_d), np.zeros(DRAWS))
    ends = (1 - level) / 2, (1 + level) / 2
    rows = []
    for p in parts:
        low, high = np.sqrt(np.quantile(np.maximum(p.drawn, 0.0), ends))
        share = share_low = share_high = None
        if p.weight is not None and total > 0:
            share = max(0.0, p.value) * p.weight / total
            share_low, share_high = np.quantile(np.maximum(p.drawn, 0.0) * p.weight / totals, ends)
        rows.append(
            Component(
                p.name, p.system, float(np.sqrt(max(0.0, p.value))), float(low), float(high), share,
                None if share_low is None else float(share_low), None if share_high is None else float(share_high),
                bool(p.value < 0),
            )
        )
    return tuple(rows)


def _note(
    names: tuple[str, str], n_a: int, n_b: int, paired: bool, together: bool, documents: np.ndarray | None, units: int
) -> str:
    told = []
    if paired and not together:
        told.append(f"Pairs are not used: the systems have {n_a} and {n_b} replicas.")
    if together:
        told.append("Of the differences between replicas of equal index.")
    if min(n_a, n_b) == 1:
        single = names[0] if n_a == 1 else names[1]
        told.append(
            f"{single} has one replica: how its replicas vary is not known and is missing here, and what is particular "
            "to its one output is in the part of system by segment."
        )
    elif min(n_a, n_b) < 5:
        told.append(
            f"With {count(min(n_a, n_b), 'replica')} the spread of replicas is hardly known: look at its interval."
        )
    if n_a != n_b and min(n_a, n_b) > 1:
        told.append(f"The numbers of replicas differ ({n_a} and {n_b}): more of the smaller would help most.")
    if documents is not None:
        told.append(f"System by segment is counted between the {units} documents, whose segments are alike.")
    return " ".join(told)


@dataclass(frozen=True)
class SharedSeeds:
    """How alike outputs are at equal and at unequal index: the fingerprint of seeds that two systems share.

    Attributes
    ----------
    identical_equal, identical_unequal : float
        Share of segments whose outputs are the same text.
    correlation_equal, correlation_unequal : float or None
        Mean correlation of what is particular to a replica on a segment; None where nothing varies.
    suspicious : bool
        Whether equal index is clearly more alike.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> pair = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment"))).pair()
    >>> pair.shared_seeds().identical_equal  # without text
    0.0
    """

    identical_equal: float
    identical_unequal: float
    correlation_equal: float | None
    correlation_unequal: float | None

    @property
    def suspicious(self) -> bool:
        """Whether outputs of equal index are clearly more alike than others."""
        gap = (self.correlation_equal or 0.0) - (self.correlation_unequal or 0.0)
        return self.identical_equal - self.identical_unequal > 0.1 or gap > 0.1


def shared_seeds(
    outputs_a: Sequence[Sequence[str]], outputs_b: Sequence[Sequence[str]], y_a: np.ndarray, y_b: np.ndarray
) -> SharedSeeds | None:
    """Return how alike the replicas are at equal against unequal index; None unless both systems have n >= 2.

    Parameters
    ----------
    outputs_a, outputs_b : sequences of n sequences of L str
        May be empty where there is no text; the shares of identical outputs are then 0.
    y_a, y_b : ndarray of shape (replica, segment)
    """
    n = len(y_a)
    if len(y_b) != n or n < 2:
        return None
    left, right = (y - y.mean(axis=1, keepdims=True) - y.mean(axis=0) + y.mean() for y in (y_a, y_b))
    sizes = np.sqrt(np.outer((left**2).sum(axis=1), (right**2).sum(axis=1)))
    r = np.divide(left @ right.T, sizes, out=np.full((n, n), np.nan), where=sizes > 1e-9)
    same = np.zeros((n, n))
    if outputs_a and outputs_b:
        numbers: dict[str, int] = {}
        ids_a, ids_b = (
            np.array([[numbers.setdefault(text, len(numbers)) for text in output] for output in outputs], np.int32)
            for outputs in (outputs_a, outputs_b)
        )
        same = np.array([np.count_nonzero(ids_b == row, axis=1) for row in ids_a]) / ids_a.shape[1]
    equal = np.eye(n, dtype=bool)
    found = [_mean(r[equal]), _mean(r[~equal])]
    return SharedSeeds(float(same[equal].mean()), float(same[~equal].mean()), *found)


def _mean(values: np.ndarray) -> float | None:
    kept = values[np.isfinite(values)]
    return float(kept.mean()) if kept.size else None
