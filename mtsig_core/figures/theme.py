"""One look for every figure: colours, symbols and dashes of systems, literal text, the base layout.

A figure has no ground of its own and leaves the colour of text to the template of whatever shows
it, so it stands on a light page as well as on a dark one. Every other colour here has a contrast
of at least 3 : 1 against white and against near-black grounds (#0e1117 and #171614).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

# Chosen by search for the largest least difference (CIE Lab) in normal vision and under simulated
# protanopia, deuteranopia and tritanopia (Machado et al. 2009).
PALETTE = ("#598dfe", "#d2750b", "#5d9860", "#b101b4", "#bf2524", "#811aff", "#c672b7", "#7c6870")
# The lengths share no divisor with the palette's, so that colour and symbol repeat together late.
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "triangle-down", "x", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "12px,3px,2px,3px,2px,3px")
PATTERNS = ("", "/", "\\", "x", "-", "|", "+")

NEUTRAL = "#808080"  # zero lines, whiskers and what is not defined
GRID = "rgba(128,128,128,0.25)"
SHADE = "rgba(128,128,128,0.14)"
DEFAULT_HEIGHT = 360
SIDES_WIDTH = 34  # characters that stand beside each other above a plot as wide as half a telephone
NAME_WIDTH = 32  # characters of a name before it is cut in ticks and legends; hover shows it whole

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;"})


@dataclass(frozen=True)
class SystemStyle:
    """How one system is drawn in all figures."""

    colour: str
    symbol: str
    dash: str
    pattern: str


def literal(text: str, width: int | None = None) -> str:
    """Return user text so that Plotly shows it as it is.

    Tags (``<b>``), entities, formulas (``$x$``) and templates (``%{x}``) lose their meaning;
    control characters become the replacement sign.

    Parameters
    ----------
    text : str
    width : int, optional
        Cut longer text in the middle, where the names of systems differ least.
    """
    text = _UNPRINTABLE.sub("\ufffd", str(text))
    if width is not None and len(text) > width:
        head = width // 2
        text = f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"
    return text.translate(_MARKUP)


def short(name: str) -> str:
    """Return a name for a tick or a legend: literal, and cut when very long."""
    return literal(name, NAME_WIDTH)


def system_colours(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each system, in the order given; the palette repeats after 8."""
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(dict.fromkeys(names))}


def system_symbols(names: Iterable[str]) -> dict[str, str]:
    """Return a marker symbol for each system; colour and symbol together repeat after 72."""
    return {name: SYMBOLS[i % len(SYMBOLS)] for i, name in enumerate(dict.fromkeys(names))}


def system_dashes(names: Iterable[str]) -> dict[str, str]:
    """Return a line dash for each system; colour and dash together repeat after 56."""
    return {name: DASHES[i % len(DASHES)] for i, name in enumerate(dict.fromkeys(names))}


def system_patterns(names: Iterable[str]) -> dict[str, str]:
    """Return a fill pattern for each system; colour and pattern together repeat after 56."""
    return {name: PATTERNS[i % len(PATTERNS)] for i, name in enumerate(dict.fromkeys(names))}


def axis_title(label: str, higher_is_better: bool = True) -> str:
    """Return a metric's axis title, literal and cut when very long; the unusual direction is said."""
    return short(label) if higher_is_better else f"{short(label)} (lower is better)"


def hover_decimals(values: Iterable[float]) -> int:
    """Return how many decimals tell values of this spread apart (2 to 6)."""
    numbers = [float(v) for v in values]
    spread = max(numbers) - min(numbers) if numbers else 0.0
    return 2 if spread <= 0 else min(6, max(2, 2 - math.floor(math.log10(spread))))


def styles(names: Sequence[str], colours: Mapping[str, str] | None = None) -> dict[str, SystemStyle]:
    """Return the style of each system drawn.

    Parameters
    ----------
    names : sequence of str
        The systems of this figure.
    colours : mapping of system to colour, optional
        As `system_colours` gave it for *all* systems of the experiment; symbols, dashes and
        patterns follow a system's place in it, so that they too stay the same in every figure.
    """
    order = list(dict.fromkeys([*(colours or {}), *names]))
    own, symbols = system_colours(order) | dict(colours or {}), system_symbols(order)
    dashes, patterns = system_dashes(order), system_patterns(order)
    return {n: SystemStyle(own[n], symbols[n], dashes[n], patterns[n]) for n in names}


