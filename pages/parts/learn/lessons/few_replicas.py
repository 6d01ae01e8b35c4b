"""Few replicas (lesson 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mtsig_core.figures.learn.few_replicas import by_replicas, p_and_differences
from mtsig_core.formatting import format_p, format_percent
from mtsig_core.teaching import Run
from mtsig_core.teaching.few_replicas import (
    ALPHA,
    EXACT,
    RULES,
    FewReplicas,
    few_summary,
    invented_world,
    smallest_p,
    world_of,
)
from pages.parts.learn.controls import Control, Pick, Slide, Steps
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_REPLICAS = Steps("replicas", "Replicas of each system", options=(2, 3, 4, 5, 6), start=3)
_RULE = Pick("rule", "Test", options=RULES)
_INVENTED = (
    Slide("gain", "B is better by", low=0.0, high=5.0, start=1.0, step=0.5),
    Slide("runs", "Standard deviation of runs", low=0.0, high=3.0, start=1.0, step=0.5,
          help="Of the effect of a whole training run."),
)  # fmt: skip
_SHARES = {"1": "As observed", "0.5": "Half of it", "2": "Twice as large", "0": "None"}
_OPENED = (
    Pick("size", "True difference", options=_SHARES,
         help="The runs and the text vary as those of the open pair; how much better B is in truth nobody knows."),
)  # fmt: skip


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: open data vary as they do."""
    return (_REPLICAS, _RULE, *(_INVENTED if opened is None else _OPENED))


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> FewReplicas:
    """Return the simulation that the controls describe."""
    n = values["replicas"]
    if opened is None:
        return FewReplicas(invented_world(n, values["runs"], values["gain"]), seed, values["rule"])
    world = world_of(opened.statistics, opened.a, opened.b)
    return FewReplicas(replace(world, n=n, gain=float(values["size"]) * world.gain), seed, values["rule"])


def says(run: Run[FewReplicas]) -> str:
    """Say how many experiments are significant, and what they make of the difference."""
    now, world = few_summary(run), run.simulation.world
    floor = smallest_p(*world.replicas)
    exact = run.simulation.rule == EXACT
    lowest = f"Smallest p so far: {format_p(now.smallest, exact=exact)}"
    if exact:
        lowest += f"; {world.n} against {world.n} can give {format_p(floor, exact=True)} at best"
        if floor > ALPHA:
            return f"{lowest}, **so no experiment is ever significant**, whatever the difference."
    share = f"**{format_percent(now.power)}** are significant" + (" (false alarms)" if world.gain == 0 else "")
    if now.exaggeration is None:
        return f"{share}. {lowest}."
    return (
        f"{share}; these show a difference that is **{now.exaggeration:.2f}** times the true one on average (type M), "
        f"and {format_percent(now.wrong_sign)} of them have the wrong sign (type S). {lowest}."
    )


LESSON = Lesson(
    slug="few-replicas", noun="experiment", controls=controls, simulate=simulate, says=says, most_linked=2000,
    does="Test a few runs",
    pictures=(
        Picture("few-replicas", p_and_differences, "p of every experiment, and the differences that are significant"),
    ),
    more=(
        Part("more", "More replicas", (
            Picture("by-replicas", by_replicas, "Smallest p, power and exaggeration by the number of replicas", 320),
        )),
    ),
)  # fmt: skip
