"""Compare, Why: where the variance of the difference comes from, and what single runs would have shown."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
from mtsig_core.figures.components import luck_shares, luck_sizes
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.planner import components_frame, seeds_sentence
from pages.parts import background, downloads, explanations, settings_panel
from pages.parts.compare import lottery
from pages.parts.text import literal
from pages.parts.view import View, one_metric


def draw(now: View, system: str) -> None:
    """Draw the section."""
    name = one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    variance_shares(now, system, metric)
    lottery.section(now, system, metric)


def variance_shares(now: View, system: str, metric: Metric) -> None:
    """Show variance components, their shares of the variance of D, and signs of shared seeds."""
    pair = now.pair(metric, system)
    result: tuple[VarianceComponents, SharedSeeds | None] | None = background.answer(
        "components", (*now.key, metric.key),
        lambda progress, publish: (pair.components(settings=now.settings, progress=progress), pair.shared_seeds()),
    )
    if result is None:
        return
    components, seeds = result
    explanations.heading("Where the variance of the difference comes from", "components")
    if not components.rows:
        st.info(literal(components.note))
        return
    left, right = st.columns(2)
    with left:
        shares = components.to_frame().filter(regex="component|system|share").dropna(subset="share of D")
        downloads.figure(now, downloads.built(luck_shares, components), f"variance-shares-{metric.name}",
                         alt="Shares of the variance of the difference", frame=shares)
    with right:
        downloads.figure(now, downloads.built(luck_sizes, components, metric.label), f"variance-sizes-{metric.name}",
                         alt="Standard deviations of the components with their intervals",
                         frame=components.to_frame().filter(regex="component|system|sd"))
    if components.note:
        st.caption(literal(components.note))
    if seeds is not None:
        st.markdown(literal(seeds_sentence(seeds, now.settings.paired)))
        if seeds.suspicious and not now.settings.paired:
            st.button("Pair the replicas", key="pair replicas", icon=":material/link:", on_click=settings_panel.pair,
                      help="Turns on 'Replicas are paired' under Settings: replica 1 of every system belongs together.")
    with st.expander("Numbers"):
        downloads.table(now, components.to_frame(), f"components-{metric.name}", shown=components_frame(components),
                        caption=f"Variance components, {metric.label} on {now.test_set}")
