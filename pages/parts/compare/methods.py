"""Compare, Methods: bootstrap and null distributions, overlap of intervals, and p against the difference."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.comparison import null_distribution
from mtsig_core.figures.overlap import overlap_densities
from mtsig_core.formatting import rare_share
from mtsig_core.metrics import Metric
from pages.parts import address, background, downloads, explanations, sections
from pages.parts.compare import bootstraps, observed_difference
from pages.parts.compare.comparisons import comparisons
from pages.parts.text import literal
from pages.parts.view import View, one_metric

TOPICS = {
    "bootstrap": "Bootstrap intervals", "null": "Null distributions", "overlap": "Overlap of intervals",
    "difference": "p against the difference",
}  # fmt: skip


def draw(now: View, system: str) -> None:
    """Draw the section: one topic at a time."""
    first, second = st.columns([3, 2])
    with first:
        topic = sections.topic("Method", "method", TOPICS)
    with second:
        name = one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    if topic == "null":
        _null(now, system, metric)
    elif topic == "overlap":
        _overlap(now, system, metric)
    elif topic == "difference":
        observed_difference.section(now, system, metric)
    else:
        bootstraps.section(now, system, metric)


def _null(now: View, system: str, metric: Metric) -> None:
    results = comparisons(now, system)
    if results is None:
        return
    result = next(r for r in results if r.metric == metric.name)
    tests = {t.preset.name: t for t in result.tests if t.null is not None}
    if not tests:
        st.info("No test of these systems has a null distribution.")
        return
    left, right = st.columns([2, 1], gap="large")
    with left:
        explanations.heading("The null distribution of a test", "null")
        labels = {name: test.preset.label for name, test in tests.items()}
        name = st.selectbox("Test", list(tests), format_func=labels.__getitem__,
                            **address.choice("test", f"null {metric.name}", labels))
        downloads.figure(now, downloads.built(null_distribution, tests[name], label=result.label),
                         f"null-{metric.name}", alt="Differences under the null hypothesis and the observed one")
    with right:
        explanations.heading("Wins on bootstrap test sets", "shares")
        if result.wins is None:
            st.info("Not defined for these systems.")
            return
        for who, share in ((result.b, result.wins.b), (result.a, result.wins.a), ("neither", result.wins.tie)):
            counted = rare_share(share, now.settings.n_bootstrap)
            st.progress(share, text=f"{literal(who)}: {literal(counted)}")


def _overlap(now: View, system: str, metric: Metric) -> None:
    explanations.heading("Scores on other test sets of this kind", "overlap")
    result = background.answer(
        "overlap", (*now.key, metric.key),
        lambda progress, publish: now.pair(metric, system).overlap(settings=now.settings, progress=progress),
    )
    if result is None:
        return
    downloads.figure(
        now,
        overlap_densities(result, now.colours),
        f"overlap-{metric.name}",
        alt="Bootstrap scores of both systems and their overlap",
    )
