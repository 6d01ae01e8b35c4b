"""What figures of tuning share: lines of the scores that need no tuning, and the looks of replicas' lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from mtsig_core.analysis.tuning.trajectories import Path
from mtsig_core.figures.theme import NEUTRAL, SystemStyle, short, styles, translucent
from mtsig_core.formatting import format_score
from mtsig_core.optimizers import Baselines

_DASHES = {"oracle": "dash", "1-best": "solid", "random choice": "dot"}
_CLOSE = 0.2  # of the way from the 1-best to the oracle


def reference_lines(figure: go.Figure, baselines: Baselines, *, oracle: bool = True, along: str = "y") -> None:
    """Draw the oracle, the 1-best and the random choice as lines over the whole plot, each with its name.

    Parameters
    ----------
    figure : go.Figure
    baselines : Baselines
    oracle : bool
        Draw the oracle too, which may stand far away.
    along : {"x", "y"}
        The axis that has the scores.
    """
    above = _is_above(baselines)
    values = {"oracle": baselines.oracle, "1-best": baselines.one_best, "random choice": baselines.random}
    for name, value in values.items():
        if name == "oracle" and not oracle:
            continue
        ends: dict[str, float | str] = {along + "0": value, along + "1": value}
        other = "x" if along == "y" else "y"
        ends |= {other + "0": 0, other + "1": 1, other + "ref": "paper"}
        line = {"color": NEUTRAL, "dash": _DASHES[name], "width": 1.5}
        figure.add_shape(type="line", line=line, layer="below", **ends)
        side = "bottom" if above[name] else "top"
        place = {"x": 1, "xref": "paper", "xanchor": "right", "y": value, "yanchor": side}
        if along == "x":
            side = "left" if (baselines.one_best >= baselines.random) == (name == "1-best") else "right"
            place = {"y": 0, "yref": "paper", "yanchor": "bottom", "x": value, "xanchor": side, "textangle": -90}
        text = f"{name} {format_score(value)}"
        figure.add_annotation(text=text, showarrow=False, font={"size": 12}, **place)


def _is_above(baselines: Baselines) -> dict[str, bool]:
    """Say of each name whether it stands above its line: replicas end on the better side of the 1-best.

    Where the 1-best and the random choice are close, their names stand on the outer sides.
    """
    better_is_above = baselines.oracle >= baselines.one_best
    gap = baselines.one_best - baselines.random
    if abs(gap) < _CLOSE * abs(baselines.oracle - baselines.one_best):
        return {"oracle": better_is_above, "1-best": gap >= 0, "random choice": gap < 0}
    return {"oracle": better_is_above, "1-best": not better_is_above, "random choice": better_is_above}


def path_styles(
    paths: Sequence[Path], colours: Mapping[str, str] | None, *, opacity: float
) -> Iterator[tuple[Path, SystemStyle, dict[str, Any]]]:
    """Yield each replica's path, the style of its optimizer, and how its line looks: one name in the legend for all.

    Parameters
    ----------
    paths : sequence of Path
    colours : mapping of optimizer to colour, optional
    opacity : float
        Of the lines, 0 to 1.
    """
    style_of = styles(list(dict.fromkeys(path.name for path in paths)), colours)
    named: set[str] = set()
    for path in paths:
        style = style_of[path.name]
        yield path, style, {
            "mode": "lines+markers", "name": short(path.name), "legendgroup": path.name,
            "showlegend": path.name not in named,
            "line": {"color": translucent(style.colour, opacity), "width": 1.5, "dash": style.dash},
        }  # fmt: skip
        named.add(path.name)
