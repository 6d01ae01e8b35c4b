"""Pictures of the lesson on sampling distributions."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import BINS, Canvas, Panel, span
from mtsig_core.figures.theme import NEUTRAL, PALETTE, literal
from mtsig_core.significance.normal_fits import normal_interval
from mtsig_core.teaching.run import Run
from mtsig_core.teaching.sampling import STATISTICS, RepeatedSamples, expected_widths, hits, sampling_summary


def sampling_distribution(run: Run[RepeatedSamples], height: int = 400) -> go.Figure:
    """Return the population with the newest sample, the statistic of all samples, and the newest intervals.

    Parameters
    ----------
    run : Run of RepeatedSamples
    height : int
        Pixels.
    """
    simulation, canvas = run.simulation, Canvas(height)
    word = STATISTICS[simulation.statistic]
    members = literal(simulation.population.label)
    population = canvas.panel(f"Population ({members}), newest sample", (0, 0.54), (0.65, 1))
    statistic = canvas.panel(f"The {word} of every sample", (0, 0.54), (0, 0.41))
    stack = canvas.panel(f"95% intervals of the {word}", (0.62, 1), below=f"dashed: the truth, {simulation.truth:.2f}")
    _population(canvas, population, run)
    ends = _scale(run)
    statistic.x_range(*ends)
    canvas.upright(statistic, simulation.truth)
    canvas.upright(stack, simulation.truth)
    if run.n:
        _statistic(canvas, statistic, run, ends)
        canvas.interval_stack(stack, run["low"], run["high"], hits(run))
    return canvas.figure()


def _population(canvas: Canvas, panel: Panel, run: Run[RepeatedSamples]) -> None:
    values = run.simulation.population.values
    edges = np.linspace(*span(values, margin=0.02), BINS + 1)
    canvas.histogram(panel, values, edges, colour=PALETTE[7], noun="members")
    panel.x_range(edges[0], edges[-1])
    top = float(np.histogram(values, edges)[0].max())
    panel.y_range(-0.16 * top, 1.05 * top)
    panel.axes[1]["showticklabels"] = False
    if run.n and run.simulation.statistic != "corpus":
        sample = run.simulation.sample(run.n - 1)
        canvas.points(panel, sample.tolist(), [-0.08 * top] * len(sample), symbol="line-ns",
                      hovertemplate="%{x:.2f}<extra></extra>")


def _scale(run: Run[RepeatedSamples]) -> tuple[float, float]:
    """Return the range of the statistic's axis, that of whole chunks, so that it seldom moves."""
    computed = run.computed.get("estimate")
    truth, error = run.simulation.truth, run.simulation.standard_error
    if error is not None:
        return truth - 4.2 * error, truth + 4.2 * error
    return span(truth - 1, truth + 1) if computed is None else span(truth, computed)


def _statistic(canvas: Canvas, panel: Panel, run: Run[RepeatedSamples], ends: tuple[float, float]) -> None:
    edges = np.linspace(*ends, BINS + 1)
    canvas.histogram(panel, run["estimate"], edges, newest=float(run["estimate"][-1]), noun="samples")
    error = run.simulation.standard_error
    if error is not None:
        x = np.linspace(*ends, 121)
        density = normal_interval(run.simulation.truth, error).density(x)
        canvas.curve(panel, x, density * run.n * (edges[1] - edges[0]))


def width_by_size(run: Run[RepeatedSamples], height: int = 320) -> go.Figure:
    """Return the width of intervals of the mean by the size of the samples, and the average so far.

    Parameters
    ----------
    run : Run of RepeatedSamples
    height : int
        Pixels.
    """
    simulation, canvas = run.simulation, Canvas(height, legend=True)
    panel = canvas.panel("", beside="Width of the interval", below="Sample size N")
    sizes = np.unique(np.round(np.geomspace(5, 400, 60)).astype(int))
    for sd, dash, words in ((1.0, "solid", "of this population"), (0.5, "dash", "with half the standard deviation")):
        canvas.curve(
            panel, sizes, sd * expected_widths(simulation.population, sizes), dash=dash, name=f"Mean {words}",
            hoverinfo=None, hovertemplate="N = %{x}: %{y:.2f}<extra></extra>", colour=NEUTRAL,
        )
    if run.n:
        canvas.points(panel, [simulation.size], [sampling_summary(run).width], size=11, name="Average of the "
                      f"intervals so far ({STATISTICS[simulation.statistic]})",
                      hovertemplate="N = %{x}: %{y:.2f}<extra></extra>")
    panel.axes[1]["rangemode"] = "tozero"
    figure = canvas.figure()
    figure.update_layout(legend={"y": 1.02, "yanchor": "bottom"})
    return figure
