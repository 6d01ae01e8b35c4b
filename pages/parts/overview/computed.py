"""The first screen of whatever is open, under whatever settings."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.comparison.combined import single_replica_note
from mtsig_core.figures.overview import metric_differences
from mtsig_core.figures.three_methods import cluster_intervals
from mtsig_core.reports.overview import overview_answer, ranking_size_sentence, single_run_sentence, size_sentence
from mtsig_core.reports.ranking import leader_sentence
from pages.parts import downloads, page, view
from pages.parts.compare.answer import (
    assumption_of,
    confirm_directions,
    note_shipped_differences,
    warn_of_late_margin,
)
from pages.parts.compare.comparisons import comparisons
from pages.parts.compare.lottery import lottery
from pages.parts.overview import front
from pages.parts.rank.pairwise import pairwise
from pages.parts.rank.ranks import cautions_of_ranks
from pages.parts.text import literal

ROW = 24  # pixels of a system: with doors and verdicts the ranking fits one screen


def draw() -> None:
    """Draw the first screen."""
    now = view.current()
    front.opening()
    front.banner(now.opened.demonstration, now.experiment.name, size(now))
    several = len(now.experiment.systems_present_on(now.test_set)) > 2
    page.cautions(now, "common" if several else "of the pair")
    if now.system is None:
        st.info(f"There is only one system ({literal(now.baseline)}). Open another one beside it to compare them.")
    elif several:
        ranking(now)
        verdicts(now, now.system, with_figures=False)
    elif (screen := shipped_for(now)) is not None:
        front.verdict(now, screen)
        note_shipped_differences(now)
    else:
        verdicts(now, now.system)
    names = {now.baseline, now.system}
    text = any(system.name in names for system in now.experiment.systems_on(now.test_set))
    front.doors(compared=now.system is not None, text=text)


def shipped_for(now: view.View) -> dict | None:
    """Return what was computed ahead for exactly this view, or None."""
    screen = front.shipped().get(now.opened.demonstration or "")
    return screen if screen is not None and screen["key"] == repr(now.key) else None


def size(now: view.View) -> str:
    """Say how large the open data are."""
    test_set = now.experiment.test_set(now.test_set)
    segments = test_set.n_segments if test_set.has_segments else None
    systems = now.experiment.systems_present_on(now.test_set)
    if len(systems) > 2:
        there = ranking_size_sentence([s.runs_on(now.test_set) for s in systems], segments)
        return there if len(systems) == len(now.experiment.systems) else f"{there} on {now.test_set}"
    return size_sentence(runs(now), segments)


def runs(now: view.View) -> dict[str, int]:
    """Return the numbers of runs of the pair, in which copies count as one."""
    return {n: now.experiment.system(n).runs_on(now.test_set) for n in (now.baseline, now.system) if n}


def verdicts(now: view.View, system: str, with_figures: bool = True) -> None:
    """Say for each metric what the verdict is on the chosen pair, and draw its interval."""
    results = comparisons(now, system)
    if results is None:
        return
    answers = [overview_answer(result) for result in results]
    if not with_figures:
        st.caption(literal(f"{system} against {now.baseline}, the pair chosen in the sidebar:"))
    front.claims([(said.claim, assumption_of(now, result), said.evidence)
                  for said, result in zip(answers, results, strict=True)])  # fmt: skip
    sizes = runs(now)
    caution = single_replica_note(now.baseline, system, sizes[now.baseline], sizes[system])
    if caution and with_figures:  # beside a ranking it is said already
        st.caption(f":material/casino: {literal(caution)}")
    warn_of_late_margin(now, results)
    confirm_directions(now, results)
    if not with_figures:
        return
    front.chart(now, downloads.built(metric_differences, tuple(results)))
    single_runs(now, system)


def single_runs(now: view.View, system: str) -> None:
    """Say what papers with one run of each system would have shown."""
    if now.one_each:
        return
    answer = lottery(now, system, now.metrics[0])
    if answer is not None:
        st.markdown(literal(single_run_sentence(answer)))


def ranking(now: view.View) -> None:
    """Rank more than two systems by the first metric."""
    metric = now.metrics[0]
    result = pairwise(now, metric, None)
    if result is None:
        return
    if any(row.p is not None for row in result.rows):
        with st.container(key="ranking"):
            st.markdown(f"**{literal(result.label)}: {literal(leader_sentence(result.systems, result.separated))}.**")
    cautions_of_ranks(now, result)
    drawn = cluster_intervals(result, now.colours, row_height=ROW)
    downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=result.rank_frame())
