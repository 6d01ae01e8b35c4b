"""Picture of the lesson on the bootstrap."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import BINS, NEWEST, Canvas, Panel, span
from mtsig_core.figures.theme import PALETTE
from mtsig_core.teaching.resamples import Resamples, resample_summary
from mtsig_core.teaching.run import Run

_MOST_MEMBERS = 40


def bootstrap_draws(run: Run[Resamples], height: int = 370) -> go.Figure:
    """Return how often the newest resample has each member of the sample, and the statistic of all resamples.

    Parameters
    ----------
    run : Run of Resamples
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    shown = min(_MOST_MEMBERS, simulation.size)
    first = "" if shown == simulation.size else f", the first {shown}"
    members = canvas.panel(f"Sample of {simulation.size}{first}: how often drawn", (0, 0.4), below="times drawn",
                           beside="value of the member")
    statistic = canvas.panel(f"The {simulation.statistic} of every resample", (0.5, 1),
                             below="dashed: of the sample; dotted: of the population")
    order = np.argsort(simulation.sample[:shown], kind="stable")
    _members(canvas, members, run, order)
    computed = run.computed.get("statistic")
    ends = span(simulation.estimate, simulation.truth, *([] if computed is None else [computed]))
    statistic.x_range(*ends)
    if run.n:
        values = run["statistic"]
        canvas.histogram(statistic, values, np.linspace(*ends, BINS + 1), newest=float(values[-1]), noun="resamples")
        low, high = resample_summary(run).interval
        canvas.curve(statistic, np.array([low, high]), np.array([0.0, 0.0]), colour=PALETTE[4])
    canvas.upright(statistic, simulation.estimate)
    canvas.upright(statistic, simulation.truth, dash="dot")
    return canvas.figure()


def _members(canvas: Canvas, panel: Panel, run: Run[Resamples], order: np.ndarray) -> None:
    sample = run.simulation.sample
    panel.axes[1].update(tickmode="array", tickvals=list(range(len(order))),
                         ticktext=[f"{sample[i]:.1f}" for i in order] if len(order) <= 20 else [""] * len(order))
    panel.y_range(-0.7, len(order) - 0.3)
    panel.x_range(0, 6)
    if run.n:
        canvas.add(
            panel, type="bar", orientation="h", x=run.simulation.drawn(run.n - 1)[order].tolist(),
            y=list(range(len(order))), width=0.7, marker={"color": NEWEST},
            customdata=[float(sample[i]) for i in order],
            hovertemplate="%{customdata:.2f}: drawn %{x} times<extra></extra>",
        )
