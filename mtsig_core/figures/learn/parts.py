"""What the pictures of the lessons share: panels, histograms that grow, stacks of intervals.

A picture is drawn again several times a second while a lesson plays, so it is put together as plain dicts and becomes
a figure at once: Plotly's own subplots take ten times as long.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.theme import GRID, NEUTRAL, PALETTE, hover_decimals, translucent

BINS = 40
NEWEST, HIT, MISS = PALETTE[1], PALETTE[0], PALETTE[4]
STACK = 30  # intervals that are drawn at once
WHOLE = (0.0, 1.0)
_TITLE_SIZE = 13
_NARROW = 55  # characters of a title that a phone has room for, with the labels beside the panels
_BETWEEN = 0.05  # share of the figure between panels that a title may use
_TICKS = 5  # characters of labels that are numbers


@dataclass(frozen=True)
class Panel:
    """One pair of axes of a canvas: what `Canvas` takes as the place of a mark."""

    x: str
    y: str
    axes: tuple[dict[str, Any], dict[str, Any]] = field(compare=False)

    def x_range(self, low: float, high: float) -> None:
        """Fix the range of the x axis."""
        self.axes[0]["range"] = [float(low), float(high)]

    def y_range(self, low: float, high: float) -> None:
        """Fix the range of the y axis."""
        self.axes[1]["range"] = [float(low), float(high)]

    def rows(self, names: Sequence[str]) -> None:
        """Name horizontal rows, literal: the first name on top, at y = 0, the next at y = -1, ..."""
        self.axes[1].update(tickmode="array", tickvals=[-float(i) for i in range(len(names))], ticktext=list(names),
                            range=[-len(names) + 0.4, 0.6], showgrid=False)  # fmt: skip


@dataclass(eq=False)
class Canvas:
    """A figure in the making.

    Parameters
    ----------
    height : int
        Pixels.
    legend : bool
        Whether marks with a name have a legend, under the panels.

    Examples
    --------
    >>> canvas = Canvas(height=300)
    >>> panel = canvas.panel("Scores")
    >>> canvas.histogram(panel, np.array([1.0, 2.0]), np.array([0.0, 1.5, 3.0]))
    >>> len(canvas.figure().data)
    1
    """

    height: int
    legend: bool = False
    data: list[dict[str, Any]] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    _panels: list[Panel] = field(default_factory=list)

    def panel(
        self, title: str, x: tuple[float, float] = WHOLE, y: tuple[float, float] = WHOLE, *, below: str = "",
        beside: str = "",
    ) -> Panel:
        """Add a panel.

        Parameters
        ----------
        title : str
            Stands above it, literal.
        x, y : tuple of two float
            From where to where it reaches, as shares of the figure; y counts from the bottom.
        below, beside : str
            Titles of its x and y axes, literal.
        """
        number = str(len(self._panels) + 1) if self._panels else ""
        common = {"gridcolor": GRID, "zeroline": False, "linecolor": NEUTRAL}
        across = common | {"domain": list(x), "anchor": f"y{number}", "showline": True,
                           "title": {"text": below, "standoff": 4}}  # fmt: skip
        up = common | {"domain": list(y), "anchor": f"x{number}", "nticks": 5, "automargin": True,
                       "title": {"text": beside, "standoff": 8}}  # fmt: skip
        panel = Panel(f"x{number}", f"y{number}", (across, up))
        self.layout |= {f"xaxis{number}": across, f"yaxis{number}": up}
        self._panels.append(panel)
        if title:
            self.annotations.append({"text": title, "x": x[0], "y": y[1], "xref": "paper", "yref": "paper",
                                     "xanchor": "left", "yanchor": "bottom", "showarrow": False, "yshift": 2,
                                     "align": "left", "font": {"size": _TITLE_SIZE}})  # fmt: skip
        return panel

    def add(self, panel: Panel, **trace: Any) -> None:
        """Add a mark as Plotly describes it; arrays are lists already."""
        self.data.append({"xaxis": panel.x, "yaxis": panel.y, "showlegend": "name" in trace and self.legend} | trace)

    def histogram(
        self, panel: Panel, values: np.ndarray, edges: np.ndarray, *, colour: str = PALETTE[0],
        newest: float | None = None, noun: str = "draws",
    ) -> None:
        """Draw how many values lie between edges, shape (bar + 1,), with the bar of the newest value marked.

        Values beyond the edges are counted in the outermost bars.
        """
        counts = np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0]
        colours = [translucent(colour, 0.75)] * len(counts)
        if newest is not None:
            bar = int(np.searchsorted(edges, newest, side="right")) - 1
            colours[min(max(bar, 0), len(counts) - 1)] = NEWEST
        digits = hover_decimals(edges)
        self.add(
            panel, type="bar", x=((edges[1:] + edges[:-1]) / 2).tolist(), y=counts.tolist(),
            width=np.diff(edges).tolist(), marker={"color": colours, "line": {"width": 0}},
            hovertemplate=f"about %{{x:.{digits}f}}: %{{y}} {noun}<extra></extra>",
        )
        panel.axes[1].setdefault("rangemode", "tozero")

    def curve(self, panel: Panel, x: np.ndarray, y: np.ndarray, *, dash: str = "solid", colour: str = NEUTRAL,
              **more: Any) -> None:
        """Draw a line without marks."""
        options = {"hoverinfo": "skip"} | more
        self.add(panel, type="scatter", mode="lines", x=x.tolist(), y=y.tolist(),
                 line={"color": colour, "width": 2, "dash": dash}, **options)

    def points(self, panel: Panel, x: Sequence[float], y: Sequence[float], *, colour: str = NEWEST, size: int = 9,
               symbol: str = "circle", **more: Any) -> None:
        """Draw marks; strokes (``line-ns``) take the colour as well."""
        marker = {"color": colour, "size": size, "symbol": symbol, "line": {"color": colour, "width": 1.5}}
        self.add(panel, type="scatter", mode="markers", x=list(x), y=list(y), marker=marker, **more)

    def upright(self, panel: Panel, x: float, *, dash: str = "dash", colour: str = NEUTRAL, width: float = 1.5) -> None:
        """Draw a line over the whole height of a panel at a value of x."""
        self.shapes.append({"type": "line", "xref": panel.x, "yref": f"{panel.y} domain", "x0": x, "x1": x, "y0": 0,
                            "y1": 1, "line": {"color": colour, "dash": dash, "width": width}})  # fmt: skip

    def level(self, panel: Panel, y: float, *, dash: str = "dash", colour: str = NEUTRAL) -> None:
        """Draw a line over the whole width of a panel at a value of y."""
        self.shapes.append({"type": "line", "xref": f"{panel.x} domain", "yref": panel.y, "x0": 0, "x1": 1, "y0": y,
                            "y1": y, "line": {"color": colour, "dash": dash, "width": 1.5}})  # fmt: skip

    def interval_stack(self, panel: Panel, low: np.ndarray, high: np.ndarray, hits: np.ndarray) -> None:
        """Draw the newest intervals as a stack of bars, the newest on top; those that miss have another colour.

        Parameters
        ----------
        panel : Panel
        low, high : ndarray of shape (draw,)
            All ends so far.
        hits : ndarray of bool of shape (draw,)
        """
        first = max(0, len(low) - STACK)
        for wanted, colour, words in ((True, HIT, "contains the truth"), (False, MISS, "misses the truth")):
            rows = np.flatnonzero(hits[first:] == wanted) + first
            self.add(
                panel, type="bar", y=(rows + 1).tolist(), x=(high - low)[rows].tolist(), base=low[rows].tolist(),
                orientation="h", width=0.7, marker={"color": translucent(colour, 0.85), "line": {"width": 0}},
                customdata=np.stack([low[rows], high[rows]], axis=1).tolist(),
                hovertemplate=f"number %{{y}}: %{{customdata[0]:.2f}} to %{{customdata[1]:.2f}} {words}<extra></extra>",
            )
        panel.y_range(first + 0.2, max(first + STACK, len(low)) + 0.8)

    def figure(self) -> go.Figure:
        """Return the figure."""
        self._break_titles()
        lines = max((a["text"].count("<br>") for a in self.annotations), default=0)
        layout = {
            "height": self.height, "autosize": True, "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)", "margin": {"l": 44, "r": 12, "t": 24 + 16 * lines, "b": 48},
            "showlegend": self.legend,
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.19, "yanchor": "top"},
            "separators": ".", "bargap": 0, "barmode": "overlay", "hovermode": "closest", "uirevision": "lesson",
            "hoverlabel": {"namelength": -1}, "shapes": self.shapes, "annotations": self.annotations,
        }
        self._show_empty_panels()
        return go.Figure(data=self.data, layout=layout | self.layout)

    def _break_titles(self) -> None:
        """Break the titles over and under panels into lines that do not meet or end early on a narrow screen."""
        beside = [panel.axes[1].get("ticktext", ()) for panel in self._panels if not panel.axes[0]["domain"][0]]
        space = _NARROW - max((len(label) for labels in beside for label in labels), default=_TICKS)
        tops = {(note["x"], note["y"]): note for note in self.annotations}
        for panel in self._panels:
            (left, right), (bottom, top) = panel.axes[0]["domain"], panel.axes[1]["domain"]
            if top == 1 and (left, top) in tops:
                width = int(min(1, right - left + _BETWEEN) * space)
                tops[left, top]["text"] = _in_lines(tops[left, top]["text"], width)
            if bottom == 0 and not self.legend:  # in the middle of its panel
                under = panel.axes[0]["title"]
                under["text"] = _in_lines(under["text"], int((right - left) * space))

    def _show_empty_panels(self) -> None:
        """Give panels without marks their axes, from 0: Plotly draws none without a mark or shape, or from below 0."""
        for panel in self._panels:
            if not any(trace["xaxis"] == panel.x for trace in self.data):
                panel.axes[1].setdefault("range", [0.0, 5.0])
                if not any(shape["xref"] == panel.x for shape in self.shapes):  # whose places the axis must hold
                    panel.axes[0].setdefault("range", [0.0, 5.0])
                self.upright(panel, panel.axes[0].get("range", [0.0])[0], width=0)


def _in_lines(title: str, width: int) -> str:
    return "<br>".join(textwrap.wrap(title, max(1, width), break_long_words=False)) if len(title) > width else title


def span(*values: np.ndarray | float, margin: float = 0.06) -> tuple[float, float]:
    """Return a range of an axis that holds all values, with a margin."""
    low = min(float(np.min(x)) for x in values)
    high = max(float(np.max(x)) for x in values)
    space = margin * (high - low) or 0.5
    return low - space, high + space


def enlarged(figure: go.Figure, size: int = 16) -> go.Figure:
    """Return a figure with larger type, for a projector."""
    figure.update_layout(font={"size": size})
    figure.update_annotations(font={"size": size})
    return figure
