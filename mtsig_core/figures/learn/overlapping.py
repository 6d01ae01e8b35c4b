"""Pictures of the lesson on intervals that overlap."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, NEWEST, Canvas, Panel
from mtsig_core.figures.theme import NEUTRAL, PALETTE, translucent
from mtsig_core.formatting import number
from mtsig_core.significance.normal_fits import normal_interval
from mtsig_core.teaching.overlapping import (
    LEVEL,
    Overlaps,
    apart,
    differs,
    expected_shares,
    newest_overlap,
    overlap_summary,
    p_values,
    ratio_by_p,
)
from mtsig_core.teaching.run import Run

_MOST_POINTS = 500  # of the cloud; older ones are left out
_A, _B = PALETTE[0], PALETTE[2]


def overlap_and_difference(run: Run[Overlaps], height: int = 370) -> go.Figure:
    """Return the newest intervals and their overlap, the interval of the difference, and p by overlap of all so far.

    Parameters
    ----------
    run : Run of Overlaps
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    scores = canvas.panel("A (blue), B (green), and what their intervals share", (0, 0.5), (0.52, 1))
    difference = canvas.panel("95% interval of B − A", (0, 0.5), (0.02, 0.3), below="dashed: the truth; dotted: 0")
    cloud = canvas.panel("p by overlap, every test set", (0.62, 1), below="Fu's overlap ratio")
    error = max(*simulation.errors, 1e-9)
    reach = 6 * error + abs(simulation.source.truth) / 2
    difference.x_range(-reach, reach)
    difference.y_range(-1, 1)
    for panel in (scores, difference):
        panel.axes[1].update(showticklabels=False, showgrid=False)
    canvas.upright(difference, 0.0, dash="dot")
    canvas.upright(difference, simulation.source.truth)
    cloud.x_range(-0.03, 1.03)
    cloud.y_range(-0.03, 1.03)
    _expected_cloud(canvas, cloud, run)
    if run.n:
        _densities(canvas, scores, run, reach)
        _interval(canvas, difference, run)
        _cloud(canvas, cloud, run)
    return canvas.figure()


def _densities(canvas: Canvas, panel: Panel, run: Run[Overlaps], reach: float) -> None:
    newest = newest_overlap(run)
    middle = float(run["mean"][-1].mean())
    curves = newest.curves()
    for fit, density, colour, name in ((newest.a, curves.density_a, _A, "A"), (newest.b, curves.density_b, _B, "B")):
        canvas.curve(panel, curves.x, density, colour=colour)
        canvas.add(panel, type="scatter", mode="lines", x=[fit.low, fit.high], y=[0, 0],
                   line={"color": colour, "width": 8 if name == "A" else 4},
                   hovertemplate=f"95% interval of {name}: {fit.low:.2f} to {fit.high:.2f}<extra></extra>")
    canvas.add(panel, type="scatter", mode="lines", x=curves.x.tolist(), y=curves.shared.tolist(), fill="tozeroy",
               fillcolor=translucent(NEUTRAL, 0.5), line={"width": 0}, hoverinfo="skip")
    panel.x_range(middle - reach, middle + reach)
    top = float(max(curves.density_a.max(), curves.density_b.max()))
    panel.y_range(-0.06 * top, 1.08 * top)


def _interval(canvas: Canvas, panel: Panel, run: Run[Overlaps]) -> None:
    fit = normal_interval(float(run["difference"][-1]), float(run["error of difference"][-1]), LEVEL)
    excludes_0 = bool(differs(run)[-1])
    canvas.add(panel, type="bar", orientation="h", y=[0], x=[fit.high - fit.low], base=[fit.low], width=0.7,
               marker={"color": NEWEST, "line": {"width": 0}},
               hovertemplate=f"{fit.low:.2f} to {fit.high:.2f}, {'excludes' if excludes_0 else 'contains'} 0"
                             "<extra></extra>")  # fmt: skip


def _expected_cloud(canvas: Canvas, panel: Panel, run: Run[Overlaps]) -> None:
    simulation = run.simulation
    canvas.level(panel, 1 - LEVEL)
    if min(simulation.errors) <= 0 or simulation.source.correlation >= 1:
        return
    p = np.concatenate([np.geomspace(1e-6, 0.01, 25), np.linspace(0.015, 0.999, 60)])
    for correlation, dash in ((0.0, "dot"), (simulation.source.correlation, "solid")):
        canvas.curve(panel, ratio_by_p(p, simulation.errors, correlation), p, dash=dash, hoverinfo=None,
                     hovertemplate=f"correlation {correlation:.2f}: ratio %{{x:.2f}}, p %{{y:.3f}}<extra></extra>")


def _cloud(canvas: Canvas, panel: Panel, run: Run[Overlaps]) -> None:
    ratio, p = run["ratio"][-_MOST_POINTS:], p_values(run)[-_MOST_POINTS:]
    separate, different = apart(run)[-_MOST_POINTS:], differs(run)[-_MOST_POINTS:]
    looks = (
        (~different, PALETTE[7], "the interval of the difference contains 0"),
        (different & ~separate, MISS, "different, though the intervals overlap"),
        (different & separate, HIT, "different, and the intervals are apart"),
    )  # fmt: skip
    for where, colour, words in looks:
        canvas.points(panel, ratio[where].tolist(), p[where].tolist(), colour=translucent(colour, 0.6), size=5,
                      hovertemplate=f"{words}: ratio %{{x:.2f}}, p %{{y:.3f}}<extra></extra>")
    canvas.points(panel, [float(ratio[-1])], [float(p[-1])], hovertemplate="newest: ratio %{x:.2f}, p %{y:.3f}"
                  "<extra></extra>")  # fmt: skip


def shares_by_correlation(run: Run[Overlaps], height: int = 320) -> go.Figure:
    """Return how often either rule finds a difference, by the correlation, with the shares so far.

    Parameters
    ----------
    run : Run of Overlaps
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    panel = canvas.panel("", beside="Share that finds a difference",
                         below=f"Correlation of the systems' scores; true difference {number(simulation.source.truth)}")
    panel.x_range(-0.03, 1.0)
    panel.y_range(-0.03, 1.05)
    looks = (("Interval of the difference excludes 0", _A, "solid"), ("Intervals do not overlap", MISS, "dash"))
    if min(simulation.errors) > 0:
        correlations = np.linspace(0.0, 0.98, 99)
        separate, different = expected_shares(simulation.source.truth, simulation.errors, correlations)
        for (label, colour, dash), share in zip(looks, (different, separate), strict=True):
            canvas.curve(panel, correlations, share, colour=colour, dash=dash, name=label, hoverinfo=None,
                         hovertemplate=f"{label}: %{{y:.3f}} at %{{x:.2f}}<extra></extra>")
    canvas.level(panel, 1 - LEVEL, dash="dot")
    if run.n:
        now = overlap_summary(run)
        canvas.points(panel, [simulation.source.correlation] * 2, [now.differs, now.apart], size=11, name="So far",
                      hovertemplate="so far: %{y:.3f}<extra></extra>")
    figure = canvas.figure()
    figure.update_layout(legend={"y": 1.02, "yanchor": "bottom"})
    return figure
