"""What a point is worth: p of a test against the size of a difference, and on which pairs people agree."""

from __future__ import annotations

import plotly.graph_objects as go

from mtsig_core.analysis.people.meta_evaluation.worth import PointWorth
from mtsig_core.figures.theme import NEUTRAL, PALETTE, base_figure, hover_decimals, literal
from mtsig_core.formatting import p_phrase

#: Share of agreement -> what is said, colour and symbol.
_KINDS = {
    1.0: ("people prefer the same system", PALETTE[0], "circle"),
    0.5: ("people prefer neither", NEUTRAL, "diamond"),
    0.0: ("people prefer the other system", PALETTE[1], "x"),
}


def point_worth_figure(result: PointWorth, height: int = 420) -> go.Figure:
    """Return one point per pair of systems: size of the difference, p of its test, and whether people agree."""
    figure = base_figure(x=f"Difference in {literal(result.metric)}", y="p of the test", height=height)
    decimals = hover_decimals(result.pairs["size"])
    tested = result.pairs[result.pairs["p"].notna()]
    for agree, (said, colour, symbol) in _KINDS.items():
        own = tested[tested["agree"] == agree]
        if own.empty:
            continue
        details = [f"{literal(a)} and {literal(b)}: {p_phrase(p)}" for a, b, p in zip(own.a, own.b, own.p, strict=True)]
        figure.add_scatter(
            x=own["size"].tolist(), y=own["p"].tolist(), mode="markers", name=said,
            marker={"color": colour, "symbol": symbol, "size": 9}, customdata=details,
            hovertemplate=f"%{{customdata}}<br>difference %{{x:.{decimals}f}}<br>{said}<extra></extra>",
        )  # fmt: skip
    figure.add_hline(y=result.alpha, line={"color": NEUTRAL, "dash": "dash", "width": 1.5})
    figure.update_yaxes(range=[-0.03, 1.03])
    return figure
