"""Which replica of each system is read: the median one, or the one that the reader takes instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from mtsig_core.analysis.reading.median import MedianReplica, RankTable, reading_warning
from mtsig_core.metrics import Metric
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

TRUSTED, SELECTION = "trusted", "chosen on"
ONLY = "the only replica"


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
        choices = {"median": self.trusted.closest, "best": self.trusted.best, "worst": self.trusted.worst}
        kinds = {r: [kind for kind, other in choices.items() if other == r] for r in choices.values()}
        if len(self.trusted.replicas) == 1:
            kinds = dict.fromkeys(kinds, [ONLY])
        if len(self.trusted.replicas) == 2 and len(kinds) == 2:  # of two there is no middle one
            kinds = {r: ["better" if "best" in words else "worse"] for r, words in kinds.items()}
        return {r: " and ".join(words).capitalize() for r, words in kinds.items()}


@dataclass(frozen=True)
class Choice:
    """What the sections of the page share.

    Parameters
    ----------
    trusted : tuple of Metric
        The metrics that choose, the first one first.
    selection : str
        The test set that they choose on.
    systems : tuple of Chosen
        Baseline and system.
    """

    trusted: tuple[Metric, ...]
    selection: str
    systems: tuple[Chosen, ...]

    @property
    def replicas(self) -> dict[str, str]:
        """The replica that is read of each system."""
        return {each.system: taken(each) for each in self.systems}


def taken(chosen: Chosen) -> str:
    """Return the replica of a system that the reader has taken; the median one at first."""
    replica = st.session_state.get(f"replica read of {chosen.system}")
    return replica if replica in chosen.kinds else chosen.trusted.closest


def choose(now: View) -> Choice | None:
    """Return the replicas to read; None while they are computed, or where no metric can choose."""
    usable = [m for m in now.metrics if m.is_quality]
    if not usable:
        st.info("None of the chosen metrics says which replica is better: choose another in the sidebar.")
        return None
    trusted, selection = _trusted(usable), _selection(now, usable)
    metrics = (*trusted, *(m for m in usable if m not in trusted))
    key = (*now.key, tuple(m.key for m in metrics), selection)
    medians = answer("median", key, lambda progress, publish: now.bench.median(selection, metrics, progress=progress))
    if medians is None:
        return None
    names = {m.name for m in trusted}
    systems = tuple(
        Chosen(name, medians[name][0], medians[name][1].only(names), medians[name][1])
        for name in (now.baseline, now.system) if name and name in medians.systems
    )
    return Choice(trusted, selection, systems)


def summary(now: View, choice: Choice) -> None:
    """Say in one line what is read, and what to beware of."""
    kinds = {each.system: each.kinds[taken(each)].lower() for each in choice.systems}
    read = " beside ".join(
        f"**{' '.join(map(literal, _named(name, replica, kinds[name])))}** ({kinds[name]})"
        for name, replica in choice.replicas.items()
    )
    if not any(len(each.trusted.replicas) > 1 for each in choice.systems):
        st.markdown(f"Reading {read}.")
        return
    label = literal(choice.trusted[0].label).removesuffix(".")
    st.markdown(f"Reading {read}, chosen on {literal(choice.selection)} by {label}.")
    if choice.selection == now.test_set:
        others = len(selection_sets(now, choice.trusted[0])) > 1
        warning = reading_warning(choice.selection, now.test_set, others=others)
        st.caption(f":material/warning: {literal(warning)}")
    if any(taken(each) != each.trusted.closest for each in choice.systems):
        st.caption(":material/warning: Not the median replica: the best one flatters its system, the worst one does "
                   "it an injustice.")


def _named(system: str, replica: str, kind: str) -> list[str]:
    """Return a replica's full name: its system's alone where it is the only one, whose own name tells nothing."""
    return [system] if kind == ONLY or replica == system else [system, replica]


def how_chosen(choice: Choice) -> str:
    """Return which replica of each system is read, and whether it is the median one; empty where there is no choice."""
    if not any(len(each.trusted.replicas) > 1 for each in choice.systems):
        return ""
    read = ", ".join(f"{each.system} {taken(each)} ({each.kinds[taken(each)].lower()})" for each in choice.systems)
    return f"replicas {read}, chosen on {choice.selection} by {choice.trusted[0].label}"


def _trusted(usable: Sequence[Metric]) -> tuple[Metric, ...]:
    names = st.session_state.get(TRUSTED) or []
    return tuple(m for m in usable if m.name in names) or (usable[0],)


def selection_sets(now: View, metric: Metric) -> list[str]:
    """Return the test sets that can choose, the best choice first: another set than the one that is read."""
    both = (now.baseline, *([now.system] if now.system else []))
    return now.bench.selection_sets(now.test_set, metric, *both)


def _selection(now: View, usable: Sequence[Metric]) -> str:
    sets = selection_sets(now, _trusted(usable)[0])
    asked = st.session_state.get(f"{SELECTION} {now.test_set}")
    return asked if asked in sets else sets[0]


def scoring_metric(now: View, choice: Choice) -> Metric:
    """Choose which of several trusted metrics scores segments."""
    pair = (now.baseline, now.system or now.baseline)
    usable = {m.name: m for m in choice.trusted if now.bench.can_score(now.test_set, m, *pair)}
    if len(usable) < 2:
        return next(iter(usable.values()), choice.trusted[0])
    key = f"segments scored by {' '.join(usable)}"
    by = st.segmented_control("Segments scored by", list(usable), default=next(iter(usable)), required=True, key=key,
                              format_func=lambda name: usable[name].label, persist_state="session")
    return usable[by or next(iter(usable))]


def readable(now: View, choice: Choice) -> list[tuple[str, str]]:
    """Return system and replica of those that have an output on the test set."""
    return [
        (system, replica) for system, replica in choice.replicas.items()
        if replica in {r.name for r in now.experiment.system(system).on(now.test_set)}
    ]


def labels_of(now: View) -> Mapping[str, str]:
    """Return what people call each metric."""
    return {m.name: m.label for m in now.metrics}
