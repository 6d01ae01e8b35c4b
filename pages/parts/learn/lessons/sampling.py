"""Sampling distribution (lesson 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.sampling import sampling_distribution, width_by_size
from mtsig_core.formatting import format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import Population, of_bars, segment_scores, shaped
from mtsig_core.teaching.sampling import STATISTICS, RepeatedSamples, sampling_summary
from pages.parts.learn.controls import Bars, Control, Pick, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

OWN = "bars"
_INVENTED = (
    Pick("shape", "Shape", options={
        "normal": "Normal", "skewed": "Skewed", "humps": "Two humps", OWN: "Your own bars",
    }),
    Slide("sd", "Standard deviation", low=5, high=30, start=15, when=lambda now: now["shape"] != OWN),
    Bars("heights", "Heights of ten bars", start=(1, 2, 4, 6, 4, 2, 1, 0, 0, 6), when=lambda now: now["shape"] == OWN,
         help="The population lies between 0 and 100; each number is the height of a bar ten points wide."),
)  # fmt: skip
_SIZE = Steps("size", "Sample size N", options=(2, 5, 10, 20, 50, 100, 200), start=20)
_METHOD = Pick("interval", "Interval of the mean", options={"formula": "Formula", "bootstrap": "Bootstrap"},
               when=lambda now: now["statistic"] == "mean")


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: invented populations have a shape, segments the score of a whole sample."""
    statistics = {name: word.capitalize() for name, word in STATISTICS.items()}
    if opened is None:
        del statistics["corpus"]
    else:
        statistics["corpus"] = f"{opened.statistics.metric.label} of the sample"
    own = _INVENTED if opened is None else ()
    return (*own, _SIZE, Pick("statistic", "Statistic", options=statistics), _METHOD)


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> RepeatedSamples:
    """Return the simulation that the controls describe."""
    return RepeatedSamples(_population(values, opened), values["statistic"], values["size"], values["interval"], seed)


def _population(values: Mapping[str, Any], opened: Opened | None) -> Population:
    if opened is not None:
        return segment_scores(opened.statistics, opened.b)
    return of_bars(values["heights"]) if values["shape"] == OWN else shaped(values["shape"], values["sd"])


def says(run: Run[RepeatedSamples]) -> str:
    """Say how many intervals contain the truth, and how far the statistic spreads."""
    now, error = sampling_summary(run), run.simulation.standard_error
    low, high = now.covered_interval
    formula = f"; formula σ/√N: {error:.2f}" if error is not None else ""
    spread = f" Standard deviation of the {STATISTICS[run.simulation.statistic]}: {now.sd:.2f}{formula}."
    return (
        f"**{format_percent(now.covered)}** ({format_percent(low)} to {format_percent(high)}) of the intervals contain "
        f"the truth. Average width: {now.width:.2f}.{spread if now.n > 1 else ''}"
    )


LESSON = Lesson(
    slug="sampling-distribution", noun="sample", controls=controls, simulate=simulate, says=says,
    does="Draw samples",
    pictures=(
        Picture("sampling", sampling_distribution, "The population, the statistic of all samples, and their intervals"),
    ),
    more=(
        Part("size", "Size of the samples", (
            Picture("width", width_by_size, "Width of the interval by the size of the samples", 320),
        )),
    ),
)  # fmt: skip
