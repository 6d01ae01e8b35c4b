"""Pictures of the lesson on three tests."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import BINS, MISS, Canvas, Panel, span
from mtsig_core.figures.theme import PALETTE
from mtsig_core.significance import PRESETS
from mtsig_core.teaching.null_distributions import PAIRED, TESTS, NullDistributions, counted
from mtsig_core.teaching.run import Run

_MOST_COINS = 60
_COLOURS = (PALETTE[0], PALETTE[2], PALETTE[6])


def three_tests(run: Run[NullDistributions], height: int = 370) -> go.Figure:
    """Return the draws of three tests so far, one panel each on a common axis; D is dashed, 0 is dotted.

    Parameters
    ----------
    run : Run of NullDistributions
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    drawn = [run.computed[name] for name in ("exchanged", "resampled") if name in run.computed]
    low, high = span(0.0, simulation.difference, -simulation.difference, *drawn)
    edges = np.linspace(low, high, BINS + 1)
    for place, (preset, colour) in enumerate(zip(TESTS, _COLOURS, strict=True)):
        top = 1 - 0.35 * place
        last = place == len(TESTS) - 1
        panel = canvas.panel(PRESETS[preset].label, y=(max(0.0, top - 0.26), top - 0.03),
                             below="Difference B − A; dashed: D, dotted: 0" if last else "")
        panel.x_range(low, high)
        panel.axes[0]["showticklabels"] = last
        if run.n:
            values = counted(run, preset)
            canvas.histogram(panel, values, edges, colour=colour, newest=float(values[-1]))
        canvas.upright(panel, simulation.difference)
        canvas.upright(panel, 0.0, dash="dot")
        if preset != PAIRED:  # where both tails are compared with D
            canvas.upright(panel, -simulation.difference)
    return canvas.figure()


def coin_flips(run: Run[NullDistributions], height: int = 260) -> go.Figure:
    """Return the first segments of the newest exchange: the difference of each, turned round where the coin says so.

    Parameters
    ----------
    run : Run of NullDistributions
    height : int
        Pixels.
    """
    canvas, pair = Canvas(height), run.simulation.pair
    panel = canvas.panel("The newest exchange by segment; red: exchanged",
                         below="Segment", beside="B − A")
    if not run.n:
        return canvas.figure()
    swapped = run.simulation.coins(run.n - 1)[:_MOST_COINS]
    scores = pair.metric.segment_score(pair.values[:, :_MOST_COINS])
    differences = np.where(swapped, scores[0] - scores[1], scores[1] - scores[0])
    for wanted, colour, words in ((False, PALETTE[0], "as it was"), (True, MISS, "exchanged")):
        _bars(canvas, panel, np.flatnonzero(swapped == wanted), differences, (colour, words))
    panel.x_range(0.3, len(differences) + 0.7)
    return canvas.figure()


def _bars(canvas: Canvas, panel: Panel, places: np.ndarray, values: np.ndarray, look: tuple[str, str]) -> None:
    canvas.add(
        panel, type="bar", x=(places + 1).tolist(), y=values[places].tolist(), width=0.8, marker={"color": look[0]},
        hovertemplate=f"segment %{{x}}, {look[1]}: %{{y:.2f}}<extra></extra>",
    )
