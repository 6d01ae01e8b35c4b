"""Variance components of a difference: replicas, segments, and the rest, in the crossed design.

y[x, i, l] = mean[x] + replica[x, i] + segment[l] + system-by-segment[x, l] + residual[x, i, l]; the components follow
from mean squares in closed form. segment[l] cancels in the difference of two systems, since both share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.closed_form.crossed import segment_mean_square, two_way
from mtsig_core.significance.partners import residual_correlations

DRAWS = 20_000
LEVEL = 0.95
_STREAM = 0xC0
CAUTIOUS = 0.9  # quantile of the replicas' variance that a cautious plan uses: upper end of the 80% interval
NEEDED = "Not defined: {why}; the variance components are unknown."


@dataclass(frozen=True)
class Component:
    """One source of variance.

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
class VarianceComponents(OfPair, Result):
    """All sources of variance in the difference of two systems.

    Attributes
    ----------
    scope : Scope
    rows : tuple of Component
        Empty where they are not defined; `note` has the reason.
    replica, replica_upper, residual : tuple of float
        Variances of replicas, their one-sided upper 80% limits, and of the residual: one per system, or one of the
        paired differences; systems with one replica are left out.
    interaction : float
        Variance over segments of the difference between the systems, including the correlation within documents.
    n_segments, n_units : int
        Segments, and the units that are independent: segments, or documents.
    paired : bool
    note : str
    level : float

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> components = pair.components()
    >>> round(sum(row.share for row in components.rows if row.share is not None), 6)
    1.0
    """

    scope: Scope
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
        """Return one row per component: sd with its interval, share with its interval."""
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
class _Estimate:
    """The estimate of one component: variance, its draws, and its weight in the variance of D (None: not in it)."""

    name: str
    system: str
    value: float
    drawn: np.ndarray
    weight: float | None


def variance_components(
    y_a: np.ndarray, y_b: np.ndarray, settings: Settings | None = None, *,
    scope: Scope | None = None, documents: np.ndarray | None = None,
) -> VarianceComponents:
    """Return the variance components of two systems' scores, with intervals.

    With mean squares as in `crossed_test`: replica (MSa - MSe)/L and residual MSe of each system with two replicas or
    more; system by segment MSd - MSe_A/n_A - MSe_B/n_B; segment, the covariance of the systems' segment means. Paired
    replicas: of the differences of equal index. Estimates below 0 count as 0 and are marked. Intervals are
    generalised confidence intervals (Weerahandi 1993): each mean square is divided by a draw of chi2(df)/df, as for
    normal effects, the components are estimated again, and the quantiles taken.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values, in score units.
    settings : Settings, optional
        Its seed, its alpha (intervals have level 1 - alpha), and whether replicas are paired, which counts where both
        systems have the same number of replicas, at least two.
    scope : Scope, optional
    documents : ndarray of shape (segment,), optional
        The system-by-segment variance is then between documents, whose segments are correlated.

    Raises
    ------
    ValueError
        When the systems do not have the same segments.
    """
    if y_a.ndim != 2 or y_b.ndim != 2 or y_a.shape[1] != y_b.shape[1]:
        raise ValueError(f"expected (replica, segment) of the same segments; got {y_a.shape} and {y_b.shape}.")
    settings, scope = settings or Settings(), scope or Scope(systems=("A", "B"))
    units = y_a.shape[1] if documents is None else len(np.unique(documents))
    sizes = {"n_a": len(y_a), "n_b": len(y_b), "n_segments": y_a.shape[1], "n_units": units}
    if why := _why_not(*sizes.values()):
        return VarianceComponents(scope, (), note=NEEDED.format(why=why), **sizes)
    components = _components((y_a, y_b), scope, documents, settings, sizes)
    return replace(components, note=_note(components, settings.paired, documents is not None))


def _components(
    y: tuple[np.ndarray, np.ndarray], scope: Scope, documents: np.ndarray | None, settings: Settings,
    sizes: dict[str, int],
) -> VarianceComponents:
    paired = settings.paired and sizes["n_a"] == sizes["n_b"] > 1
    groups = [("", y[1] - y[0])] if paired else list(zip(scope.systems, y, strict=True))
    estimates, upper = _estimates(*y, groups, documents, settings.seed)
    values = {x: tuple(max(0.0, e.value) for e in estimates if e.name == x) for x in ("replica", "residual")}
    (interaction,) = (max(0.0, e.value) for e in estimates if e.name == "system by segment")
    return VarianceComponents(
        scope, _rows(estimates, 1 - settings.alpha), values["replica"], tuple(upper), values["residual"], interaction,
        n_a=sizes["n_a"], n_b=sizes["n_b"], n_segments=sizes["n_segments"], n_units=sizes["n_units"],
        paired=paired, level=1 - settings.alpha,
    )  # fmt: skip


def _estimates(
    y_a: np.ndarray, y_b: np.ndarray, groups: Sequence[tuple[str, np.ndarray]], documents: np.ndarray | None, seed: int
) -> tuple[list[_Estimate], list[float]]:
    """Return all estimates, and the upper limits of the replicas' variances."""
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    length = y_a.shape[1]
    estimates: list[_Estimate] = []
    upper: list[float] = []
    residual, residual_drawn = 0.0, np.zeros(DRAWS)
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
        estimates.append(_Estimate("replica", name, (ms_a - ms_e) / length, replica_drawn, 1 / n))
        estimates.append(_Estimate("residual", name, ms_e, drawn_e, 1 / (n * length)))
        residual, residual_drawn = residual + ms_e / n, residual_drawn + drawn_e / n
    ms_d, df_d = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), documents)
    drawn_d = ms_d * df_d / rng.chisquare(df_d, DRAWS)
    estimates.append(_Estimate("system by segment", "", ms_d - residual, drawn_d - residual_drawn, 1 / length))
    estimates.append(_segment_estimate(y_a, y_b, rng))
    return estimates, upper


