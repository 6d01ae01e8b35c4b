"""Pictures of the lesson on many comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, Canvas
from mtsig_core.figures.theme import PALETTE
from mtsig_core.teaching.many_comparisons import ALPHA, RULES, ManyComparisons, errors, limits, wrong_so_far
from mtsig_core.teaching.run import Run

_MOST_POINTS = 400  # of a line, however many papers there are
_LOOKS = {"none": (PALETTE[3], "solid"), "holm": (PALETTE[2], "dash"), "bh": (PALETTE[5], "dot")}


def papers(run: Run[ManyComparisons], height: int = 370) -> go.Figure:
    """Return the p-values of the newest paper beside each rule's limits, and how often papers found what is not.

    Parameters
    ----------
    run : Run of ManyComparisons
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    newest = canvas.panel("p-values of the newest paper", (0, 0.46),
                          below="rank; red: equal, blue: not")
    wrong = canvas.panel("Papers with a wrong finding", (0.62, 1), below="papers")
    ranks = np.arange(1, simulation.comparisons + 1)
    for rule, limit in limits(simulation.comparisons).items():
        colour, dash = _LOOKS[rule]
        canvas.curve(newest, ranks, limit, colour=colour, dash=dash)
    newest.x_range(0.3, simulation.comparisons + 0.7)
    newest.axes[1].update(type="log", range=[-3.1, 0.1], tickvals=[0.001, 0.01, 0.05, 0.2, 1])
    wrong.y_range(0, 1)
    wrong.axes[1]["tickformat"] = ".0%"
    canvas.level(wrong, ALPHA)
    if run.n:
        p = run["none"][-1]
        order = np.argsort(p, kind="stable")
        for equal, colour, words in ((True, MISS, "equal systems"), (False, HIT, "a true difference")):
            at = np.flatnonzero(simulation.equal[order] == equal)
            canvas.points(newest, (at + 1).tolist(), p[order][at].tolist(), colour=colour, size=7,
                          hovertemplate=f"p = %{{y:.3f}}, {words}<extra></extra>")
    for rule, label in RULES.items():
        colour, dash = _LOOKS[rule]
        places = np.unique(np.linspace(0, run.n - 1, _MOST_POINTS).astype(int)) if run.n else np.zeros(0, dtype=int)
        shares = wrong_so_far(run, rule)[places] if run.n else np.zeros(0)
        canvas.curve(wrong, places + 1, shares, colour=colour, dash=dash, name=label, hoverinfo=None,
                     hovertemplate="%{x} papers: %{y:.1%}<extra></extra>")
    return canvas.figure()


def rules(run: Run[ManyComparisons], height: int = 230) -> go.Figure:
    """Return what each rule gets wrong and what it finds, in the papers so far.

    Parameters
    ----------
    run : Run of ManyComparisons
    height : int
        Pixels.
    """
    canvas = Canvas(height)
    questions = ("Any wrong finding", "Findings that are wrong", "True differences found")
    shown = questions if not run.simulation.equal.all() else questions[:2]
    width = 1 / len(shown)
    for place, title in enumerate(shown):
        panel = canvas.panel(title, (place * width + (0.08 if place else 0), (place + 1) * width - 0.02),
                             below="share of papers" if not place else "average share")
        panel.rows(list(RULES.values()) if not place else [""] * len(RULES))
        panel.x_range(-0.04, 1.04)
        panel.axes[0]["tickformat"] = ".0%"
        if place < 2:
            canvas.upright(panel, ALPHA)
        for row, rule in enumerate(RULES if run.n else ()):
            now = errors(run, rule)
            value = (now.wrong, now.false_discoveries, now.found)[place]
            more: dict[str, Any] = {}
            if not place:
                low, high = now.wrong_interval
                more = {"error_x": {"type": "data", "symmetric": False, "array": [high - now.wrong],
                                    "arrayminus": [now.wrong - low]}}  # fmt: skip
            canvas.points(panel, [value or 0.0], [-row], colour=_LOOKS[rule][0],
                          hovertemplate=f"{RULES[rule]}: %{{x:.1%}}<extra></extra>", **more)
    return canvas.figure()
