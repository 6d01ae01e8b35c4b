"""Luck of one run (lesson 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.single_runs import best_by_runs, lucky_verdicts
from mtsig_core.formatting import format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.single_runs import A, B, SingleRuns, invented_pools, luck_summary
from pages.parts.learn.controls import Control, Pick, Slide, Steps, Switch
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture
from pages.parts.text import literal

_INVENTED = (
    Slide("gain", "B is better by", low=-1.0, high=3.0, start=1.0, step=0.5),
    Slide("spread", "Standard deviation of runs", low=0.0, high=3.0, start=1.0, step=0.5,
          help="Of the effect of a whole training run; the test set adds some more."),
    Steps("segments", "Segments", options=(50, 100, 200, 500), start=200),
)  # fmt: skip
_REPORT = (
    Pick("report", "What is reported", options={
        "first": "One run of each", "best": "Best run of B", "hunt": "First pair that is significant",
    }),
    Steps("runs", "Runs (or pairs)", options=(2, 3, 5, 10, 20), start=5, when=lambda now: now["report"] != "first"),
    Switch("both", "A reports its best as well", when=lambda now: now["report"] == "best"),
)  # fmt: skip


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: invented systems have a gain and a spread."""
    return (*_INVENTED, *_REPORT) if opened is None else _REPORT


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> SingleRuns:
    """Return the simulation that the controls describe."""
    runs = 1 if values["report"] == "first" else values["runs"]
    if opened is not None:
        return SingleRuns(opened.statistics, opened.a, opened.b, values["report"], runs, values["both"], seed)
    pools = invented_pools(values["segments"], values["gain"], values["spread"])
    return SingleRuns(pools, A, B, values["report"], runs, values["both"], seed)


def says(run: Run[SingleRuns]) -> str:
    """Say how often each system wins, and where the mean difference stands."""
    now, simulation = luck_summary(run), run.simulation
    a, b = literal(simulation.a), literal(simulation.b)
    return (
        f"Significantly better: {b} in **{format_percent(now.b_better)}**, {a} in "
        f"**{format_percent(now.a_better)}** of the experiments; inconclusive: {format_percent(now.undecided)}. "
        f"Mean of B − A: {now.mean:.2f}; over all replicas: {simulation.truth:.2f}."
    )


LESSON = Lesson(
    slug="luck-of-one-run", noun="experiment", controls=controls, simulate=simulate, says=says, most_linked=5000,
    does="One run of each",
    pictures=(
        Picture("single-runs", lucky_verdicts, "Verdicts of experiments with one run of each system, and the mean"),
    ),
    more=(
        Part("best", "Best of several runs", (
            Picture("best-by-runs", best_by_runs, "Expected score of the best run by the number of runs", 320),
        )),
    ),
)  # fmt: skip
