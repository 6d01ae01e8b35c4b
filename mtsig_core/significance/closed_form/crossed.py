"""The crossed test: a difference against the variance between replicas *and* between segments.

Two-way analysis of variance of pseudo-values, replicas crossed with segments, and a t-test with Satterthwaite's
(1946) degrees of freedom. The result holds for new replicas of the same training setups on new text.

Unpaired: V = MSa_A/(n_A L) + MSa_B/(n_B L) + MSd/L - MSe_A/(n_A L) - MSe_B/(n_B L), never below MSd/L;
df = max(1, V^2 / sum t_k^2/df_k) over these five terms t_k, the negative ones included. Paired: the same of the
differences d of equal index, V = (MSa_d + MSl_d - MSe_d)/(n L), never below MSl_d/(n L). One system with one replica:
its training setup cannot be judged, and the test is of the other training setup against this one output; three terms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from mtsig_core.significance.closed_form.bounds import Bounded, PairOptions
from mtsig_core.significance.distributions import stdtr, stdtrit

Kind = Literal["unpaired", "paired", "one replica"]
_SMALLEST = float(np.finfo(float).tiny)
_UNRELIABLE = 5  # replicas below which a one-sided variance of replicas is not to be relied on


@dataclass(frozen=True)
class CrossedResult(Bounded):
    """Result of `crossed_test`, in score units; numbers that are not defined are None and `note` says why.

    Parameters
    ----------
    difference : float
        D, mean score of B minus that of A.
    variance, se : float or None
        V and its root.
    df, t, p : float or None
        Satterthwaite's degrees of freedom, D / SE, two-sided p.
    low, high : float or None
        Interval of D at level 1 - alpha.
    components : mapping of str to float
        The mean squares MSa_A, MSa_B (replicas), MSe_A, MSe_B (residual), MSd (segments or documents);
        paired: MSa_d, MSl_d, MSe_d.
    smallest_detectable : float or None
        t(1 - alpha/2, df) SE: the smallest |D| that would have been significant.
    warning, note : str
    kind : {"unpaired", "paired", "one replica"}
    alpha : float
    """

    difference: float
    variance: float | None
    se: float | None
    df: float | None
    t: float | None
    p: float | None
    low: float | None
    high: float | None
    components: Mapping[str, float]
    smallest_detectable: float | None
    warning: str
    note: str
    kind: Kind
    alpha: float = 0.05


@dataclass(frozen=True)
class _Term:
    """One term of the variance: its size, with its sign, and its degrees of freedom."""

    size: float
    df: float


def two_way(y: np.ndarray) -> tuple[float, float]:
    """Return the mean squares of replicas and of the residual, MSa and MSe, of y, shape (replica, segment)."""
    n, n_segments = y.shape
    means = y.mean(axis=1)
    residual = y - means[:, None] - y.mean(axis=0) + means.mean()
    ms_residual = float((residual**2).sum()) / ((n - 1) * (n_segments - 1))
    return n_segments * float(means.var(ddof=1)), ms_residual


def segment_mean_square(d: np.ndarray, documents: np.ndarray | None) -> tuple[float, int]:
    """Return MSd, L times the variance of mean(d), and its degrees of freedom.

    Without documents MSd is the variance (ddof 1) of d, shape (segment,), with L - 1. With documents
    it is cluster-robust: with e_g = sum over the segments of document g of (d_l - mean d) and G
    documents, MSd = G / (G - 1) * sum_g e_g^2 / L, with G - 1; one segment per document gives the same.
    """
    if documents is None:
        return float(d.var(ddof=1)), len(d) - 1
    _, index = np.unique(documents, return_inverse=True)
    clusters = np.bincount(index, weights=d - d.mean())
    n = len(clusters)
    return n / (n - 1) * float((clusters**2).sum()) / len(d), n - 1


@dataclass(frozen=True, eq=False)
class _Design:
    """The data of one crossed test."""

    y_a: np.ndarray
    y_b: np.ndarray
    documents: np.ndarray | None
    kind: Kind
    alpha: float
    assume_equal_variation: bool

    @property
    def scale(self) -> float:
        """Size of the scores, against which rounding errors are judged."""
        return max(1.0, abs(float(self.y_a.mean())), abs(float(self.y_b.mean())))

    @property
    def difference(self) -> float:
        return float(self.y_b.mean(axis=1).mean() - self.y_a.mean(axis=1).mean())


def crossed_test(y_a: np.ndarray, y_b: np.ndarray, **options: Unpack[PairOptions]) -> CrossedResult:
    """Test the difference of two systems against the variance between replicas and between segments together.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values, whose mean over segments is the replica's score (score units).
    options : `PairOptions`
        Level 0.05 unless said, replicas neither paired nor assumed to vary equally, no documents.

    Raises
    ------
    ValueError
        When the arrays do not match in shape, or pairs are asked for and there are none.
    """
    documents, paired = options.get("documents"), options.get("paired", False)
    _check(y_a, y_b, documents, paired)
    kind: Kind = "paired" if paired else "one replica" if min(len(y_a), len(y_b)) == 1 else "unpaired"
    alpha, assumed = options.get("alpha", 0.05), options.get("assume_equal_variation", False)
    design = _Design(y_a, y_b, documents, kind, alpha, assumed)
    reason = _why_undefined(len(y_a), len(y_b), y_a.shape[1], documents)
    return _undefined(design, {}, reason) if reason else _tested(design)


def _check(y_a: np.ndarray, y_b: np.ndarray, documents: np.ndarray | None, paired: bool) -> None:
    if y_a.ndim != 2 or y_b.ndim != 2 or y_a.shape[1] != y_b.shape[1] or 0 in y_a.shape or 0 in y_b.shape:
        raise ValueError(
            "expected pseudo-values of shape (replica, segment) for the same segments; "
            f"got {y_a.shape} and {y_b.shape}."
        )
    if documents is not None and len(documents) != y_a.shape[1]:
        raise ValueError(f"expected one document index per segment ({y_a.shape[1]}); got {len(documents)}.")
    if paired and len(y_a) != len(y_b):
        raise ValueError(f"paired replicas need equal numbers; got {len(y_a)} and {len(y_b)}.")


def _why_undefined(n_a: int, n_b: int, n_segments: int, documents: np.ndarray | None) -> str:
    if n_segments < 2:
        return "Not defined: it takes scores of two or more segments."
    if documents is not None and len(np.unique(documents)) < 2:
        return "Not defined: all segments belong to one document, so nothing is known about how documents vary."
    if max(n_a, n_b) == 1:
        return (
            "Not defined: with one replica of each system the variance between replicas is unknown; only the segment "
            "test is possible."
        )
    return ""


def _terms(design: _Design) -> tuple[list[_Term], float, dict[str, float]]:
    """Return the terms of V, its floor, and the mean squares."""
    y_a, y_b = design.y_a, design.y_b
    n_segments = y_a.shape[1]
    ms_d, df_d = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), design.documents)
    segments = _Term(ms_d / n_segments, df_d)
    if design.kind == "paired":
        n = len(y_a)
        ms_a, ms_e = two_way(y_b - y_a)
        terms = [*_system_terms(ms_a, ms_e, n, n_segments, 1 / n), segments]
        return terms, segments.size, {"MSa_d": ms_a, "MSl_d": n * ms_d, "MSe_d": ms_e}
    terms, components = [segments], {"MSd": ms_d}
    for name, y in (("A", y_a), ("B", y_b)):
        n = len(y)
        if n > 1:
            ms_a, ms_e = two_way(y)
            weight = 1 / n + (1.0 if design.assume_equal_variation and design.kind == "one replica" else 0.0)
            terms += _system_terms(ms_a, ms_e, n, n_segments, weight)
            components |= {f"MSa_{name}": ms_a, f"MSe_{name}": ms_e}
    return terms, segments.size, components


def _system_terms(ms_a: float, ms_e: float, n: int, n_segments: int, weight: float) -> list[_Term]:
    """Return the two terms of a system's replicas; the residual is in MSa and in MSd, so it is taken off once."""
    return [
        _Term(weight * ms_a / n_segments, n - 1),
        _Term(-weight * ms_e / n_segments, (n - 1) * (n_segments - 1)),
    ]


