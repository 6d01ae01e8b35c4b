"""Pictures of the lesson on the luck of one run."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import BINS, HIT, MISS, STACK, Canvas, Panel, span
from mtsig_core.figures.theme import NEUTRAL, PALETTE, short
from mtsig_core.teaching.run import Run
from mtsig_core.teaching.single_runs import MOST_RUNS, SingleRuns, expected_best, luck_summary, means_so_far

_MOST_MEANS = 400  # of a line, however many experiments there are


def lucky_verdicts(run: Run[SingleRuns], height: int = 370) -> go.Figure:
    """Return the verdicts of the newest experiments, the differences of all, and their mean as it settles.

    Parameters
    ----------
    run : Run of SingleRuns
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    newest = canvas.panel("The newest experiments, each with its verdict", (0, 0.44),
                          below="Difference B − A; dashed: over all replicas")
    every = canvas.panel("The difference of every experiment", (0.54, 1), (0.64, 1))
    mean = canvas.panel("The mean difference so far", (0.54, 1), (0, 0.4), below="Experiments")
    ends = span(simulation.tested.differences, 0.0)
    for panel in (newest, every):
        panel.x_range(*ends)
        canvas.upright(panel, 0.0, dash="dot")
        canvas.upright(panel, simulation.truth)
    canvas.level(mean, simulation.truth)
    mean.y_range(*ends)
    if run.n:
        _verdicts(canvas, newest, run)
        canvas.histogram(every, run["difference"], np.linspace(*ends, BINS + 1), noun="experiments",
                         newest=float(run["difference"][-1]))
        places = np.unique(np.linspace(0, run.n - 1, _MOST_MEANS).astype(int))
        canvas.curve(mean, places + 1, means_so_far(run)[places], colour=PALETTE[0], hoverinfo=None,
                     hovertemplate="%{x} experiments: %{y:.2f}<extra></extra>")
    return canvas.figure()


def _verdicts(canvas: Canvas, panel: Panel, run: Run[SingleRuns]) -> None:
    first = max(0, run.n - STACK)
    differences, verdicts = run["difference"][first:], run["verdict"][first:]
    a, b = short(run.simulation.a), short(run.simulation.b)
    looks = ((1, HIT, f"{b} significantly better"), (-1, MISS, f"{a} significantly better"),
             (0, NEUTRAL, "inconclusive"))  # fmt: skip
    for side, colour, words in looks:
        rows = np.flatnonzero(verdicts == side)
        canvas.points(panel, differences[rows].tolist(), (rows + first + 1).tolist(), colour=colour, size=8,
                      hovertemplate=f"experiment %{{y}}: %{{x:.2f}}, {words}<extra></extra>")
    panel.y_range(first + 0.2, first + STACK + 0.8)


def best_by_runs(run: Run[SingleRuns], height: int = 320) -> go.Figure:
    """Return the expected score of the best of n runs of each system, and the average that B reported so far.

    Parameters
    ----------
    run : Run of SingleRuns
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    panel = canvas.panel("", beside="Expected score of the best", below="Runs n among which the best is reported")
    numbers = np.arange(1, MOST_RUNS + 1)
    pools = ((simulation.a, simulation.tested.scores_a, "dash"), (simulation.b, simulation.tested.scores_b, "solid"))
    for name, scores, dash in pools:
        expected = np.array([expected_best(scores, n) for n in range(1, MOST_RUNS + 1)])
        canvas.curve(panel, numbers, expected, dash=dash, name=short(name), hoverinfo=None,
                     hovertemplate="n = %{x}: %{y:.2f}<extra></extra>")
    if run.n:
        now = luck_summary(run)
        runs_a = 1 if simulation.report == "best" and not simulation.both else simulation.runs
        reported = ((simulation.a, runs_a, now.score_a, "diamond"),
                    (simulation.b, simulation.runs, now.score_b, "circle"))
        for name, x, y, symbol in reported:
            canvas.points(panel, [x], [y], size=11, symbol=symbol, name=f"Average reported of {short(name)}",
                          hovertemplate="n = %{x}: %{y:.2f}<extra></extra>")
    figure = canvas.figure()
    figure.update_layout(legend={"y": 1.02, "yanchor": "bottom"})
    return figure
