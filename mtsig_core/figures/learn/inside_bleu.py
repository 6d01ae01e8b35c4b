"""Pictures of the lesson on BLEU from the inside."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

import numpy as np
import plotly.graph_objects as go

from mtsig_core.figures.learn.parts import HIT, MISS, NEWEST, Canvas, Panel
from mtsig_core.figures.theme import NEUTRAL, PALETTE, literal
from mtsig_core.teaching.inside_bleu import ABSENT, CLIPPED, MATCHED, ORDER, InsideBLEU, growing, precisions, states
from mtsig_core.teaching.run import Run

_MOST_CHARACTERS = 84  # of a sentence that is drawn
_SLIM, _BROAD = "fijlrtI.,:;!|'", "mwMW@%"
_MOST_POINTS = 400
_MOST_GRAMS = 24
_LOOKS = {MATCHED: (HIT, "counts"), CLIPPED: (MISS, "clipped: the reference has no more of it"),
          ABSENT: (NEUTRAL, "not in the reference")}  # fmt: skip
_DASHES = ("solid", "dash", "dot")


def _places(words: Sequence[str]) -> np.ndarray:
    """Return where words begin in a line, and where one more would, of those that fit; shape (word + 1,)."""
    ends = np.concatenate([[0.0], np.cumsum([_width(word) + 1 for word in words])])
    return ends[ends <= _MOST_CHARACTERS + 1]


def _width(text: str) -> float:
    """Return about how wide a text is, in characters of middling width."""
    return sum(
        0.6 if c in _SLIM else 1.4 if c in _BROAD else 1.2 if c.isupper() else 2 if east_asian_width(c) in "WF" else 1
        for c in text
    )


def _row_of_words(canvas: Canvas, panel: Panel, words: Sequence[str], y: float, colours: Sequence[str | None]) -> None:
    """Write words into a row, each in its colour; None is the colour of text."""
    at = _places(words)
    n = len(at) - 1
    middles = (at[:-1] + at[1:] - 1) / 2
    for colour in dict.fromkeys(colours[:n]):
        chosen = [i for i in range(n) if colours[i] == colour]
        font = {"textfont": {"color": colour}} if colour else {}
        canvas.add(panel, type="scatter", mode="text", x=middles[chosen].tolist(), y=[y] * len(chosen),
                   text=[literal(words[i]) for i in chosen], hoverinfo="skip", **font)
    if n < len(words):
        canvas.add(panel, type="scatter", mode="text", x=[float(at[-1])], y=[y], text=["…"], hoverinfo="skip")


def matches(run: Run[InsideBLEU], height: int = 370) -> go.Figure:
    """Return the sentence with each of its n-grams as a bar: counted, clipped, or not in the reference.

    Parameters
    ----------
    run : Run of InsideBLEU
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height, legend=True), run.simulation
    output, reference = simulation.words
    parts = precisions(simulation.own)
    longest = max(_places(words)[-1] for words in (output, reference))
    panel = canvas.panel(f"BLEU {simulation.measures['BLEU']:.1f}; {len(output)} words against {len(reference)}: "
                         f"brevity penalty {parts.brevity:.3f}")
    names = [f"{n}-grams: {m} of {t}" for n, m, t in
             zip(range(1, ORDER + 1), parts.matched.tolist(), parts.total.tolist(), strict=True)]
    panel.rows(["Reference", "Output", *names])
    panel.axes[0].update(visible=False, range=[-1, longest + 2], fixedrange=True)
    single = states(output, reference, 1)
    _row_of_words(canvas, panel, reference, 0.0, [None] * len(reference))
    _row_of_words(canvas, panel, output, -1.0, [_LOOKS[state][0] for state in single.tolist()])
    at = _places(output)
    for state, (colour, words) in _LOOKS.items():
        _bars(canvas, panel, at, [states(output, reference, n) == state for n in range(1, ORDER + 1)], (colour, words))
    figure = canvas.figure()
    figure.update_layout(legend={"y": -0.02})
    return figure


def _bars(
    canvas: Canvas, panel: Panel, at: np.ndarray, chosen: Sequence[np.ndarray], look: tuple[str, str]
) -> None:
    """Draw the n-grams of one state as bars under their words, those that overlap below each other."""
    x: list[float | None] = []
    y: list[float | None] = []
    for order, wanted in enumerate(chosen, 1):
        for first in np.flatnonzero(wanted[: max(0, len(at) - order)]).tolist():
            row = -1.0 - order + (0.3 - 0.6 * (first % order) / (order - 1) if order > 1 else 0.0)
            x += [float(at[first]) + 0.1, float(at[first + order]) - 1.1, None]
            y += [row, row, None]
    canvas.add(panel, type="scatter", mode="lines", x=x, y=y, line={"color": look[0], "width": 5}, name=look[1],
               hoverinfo="name")


def growing_test_set(run: Run[InsideBLEU], height: int = 300) -> go.Figure:
    """Return the score of the test set so far, as a corpus and as means of sentences.

    Parameters
    ----------
    run : Run of InsideBLEU
    height : int
        Pixels.
    """
    canvas = Canvas(height, legend=True)
    panel = canvas.panel("One test set, three scores", below="sentences of the test set", beside="score")
    panel.y_range(0, 100)
    if run.n:
        places = np.unique(np.linspace(0, run.n - 1, _MOST_POINTS).astype(int))
        looks = zip((PALETTE[0], PALETTE[3], PALETTE[2]), _DASHES, growing(run).items(), strict=True)
        for colour, dash, (name, scores) in looks:
            canvas.curve(panel, places + 1, scores[places], colour=colour, dash=dash, name=name, hoverinfo=None,
                         hovertemplate=f"{name}, %{{x}} sentences: %{{y:.1f}}<extra></extra>")
    figure = canvas.figure()
    figure.update_layout(legend={"y": -0.22})
    return figure


