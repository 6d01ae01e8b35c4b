"""Optimizer lab, Make replicas: run the optimizers, see paths, weights and scores, and take the replicas along."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mtsig_core.analysis.tuning import generalisation, trajectories
from mtsig_core.figures.theme import system_colours
from mtsig_core.figures.tuning import dev_test_scatter, score_paths, weight_coordinates
from mtsig_core.optimizers import OPTIMIZERS, TuningProblem, TuningResult, baselines
from mtsig_core.reports.tables import readable
from mtsig_core.reports.tuning import baselines_frame
from pages.parts import downloads, explanations
from pages.parts.lab import lists, plan, take_along
from pages.parts.view import View


def colours() -> dict[str, str]:
    """Return one colour per optimizer, the same in all sections."""
    return system_colours([optimizer.label for optimizer in OPTIMIZERS.values()])


def draw(now: View) -> None:
    """Draw the section."""
    wanted = plan.controls()
    problems = lists.problems()
    if problems is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        problem = lists.chosen(problems)
        tuned_on = _tuned_on(problems, problem)
    lists.describe(problem)
    results = plan.results(tuned_on, wanted)
    if not results:
        return
    own = plan.of_system(results, problem.system)
    sets = [baselines(one) for one in (problem.dev, problem.test) if one is not None]
    figures(now, own)
    left, right = st.columns([3, 2], gap="large")
    with left:
        explanations.heading("Without any tuning", "lab-baselines")
        frame = baselines_frame(sets)
        shown = readable(frame, same_decimals=[name for name in frame if name not in ("set", "segments")])
        downloads.plain_table(now, shown, "lab-baselines", caption="Scores that need no tuning", numbers=frame)
    with right:
        n_jobs = len(tuned_on) * len(wanted.optimizers)
        take_along.draw(results, wanted, is_complete=len(results) == n_jobs and len(own[0].replicas) == wanted.n)


def _tuned_on(problems: tuple[TuningProblem, ...], shown: TuningProblem) -> tuple[TuningProblem, ...]:
    """Return the lists that are tuned on: those shown first, and those of the other systems when asked for."""
    if len(problems) == 1 or not st.toggle(
        "Tune every system", key="lab every", persist_state="session", help="So that systems can be compared."
    ):
        return (shown,)
    return (shown, *(problem for problem in problems if problem is not shown))


def figures(now: View, results: Sequence[TuningResult]) -> None:
    """Show paths, weights, and dev against test of one system's replicas."""
    paths = trajectories(results)
    left, right = st.columns(2)
    with left:
        explanations.heading("Dev score after each iteration", "lab-paths")
        downloads.figure(now, score_paths(paths, colours(), height=280), "lab-paths", frame=paths.to_frame(),
                         alt="Dev score of every replica after each iteration")
    with right:
        if results[0].problem.test is None:
            st.info("Without a test set, nothing shows how much of a gain is left on other text.")
        else:
            explanations.heading("Dev against test", "lab-dev-test")
            downloads.figure(now, dev_test_scatter(generalisation(results), colours(), height=280), "lab-dev-test",
                             alt="Test score of every replica against its dev score")
    explanations.heading("The weights that each replica ends with", "lab-weights")
    downloads.figure(now, weight_coordinates(paths, colours(), height=280), "lab-weights",
                     alt="Weights of every replica in parallel coordinates")
