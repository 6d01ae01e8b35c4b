"""How large the difference is in human terms, and over all test sets, on the page of two systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.analysis.comparison.effect import Effect
from mtsig_core.figures.combined import forest
from mtsig_core.formatting import format_p, format_score
from mtsig_core.metrics import Metric
from mtsig_core.reports.effect import combined_sentence, effect_lines
from mtsig_core.runtime.jobs import Progress
from pages.parts import downloads
from pages.parts.background import answer
from pages.parts.explanations import what_is_this
from pages.parts.text import literal
from pages.parts.view import View


def in_human_terms(now: View, system: str) -> None:
    """Say how large the differences are, whatever their significance."""
    found: tuple[Effect, ...] | None = answer("effect", now.key, lambda progress, publish: tuple(
        now.pair(m, system).effect(settings=now.settings) for m in now.metrics))
    if found is None:
        return
    st.subheader("How large is it?")
    for one in found:
        st.markdown(f"- **{literal(one.label)}**: {' '.join(map(literal, effect_lines(one)))}")
    what_is_this("effect")


def over_all_sets(now: View, system: str, metric: Metric) -> None:
    """Show the difference on every test set and over all, where there are several."""
    sets = now.bench.comparable_sets(metric, now.baseline, system)
    if len(sets) < 2:
        return
    st.subheader("All test sets together")

    def work(progress: Progress, publish: Callable[[Any], None]) -> Combined:
        return now.bench.combined(metric, now.baseline, system, sets, settings=now.settings, progress=progress)

    found: Combined | None = answer("all sets", (*now.key, metric.key), work)
    if found is None:
        return
    st.markdown(f"**{literal(combined_sentence(found))}**")
    for note in found.notes if found.p is not None else ():
        st.caption(literal(note))
    frame = found.to_frame()
    downloads.figure(now, downloads.built(forest, found), f"all-sets-{metric.name}",
                     alt="Difference on each test set and over all, with intervals")
    for title in ("B − A", "low", "high"):
        frame[title] = [format_score(None if x != x else x, found.decimals) for x in frame[title].astype(float)]
    frame["p"] = [format_p(None if x != x else x) for x in frame["p"].astype(float)]
    downloads.table(now, frame, "all-sets", caption=f"{system} against {now.baseline} on all test sets, {found.label}")
    what_is_this("all sets")
