"""Three tests (lesson 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtsig_core.figures.learn.null_distributions import coin_flips, three_tests
from mtsig_core.formatting import format_p
from mtsig_core.significance import PRESETS
from mtsig_core.teaching import Run
from mtsig_core.teaching.null_distributions import TESTS, A, B, NullDistributions, invented_pair, result_of
from pages.parts.learn.controls import Control, Number, Slide, Steps, Switch
from pages.parts.learn.lesson import Lesson, Opened, Picture

_ONE_TAIL, _STRICT = "lecture-ar", "sacrebleu-ar"
_INVENTED = (
    Steps("segments", "Segments", options=(5, 10, 30, 60, 100, 300), start=60),
    Slide("gain", "B is better by", low=0.0, high=6.0, start=2.0, step=0.5),
    Switch("identical", "B is a copy of A", help="Two systems with the same output: no test may find a difference."),
    Number("world", "Test set number", low=1, high=999, start=1,
           help="Each number gives other segments of the same systems."),
)


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls; the pair that is open needs none."""
    return _INVENTED if opened is None else ()


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> NullDistributions:
    """Return the simulation that the controls describe."""
    if opened is not None:
        return NullDistributions(opened.statistics, opened.a, opened.b, seed)
    pair = invented_pair(values["segments"], values["gain"], values["world"], identical=values["identical"])
    return NullDistributions(pair, A, B, seed)


def says(run: Run[NullDistributions]) -> str:
    """Say D and the p-values of the three tests, and what two other rules would make of the same draws."""
    results = {name: result_of(run, name) for name in (*TESTS, _ONE_TAIL, _STRICT)}
    values = {name: format_p(result.p, result.smallest_p, exact=result.exact) for name, result in results.items()}
    main = "; ".join(f"{PRESETS[name].label}: p = {values[name]}".replace("= <", "<") for name in TESTS)
    other = f"direction chosen after looking: {values[_ONE_TAIL]}; counting > only: {values[_STRICT]}"
    return f"D = {run.simulation.difference:.2f}. {main}. Exchanges, {other}."


LESSON = Lesson(
    slug="three-tests", noun="draw", controls=controls, simulate=simulate, says=says, most_linked=5000,
    does="Run three tests",
    pictures=(
        Picture("three-tests", three_tests, "What three tests draw, each with the observed difference"),
        Picture("coins", coin_flips, "The newest exchange, segment by segment", 260),
    ),
)  # fmt: skip
