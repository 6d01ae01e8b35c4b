"""Median system: which replica to read, and its segments beside the baseline's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from mtsig_core.analysis.reading.median import MedianReplica, RankTable, reading_warning
from mtsig_core.figures.median import replica_order
from mtsig_core.formatting import format_score, score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.reading import rank_frame
from pages.parts import downloads, view
from pages.parts.background import answer
from pages.parts.explanations import TEXTS
from pages.parts.read import annotate
from pages.parts.read import differences as differ
from pages.parts.read import segments as reading
from pages.parts.text import literal

VIEWS = {  # label -> show(now, metric, a, b), a and b being (system, replica); only the chosen one is computed
    "Read side by side": reading.show,
    "Where do they differ?": differ.show,
    "Annotate": annotate.show,
}
UNTYPICAL = "No longer the median replica: the best one flatters its system, the worst one wrongs it."


@dataclass(frozen=True)
class Chosen:
    """The replicas of one system: the median by its first trusted metric, ranks by the trusted and by all metrics."""

    system: str
    first: MedianReplica
    trusted: RankTable
    ranks: RankTable

    @property
    def kinds(self) -> dict[str, str]:
        """What a replica is to a reader, by replica: the median first; one replica may be several things."""
        found = {"median": self.trusted.closest, "best": self.trusted.best, "worst": self.trusted.worst}
        kinds = {r: [kind for kind, other in found.items() if other == r] for r in found.values()}
        if len(self.trusted.replicas) == 2 and len(kinds) == 2:  # of two there is no middle one
            kinds = {r: ["better" if "best" in words else "worse"] for r, words in kinds.items()}
        return {r: " and ".join(words).capitalize() for r, words in kinds.items()}


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Read and annotate")
    st.markdown("Reading outputs by hand? Read the replica in the middle, not the lucky one.")
    usable = [m for m in now.metrics if m.is_quality]
    if not usable:
        st.info("Of the chosen metrics none says which replica is better: choose another in the sidebar.")
        return
    trusted, selection = controls(now, usable)
    if selection == now.test_set:
        st.warning(literal(reading_warning(selection, now.test_set)))
    metrics = (*trusted, *(m for m in usable if m not in trusted))
    key = (*now.key, tuple(m.key for m in metrics), selection)
    medians = answer("median", key, lambda progress, publish: now.bench.median(selection, metrics, progress=progress))
    if medians is None:
        return
    names = {m.name for m in trusted}
    chosen = [
        Chosen(name, medians[name][0], medians[name][1].only(names), medians[name][1])
        for name in (now.baseline, now.system) if name and name in medians.systems
    ]
    labels = {m.name: m.label for m in metrics}
    replicas = {}
    for column, each in zip(st.columns(2), chosen, strict=False):
        with column:
            replicas[each.system] = one_system(each, labels, selection)
    for metric in trusted:
        if any(metric.name not in each.trusted.metrics for each in chosen):
            st.caption(f":material/info: {literal(metric.label)} does not score all these replicas on "
                       f"{literal(selection)}, so it has no say.")
    if any(replicas[each.system] != each.trusted.closest for each in chosen):
        st.caption(f":material/info: {UNTYPICAL}")
    all_replicas(now, chosen, trusted[0], labels)
    read(now, trusted, replicas)


def controls(now: view.View, usable: Sequence[Metric]) -> tuple[tuple[Metric, ...], str]:
    """Choose the trusted metrics and the set that selects."""
    left, right = st.columns(2, vertical_alignment="bottom")
    labels = {m.name: m.label for m in usable}
    before = st.session_state.get("trusted")
    if before is not None:
        st.session_state.trusted = [name for name in before if name in labels]
    names = left.pills(
        "Trusted metrics", list(labels), default=None if before is not None else [next(iter(labels))],
        selection_mode="multi",
        format_func=labels.__getitem__, key="trusted", persist_state="session",
        help="Of several, the replica closest to the median under all of them is read.",
    )
    trusted = tuple(m for m in usable if m.name in names) or (usable[0],)
    if not names:
        left.caption(f"No metric is trusted yet: {literal(usable[0].label)} is taken.")
    both = (now.baseline, *([now.system] if now.system else []))
    sets = [t.name for t in now.experiment.test_sets if now.bench.can_score(t.name, trusted[0], *both)]
    others = [n for n in sets if n != now.test_set and now.experiment.test_set(n).role != "dev"]
    others += [n for n in sets if n != now.test_set and n not in others]
    default = sets.index(others[0]) if others else 0
    selection = right.selectbox(
        "Chosen on", sets, index=default, key=f"chosen on {now.test_set}", persist_state="session",
        help="Better another set than the one that is read (the test set in the sidebar).",
    )
    return trusted, selection


def one_system(chosen: Chosen, labels: Mapping[str, str], selection: str) -> str:
    """Show which replica to read of one system, and why; return the one that the reader takes."""
    name, table = chosen.system, chosen.trusted
    st.subheader(literal(name))
    kinds = chosen.kinds
    several = len(table.metrics) > 1 and len(table.replicas) > 2
    why = f", closest to the median under {len(table.metrics)} metrics" if several else ""
    st.markdown(f"Read **{literal(table.closest)}**{why}: {_scores(table, table.closest, labels)} on "
                f"{literal(selection)}.")
    if not table.agree and len(table.replicas) > 2:
        medians = zip(table.metrics, table.medians, strict=True)
        says = ", ".join(f"{literal(labels[m])} {literal(r)}" for m, r in medians)
        st.caption(f":material/call_split: The metrics disagree on the median: {says}.")
    if chosen.first.note and not several:
        st.caption(literal(chosen.first.note))
    if len(kinds) < 2:
        return table.closest
    picked = st.segmented_control(
        "Replica that is read", list(kinds), default=table.closest, required=True, key=f"read {name} {' '.join(kinds)}",
        format_func=lambda replica: f"{kinds[replica]}: {literal(replica)}",
        persist_state="session", label_visibility="collapsed",
    )
    return picked or table.closest


def _scores(table: RankTable, replica: str, labels: Mapping[str, str]) -> str:
    row = table.replicas.index(replica)
    return ", ".join(
        f"{literal(labels[name])} {format_score(float(table.scores[row, j]), score_decimals(table.scores[:, j]))}"
        for j, name in enumerate(table.metrics)
    )


def all_replicas(now: view.View, chosen: Sequence[Chosen], metric: Metric, labels: Mapping[str, str]) -> None:
    """Show all replicas in order and their ranks, at once where the trusted metrics disagree."""
    many = [each for each in chosen if len(each.ranks.replicas) > 1]
    disagree = any(not each.trusted.agree for each in many)
    if many:
        shown = st.expander("All replicas, and how the median is chosen", expanded=disagree, on_change="rerun",
                            key=f"all replicas {disagree}")
        if shown.open:
            with shown:
                for column, each in zip(st.columns(2), chosen, strict=False):
                    if each in many:
                        with column:
                            _order_and_ranks(now, each, metric, labels)
                st.markdown(TEXTS["median"])


def _order_and_ranks(now: view.View, chosen: Chosen, metric: Metric, labels: Mapping[str, str]) -> None:
    name, table = chosen.system, chosen.ranks
    if len(table.metrics) > 1:
        caption = f"Ranks of the replicas of {name}"
        many = len(table.replicas) > 8
        downloads.table(now, table.to_frame(), f"ranks-{name}", caption=caption, height=320 if many else "content",
                        shown=rank_frame(table, labels))
    if len(chosen.trusted.metrics) == 1:
        scores = dict(zip(table.replicas, map(float, table.scores[:, 0]), strict=True))
        drawn = replica_order(chosen.first, scores, label=metric.label, higher_is_better=metric.higher_is_better,
                              colour=now.colours[name], height=260)
        downloads.figure(now, drawn, f"order-{name}", alt=f"Replicas of {name} ordered by quality, the median marked")


def read(now: view.View, trusted: Sequence[Metric], replicas: Mapping[str, str]) -> None:
    """Show what can be done with the chosen replicas, of which the reader takes one."""
    metric = _scoring(now, trusted)
    if not any(now.experiment.system(name).on(now.test_set) for name in replicas):
        where = f"This experiment holds scores and no text on {literal(now.test_set)}"
        st.info(f"{where}: read the replicas named above in your own files.")
        if len(replicas) == 2:
            differ.show(now, metric, *replicas.items())
        return
    readable = [pair for pair in replicas.items() if _has_output(now, *pair)]
    if len(readable) < 2:
        st.info("Reading side by side needs two systems whose median replicas have an output on this test set.")
        return
    chosen = st.segmented_control(
        "What to do", list(VIEWS), default=next(iter(VIEWS)), required=True, key="median view",
        persist_state="session", label_visibility="collapsed",
    )
    VIEWS[chosen or next(iter(VIEWS))](now, metric, *readable)


def _scoring(now: view.View, trusted: Sequence[Metric]) -> Metric:
    """Choose which of several trusted metrics scores segments."""
    pair = (now.baseline, now.system or now.baseline)
    usable = {m.name: m for m in trusted if now.bench.can_score(now.test_set, m, *pair)}
    if len(usable) < 2:
        return next(iter(usable.values()), trusted[0])
    key = f"segments scored by {' '.join(usable)}"
    by = st.segmented_control("Segments scored by", list(usable), default=next(iter(usable)), required=True, key=key,
                              format_func=lambda name: usable[name].label, persist_state="session")
    return usable[by or next(iter(usable))]


def _has_output(now: view.View, system: str, replica: str) -> bool:
    return replica in {r.name for r in now.experiment.system(system).on(now.test_set)}


main()
