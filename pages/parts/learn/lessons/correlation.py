"""Correlation (lesson 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.correlations import spread_of_r, two_metrics
from mtsig_core.formatting import format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.correlations import TESTS, Correlations, correlation_summary, invented, of_segments
from pages.parts.learn.controls import Control, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_SAMPLE = (
    Steps("points", "Points", options=(5, 8, 12, 20, 50, 100), start=8, help="Systems, or segments of open data."),
    Slide("outlier", "One point is worse by (sd)", low=0, high=12, start=0,
          help="In all three variables: a system that is obviously much worse than the others."),
)  # fmt: skip
_INVENTED = (
    Slide("r12", "r12: metric 1 with people", low=-0.5, high=0.95, start=0.85, step=0.05),
    Slide("r13", "r13: metric 2 with people", low=-0.5, high=0.95, start=0.85, step=0.05),
    Slide("r23", "r23: metric 1 with metric 2", low=-0.5, high=0.95, start=0.9, step=0.05),
)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: the correlations of open data are what they are."""
    return (*_INVENTED, *_SAMPLE) if opened is None else _SAMPLE


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> Correlations:
    """Return the simulation that the controls describe."""
    three = (
        of_segments(opened.statistics, opened.a, opened.b)
        if opened is not None
        else invented(*(values[name] for name in ("r12", "r13", "r23")))
    )
    return Correlations(three, int(values["points"]), float(values["outlier"]), seed)


def says(run: Run[Correlations]) -> str:
    """Say how r varies, and how often each way to compare finds a difference of the metrics."""
    now, simulation = correlation_summary(run), run.simulation
    r = float(run["r12"][-1])
    without = f" (without the outlier {float(run['without'][-1]):.2f})" if simulation.outlier else ""
    shares = ", ".join(f"{label} {format_percent(now.shares[test])}" for test, label in TESTS.items())
    return (
        f"r12 = {r:.2f}{without}, truth {simulation.truth:.2f}; 95% of the samples lie from **{now.low:.2f}** to "
        f"**{now.high:.2f}**. Metrics seem to differ: {shares}."
    )


LESSON = Lesson(
    slug="correlation", noun="sample", controls=controls, simulate=simulate, says=says, most_linked=2000,
    does="One correlation",
    pictures=(
        Picture("correlations", spread_of_r, "The newest sample, and the correlations of all samples"),
    ),
    more=(
        Part("metrics", "Two metrics", (
            Picture("two-metrics", two_metrics, "How often two metrics seem to differ, and Williams' p by r23", 300),
        )),
    ),
)  # fmt: skip
