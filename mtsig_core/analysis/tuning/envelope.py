"""One segment along a line: which candidate is chosen where, and the upper envelope that decides it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import TuningProblem
from mtsig_core.optimizers.line_search import upper_envelopes


@dataclass(frozen=True, eq=False)
class SegmentEnvelope:
    """The candidates of a segment as lines, and the envelope over them.

    Parameters
    ----------
    scope : TuningScope
    segment : int
        Of the dev set, counted from 0.
    intercepts, slopes : ndarray of shape (candidate,)
        Model score of a candidate at x is its intercept + x slope.
    corners : ndarray of shape (corner,)
        Where another candidate takes over, in order.
    chosen : ndarray of int of shape (corner + 1,)
        The candidate that is chosen left of the first corner, between corners, and right of the last one.
    texts : tuple of str
        Of the chosen candidates.
    gains : ndarray of shape (corner + 1,)
        Their scores as sentences.
    """

    scope: TuningScope
    segment: int
    intercepts: np.ndarray
    slopes: np.ndarray
    corners: np.ndarray
    chosen: np.ndarray
    texts: tuple[str, ...]
    gains: np.ndarray

    def at(self, x: float) -> int:
        """Return the position in `chosen` that holds at x."""
        return int(np.searchsorted(self.corners, x, side="right"))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per piece of the envelope: from, to, candidate (counted from 1), its score, its text."""
        return pd.DataFrame({
            "from": np.concatenate([[-np.inf], self.corners]),
            "to": np.concatenate([self.corners, [np.inf]]),
            "candidate": self.chosen + 1,
            "sentence score": self.gains,
            "text": self.texts,
        })


def segment_envelope(
    problem: TuningProblem, start: np.ndarray, direction: np.ndarray, segment: int
) -> SegmentEnvelope:
    """Return the envelope of one segment of the dev set along start + x direction.

    Parameters
    ----------
    problem : TuningProblem
    start, direction : ndarray of shape (feature,)
        Scaled weights, as in `LineStep`.
    segment : int
        Counted from 0.

    Raises
    ------
    ValueError
        When there is no such segment.
    """
    dev = problem.dev
    if not 0 <= segment < dev.n_segments:
        raise ValueError(f"No segment {segment}; the dev set has segments 0 to {dev.n_segments - 1}.")
    n = int(dev.is_candidate[segment].sum())
    intercepts, slopes = dev.model_scores(np.stack([start, direction]))[:, segment, :n]
    envelope = upper_envelopes(intercepts[None], slopes[None])
    wide = np.diff(envelope.x, append=np.inf) > 0  # where lines meet in one point only the last goes on
    chosen = np.concatenate([envelope.first, envelope.after[wide]])
    texts = tuple(dev.nbest.texts[row] for row in dev.rows[segment, chosen])
    gains = dev.oriented(dev.gains[segment, chosen])
    return SegmentEnvelope(
        scope_of(problem), segment, intercepts, slopes, envelope.x[wide], chosen, texts, gains
    )


def most_changing_segment(problem: TuningProblem, start: np.ndarray, direction: np.ndarray, reach: float) -> int:
    """Return the segment of the dev set whose choice changes most often between -reach and reach.

    Parameters
    ----------
    problem : TuningProblem
    start, direction : ndarray of shape (feature,)
        Scaled weights, as in `LineStep`.
    reach : float
    """
    intercepts, slopes = problem.dev.model_scores(np.stack([start, direction]))
    corners = upper_envelopes(intercepts, slopes)
    rows = corners.row[np.abs(corners.x) < reach]
    return int(np.bincount(rows, minlength=problem.dev.n_segments).argmax())