def _tested(design: _Design) -> CrossedResult:
    terms, floor, components = _terms(design)
    difference, alpha = design.difference, design.alpha
    variance = max(math.fsum(term.size for term in terms), floor)  # the same whichever system comes first
    if variance <= (1e-13 * design.scale) ** 2:
        return _without_variance(design, components)
    df = max(1.0, variance**2 / math.fsum(term.size**2 / term.df for term in terms))
    se = variance**0.5
    t = difference / se
    half_width = float(stdtrit(df, 1 - alpha / 2)) * se
    warning, note = _remarks(len(design.y_a), len(design.y_b), design.kind, design.assume_equal_variation)
    return CrossedResult(
        difference=difference, variance=variance, se=se, df=df, t=t,
        p=max(_SMALLEST, float(2 * stdtr(df, -abs(t)))),
        low=difference - half_width, high=difference + half_width, components=components,
        smallest_detectable=half_width, warning=warning, note=note, kind=design.kind, alpha=alpha,
    )  # fmt: skip


def _without_variance(design: _Design, components: dict[str, float]) -> CrossedResult:
    """Return the result where nothing varies: no difference, or one that cannot be set against any variance."""
    if abs(design.difference) > 1e-12 * design.scale:
        reason = "Not defined: the difference is the same in every replica and segment, so its variance is 0."
        return _undefined(design, components, reason)
    return CrossedResult(
        difference=0.0, variance=0.0, se=0.0, df=None, t=0.0, p=1.0, low=0.0, high=0.0, components=components,
        smallest_detectable=None, warning="", note="The outputs score the same in every replica and segment.",
        kind=design.kind, alpha=design.alpha,
    )  # fmt: skip


def _undefined(design: _Design, components: dict[str, float], note: str) -> CrossedResult:
    undefined = dict.fromkeys(("variance", "se", "df", "t", "p", "low", "high", "smallest_detectable"))
    return CrossedResult(
        difference=design.difference, components=components, warning="", note=note, kind=design.kind,
        alpha=design.alpha, **undefined,
    )  # fmt: skip


def _remarks(n_a: int, n_b: int, kind: Kind, assume_equal_variation: bool) -> tuple[str, str]:
    """Return the warning and the note that go with so many replicas."""
    smaller, larger = sorted((n_a, n_b))
    if kind == "one replica":
        single, other = ("A", "B") if n_a == 1 else ("B", "A")
        note = (
            f"{other}'s training setup against this very output of {single}, on new text; "
            f"it says nothing about {single}'s training setup, which has one replica."
        )
        if assume_equal_variation:
            note = (
                f"Assumes that replicas of {single}, of which there is one, vary as those of {other} do; "
                "this cannot be tested."
            )
        warning = f"Unreliable: {other} has {larger} replicas; use at least {_UNRELIABLE}."
        return (warning if larger < _UNRELIABLE else ""), note
    if smaller < _UNRELIABLE and 2 * smaller < larger:
        warning = (
            f"The systems have {n_a} and {n_b} replicas: if the one with fewer varies more, false alarms at 0.05 "
            "come to 0.06 to 0.11; add replicas to it."
        )
        return warning, ""
    return "", ""