def _why_not(n_a: int, n_b: int, length: int, units: int) -> str:
    if max(n_a, n_b) < 2:
        return "with one replica of each system (copies count as one), nothing shows how replicas vary"
    if length < 2:
        return "one segment does not show how segments vary"
    return "all segments belong to one document" if units < 2 else ""


def _segment_estimate(y_a: np.ndarray, y_b: np.ndarray, rng: np.random.Generator) -> _Estimate:
    """Return the covariance of segment means, by the mean squares of their sum and difference."""
    a, b = y_a.mean(axis=0), y_b.mean(axis=0)
    df = len(a) - 1
    sums, gaps = ((x * df / rng.chisquare(df, DRAWS)) for x in ((a + b).var(ddof=1), (a - b).var(ddof=1)))
    value = float((a + b).var(ddof=1) - (a - b).var(ddof=1)) / 4
    return _Estimate("segment", "", value, (sums - gaps) / 4, None)


def _rows(estimates: Sequence[_Estimate], level: float) -> tuple[Component, ...]:
    """Return components with intervals; negative variances count as 0, in draws as well."""
    in_d = [p for p in estimates if p.weight is not None]
    total = sum(max(0.0, p.value) * (p.weight or 0.0) for p in in_d)
    totals = sum((np.maximum(p.drawn, 0.0) * (p.weight or 0.0) for p in in_d), np.zeros(DRAWS))
    ends = (1 - level) / 2, (1 + level) / 2
    rows = []
    for p in estimates:
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


def _note(components: VarianceComponents, paired: bool, by_document: bool) -> str:
    n_a, n_b, names = components.n_a, components.n_b, components.scope.systems
    notes = []
    if paired and not components.paired:
        notes.append(f"Pairs are not used: the systems have {n_a} and {n_b} replicas.")
    if components.paired:
        notes.append("Of the differences between replicas of equal index.")
    if min(n_a, n_b) == 1:
        single = names[0] if n_a == 1 else names[1]
        notes.append(
            f"{single} has one replica: the variance between its replicas is unknown and missing here, and what is "
            "particular to its one output counts as system by segment."
        )
    elif min(n_a, n_b) < 5:
        notes.append(
            f"With {count(min(n_a, n_b), 'replica')} the variance between replicas is hardly known: look at its "
            "interval."
        )
    if n_a != n_b and min(n_a, n_b) > 1:
        notes.append(f"The numbers of replicas differ ({n_a} and {n_b}): more of the smaller would help most.")
    if by_document:
        notes.append(
            f"System by segment is counted between the {components.n_units:,} documents, whose segments are correlated."
        )
    return " ".join(notes)


@dataclass(frozen=True)
class SharedSeeds(Result):
    """Similarity of outputs at equal and at unequal index: high at equal index where two systems share seeds.

    Attributes
    ----------
    identical_equal, identical_unequal : float
        Share of segments whose outputs are the same text.
    correlation_equal, correlation_unequal : float or None
        Mean correlation of the residuals of a replica on a segment; None where nothing varies.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> pair.shared_seeds().identical_equal  # without text
    0.0
    """

    identical_equal: float
    identical_unequal: float
    correlation_equal: float | None
    correlation_unequal: float | None

    def to_frame(self) -> pd.DataFrame:
        """Return one row for equal and one for unequal index."""
        rows = [
            ("equal", self.identical_equal, self.correlation_equal),
            ("unequal", self.identical_unequal, self.correlation_unequal),
        ]
        return pd.DataFrame(rows, columns=["index", "identical outputs", "correlation"])

    @property
    def suspicious(self) -> bool:
        """Whether outputs of equal index are clearly more similar than others."""
        gap = (self.correlation_equal or 0.0) - (self.correlation_unequal or 0.0)
        return self.identical_equal - self.identical_unequal > 0.1 or gap > 0.1


def shared_seeds(
    outputs_a: Sequence[Sequence[str]], outputs_b: Sequence[Sequence[str]], y_a: np.ndarray, y_b: np.ndarray
) -> SharedSeeds | None:
    """Return how similar replicas are at equal and unequal index; None unless both systems have the same n >= 2.

    Parameters
    ----------
    outputs_a, outputs_b : sequences of n sequences of L str
        May be empty where there is no text; the shares of identical outputs are then 0.
    y_a, y_b : ndarray of shape (replica, segment)
    """
    n = len(y_a)
    if len(y_b) != n or n < 2:
        return None
    r = residual_correlations(y_a, y_b)
    same = np.zeros((n, n))
    if outputs_a and outputs_b:
        numbers: dict[str, int] = {}
        ids_a, ids_b = (
            np.array([[numbers.setdefault(text, len(numbers)) for text in output] for output in outputs], np.int32)
            for outputs in (outputs_a, outputs_b)
        )
        same = np.array([np.count_nonzero(ids_b == row, axis=1) for row in ids_a]) / ids_a.shape[1]
    equal = np.eye(n, dtype=bool)
    return SharedSeeds(float(same[equal].mean()), float(same[~equal].mean()), _mean(r[equal]), _mean(r[~equal]))


def _mean(values: np.ndarray) -> float | None:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if finite.size else None
