"""Two systems: whether B is better than A."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.systems.overlap import Overlap
from mtsig_core.figures.comparison import difference_intervals, null_distribution
from mtsig_core.figures.overlap import overlap_densities
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS, applicable, valid_presets
from mtsig_core.workbench import Pair
from pages.parts import downloads, view
from pages.parts.background import answer
from pages.parts.compare import bootstraps, comparator, effect, lottery, verdict
from pages.parts.explanations import what_is_this
from pages.parts.plan import planner
from pages.parts.text import literal

QUICK_DRAWS, QUICK_SHUFFLES = 200, 500


@dataclass(frozen=True)
class Shown:
    """What the page shows of one metric."""

    comparison: Comparison
    overlap: Overlap


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Compare")
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return
    st.markdown(f"Is {literal(now.system)} better than {literal(now.baseline)}, on {literal(now.test_set)}?")
    system = now.system
    presets = tuple(PRESETS) if comparator.wants_all() else valid_presets()
    pairs = answer("two systems", (*now.key, presets),
                   lambda progress, publish: compute(now, system, presets, progress, publish))
    if pairs is None:
        return
    verdict.cards([pair.comparison for pair in pairs])
    effect.in_human_terms(now, system)
    comparator.show(now, [pair.comparison for pair in pairs])
    by_name = {p.comparison.metric: p for p in pairs}
    name = view.one_metric({n: p.comparison.label for n, p in by_name.items()})
    one_metric(now, by_name[name])
    st.divider()
    metric = next(m for m in now.metrics if m.name == name)
    planner.where_luck_comes_from(now, system, metric)
    bootstraps.section(now, system, metric)
    lottery.section(now, system, metric)
    effect.over_all_sets(now, system, metric)


def compute(
    now: view.View, system: str, presets: tuple[str, ...], progress: Progress, publish: Callable[[Any], None]
) -> list[Shown]:
    """Compare under every metric, first with few draws."""
    full = now.settings
    quick = replace(
        full, n_bootstrap=min(QUICK_DRAWS, full.n_bootstrap), n_permutations=min(QUICK_SHUFFLES, full.n_permutations)
    )
    if quick != full:
        publish(_pairs(now, system, presets, quick, subprogress(progress, 0, 0.3)))
    return _pairs(now, system, presets, full, subprogress(progress, 0.3, 1))


def _pairs(
    now: view.View, system: str, presets: tuple[str, ...], settings: Settings, progress: Progress
) -> list[Shown]:
    pairs = []
    for i, metric in enumerate(now.metrics):
        part = subprogress(progress, i / len(now.metrics), (i + 1) / len(now.metrics))
        pair = now.pair(metric, system)
        comparison = pair.compare(
            settings=settings, presets=_defined(pair, presets, now.settings), progress=part
        )
        pairs.append(Shown(comparison, pair.overlap(settings=settings)))
    return pairs


def _defined(pair: Pair, presets: tuple[str, ...], settings: Settings) -> list[str]:
    """Return those of the presets that these replicas allow."""
    possible = applicable(pair.statistics(), pair.a, pair.b, settings)
    return [name for name in presets if name in possible]


def one_metric(now: view.View, pair: Shown) -> None:
    """Show intervals, a null distribution, and the overlap of the systems' intervals."""
    comparison = pair.comparison
    left, right = st.columns(2)
    with left:
        st.subheader("The difference and three kinds of luck")
        downloads.figure(now, downloads.built(difference_intervals, comparison), f"intervals-{comparison.metric}",
                         alt=f"Difference in {comparison.label} with its intervals")
        what_is_this("intervals")
    with right:
        st.subheader("What chance alone would give")
        null(now, comparison)
        what_is_this("null")
    left, right = st.columns(2)
    with left:
        st.subheader("Scores on other text of this kind")
        drawn = overlap_densities(pair.overlap, now.colours)
        alt = "Resampled scores of both systems and their overlap"
        downloads.figure(now, drawn, f"overlap-{comparison.metric}", alt=alt)
        what_is_this("overlap")
    with right:
        st.subheader("Who wins on drawn test sets?")
        shares(comparison)
        what_is_this("shares")


def null(now: view.View, comparison: Comparison) -> None:
    """Show the null distribution of the chosen test."""
    tests = {t.preset.name: t for t in comparison.tests if t.null is not None}
    if not tests:
        st.info("No test of these systems has a distribution to draw.")
        return
    name = st.selectbox("Test", list(tests), format_func=lambda n: tests[n].preset.label,
                        key=f"null {comparison.metric}", persist_state="session")
    drawn = downloads.built(null_distribution, tests[name], label=comparison.label)
    downloads.figure(now, drawn, f"null-{comparison.metric}",
                     alt="Differences under the null hypothesis and the difference found")


def shares(comparison: Comparison) -> None:
    """Show how often each system wins on the drawn test sets."""
    if comparison.wins is None:
        st.info("Not defined for these systems.")
        return
    wins = comparison.wins
    for name, share in ((comparison.b, wins.b), (comparison.a, wins.a), ("neither", wins.tie)):
        st.progress(share, text=f"{literal(name)}: {share:.1%} of the drawn test sets")


main()
