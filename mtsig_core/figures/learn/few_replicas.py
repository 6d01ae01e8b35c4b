"""Pictures of the lesson on few replicas."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import BINS, HIT, MISS, NEWEST, Canvas, Panel
from mtsig_core.figures.theme import NEUTRAL, PALETTE
from mtsig_core.teaching.few_replicas import (
    ALPHA,
    EXACT,
    RULES,
    FewReplicas,
    few_summary,
    planned,
    smallest_p,
    steps,
)
from mtsig_core.teaching.run import Run

_NUMBERS = np.arange(2, 11)
_STEP = 0.4  # width of a bar that stands for one value, of the distance to the next
_SINGLE = 1  # against how many the second ladder stands


def p_and_differences(run: Run[FewReplicas], height: int = 370) -> go.Figure:
    """Return p of every experiment so far, and the differences with those that are significant marked.

    Parameters
    ----------
    run : Run of FewReplicas
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    n = simulation.world.n
    title = f"Exact p: {steps(n)} are possible" if simulation.rule == EXACT else f"p, {RULES[simulation.rule]}"
    ladder = canvas.panel(title, (0, 0.44), below="p; dashed: 0.05")
    every = canvas.panel("Differences; blue: significant", (0.54, 1), below="B − A; dashed: the truth, dotted: 0")
    ladder.x_range(-0.02, 1.06)
    canvas.upright(ladder, ALPHA, colour=MISS)
    reach = _reach(run)
    every.x_range(-reach, reach)
    canvas.upright(every, 0.0, dash="dot")
    canvas.upright(every, simulation.world.gain)
    if run.n:
        canvas.histogram(ladder, run[simulation.rule], _edges(simulation), noun="experiments",
                         newest=float(run[simulation.rule][-1]))
        if simulation.rule == EXACT and steps(n) <= BINS:  # single values, not ranges
            canvas.data[-1]["width"] = [_STEP * width for width in canvas.data[-1]["width"]]
        _differences(canvas, every, run, np.linspace(-reach, reach, BINS + 1))
    return canvas.figure()


def _reach(run: Run[FewReplicas]) -> float:
    world = run.simulation.world
    single = sum(sd**2 for sd in world.replica_sds) / world.n
    rest = 2 * (world.strength_sd**2 + world.residual_sd**2 / world.n) / world.segments
    return (abs(world.gain) + 4 * math.sqrt(single + rest)) or 1.0


def _edges(simulation: FewReplicas) -> np.ndarray:
    """Return edges of bars: one bar for each possible p where these are few."""
    possible = steps(simulation.world.n)
    if simulation.rule == EXACT and possible <= BINS:
        return (np.arange(possible + 1) + 0.5) / possible
    return np.linspace(0, 1, BINS + 1)


def _differences(canvas: Canvas, panel: Panel, run: Run[FewReplicas], edges: np.ndarray) -> None:
    values = run["difference"]
    canvas.histogram(panel, values, edges, colour=PALETTE[7], noun="experiments")
    small = run[run.simulation.rule] < ALPHA
    if small.any():
        canvas.histogram(panel, values[small], edges, colour=HIT, noun="significant experiments")


def by_replicas(run: Run[FewReplicas], height: int = 320) -> go.Figure:
    """Return the smallest p of permuting runs, the power, and the exaggeration by the number of replicas.

    Parameters
    ----------
    run : Run of FewReplicas
    height : int
        Pixels.
    """
    canvas, world = Canvas(height), run.simulation.world
    floor = canvas.panel("Smallest p of permuting runs", (0, 0.28), below="Replicas of each; x: 1 against n")
    power = canvas.panel("Power (line: coherent test)", (0.37, 0.64), below="Replicas; dot: this test so far")
    size = canvas.panel("Exaggeration (type M)", (0.73, 1), below="Replicas; dot: so far")
    _floors(canvas, floor)
    power.y_range(-0.03, 1.05)
    canvas.level(power, 0.8, dash="dot")
    cells = [cell for cell in (planned(world, int(n)) for n in _NUMBERS) if cell is not None]
    numbers = np.array([cell.n for cell in cells])
    canvas.curve(power, numbers, np.array([cell.power for cell in cells]), hoverinfo=None,
                 hovertemplate="planned, n = %{x}: %{y:.3f}<extra></extra>")
    defined = [cell for cell in cells if cell.exaggeration is not None]
    canvas.curve(size, np.array([cell.n for cell in defined]), np.array([cell.exaggeration for cell in defined]),
                 hoverinfo=None, hovertemplate="planned, n = %{x}: %{y:.2f} times<extra></extra>")
    canvas.level(size, 1.0, dash="dot")
    size.y_range(0, 1.15 * max([3.0, *(float(cell.exaggeration or 0) for cell in defined)]))
    for panel in (floor, power, size):
        panel.x_range(1.5, 10.5)
    if run.n:
        now = few_summary(run)
        canvas.points(power, [world.n], [now.power], colour=NEWEST, hovertemplate="so far: %{y:.3f}<extra></extra>")
        if now.exaggeration is not None:
            canvas.points(size, [world.n], [now.exaggeration], hovertemplate="so far: %{y:.2f} times<extra></extra>")
    return canvas.figure()


def _floors(canvas: Canvas, panel: Panel) -> None:
    for label, symbol, single in (("{n} against {n}", "circle", False), ("1 against {n}", "x", True)):
        values = [smallest_p(_SINGLE if single else n, n) for n in _NUMBERS.tolist()]
        names = [label.format(n=n) for n in _NUMBERS.tolist()]
        canvas.points(panel, _NUMBERS.tolist(), values, colour=PALETTE[0] if not single else NEUTRAL, symbol=symbol,
                      size=7, customdata=names, hovertemplate="%{customdata}: %{y:.2g}<extra></extra>")
    canvas.level(panel, ALPHA)
    panel.axes[1].update(type="log", tickvals=[0.5, 0.05, 0.01, 0.001, 0.0001],  # 0.1 would meet 0.05
                         ticktext=["0.5", "0.05", "0.01", "0.001", "0.0001"])  # fmt: skip
