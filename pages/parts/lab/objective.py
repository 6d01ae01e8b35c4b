"""Optimizer lab, The objective: the dev score along a line and on a plane through weight space."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.tuning import LineObjective, WeightPlane, objective_along_line, weight_plane
from mtsig_core.figures.tuning import line_steps, plane_heatmap
from mtsig_core.optimizers import TuningProblem
from mtsig_core.reports.tuning import line_sentence, plane_sentence
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.lab import lists
from pages.parts.text import literal
from pages.parts.view import View


def draw(now: View) -> None:
    """Draw the section."""
    problems = lists.problems()
    if problems is None:
        return
    problem = lists.one(problems)
    left, right = st.columns(2, gap="large")
    with left:
        along_line(now, problem)
    with right:
        on_plane(now, problem)


def along_line(now: View, problem: TuningProblem) -> None:
    """Show the objective along one feature's weight."""
    explanations.heading("Along one direction", "lab-line")
    key = "lab direction"
    if st.session_state.get(key) not in problem.feature_names:
        st.session_state.pop(key, None)
    feature = st.selectbox("Weight that changes", problem.feature_names, key=key, persist_state="session")
    line: LineObjective | None = answer(
        "lab line", (*lists.current().key, problem.system, feature),
        lambda progress, publish: objective_along_line(problem, problem.plain(problem.start), feature), keep=False,
    )
    if line is not None:
        downloads.figure(now, line_steps(line, height=480), "lab-line", frame=line.to_frame(),
                         alt=f"The dev score along {feature}, exact and smoothed")
        st.markdown(literal(line_sentence(line)))


def on_plane(now: View, problem: TuningProblem) -> None:
    """Show the objective on a random plane."""
    explanations.heading("On a random plane", "lab-plane")
    if problem.n_features < 2:
        st.info("A plane needs two features or more.")
        return
    st.session_state.setdefault("lab plane seed", 1)
    seed = st.number_input("Which plane", 1, 1000, key="lab plane seed", persist_state="session")
    plane: WeightPlane | None = answer(
        "lab plane", (*lists.current().key, problem.system, seed),
        lambda progress, publish: weight_plane(
            problem, problem.plain(problem.start), seed=int(seed), progress=progress
        ),
        keep=False,
    )
    if plane is not None:
        downloads.figure(now, plane_heatmap(plane, height=480), "lab-plane", frame=plane.to_frame(),
                         alt="The dev score on a random plane, with its local optima")
        st.markdown(literal(plane_sentence(plane)))
