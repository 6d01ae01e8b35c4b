"""Pictures of the lesson on significant and noticeable differences."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, Canvas
from mtsig_core.figures.theme import NEUTRAL, PALETTE, short
from mtsig_core.teaching.noticeable import ALPHA, SEGMENTS, VERDICTS, Experiments, noticed
from mtsig_core.teaching.run import Run

_MOST_POINTS = 300  # experiments that are drawn at once
_SMALLEST_P = 1e-6
_LOOKS = (PALETTE[2], HIT, MISS, PALETTE[6], NEUTRAL)
_DASHES = ("dot", "solid", "dash")


def size_and_p(run: Run[Experiments], height: int = 370) -> go.Figure:
    """Return the newest experiments by difference: how often people would agree, and p; the margin is dashed.

    Parameters
    ----------
    run : Run of Experiments
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    agreed, label = simulation.agreement, short(simulation.scale.label)
    known = not isinstance(agreed, str)
    people = canvas.panel("People agree (share of pairs)" if known else f"People: not known for {label}", (0, 0.44),
                          below=f"difference in {label}, either way")
    tests = canvas.panel("p of every experiment", (0.56, 1), below="difference B − A; dashed: margin")
    people.x_range(0, simulation.reach)
    people.y_range(0.48, 1)
    people.axes[1]["tickformat"] = ".0%"
    tests.x_range(-simulation.reach, simulation.reach)
    tests.axes[1].update(type="log", range=[np.log10(_SMALLEST_P) - 0.3, 0.3], tickvals=[1e-6, 1e-4, 0.01, 0.05, 1],
                         ticktext=["10<sup>−6</sup>", "10<sup>−4</sup>", "0.01", "0.05", "1"])
    canvas.level(tests, ALPHA, dash="dot")
    canvas.upright(people, simulation.margin)
    for side in (-1, 1):
        canvas.upright(tests, side * simulation.margin)
    if not isinstance(agreed, str):
        canvas.curve(people, *agreed)
    first = max(0, run.n - _MOST_POINTS)
    for place, (words, colour) in enumerate(zip(VERDICTS, _LOOKS, strict=True) if run.n else ()):
        rows = np.flatnonzero(run["verdict"][first:] == place) + first
        x, p = run["difference"][rows], np.maximum(run["p"][rows], _SMALLEST_P)
        canvas.points(tests, x.tolist(), p.tolist(), colour=colour, size=6,
                      hovertemplate=f"%{{x:.2f}}, p = %{{y:.2g}}: {words}<extra></extra>")
        if not isinstance(agreed, str):
            canvas.points(people, np.abs(x).tolist(), np.interp(np.abs(x), *agreed).tolist(), colour=colour, size=6,
                          hovertemplate=f"%{{x:.2f}}: %{{y:.0%}} of pairs; {words}<extra></extra>")
    return canvas.figure()


def p_and_verdicts(run: Run[Experiments], height: int = 320) -> go.Figure:
    """Return the p to expect by size of the test set and replicas, and what the experiments so far conclude.

    Parameters
    ----------
    run : Run of Experiments
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    typical = canvas.panel("The p to expect", (0, 0.32), below="segments")
    verdicts = canvas.panel("Conclusions with a margin", (0.76, 1), below="share of experiments")
    typical.axes[0].update(type="log", range=[1.9, 5.1], tickvals=[100, 1000, 10_000, 100_000],
                           ticktext=[f"10<sup>{power}</sup>" for power in (2, 3, 4, 5)])
    typical.axes[1].update(type="log", range=[np.log10(_SMALLEST_P) - 0.3, 0.3], tickvals=[1e-6, 1e-4, 0.01, 0.05, 1],
                           ticktext=["10<sup>−6</sup>", "10<sup>−4</sup>", "0.01", "0.05", "1"])
    canvas.level(typical, ALPHA, dash="dot")
    for (n, p), dash in zip(simulation.p_by_segments.items(), _DASHES, strict=False):
        canvas.curve(typical, np.array(SEGMENTS), np.maximum(p, _SMALLEST_P), colour=HIT, dash=dash,
                     name=f"{n} replicas", hoverinfo=None, hovertemplate="%{x} segments: p = %{y:.2g}<extra></extra>")
    own = max(_SMALLEST_P, simulation.typical_p(simulation.design.n_segments))
    canvas.points(typical, [simulation.design.n_segments], [own], size=11,
                  hovertemplate="this design: p = %{y:.2g}<extra></extra>")
    verdicts.rows([words.replace(", ", ",<br>") for words in VERDICTS])
    verdicts.axes[1]["tickfont"] = {"size": 11}
    verdicts.x_range(-0.04, 1.04)
    verdicts.axes[0].update(tickformat=".0%", nticks=3)
    if run.n:
        now = noticed(run)
        for place, colour in enumerate(_LOOKS):
            share, (low, high) = now.verdicts[place], now.intervals[place]
            canvas.points(verdicts, [share], [-place], colour=colour, hovertemplate="%{x:.1%}<extra></extra>",
                          error_x={"type": "data", "symmetric": False, "array": [high - share],
                                   "arrayminus": [share - low]})  # fmt: skip
    figure = canvas.figure()
    figure.update_layout(legend={"y": -0.26})
    return figure
