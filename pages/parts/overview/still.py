"""The first screen's chart as plain HTML: a browser shows it before it has loaded Plotly."""

from __future__ import annotations

import math
from collections.abc import Iterator

import plotly.graph_objects as go

from mtsig_core.figures.theme import NEUTRAL

# pixels, as Streamlit and Plotly lay such a chart out; a browser test compares the two
LEFT, RIGHT, TOP, BELOW = 80, 16, 52, 70
PAD = 8  # between the plot and its axes
DIAMOND, CAP = 14.3, 16  # from corner to corner; the height of an interval's ends
MOST_TICKS = 5
MARGIN = 0.055  # of the range, on both sides of what is drawn
ROUND = (1, 2, 5, 10)


def fix_axis(figure: go.Figure) -> None:
    """Fix the range and the ticks of the values, which Plotly would choose by the width."""
    low, high = _extent(figure)
    beside = MARGIN * (high - low or 1)
    figure.update_xaxes(range=[low - beside, high + beside], tick0=0, dtick=_step(high - low or 1))


def still(figure: go.Figure) -> str:
    """Return a figure as HTML that looks as Plotly would draw it, at any width; screen readers pass it over.

    Parameters
    ----------
    figure : plotly Figure
        One row per metric, as `mtsig_core.figures.overview` draws it, with its axis fixed (`fix_axis`).
    """
    height = figure.layout.height - figure.layout.margin.t - BELOW
    axis, rows = figure.layout.xaxis, figure.layout.yaxis
    parts = [*_axes(height), *_zero_line(_share(axis, 0), height)]
    top, tall = rows.range[1], rows.range[1] - rows.range[0]
    for text, value in zip(rows.ticktext, rows.tickvals, strict=True):
        y = height * (top - value) / tall
        parts.append(f'<span class="name" style="right:calc(100% + 11.2px);top:{y - 7.5:.1f}px">{text}</span>')
    for trace in figure.data:
        parts += _interval(trace, axis, height * (top - trace.y[0]) / tall)
    parts += _ticks(axis, height)
    parts.append(f'<span class="title" style="left:50%;top:{height + 38}px">{axis.title.text}</span>')
    place = f"margin:{TOP}px {RIGHT}px 0 {LEFT}px"
    return f'<div class="still" aria-hidden="true"><div style="{place}">{"".join(parts)}</div></div>'


def _extent(figure: go.Figure) -> tuple[float, float]:
    values = [0.0]
    for trace in figure.data:
        centre, bars = trace.x[0], trace.error_x
        values += [centre, centre - (bars.arrayminus or [0])[0], centre + (bars.array or [0])[0]]
    return min(values), max(values)


def _step(span: float) -> float:
    """Return the smallest round step that gives few ticks."""
    unit = 10.0 ** math.floor(math.log10(span / MOST_TICKS))
    return next(unit * factor for factor in ROUND if span / (unit * factor) <= MOST_TICKS)


def _share(axis: go.layout.XAxis, value: float) -> str:
    low, high = axis.range
    return f"{100 * (value - low) / (high - low):.3f}%"


def _box(left: str, top: float, width: str, height: float, colour: str = NEUTRAL) -> str:
    return f'<i style="left:{left};top:{top:.1f}px;width:{width};height:{height:.1f}px;background:{colour}"></i>'


def _axes(height: float) -> Iterator[str]:
    yield _box(f"{-PAD - 1}px", height + PAD, f"calc(100% + {PAD + 2}px)", 1)
    yield _box(f"{-PAD - 1}px", 0, "1px", height + PAD)


def _zero_line(left: str, height: float) -> Iterator[str]:
    dashes = f"repeating-linear-gradient(to top,{NEUTRAL} 0 9px,transparent 9px 18px)"
    yield _box(f"calc({left} - .75px)", 0, "1.5px", height, dashes)


def _interval(trace: go.Scatter, axis: go.layout.XAxis, y: float) -> Iterator[str]:
    """Draw the line from one end to the other, both ends, and the difference itself."""
    colour, bars = trace.marker.color, trace.error_x
    if bars.array is not None:
        low, high = (_share(axis, trace.x[0] + part) for part in (-bars.arrayminus[0], bars.array[0]))
        yield _box(low, y - 1.5, f"calc({high} - {low})", 3, colour)
        for end in (low, high):
            yield _box(f"calc({end} - 1.5px)", y - CAP / 2, "3px", CAP, colour)
    side = DIAMOND / math.sqrt(2)
    yield (f'<i style="left:calc({_share(axis, trace.x[0])} - {side / 2:.2f}px);top:{y - side / 2:.2f}px;'
           f'width:{side:.2f}px;height:{side:.2f}px;background:{colour};transform:rotate(45deg)"></i>')  # fmt: skip


def _ticks(axis: go.layout.XAxis, height: float) -> Iterator[str]:
    low, high = axis.range
    for number in range(math.ceil(low / axis.dtick), math.floor(high / axis.dtick) + 1):
        left = _share(axis, number * axis.dtick)
        text = f"{number * axis.dtick:g}".replace("-", "−")
        yield _box(f"calc({left} - .5px)", height + PAD + 1, "1px", 4)
        yield f'<span class="tick" style="left:{left};top:{height + PAD + 8}px">{text}</span>'
