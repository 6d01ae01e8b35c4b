"""Bootstrap (lesson 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.resamples import bootstrap_draws
from mtsig_core.formatting import format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import segment_scores, shaped
from mtsig_core.teaching.resamples import Resamples, resample_summary
from pages.parts.learn.controls import Control, Pick, Steps
from pages.parts.learn.lesson import Lesson, Opened, Picture

_SHAPE = Pick("shape", "Shape", options={"normal": "Normal", "skewed": "Skewed", "humps": "Two humps"})
_STATISTICS = {"mean": "Mean", "median": "Median", "sd": "Standard deviation", "maximum": "Maximum"}
_OTHERS = (
    Steps("size", "Sample size N", options=(4, 5, 10, 20, 50, 100, 200), start=20),
    Pick("statistic", "Statistic", options=_STATISTICS),
    Pick("resample", "Size of a resample", options={"full": "N", "half": "N/2"},
         help="N: drawn with replacement; N/2: without."),
)  # fmt: skip


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: an invented population has a shape."""
    return (_SHAPE, *_OTHERS) if opened is None else _OTHERS


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> Resamples:
    """Return the simulation that the controls describe."""
    population = shaped(values["shape"]) if opened is None else segment_scores(opened.statistics, opened.b)
    return Resamples(population, values["statistic"], values["size"], values["resample"], seed)


def says(run: Run[Resamples]) -> str:
    """Say the interval, the spread, and how much one value dominates."""
    now, simulation = resample_summary(run), run.simulation
    low, high = now.interval
    spread = f" Standard deviation: {now.sd:.2f}." if run.n > 1 else ""
    often = f" One value makes up {format_percent(now.largest_share)} of them." if (
        run.n > 20 and now.largest_share > 0.2) else ""  # fmt: skip
    return (
        f"{_STATISTICS[simulation.statistic]} of the sample: {simulation.estimate:.2f}; truth: {simulation.truth:.2f}. "
        f"Middle 95% of the resamples: {low:.2f} to {high:.2f}.{spread}{often}"
    )


LESSON = Lesson(
    slug="bootstrap", noun="resample", controls=controls, simulate=simulate, says=says, most_linked=5000,
    does="Draw resamples",
    pictures=(
        Picture("bootstrap", bootstrap_draws, "How often each member was drawn, and the statistic of all resamples"),
    ),
)  # fmt: skip
