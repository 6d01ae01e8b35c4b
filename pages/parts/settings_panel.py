"""The sidebar's Settings: text treatment, tests, resampling and image format, with what differs from the defaults."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mtsig_core.analysis.comparison.effect import noticed_differences
from mtsig_core.experiment import Experiment
from mtsig_core.experiment.varied import KINDS
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from pages.parts import address, metric_controls
from pages.parts.text import literal

PAIRED, EQUAL_VARIATION, ALPHA, BOOTSTRAP, PERMUTATIONS, SEED = "paired", "alike", "alpha", "boot", "shuffles", "seed"
MARGIN, VARIED = "margin", "varied"
LARGEST_MARGIN = 100.0
FORMATS = ("SVG", "PNG")
DEFAULTS = Settings()


def reset(experiment: Experiment) -> None:
    """Give the settings that depend on an experiment the values that suit another one."""
    st.session_state[PAIRED] = experiment.paired
    st.session_state[VARIED] = experiment.replicas_are


def pair() -> None:
    """Declare the replicas paired, as the toggle does."""
    st.session_state[PAIRED] = True


def draw(experiment: Experiment, names: Sequence[str], single: str) -> tuple[tuple[Metric, ...], Settings, str]:
    """Draw the panel; return the metrics as these settings make them, the settings, and the image format.

    Parameters
    ----------
    experiment : Experiment
    names : sequence of str
        The chosen metrics.
    single : str
        The one system of the pair that has one replica; nothing where both or neither have.
    """
    panel = st.expander("Settings", icon=":material/tune:")
    summary = st.empty()
    with panel:
        metrics = metric_controls.metrics_as_set(experiment, names)
        settings = _tests(experiment, single, metrics)
        picture = st.segmented_control(
            "Image format", FORMATS, default=FORMATS[0], required=True, key="picture", persist_state="session",
            help="What the camera above a figure saves.",
        )
    changed = [*metric_controls.changes(experiment), *_changes(settings, experiment)]
    if changed:
        summary.caption(f"Changed: {'; '.join(map(literal, changed))}.")
    return metrics, settings, str(picture).lower()


def _tests(experiment: Experiment, single: str, metrics: Sequence[Metric]) -> Settings:
    address.check_switch(PAIRED, experiment.paired)
    paired = st.toggle(
        "Replicas are paired", value=experiment.paired, key=PAIRED, bind="query-params",
        help="Turn on when replica 1 of every system shares a seed or a base model, replica 2 likewise, and so on.",
    )
    varied = _varied(experiment)
    address.check_switch(EQUAL_VARIATION, False)
    equal = bool(single) and st.toggle(
        "Assume equal variation", key=EQUAL_VARIATION, bind="query-params",
        help=f"{literal(single)} has one replica. Turn on to judge as if more of them varied as the other system's do. "
        "This cannot be tested; without it, only the other training setup is judged, against this one output.",
    )
    alpha = _number("Significance level (α)", ALPHA, 0.001, 0.5, DEFAULTS.alpha, 0.005, "%.3f")
    margin = _margin(metrics)
    n_bootstrap = _number("Bootstrap samples", BOOTSTRAP, 100, 100_000, DEFAULTS.n_bootstrap, 500)
    n_permutations = _number("Permutations", PERMUTATIONS, 100, 1_000_000, DEFAULTS.n_permutations, 1000)
    seed = _number("Random seed", SEED, 0, 2**31 - 1, DEFAULTS.seed, 1)
    return Settings(
        int(n_bootstrap), int(n_permutations), float(alpha), int(seed), bool(paired), equal, margin, varied
    )


def _varied(experiment: Experiment) -> str:
    """Ask what the replicas differ by: the sentences of the verdict name it."""

    def label(name: str) -> str:
        return KINDS[name].label

    address.check_choice(VARIED, list(KINDS), label(experiment.replicas_are), label)
    return st.selectbox(
        "Replicas differ by", list(KINDS), index=list(KINDS).index(experiment.replicas_are), key=VARIED,
        bind="query-params", format_func=label,
        help="What was different from one replica of a system to the next. Verdicts say what that does not cover.",
    )


def _margin(metrics: Sequence[Metric]) -> float | None:
    """Ask for the smallest difference that matters; empty, no verdict can say that systems are equivalent."""
    if MARGIN in st.query_params:
        address.check_number(MARGIN, 0.0, LARGEST_MARGIN, 0.0)
    suggestions = " ".join(noticed_differences(metric) for metric in metrics)
    value = st.number_input(
        "Smallest difference that matters (margin)", 0.0, LARGEST_MARGIN, None, 0.1, "%g", key=MARGIN,
        bind="query-params", placeholder="none stated",
        help="In points of the metric; decide before you look at the difference. With it, a verdict can say that the "
        f"systems are equivalent, or that B is not worse. {literal(suggestions)}".strip(),
    )
    return float(value) if value else None


def _number(
    label: str, key: str, low: float, high: float, default: float, step: float, shown: str | None = None
) -> float:
    address.check_number(key, low, high, default, int if isinstance(default, int) else float)
    return st.number_input(label, low, high, default, step, shown, key=key, bind="query-params")


def _changes(settings: Settings, experiment: Experiment) -> list[str]:
    """Say what differs from the defaults of tests and resampling."""
    parts = []
    if settings.paired != experiment.paired:
        parts.append("paired replicas" if settings.paired else "replicas not paired")
    if settings.assume_equal_variation:
        parts.append("equal variation assumed")
    if settings.replicas_are != experiment.replicas_are:
        parts.append(f"replicas differ by {KINDS[settings.replicas_are].label}")
    if settings.margin is not None:
        parts.append(f"margin {settings.margin:g}")
    if settings.alpha != DEFAULTS.alpha:
        parts.append(f"α = {settings.alpha:g}")
    if settings.n_bootstrap != DEFAULTS.n_bootstrap:
        parts.append(f"{settings.n_bootstrap:,} bootstrap samples")
    if settings.n_permutations != DEFAULTS.n_permutations:
        parts.append(f"{settings.n_permutations:,} permutations")
    if settings.seed != DEFAULTS.seed:
        parts.append(f"seed {settings.seed}")
    return parts
