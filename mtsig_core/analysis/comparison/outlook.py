"""Prognosis for more replicas, from the variance components of the crossed test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance import CrossedResult
from mtsig_core.significance.distributions import stdtrit

MOST_REPLICAS = 100  # beyond it, "more replicas" is no advice


@dataclass(frozen=True)
class Components:
    """Variances behind the mean squares of a crossed test.

    Attributes
    ----------
    replica : ndarray of shape (term,)
        Of whole replicas, in squared score units; one term per system, or one for paired replicas.
    residual : ndarray of shape (term,)
        Of a replica on a segment.
    segment : float
        Of the systems' difference over segments: no number of replicas averages it away.
    n_segments, n_units : int
        Segments, and the units that are independent (segments, or documents where ids are given).
    """

    replica: np.ndarray
    residual: np.ndarray
    segment: float
    n_segments: int
    n_units: int


@dataclass(frozen=True)
class Outlook:
    """Effect of more replicas.

    Attributes
    ----------
    floor : float
        Smallest difference, in score units, that any number of replicas can make significant on this text.
    needed : int or None
        Smallest number of replicas of each system at which the observed difference would be significant, if observed
        again: about every second experiment shows as much, if it is the true one. None when more than
        `MOST_REPLICAS` are needed or none suffices.
    detectable : ndarray of shape (MOST_REPLICAS - 1,)
        Smallest detectable difference with 2, 3, ... replicas of each system.
    """

    floor: float
    needed: int | None
    detectable: np.ndarray


def components_of(crossed: CrossedResult, n_a: int, n_b: int, n_segments: int, n_units: int) -> Components:
    """Return variance components from a crossed test of systems with at least two replicas each.

    Negative estimates become 0.
    """
    ms: Mapping[str, float] = crossed.components
    if crossed.kind == "paired":
        error = ms["MSe_d"]
        replica = np.array([ms["MSa_d"] - error]) / n_segments
        segment, residual = (ms["MSl_d"] - error) / n_a, np.array([error])
    else:
        residual = np.array([ms["MSe_A"], ms["MSe_B"]])
        replica = (np.array([ms["MSa_A"], ms["MSa_B"]]) - residual) / n_segments
        segment = ms["MSd"] - float((residual / np.array([n_a, n_b])).sum())
    return Components(np.maximum(0.0, replica), residual, max(0.0, float(segment)), n_segments, n_units)


def detectable(components: Components, ns: np.ndarray, alpha: float) -> np.ndarray:
    """Return the smallest detectable difference with n replicas of each system, shape of `ns`.

    Expected mean squares for the new n go through the crossed test's own variance and degrees of freedom
    (paired and unpaired share the formula: a term for each system, or one for the differences).
    """
    c, length = components, components.n_segments
    n = np.asarray(ns, dtype=float)[:, None]
    replica_terms = (length * c.replica + c.residual) / (n * length)
    residual_terms = c.residual / (n * length)
    text = (c.segment + (c.residual / n).sum(axis=1)) / length
    variance = np.maximum(text, replica_terms.sum(axis=1) + text - residual_terms.sum(axis=1))
    replicas_alone = replica_terms.sum(axis=1)
    squares = (
        (replica_terms**2 / (n - 1)).sum(axis=1)
        + text**2 / (c.n_units - 1)
        + (residual_terms**2 / ((n - 1) * (length - 1))).sum(axis=1)
    )
    df = np.maximum(1.0, np.divide(variance**2, squares, out=np.full_like(squares, c.n_units - 1.0), where=squares > 0))
    crossed = stdtrit(df, 1 - alpha / 2) * np.sqrt(variance)
    doubt = (replica_terms**2 / (n - 1)).sum(axis=1)
    df = np.divide(replicas_alone**2, doubt, out=np.full_like(doubt, np.inf), where=doubt > 0)
    return np.maximum(crossed, stdtrit(df, 1 - alpha / 2) * np.sqrt(replicas_alone))


def outlook(components: Components, difference: float, alpha: float) -> Outlook:
    """Return the effect of more replicas on a difference of this size (score units, either sign)."""
    ns = np.arange(2, MOST_REPLICAS + 1)
    sizes = detectable(components, ns, alpha)
    quantile = float(stdtrit(components.n_units - 1, 1 - alpha / 2))
    floor = quantile * float(np.sqrt(components.segment / components.n_segments))
    enough = np.flatnonzero(sizes <= abs(difference))
    return Outlook(floor, int(ns[enough[0]]) if enough.size else None, sizes)
