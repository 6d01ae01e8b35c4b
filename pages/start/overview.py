"""Overview, what this is, what data are open, the answer, and where to go on."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data import DEMONSTRATIONS
from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.figures.overview import metric_differences
from mtsig_core.figures.three_methods import cluster_intervals
from mtsig_core.reports.overview import overview_answer, single_run_sentence, size_sentence
from pages.parts import address, downloads, opened, page, view
from pages.parts.background import answer
from pages.parts.compare.answer import assumption_of, confirm_directions
from pages.parts.compare.comparisons import comparisons
from pages.parts.rank.pairwise import pairwise
from pages.parts.text import literal

TITLE = "Is one system really better, or was it a lucky run?"
WHAT = (
    "Training the same system twice gives different scores. mtsig compares several runs of each system and tells you "
    "whether a difference would hold with new runs on new text."
)
LOTTERY_PERMUTATIONS = 100  # of each pair of runs: enough for a share


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title(TITLE)
    st.markdown(WHAT)
    address.show_refused(TITLE)
    banner(now)
    if now.system is None:
        page.cautions(now)
        st.info(f"There is one system, {literal(now.baseline)}. Open another one beside it to compare them.")
    elif len(now.experiment.systems_present_on(now.test_set)) > 2:
        page.cautions(now)
        ranking(now)
    else:
        page.cautions(now)
        verdicts(now, now.system)
    doors()


def banner(now: view.View) -> None:
    """Name the data, and offer to open others."""
    demonstration = DEMONSTRATIONS.get(now.opened.demonstration or "")
    kind = "Demonstration (synthetic text)" if demonstration else "Your data"
    name = demonstration.title if demonstration else now.experiment.name
    pair = [n for n in (now.baseline, now.system) if n]
    runs = {n: len(now.experiment.system(n).present_on(now.test_set)) for n in pair}
    segments = now.experiment.test_set(now.test_set).n_segments
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"*{kind}:* **{literal(name)}**  \n{literal(size_sentence(runs, segments))}", width="stretch")
        st.page_link("pages/start/data.py", label="Open your own outputs", icon=":material/upload_file:")
        if demonstration:
            other = next(n for n in DEMONSTRATIONS if n != demonstration.name)
            st.button("Other demonstration", on_click=opened.pend_demonstration, args=(other,), type="tertiary",
                      icon=":material/swap_horiz:")


def verdicts(now: view.View, system: str) -> None:
    """Say for each metric what the verdict is, and draw its interval."""
    results = comparisons(now, system)
    if results is None:
        return
    with st.container(key="verdict"):
        for result in results:
            said = overview_answer(result)
            note = assumption_of(now, result)
            st.markdown(f"**{literal(said.claim)}**{f' ({note})' if note else ''}, {literal(said.evidence)}.")
    confirm_directions(now, results)
    drawn = downloads.built(metric_differences, tuple(results))
    downloads.figure(now, drawn, "differences", alt="Difference under each metric with the interval of the verdict")
    single_runs(now, system)


def single_runs(now: view.View, system: str) -> None:
    """Say what papers with one run of each system would have shown."""
    if now.one_each:
        return
    metric = now.metrics[0]
    settings = replace(now.settings, n_permutations=min(LOTTERY_PERMUTATIONS, now.settings.n_permutations))
    pair = now.pair(metric, system)
    lottery: Lottery | None = answer("single runs", (*now.key, metric.key),
                                     lambda progress, publish: pair.lottery(settings=settings, progress=progress))
    if lottery is not None:
        st.markdown(literal(single_run_sentence(lottery)))


def ranking(now: view.View) -> None:
    """Rank more than two systems by the first metric."""
    metric = now.metrics[0]
    found = pairwise(now, metric, None)
    if found is None:
        return
    with st.container(key="verdict"):
        st.markdown(f"**{literal(found.label)}: {literal(groups_sentence(found.clusters))}**")
    ends = {
        name: None if (i := found.intervals[name]) is None else (i.low, found.scores[name], i.high)
        for name in found.systems
    }
    drawn = cluster_intervals(ends, found.label, found.higher_is_better, found.clusters, now.colours)
    downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=found.rank_frame())


def groups_sentence(groups: tuple[tuple[str, ...], ...]) -> str:
    """Say who is ahead, and whether anybody is."""
    if len(groups) == 1:
        return "no system is separated from the others"
    first = groups[0]
    return f"{first[0]} is best" if len(first) == 1 else f"{', '.join(first)} share the first place"


def doors() -> None:
    """Link to what people ask next."""
    with st.container(horizontal=True):
        st.page_link("pages/explore/compare.py", label="Why?", icon=":material/help:", query_params={"section": "why"})
        st.page_link("pages/explore/plan.py", label="How many runs do I need?", icon=":material/format_list_numbered:")
        st.page_link("pages/explore/read.py", label="Read example outputs", icon=":material/menu_book:")


main()
