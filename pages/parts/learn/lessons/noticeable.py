"""Significant or noticeable (lesson 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.noticeable import p_and_verdicts, size_and_p
from mtsig_core.formatting import format_percent
from mtsig_core.significance.simulation.designs import Design
from mtsig_core.teaching import Run
from mtsig_core.teaching.noticeable import (
    METRICS,
    SEGMENTS,
    Experiments,
    Scale,
    invented,
    noticed,
    of_components,
    scale_of,
)
from pages.parts.learn.controls import Control, Pick, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture
from pages.parts.text import literal

_SIZE = (
    Steps("segments", "Segments", options=SEGMENTS, start=30_000),
    Steps("replicas", "Replicas of each system", options=(2, 3, 5, 10, 20), start=5),
    Slide("smallest", "Margin (points)", low=0.1, high=4.0, start=1.0, step=0.1,
          help="The smallest difference that matters. A point is 0.01 where scores lie between 0 and 1."),
)  # fmt: skip
_INVENTED = (
    Pick("scored", "Metric", options=METRICS),
    Slide("gain", "B is better by (points)", low=0.0, high=4.0, start=0.3, step=0.1),
    Slide("spread", "Standard deviation of runs", low=0.0, high=1.0, start=0.1, step=0.1),
)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: the difference of open data, and how they vary, are what they are."""
    return (*_INVENTED, *_SIZE) if opened is None else _SIZE


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> Experiments:
    """Return the simulation that the controls describe; open data give difference and variances of one like them."""
    segments, n = int(values["segments"]), int(values["replicas"])
    if opened is None:
        scale = Scale(values["scored"], METRICS[values["scored"]])
        return Experiments(values["gain"], values["smallest"], Design((n, n), segments), invented(values["spread"]),
                           scale, seed)
    components = opened.pair.components()
    variation = of_components(components)
    scale = scale_of(opened.statistics, opened.a, opened.b)
    scores_a, scores_b = (opened.statistics.scores_of(name) for name in (opened.a, opened.b))
    difference = float(scores_b.mean() - scores_a.mean()) / scale.unit
    design = Design((n,) * len(variation.replica), segments)
    return Experiments(difference, values["smallest"], design, variation, scale, seed)


def says(run: Run[Experiments]) -> str:
    """Say how often the difference is significant, shown to be small, and how often people agree with it."""
    now, simulation = noticed(run), run.simulation
    label, scale = literal(simulation.scale.label), simulation.scale
    human = scale.human(simulation.difference * scale.unit)
    people = literal(human) if isinstance(human, str) else (
        f"People agree with it on **{format_percent(human.share)}** of pairs of systems"
        f"{', no better than a coin' if human.coin else ''}; 80% takes {human.needed:.1f}."
    )  # fmt: skip
    return (
        f"True difference {simulation.difference:.2f} {label}: significant in **{format_percent(now.significant)}**, "
        f"shown to be below the margin in **{format_percent(now.smaller)}** of the experiments. {people}"
    )


LESSON = Lesson(
    slug="significant-or-noticeable", noun="experiment", controls=controls, simulate=simulate, says=says,
    most_linked=5000,
    does="Draw experiments",
    pictures=(
        Picture("size-and-p", size_and_p, "Differences of experiments, how often people agree with them, and p"),
    ),
    more=(
        Part("margin", "Test-set size and margin", (
            Picture("p-and-verdicts", p_and_verdicts, "p by size of the test set, and conclusions with a margin", 320),
        )),
    ),
)  # fmt: skip
