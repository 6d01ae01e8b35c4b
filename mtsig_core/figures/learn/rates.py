"""Pictures of the lesson on false alarms and hits of every test."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.calibration.arena import ArenaRow
from mtsig_core.figures.learn.parts import HIT, MISS, Canvas, Panel
from mtsig_core.figures.theme import PALETTE, SHADE
from mtsig_core.significance import PRESETS
from mtsig_core.teaching.rates import ALPHA, ArenaTrials, monte_carlo_error, rates, rates_so_far
from mtsig_core.teaching.run import Run

_SETTLING = (
    ("coherent", PALETTE[0], "solid"), ("welch-replicas", PALETTE[2], "dash"), ("ar-segment", PALETTE[4], "dot"),
    ("ar-hypothesis", PALETTE[3], "dashdot"), ("bootstrap-replica", PALETTE[7], "longdash"),
)  # fmt: skip
_MOST_SHARES = 300  # of a line, however many experiments there are
_SMALL_TYPE = 11


def rates_of_tests(run: Run[ArenaTrials], height: int = 415) -> go.Figure:
    """Return the share of experiments that each test calls different, with its exact 95% interval.

    Parameters
    ----------
    run : Run of ArenaTrials
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    equal = simulation.world.gain == 0
    title = "False alarms of each test" if equal else "How often each test finds the difference"
    panel = canvas.panel(title, (0.36, 1), below="Share with p < 0.05; dashed: 0.05")
    panel.rows([PRESETS[name].label for name in simulation.names])
    panel.axes[1]["tickfont"] = {"size": _SMALL_TYPE}
    panel.x_range(-0.01, 1.01)
    canvas.upright(panel, ALPHA)
    if run.n:
        for place, row in enumerate(rates(run)):
            _row(canvas, panel, -place, row, equal)
    return canvas.figure()


def _row(canvas: Canvas, panel: Panel, y: float, row: ArenaRow, equal: bool) -> None:
    colour = MISS if equal and row.low > ALPHA else HIT
    hover = f"{row.preset.label}: {row.share:.3f} ({row.low:.3f} to {row.high:.3f}); answers: {row.preset.question}"
    canvas.add(panel, type="scatter", mode="lines", x=[row.low, row.high], y=[y, y],
               line={"color": colour, "width": 2}, hoverinfo="skip")
    canvas.points(panel, [row.share], [y], colour=colour, hovertemplate=f"{hover}<extra></extra>")
    if not equal and row.wrong:
        share = row.share * row.wrong / row.rejected
        canvas.points(panel, [share], [y], colour=MISS, symbol="x", size=7,
                      hovertemplate="for the wrong system: %{x:.3f}<extra></extra>")


def rates_as_they_settle(run: Run[ArenaTrials], height: int = 320) -> go.Figure:
    """Return the shares of some tests as experiments accumulate, with the range of a test that errs at its level.

    Parameters
    ----------
    run : Run of ArenaTrials
    height : int
        Pixels.
    """
    canvas = Canvas(height, legend=True)
    panel = canvas.panel("", beside="Share with p < 0.05", below="Experiments; grey: where a true 0.05 strays to")
    shown = [look for look in _SETTLING if look[0] in run.simulation.names]
    n = np.unique(np.geomspace(5, max(run.n, 100), 60).astype(int))
    error = monte_carlo_error(n)
    canvas.add(panel, type="scatter", mode="lines", x=np.concatenate([n, n[::-1]]).tolist(),
               y=np.concatenate([ALPHA + error, np.maximum(ALPHA - error, 0)[::-1]]).tolist(), fill="toself",
               fillcolor=SHADE, line={"width": 0}, hoverinfo="skip")
    canvas.level(panel, ALPHA)
    top = 0.15
    for name, colour, dash in shown if run.n else ():
        places = np.unique(np.linspace(0, run.n - 1, _MOST_SHARES).astype(int))
        shares = rates_so_far(run, name)
        top = max(top, 1.25 * float(shares[-1]))
        label = PRESETS[name].label
        canvas.curve(panel, places + 1, shares[places], colour=colour, dash=dash, name=label, hoverinfo=None,
                     hovertemplate=f"{label}, %{{x}} experiments: %{{y:.3f}}<extra></extra>")
    panel.y_range(-0.01, min(top, 1.02))
    panel.x_range(0, max(run.n, 100))
    figure = canvas.figure()
    figure.update_layout(legend={"y": 1.02, "yanchor": "bottom"})
    return figure
