"""Test arena (lesson 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mtsig_core.figures.learn.rates import rates_as_they_settle, rates_of_tests
from mtsig_core.formatting import format_percent
from mtsig_core.significance.simulated import World
from mtsig_core.teaching import Run
from mtsig_core.teaching.rates import SEGMENTS, ArenaTrials, monte_carlo_error, rates, world_of
from pages.parts.learn.controls import Control, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_TOLD = ("coherent", "ar-segment")
_WORLD = (
    Slide("runs", "Standard deviation of runs", low=0.0, high=4.0, start=2.0, step=0.5,
          help="Of the effect of a whole training run; single outputs of a segment have 10."),
    Steps("strengths", "Strengths by segment", options=(0, 5, 10), start=0,
          help="Standard deviation of what one system is better or worse at, segment by segment, in all its runs."),
)  # fmt: skip
_SIZES = (
    Steps("replicas", "Replicas of each system", options=(1, 2, 3, 5, 10), start=3),
    Slide("gain", "B is better by", low=0.0, high=6.0, start=0.0, step=0.5,
          help="0: every difference that a test finds is a false alarm."),
)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: open data have variances of their own."""
    return (*_WORLD, *_SIZES) if opened is None else _SIZES


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> ArenaTrials:
    """Return the simulation that the controls describe."""
    if opened is None:
        world = World(segments=SEGMENTS, replica_sd=values["runs"], strength_sd=float(values["strengths"]))
    else:
        world = world_of(opened.statistics, opened.a, opened.b)
    return ArenaTrials(replace(world, n=values["replicas"], gain=values["gain"]), seed)


def says(run: Run[ArenaTrials]) -> str:
    """Say what three tests do, and the world that they do it in."""
    world = run.simulation.world
    listed = "; ".join(
        f"{row.preset.label} **{format_percent(row.share)}** ({format_percent(row.low)} to {format_percent(row.high)})"
        for row in rates(run) if row.preset.name in _TOLD
    )  # fmt: skip
    sds = f"Standard deviations: runs {world.replica_sd:.2g}, strengths {world.strength_sd:.2g}, outputs 10."
    if world.gain:
        return f"B is better by {world.gain:g}, and that is found by: {listed}. {sds}"
    error = format_percent(float(monte_carlo_error(run.n)))
    return f"False alarms: {listed}. A true 5% is seen as 5% ± {error} by now. {sds}"


LESSON = Lesson(
    slug="test-arena", noun="experiment", controls=controls, simulate=simulate, says=says, most_linked=500,
    does="Count errors",
    pictures=(
        Picture("rates", rates_of_tests, "How often each test calls the systems different, with intervals", 385),
    ),
    more=(
        Part("settling", "How the rates settle", (
            Picture("settling", rates_as_they_settle, "The shares of some tests as experiments accumulate", 320),
        )),
    ),
)  # fmt: skip
