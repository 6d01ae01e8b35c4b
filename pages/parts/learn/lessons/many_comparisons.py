"""Many comparisons (lesson 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.many_comparisons import papers, rules
from mtsig_core.formatting import count, format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.many_comparisons import ALPHA, RULES, ManyComparisons, errors
from mtsig_core.teaching.populations import segment_scores
from pages.parts.learn.controls import Control, Pick, Slide
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture


def _pairs(now: Mapping[str, Any]) -> bool:
    return now["question"] == "pairs"


_CONTROLS = (
    Pick("question", "A paper compares", options={"pairs": "All pairs of systems", "metrics": "Two, by metrics"}),
    Slide("systems", "Systems", low=2, high=10, start=7, when=_pairs),
    Slide("better", "Of these, better than the others", low=0, high=9, start=0, when=_pairs,
          help="All others are equal, and so are the better ones."),
    Slide("gain", "Better by (sd of a segment)", low=0.1, high=1.0, start=0.4, step=0.1,
          when=lambda now: _pairs(now) and now["better"] > 0),
    Slide("tried", "Metrics", low=1, high=10, start=6, when=lambda now: not _pairs(now)),
    Slide("likeness", "Correlation of the metrics", low=0.0, high=1.0, start=0.5, step=0.1,
          help="Of segment scores, between any two metrics.", when=lambda now: not _pairs(now)),
)  # fmt: skip


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls, the same for both populations."""
    return _CONTROLS


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> ManyComparisons:
    """Return the simulation that the controls describe; systems draw the baseline's segments where data are open."""
    scores = segment_scores(opened.statistics, opened.a).values if opened is not None else None
    number = values["systems"] if _pairs(values) else values["tried"]
    better = min(values["better"], number - 1) if _pairs(values) else 0
    return ManyComparisons(values["question"], number, better, values["gain"], values["likeness"], scores, seed)


def says(run: Run[ManyComparisons]) -> str:
    """Say how many papers find what is not there, by rule."""
    simulation = run.simulation
    shares = {rule: errors(run, rule) for rule in RULES}
    listed = ", ".join(f"{RULES[rule]} **{format_percent(now.wrong)}**" for rule, now in shares.items())
    newest = run["none"][-1]
    small = count(int((newest < ALPHA).sum()), "p-value")
    what = "pair" if simulation.question == "pairs" else "metric"
    return (
        f"{count(simulation.comparisons, what)} each; the newest has {small} below 0.05. Papers with a wrong finding: "
        f"{listed}."
    )


LESSON = Lesson(
    slug="many-comparisons", noun="paper", controls=controls, simulate=simulate, says=says, answer_after=200,
    most_linked=300,
    does="Count wrong papers",
    pictures=(
        Picture("papers", papers, "p-values of the newest paper, and how many papers find what is not there"),
    ),
    more=(
        Part("corrections", "Two corrections", (
            Picture("rules", rules, "What each correction gets wrong and what it finds", 230),
        )),
    ),
)  # fmt: skip
