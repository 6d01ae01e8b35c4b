"""Pictures of the lesson on correlation."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, NEWEST, Canvas, Panel
from mtsig_core.figures.theme import PALETTE, short
from mtsig_core.teaching.correlations import (
    ALPHA,
    TESTS,
    Correlations,
    correlation_summary,
    williams_by_r23,
)
from mtsig_core.teaching.run import Run

_BINS = 50
_REACH = 4.0  # of standardised scores in the scatter, without an outlier
_OF_TESTS = (PALETTE[2], PALETTE[0], PALETTE[4])


def spread_of_r(run: Run[Correlations], height: int = 370) -> go.Figure:
    """Return the newest sample, r of all samples, and Fisher's z of them beside its normal curve.

    Parameters
    ----------
    run : Run of Correlations
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    people, metric, _ = (short(name) for name in simulation.three.names)
    scatter = canvas.panel("The newest sample", (0, 0.4), below=metric, beside=people)
    of_r = canvas.panel("r of every sample", (0.52, 1), (0.6, 1))
    of_z = canvas.panel("Fisher's z; grey: theory", (0.52, 1), (0, 0.4),
                        below="dashed: the true correlation")
    _scatter(canvas, scatter, run)
    middle, sd = math.atanh(max(-0.999, min(0.999, simulation.truth))), 1 / (simulation.points - 3) ** 0.5
    low, high = middle - 5 * sd, (middle + 5 * sd if not simulation.outlier else 4.0)
    of_r.x_range(-1, 1)
    of_z.x_range(low, high)
    edges = np.linspace(low, high, _BINS + 1)
    if run.n:
        r = run["r12"]
        z = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
        canvas.histogram(of_r, r, np.linspace(-1, 1, _BINS + 1), newest=float(r[-1]), noun="samples")
        canvas.histogram(of_z, z, edges, newest=float(z[-1]), noun="samples")
        x = np.linspace(low, high, 101)
        density = np.exp(-((x - middle) ** 2) / (2 * sd**2)) / (sd * math.sqrt(2 * math.pi))
        canvas.curve(of_z, x, run.n * (edges[1] - edges[0]) * density)
    canvas.upright(of_r, simulation.truth)
    canvas.upright(of_z, middle)
    return canvas.figure()


def _scatter(canvas: Canvas, panel: Panel, run: Run[Correlations]) -> None:
    simulation = run.simulation
    low = -_REACH - simulation.outlier
    panel.x_range(low, _REACH)
    panel.y_range(low, _REACH)
    if not run.n:
        return
    people, metric, _ = simulation.sample(run.n - 1)
    n = len(people) - bool(simulation.outlier)
    hover = "%{x:.1f} against %{y:.1f}<extra></extra>"
    canvas.points(panel, metric[:n].tolist(), people[:n].tolist(), colour=HIT, size=7, hovertemplate=hover)
    canvas.points(panel, metric[n:].tolist(), people[n:].tolist(), colour=MISS, size=10, symbol="diamond",
                  hovertemplate="the outlier: " + hover)


def two_metrics(run: Run[Correlations], height: int = 300) -> go.Figure:
    """Return how often three ways to compare two metrics find a difference, and p of Williams' test by r23.

    Parameters
    ----------
    run : Run of Correlations
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    share = canvas.panel("The metrics seem to differ", (0, 0.4),
                         below="share of samples; dashed: 5%")
    curve = canvas.panel("Williams' p of the newest sample", (0.5, 1),
                         below="by r23, the correlation of the metrics")
    share.rows(list(TESTS.values()))
    share.x_range(-0.04, 1.04)
    share.axes[0]["tickformat"] = ".0%"
    canvas.upright(share, ALPHA)
    r12, r13 = simulation.three.table[0, 1:]
    least = r12 * r13 - math.sqrt((1 - r12**2) * (1 - r13**2))
    curve.x_range(max(-1.0, least - 0.2), 1.02)
    curve.y_range(0, 1)
    canvas.level(curve, ALPHA)
    if run.n:
        now = correlation_summary(run)
        for row, (test, colour) in enumerate(zip(TESTS, _OF_TESTS, strict=True)):
            value, (low, high) = now.shares[test], now.share_intervals[test]
            canvas.points(share, [value], [-row], colour=colour, hovertemplate="%{x:.1%}<extra></extra>",
                          error_x={"type": "data", "symmetric": False, "array": [high - value],
                                   "arrayminus": [value - low]})  # fmt: skip
        r12, r13, r23 = (float(run[name][-1]) for name in ("r12", "r13", "r23"))
        x = np.linspace(-1, 1, 201)
        p = williams_by_r23(r12, r13, simulation.points, x)
        there = np.isfinite(p)
        canvas.curve(curve, x[there], p[there], colour=PALETTE[2])
        own = williams_by_r23(r12, r13, simulation.points, np.array([r23]))
        canvas.points(curve, [r23], own.tolist(), colour=NEWEST, size=11,
                      hovertemplate="r23 = %{x:.2f}: p = %{y:.3f}<extra></extra>")
    return canvas.figure()
