"""All pairs of systems under one metric and test, which several sections show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.metrics import Metric
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS
from pages.parts import address
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View, one_metric

QUICK_BOOTSTRAP, QUICK_PERMUTATIONS = 200, 300


def choose_metric(now: View) -> Metric:
    """Draw the choice of the metric that ranks."""
    labels = {m.name: m for m in now.metrics}
    name = one_metric({name: metric.label for name, metric in labels.items()})
    if not labels[name].is_quality:
        label = literal(labels[name].label)
        st.info(f"{label} has no better direction: here better only means higher, and ranks only mean order.")
    return labels[name]


def choose_preset() -> str | None:
    """Draw the choice of the test; None: the one that suits the replicas there are."""
    # an option None would be no choice at all when the page is drawn again
    labels = {"": "The test of the verdict"} | {name: preset.label for name, preset in PRESETS.items()}
    chosen: str = st.selectbox(
        "Test", list(labels), format_func=labels.__getitem__, **address.choice("test", "pairs preset", labels),
        help="By default the test of the verdict; approximate randomization by segment where each system has one "
        "replica.",
    )
    return chosen or None


def pairwise(now: View, metric: Metric, preset: str | None) -> Pairwise | None:
    """Return all pairs of systems; None while there are none yet."""
    return answer("all pairs", (*now.key, metric.key, preset),
                  lambda progress, publish: _compute(now, metric, preset, progress, publish))


def _compute(
    now: View, metric: Metric, preset: str | None, progress: Progress, publish: Callable[[Any], None]
) -> Pairwise:
    """Test all pairs, first with few draws."""
    full = now.settings
    quick = replace(
        full,
        n_bootstrap=min(QUICK_BOOTSTRAP, full.n_bootstrap),
        n_permutations=min(QUICK_PERMUTATIONS, full.n_permutations),
    )
    subject = (now.test_set, metric)
    preliminary = None
    if quick != full:
        preliminary = now.bench.pairwise(*subject, preset=preset, settings=quick,
                                         progress=subprogress(progress, 0, 0.2))
        publish(preliminary)
    return now.bench.pairwise(*subject, preset=preset, preliminary=preliminary, publish=publish, settings=full,
                              progress=subprogress(progress, 0.2, 1))
