"""Optimizer lab: which optimizers run, how often, and with which options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import streamlit as st

from mtsig_core.optimizers import OPTIMIZERS, Optimizer, TuningProblem, TuningResult, get_optimizer, tune_replicas
from mtsig_core.runtime.jobs import Progress, subprogress
from pages.parts.background import answer
from pages.parts.lab import lists
from pages.parts.text import literal

LABELS = {
    "restarts": "Starts", "low": "Random weights from", "high": "Random weights up to",
    "random_directions": "Random directions",
    "iterations": "Iterations, at most", "samples": "Samples", "kept": "Pairs kept per segment",
    "least_difference": "Smallest difference of a pair", "interpolation": "Share of new weights",
    "regularization": "Regularization", "c": "C (learning rate, largest step)", "decay": "Decay of the background",
    "epochs": "Epochs",
}  # fmt: skip
DEFAULT = ("mert",)  # one alone answers in seconds
LIGHTER = {("pro", "samples"): 1000}  # where the page starts below the library's default, for a quick answer
PLAN, REPLICAS, SEED, CHOSEN = "lab plan", "lab replicas", "lab seed", "lab optimizers"
MOST = 300
QUICK = 3  # replicas of each optimizer in the first answer


@dataclass(frozen=True)
class Plan:
    """What is run on every system's lists.

    Parameters
    ----------
    optimizers : tuple of Optimizer
    n : int
        Replicas of each.
    seed : int
    """

    optimizers: tuple[Optimizer, ...]
    n: int
    seed: int


def controls() -> Plan:
    """Draw the controls, and return what is to be run: what they say once the button is pressed."""
    state = st.session_state
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            names = st.multiselect(
                "Optimizers", list(OPTIMIZERS), default=None if CHOSEN in state else list(DEFAULT), key=CHOSEN,
                persist_state="session", format_func=lambda name: OPTIMIZERS[name].label,
            )
            state.setdefault(REPLICAS, 10)
            n = st.number_input("Replicas of each", 1, MOST, key=REPLICAS, persist_state="session", width=140)
            state.setdefault(SEED, 12345)
            seed = st.number_input("Seed", 0, 2**31 - 1, key=SEED, persist_state="session", width=140)
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = _asked(names or [DEFAULT[0]], int(n), int(seed))
            st.button("Make replicas", type="primary", icon=":material/play_arrow:", on_click=_take, args=(asked,),
                      disabled=asked is None)
    return state.get(PLAN) or asked or Plan((usual(DEFAULT[0]),), 10, 12345)


def usual(name: str) -> Optimizer:
    """Return an optimizer as the controls have it before anybody changes them."""
    return get_optimizer(name, **{option: value for (own, option), value in LIGHTER.items() if own == name})


def _take(plan: Plan) -> None:
    st.session_state[PLAN] = plan


def _asked(names: list[str], n: int, seed: int) -> Plan | None:
    try:
        return Plan(tuple(get_optimizer(name, **_options(name)) for name in names), n, seed)
    except ValueError as error:
        st.error(literal(str(error)))
        return None


def _options(name: str) -> dict[str, float]:
    """Draw the options of an optimizer with their usual defaults, and return their values."""
    kind = OPTIMIZERS[name]
    with st.popover(f"Options of {kind.label}", icon=":material/tune:"):
        st.markdown(f"{kind.explanation} ({kind.paper})")
        values, columns = {}, st.columns(2)
        for i, field in enumerate(fields(kind)):
            key = f"lab {name} {field.name}"
            lighter = LIGHTER.get((name, field.name))
            st.session_state.setdefault(key, field.default if lighter is None else lighter)
            whole = isinstance(field.default, int)
            values[field.name] = columns[i % 2].number_input(
                LABELS.get(field.name, field.name) + (f" (usual: {field.default:g})" if lighter else ""), key=key,
                persist_state="session", step=1 if whole else None, format="%d" if whole else "%g",
                help=f"Usual value: {field.default:g}" + (f"; {lighter:g} is faster." if lighter else ""),
            )
    return values


def results(problems: tuple[TuningProblem, ...], plan: Plan, question: str = "replicas") -> list[TuningResult] | None:
    """Return the replicas of every optimizer on every list given; a few first, then optimizer by optimizer, all."""
    return answer(
        f"lab {question}", (*lists.current().key, tuple(problem.system for problem in problems), plan),
        lambda progress, publish: _run(problems, plan, progress, publish),
        keep=False,
    )


def _run(
    problems: Sequence[TuningProblem], plan: Plan, progress: Progress, publish: Callable[[Any], None]
) -> list[TuningResult]:
    jobs = [(problem, optimizer) for problem in problems for optimizer in plan.optimizers]
    if plan.n > 2 * QUICK:
        publish([tune_replicas(*jobs[0], QUICK, seed=plan.seed, progress=subprogress(progress, 0, 0.05))])
    results: list[TuningResult] = []
    for i, job in enumerate(jobs):
        step = subprogress(progress, max(0.05, i / len(jobs)), (i + 1) / len(jobs))
        results = [*results, tune_replicas(*job, plan.n, seed=plan.seed, progress=step)]
        publish(results)
    return results


def of_system(results: list[TuningResult], system: str) -> list[TuningResult]:
    """Return the results on one system's lists."""
    return [result for result in results if result.problem.system == system]