def translucent(colour: str, opacity: float) -> str:
    """Return a ``#rrggbb`` colour as rgba; any other notation comes back unchanged."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return colour
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def base_figure(*, x: str = "", y: str = "", height: int = DEFAULT_HEIGHT, legend: bool = True) -> go.Figure:
    """Return an empty figure in the common layout.

    Parameters
    ----------
    x, y : str
        Axis titles, with units; already literal where they hold user text.
    height : int
        Pixels; the width is the host's.
    legend : bool
        Whether there is a legend (above the plot, left-aligned).
    """
    axis: dict[str, Any] = {
        "gridcolor": GRID, "zeroline": False, "linecolor": NEUTRAL, "ticks": "outside",
        "tickcolor": NEUTRAL, "ticklen": 4,
    }
    return go.Figure(layout={  # at once: an update of the layout takes twice as long
        "height": height, "autosize": True, "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 68, "r": 16, "t": 24, "b": 52},  # automatic ones would draw everything twice
        "showlegend": legend, "hovermode": "closest",
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom",
                   "bgcolor": "rgba(0,0,0,0)", "title": {"text": ""}, "tracegroupgap": 0},
        "xaxis": axis | {"showline": True, "title": {"text": x}},
        "yaxis": axis | {"title": {"text": y}},
        "hoverlabel": {"namelength": -1}, "barmode": "overlay", "bargap": 0, "separators": ".",
    })


def message_figure(text: str, height: int = 140) -> go.Figure:
    """Return a figure that only says why there is nothing to draw."""
    text = wrapped(text, 40)  # what half a page has room for
    figure = base_figure(height=max(height, 100 + 18 * text.count("<br>")), legend=False)
    figure.update_xaxes(visible=False, range=[0, 1])
    figure.update_yaxes(visible=False, range=[0, 1])
    figure.add_annotation(text=text, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)
    return figure


def wrapped(text: str, width: int) -> str:
    """Return user text literal and broken into lines of about ``width`` characters."""
    lines: list[str] = []
    for word in str(text).split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return "<br>".join(literal(line) for line in lines)


def vertical_line(
    figure: go.Figure, x: float, *, colour: str = NEUTRAL, dash: str = "solid", width: float = 1.5
) -> None:
    """Draw a line over the whole height of the plot at a value of x."""
    line = {"color": colour, "dash": dash, "width": width}
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=line)


def top_label(figure: go.Figure, x: float, text: str, *, anchor: str = "center", row: int = 0) -> None:
    """Write text at a value of x just under the upper edge of the plot, ``row`` lines down.

    Text must be literal already; ``anchor`` is the side of the text that stands at x. Leave room:
    see `headroom`.
    """
    figure.add_annotation(
        x=x, y=1, yref="paper", yanchor="top", text=text, showarrow=False, xanchor=anchor, yshift=-16 * row,
        xshift={"left": 3, "right": -3}.get(anchor, 0), font={"size": 12}, align="left",
    )


def sides(figure: go.Figure, left: str, right: str, word: str) -> None:
    """Say above the plot which system is better, or higher, on each side; long names stand one above the other."""
    left, right = (f"← {literal(left, 24)} {word}", f"{literal(right, 24)} {word} →")
    rows = 2 if len(left) + len(right) > SIDES_WIDTH else 1
    common = {"xref": "paper", "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False, "font": {"size": 12}}
    figure.add_annotation(x=1, xanchor="right", text=right, **common)
    figure.add_annotation(x=0, xanchor="left", text=left, yshift=16 * (rows - 1), **common)
    if rows > 1:
        figure.update_layout(height=figure.layout.height + 16, margin={"t": figure.layout.margin.t + 16})


def headroom(top: float, rows: int, height: int = DEFAULT_HEIGHT) -> float:
    """Return the upper end of a y axis so that ``rows`` lines of `top_label` stand above ``top``."""
    return top / max(0.4, 1 - (8 + 17 * rows) / max(120, height - 110))


def rows_axis(figure: go.Figure, names: Sequence[str]) -> None:
    """Name horizontal rows: the first name on top, at y = 0, the next at y = -1, ..."""
    figure.update_yaxes(
        tickmode="array", tickvals=[-float(i) for i in range(len(names))], ticktext=list(names),
        range=[-len(names) + 0.4, 0.6], showgrid=False, ticks="", title={"text": ""}, automargin=True,
    )
