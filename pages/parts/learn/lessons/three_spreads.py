"""Three spreads (lesson 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.three_spreads import spreads_and_intervals, widths_by_replicas
from mtsig_core.formatting import format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.three_spreads import DrawnRuns, InventedRuns, ThreeSpreads, spread_summary
from pages.parts.learn.controls import Control, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_SPREADS = (
    Slide("runs", "Standard deviation of runs", low=0.0, high=3.0, start=1.0, step=0.25,
          help="What another training or tuning run of the same system changes: the optimizer's part."),
    Slide("spread", "Standard deviation of segments", low=5, high=40, start=15, step=5,
          help="How much an output's scores differ from segment to segment."),
)  # fmt: skip
_SIZES = (
    Steps("segments", "Segments of the test set", options=(50, 100, 200, 500, 1000), start=200),
    Steps("replicas", "Replicas of each system", options=(2, 3, 5, 10, 20, 60), start=5),
)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: how much open data vary is theirs."""
    return (*_SPREADS, *_SIZES) if opened is None else _SIZES


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> ThreeSpreads:
    """Return the simulation that the controls describe."""
    if opened is not None:
        source: DrawnRuns | InventedRuns = DrawnRuns(opened.statistics, opened.a, opened.b)
    else:
        source = InventedRuns(values["runs"], float(values["spread"]))
    return ThreeSpreads(source, values["replicas"], values["segments"], seed)


def says(run: Run[ThreeSpreads]) -> str:
    """Say the spreads so far, and which intervals hold what they promise."""
    now = spread_summary(run)
    spreads = ", ".join(f"{name} **{value:.2f}**" for name, value in now.spreads.items())
    larger = (
        " (open data have no tuning set here)" if now.larger is None
        else f"; s_test above s_dev in {format_percent(now.larger)}"
    )  # fmt: skip
    return (
        f"{spreads}{larger}. The true difference lies in {format_percent(now.covered['pooled'])} of the pooled "
        f"intervals (mean width {now.widths['pooled']:.2f}) and in **{format_percent(now.covered['coherent'])}** of "
        f"the coherent ones ({now.widths['coherent']:.2f})."
    )


LESSON = Lesson(
    slug="three-spreads", noun="experiment", controls=controls, simulate=simulate, says=says, most_linked=1000,
    does="Repeat experiments",
    pictures=(
        Picture("three-spreads", spreads_and_intervals, "Three spreads of the scores, and four intervals"),
    ),
    more=(
        Part("replicas", "More replicas", (
            Picture("standard-errors", widths_by_replicas, "Standard errors by the number of replicas", 320),
        )),
    ),
)  # fmt: skip