def settings(run: Run[InsideBLEU], height: int = 230) -> go.Figure:
    """Return BLEU of all texts by tokenizer and case, and of their shorter and longer half.

    Parameters
    ----------
    run : Run of InsideBLEU
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    left = canvas.panel("The same output: blue with case, orange without", (0, 0.44), below="BLEU")
    right = canvas.panel("The same system, two test sets", (0.64, 1), below="BLEU")
    names = list(dict.fromkeys(name for name, _ in simulation.by_setting))
    left.rows(names)
    right.rows(["short sentences", "long sentences"])
    hover = "%{x:.1f}<extra></extra>"
    for lower, colour, symbol in ((False, HIT, "circle"), (True, NEWEST, "diamond")):
        canvas.points(left, [simulation.by_setting[name, lower] for name in names], [-i for i in range(len(names))],
                      colour=colour, symbol=symbol, hovertemplate=hover)
    canvas.points(right, simulation.halves, [0, -1], colour=HIT, hovertemplate=hover)
    for panel in (left, right):
        panel.x_range(0, 100)
    return canvas.figure()


def order_and_information(run: Run[InsideBLEU], height: int = 330) -> go.Figure:
    """Return in which order RIBES finds the words of the reference, and how much NIST's n-grams tell.

    Parameters
    ----------
    run : Run of InsideBLEU
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    scores, reference = simulation.measures, simulation.words[1]
    ribes = f" {scores['RIBES']:.1f}" if "RIBES" in scores else ": nltk is not installed"
    order = canvas.panel(f"RIBES{ribes}", (0, 0.4), below="paired words, in the output", beside="in the reference")
    tells = canvas.panel(f"NIST {scores['NIST']:.2f}: bits of each n-gram", (0.66, 1), below="blue: the output has it")
    order.x_range(0.4, max(2, len(simulation.order)) + 0.6)
    order.y_range(0.4, max(2, len(reference)) + 0.6)
    order.axes[0]["nticks"] = 6
    x, y = list(range(1, len(simulation.order) + 1)), [place + 1 for place in simulation.order]
    canvas.add(order, type="scatter", mode="lines+markers", x=x, y=y, line={"color": NEUTRAL, "width": 1},
               marker={"color": HIT, "size": 8}, text=[literal(reference[i]) for i in simulation.order],
               hovertemplate="%{text}: word %{y} of the reference<extra></extra>")
    listed = sorted(simulation.information, key=lambda gram: -gram[1])[:_MOST_GRAMS]
    tells.rows([literal(text, 24) for text, _, _ in listed])
    tells.axes[1]["tickfont"] = {"size": 9}
    tells.axes[0]["rangemode"] = "tozero"
    for there, colour in ((True, HIT), (False, NEUTRAL)):
        rows = [i for i, gram in enumerate(listed) if gram[2] == there]
        canvas.add(tells, type="bar", orientation="h", y=[-i for i in rows], x=[listed[i][1] for i in rows], width=0.7,
                   marker={"color": colour}, hovertemplate="%{x:.1f} bits<extra></extra>")
    return canvas.figure()


def edits(run: Run[InsideBLEU], height: int = 230) -> go.Figure:
    """Return how TER turns the output into the reference: shifts first, then the other edits.

    Parameters
    ----------
    run : Run of InsideBLEU
    height : int
        Pixels.
    """
    canvas, simulation = Canvas(height), run.simulation
    stages, reference, trace = simulation.edits
    n = len(trace) - trace.count(" ") + len(stages) - 1
    panel = canvas.panel(f"TER {simulation.measures['TER']:.1f}: {n} edits on {len(reference)} words. "
                         "Red: to go; orange: moved, or to come in")
    shifts = [f"After shift {i}" for i in range(1, len(stages))]
    panel.rows(["Output", *shifts, "Reference"])
    longest = max(_places(words)[-1] for words in (*stages, reference))
    panel.axes[0].update(visible=False, range=[-1, longest + 2], fixedrange=True)
    for row, words in enumerate(stages[:-1]):
        _row_of_words(canvas, panel, words, -row, [None] * len(words))
    of_output = [MISS if edit in "sd" else None for edit in trace if edit != "i"]
    if len(stages) > 1:
        moved = _moved(stages[-2], stages[-1])
        of_output = [NEWEST if i in moved and not colour else colour for i, colour in enumerate(of_output)]
    _row_of_words(canvas, panel, stages[-1], -len(shifts), of_output)
    of_reference = [NEWEST if edit == "i" else None for edit in trace if edit != "d"]
    _row_of_words(canvas, panel, reference, -len(shifts) - 1, of_reference)
    return canvas.figure()


def _moved(before: Sequence[str], after: Sequence[str]) -> range:
    """Return where the words stand that a shift moved: the shorter one of the two parts that changed places."""
    first = next((i for i, (x, y) in enumerate(zip(before, after, strict=True)) if x != y), len(after))
    last = next((i for i in range(len(after) - 1, -1, -1) if before[i] != after[i]), first - 1)
    for size in range(1, last - first + 1):
        if list(after[first : first + size]) == list(before[last + 1 - size : last + 1]) and (
            list(after[first + size : last + 1]) == list(before[first : last + 1 - size])):  # fmt: skip
            return range(first, first + size) if 2 * size <= last - first + 1 else range(first + size, last + 1)
    return range(0)
