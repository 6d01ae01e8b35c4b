"""Pictures of the lesson on three spreads."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, NEWEST, Canvas, Panel
from mtsig_core.figures.theme import NEUTRAL, PALETTE, translucent
from mtsig_core.formatting import format_percent, number
from mtsig_core.teaching.run import Run
from mtsig_core.teaching.three_spreads import (
    METHODS,
    MOST_REPLICAS,
    SPREADS,
    ThreeSpreads,
    expected_spreads,
    holds,
    spread_summary,
    standard_errors,
)

_NUMBERS = np.array([2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, MOST_REPLICAS])


def spreads_and_intervals(run: Run[ThreeSpreads], height: int = 370) -> go.Figure:
    """Return the three spreads so far beside the newest experiment's intervals of the difference.

    Parameters
    ----------
    run : Run of ThreeSpreads
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    expected = expected_spreads(simulation)
    known = [name for name in SPREADS if name in run.computed] if run.n else list(SPREADS)
    spreads = canvas.panel("Spreads of B's scores: bar so far, dashed by formula", (0, 0.42),
                           below="Score units; orange: the newest experiment")
    spreads.x_range(0.0, 2.2 * max(expected.values()))
    spreads.rows(known)
    for row, name in enumerate(known):
        _spread(canvas, spreads, run, -row, name, expected[name])
    newest = canvas.panel("95% intervals, newest", (0.62, 1),
                          below=f"B − A; dashed: the truth, {number(simulation.source.truth)}")
    truth = simulation.source.truth
    errors = standard_errors(simulation.source.variation, np.array([simulation.n]), simulation.segments)
    reach = 4.5 * max(errors["true"][0], errors["single"][0]) or 1.0
    newest.x_range(truth - reach, truth + reach)
    canvas.upright(newest, truth)
    _intervals(canvas, newest, run)
    return canvas.figure()


def _spread(
    canvas: Canvas, panel: Panel, run: Run[ThreeSpreads], row: float, name: str, expected: float
) -> None:  # fmt: skip
    if run.n:
        sofar = spread_summary(run).spreads[name]
        canvas.add(panel, type="bar", orientation="h", y=[row], x=[sofar], width=0.5,
                   marker={"color": translucent(PALETTE[0], 0.75), "line": {"width": 0}},
                   hovertemplate=f"{name} so far: %{{x:.3f}}<extra></extra>")
        canvas.points(panel, [float(run[name][-1])], [row], hovertemplate="newest: %{x:.3f}<extra></extra>")
    canvas.curve(panel, np.array([expected, expected]), np.array([row - 0.36, row + 0.36]), dash="dash",
                 hoverinfo=None, hovertemplate=f"{name} by formula: %{{x:.3f}}<extra></extra>")


def _intervals(canvas: Canvas, panel: Panel, run: Run[ThreeSpreads]) -> None:
    if not run.n:
        panel.rows(list(METHODS.values()))
        return
    covered = spread_summary(run).covered
    panel.rows([f"{label}<br>{format_percent(covered[method])} hold" for method, label in METHODS.items()])
    for row, (method, label) in enumerate(METHODS.items()):
        low, high = run[method][-1]
        hit = bool(holds(run, method)[-1])
        canvas.add(panel, type="bar", orientation="h", y=[-row], x=[high - low], base=[low], width=0.3,
                   marker={"color": translucent(HIT if hit else MISS, 0.85), "line": {"width": 0}},
                   hovertemplate=f"{label}: {low:.2f} to {high:.2f}, {'contains' if hit else 'misses'} the truth"
                                 "<extra></extra>")  # fmt: skip


def widths_by_replicas(run: Run[ThreeSpreads], height: int = 320) -> go.Figure:
    """Return the standard errors that three bootstraps see, and the true one, by the number of replicas.

    Parameters
    ----------
    run : Run of ThreeSpreads
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    panel = canvas.panel("", beside="Standard error of B − A", below="Replicas n of each system")
    errors = standard_errors(simulation.source.variation, _NUMBERS, simulation.segments)
    looks = (
        ("true", "True: new runs, new text", NEUTRAL, "solid"), ("single", "One run each", PALETTE[2], "dot"),
        ("pooled", "Pooled outputs", PALETTE[4], "dash"), ("replica", "Whole replicas", PALETTE[3], "dashdot"),
    )  # fmt: skip
    for key, label, colour, dash in looks:
        canvas.curve(panel, _NUMBERS, errors[key], colour=colour, dash=dash, name=label, hoverinfo=None,
                     hovertemplate=f"{label}, n = %{{x}}: %{{y:.3f}}<extra></extra>")
    if run.n > 1:
        sd = float(run["coherent"].mean(axis=1).std(ddof=1))
        canvas.points(panel, [simulation.n], [sd], colour=NEWEST, size=11, name="Standard deviation of B − A so far",
                      hovertemplate="n = %{x}: %{y:.3f}<extra></extra>")
    panel.axes[0]["type"] = "log"
    panel.axes[0]["tickvals"] = [2, 3, 5, 10, 20, 60]
    panel.axes[1]["rangemode"] = "tozero"
    figure = canvas.figure()
    figure.update_layout(legend={"y": 1.02, "yanchor": "bottom"})
    return figure
