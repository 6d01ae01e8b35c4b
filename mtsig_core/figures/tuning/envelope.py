"""The candidates of a segment as lines, and the upper envelope that chooses among them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.tuning import SegmentEnvelope
from mtsig_core.figures.theme import NEUTRAL, PALETTE, base_figure, literal, translucent, vertical_line

_MOST_LINES = 200


def envelope_lines(
    result: SegmentEnvelope, at: float = 0.0, half_width: float = 1.0, height: int = 420
) -> go.Figure:
    """Return the model score of every candidate along a line; chosen pieces are coloured, and one is chosen at x.

    Parameters
    ----------
    result : SegmentEnvelope
    at : float
        Where the line search stands.
    half_width : float
        The part of the line that is shown.
    height : int
        Pixels.
    """
    figure = base_figure(x="Step along the direction", y="Model score", height=height)
    ends = np.array([-half_width, half_width])
    _never_chosen(figure, result, ends)
    edges = np.clip(np.concatenate([[-np.inf], result.corners, [np.inf]]), *ends)
    current = result.at(at)
    for i, c in enumerate(result.chosen.tolist()):
        piece = edges[i : i + 2]
        if piece[0] == piece[1]:
            continue
        figure.add_scatter(
            x=piece.tolist(), y=(result.intercepts[c] + piece * result.slopes[c]).tolist(), mode="lines",
            name=f"candidate {c + 1}", showlegend=i == current,
            line={"color": PALETTE[i % len(PALETTE)], "width": 5 if i == current else 2.5},
            hovertemplate=f"candidate {c + 1}<br>{literal(result.texts[i], 80)}<extra></extra>",
        )
    vertical_line(figure, at, dash="dash")
    figure.update_xaxes(range=ends.tolist())
    return figure


def _never_chosen(figure: go.Figure, result: SegmentEnvelope, ends: np.ndarray) -> None:
    others = [c for c in range(len(result.slopes)) if c not in set(result.chosen.tolist())][:_MOST_LINES]
    x, y = [], []
    for c in others:
        x += [*ends.tolist(), None]
        y += [*(result.intercepts[c] + ends * result.slopes[c]).tolist(), None]
    figure.add_scatter(
        x=x, y=y, mode="lines", name="never chosen", hoverinfo="skip",
        line={"color": translucent(NEUTRAL, 0.25), "width": 1},
    )
