"""Intervals that overlap (lesson 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.overlapping import overlap_and_difference, shares_by_correlation
from mtsig_core.formatting import format_percent, number
from mtsig_core.teaching import Run
from mtsig_core.teaching.overlapping import DrawnScores, InventedScores, Overlaps, newest_overlap, overlap_summary
from pages.parts.learn.controls import Control, Pick, Slide, Steps, Switch
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_INVENTED = (
    Slide("correlation", "Correlation over segments", low=0.0, high=0.95, start=0.8, step=0.05,
          help="How much the segments that are difficult for A are difficult for B as well."),
    Slide("gain", "B is better by", low=0.0, high=5.0, start=2.0, step=0.5),
)  # fmt: skip
_OPENED = (
    Pick("drawn", "Segments", options={"same": "The same for both systems", "apart": "Each system its own"}),
    Switch("equal", "Make the systems equal", help="Takes the difference of the two outputs from the scores of B."),
)
_SIZE = Steps("size", "Segments of the test set", options=(50, 100, 200, 500, 1000), start=200)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: open data have a correlation of their own."""
    return (*(_INVENTED if opened is None else _OPENED), _SIZE)


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> Overlaps:
    """Return the simulation that the controls describe."""
    if opened is None:
        return Overlaps(InventedScores(values["correlation"], values["gain"]), values["size"], seed)
    same = values["drawn"] == "same"
    drawn = DrawnScores(opened.statistics, opened.a, opened.b, same=same, level=values["equal"])
    return Overlaps(drawn, values["size"], seed)


def says(run: Run[Overlaps]) -> str:
    """Say what either rule finds, and the newest overlap."""
    now, source = overlap_summary(run), run.simulation.source
    return (
        f"The interval of the difference excludes 0 in **{format_percent(now.differs)}**, the two intervals do not "
        f"overlap in **{format_percent(now.apart)}**. True difference {number(source.truth)}, "
        f"correlation {number(source.correlation)}. Fu's ratio: {newest_overlap(run).ratio:.2f} now, {now.ratio:.2f} "
        "on average."
    )


LESSON = Lesson(
    slug="intervals-that-overlap", noun="test set", controls=controls, simulate=simulate, says=says, most_linked=5000,
    does="Compare two intervals",
    pictures=(
        Picture("overlap", overlap_and_difference, "Two intervals, the interval of their difference, and p by overlap"),
    ),
    more=(
        Part("correlation", "Other correlations", (
            Picture("shares", shares_by_correlation, "How often either rule finds a difference, by correlation", 320),
        )),
    ),
)  # fmt: skip
