"""The settings that all pages share: in the sidebar, in the address, and handed to each page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.figures.theme import system_colours
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime import cluster
from mtsig_core.workbench import Pair, Workbench
from pages.parts import metric_controls, opened
from pages.parts.text import literal

ONE_SYSTEM = "One system only: this page compares two. Open an experiment with another one on the Experiment page."
NO_METRIC = "None of the chosen metrics has scores of these systems on this test set: choose another in the sidebar."
_ADDRESS: Literal["query-params"] = "query-params"


@dataclass(frozen=True)
class View:
    """What the sidebar says: one experiment, test set, pair of systems, and set of settings."""

    opened: opened.Opened
    test_set: str
    baseline: str
    system: str | None
    metrics: tuple[Metric, ...]
    settings: Settings
    picture: str = "svg"

    @property
    def experiment(self) -> Experiment:
        """The open experiment."""
        return self.opened.experiment

    @property
    def bench(self) -> Workbench:
        """The workbench of the open experiment."""
        return opened.workbench(self.experiment)

    def pair(self, metric: Metric, system: str | None = None) -> Pair:
        """Return the chosen systems, or the baseline and another one, under a metric on the chosen test set."""
        return self.bench.pair(self.test_set, metric, self.baseline, system or self.system)

    @property
    def colours(self) -> dict[str, str]:
        """One colour a system, the same on every page."""
        return system_colours([s.name for s in self.experiment.systems])

    @property
    def one_each(self) -> bool:
        """Whether both systems of the pair have one replica on the test set."""
        pair = [s for s in self.experiment.systems if s.name in (self.baseline, self.system)]
        return all(len(s.present_on(self.test_set)) < 2 for s in pair)

    @property
    def key(self) -> tuple:
        """Identity of everything that numbers depend on; results are kept under it."""
        return (
            self.experiment.digest,
            self.test_set,
            self.baseline,
            self.system,
            tuple(m.key for m in self.metrics),
            self.settings,
        )


def sidebar() -> View:
    """Draw the shared controls and return what they say."""
    is_new = opened.take_pending()
    now = opened.current()
    experiment = now.experiment
    if is_new:
        _reset(experiment)
    opened.show_in_address(now)
    _take_pair(experiment)
    with st.sidebar:
        st.markdown(f"**{literal(experiment.name)}**  \n{_size(experiment)}")
        opened.say_whether_kept()
        if cluster.problem():
            st.caption(f":material/cloud_off: {literal(cluster.problem())}")
        test_set, baseline, system = _what(experiment)
        chosen = metric_controls.chosen_metrics(experiment)
        bench = opened.workbench(experiment)
        pair = tuple(filter(None, (baseline, system)))
        usable = tuple(m for m in chosen if bench.can_score(test_set, m, *pair))
        metric_controls.about(bench, test_set, chosen)
        _say_what_is_left_out(bench, test_set, chosen, usable)
        settings, picture = _resampling(experiment, _single(experiment, test_set, baseline, system))
    return View(now, test_set, baseline, system, usable, settings, picture)


def _say_what_is_left_out(
    bench: Workbench, test_set: str, chosen: tuple[Metric, ...], usable: tuple[Metric, ...]
) -> None:
    for metric in chosen:
        if metric not in usable:
            where = f"{literal(metric.label)} has no scores of these systems on {literal(test_set)}"
            st.caption(f":material/info: {where}.")
    for note in bench.notes([test_set], usable):
        st.caption(f":material/info: {literal(note)}")


def _size(experiment: Experiment) -> str:
    replicas = sum(len(s.replicas) for s in experiment.systems)
    n = len(experiment.systems)
    return f"{n} system{'s' * (n > 1)}, {replicas} replica{'s' * (replicas > 1)}"


def pend_pair(baseline: str, system: str) -> None:
    """Take two systems as the pair that pages compare when the app is drawn next."""
    st.session_state.pending_pair = (baseline, system)


def _take_pair(experiment: Experiment) -> None:
    """Put a pair asked for in place, before its controls are drawn."""
    pair = st.session_state.pop("pending_pair", None)
    if pair is not None and {s.name for s in experiment.systems}.issuperset(pair):
        st.session_state.baseline, st.session_state.system = pair


def _reset(experiment: Experiment) -> None:
    """Give the controls that hold names of the former experiment those of the new one."""
    first = experiment.test_sets[0].name
    systems = [s.name for s in experiment.systems_present_on(first)]
    baseline = experiment.baseline if experiment.baseline in systems else systems[0]
    st.session_state.set = first
    st.session_state.baseline = baseline
    others = [name for name in systems if name != baseline]
    if others:
        st.session_state.system = others[0]
    metric_controls.reset(experiment)
    st.session_state.paired = experiment.paired


def _what(experiment: Experiment) -> tuple[str, str, str | None]:
    names = [t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)]
    test_set = st.selectbox("Test set", names, key="set", bind=_ADDRESS, help="All pages show results on this set.")
    systems = [s.name for s in experiment.systems_present_on(test_set)]
    default = systems.index(experiment.baseline) if experiment.baseline in systems else 0
    baseline = st.selectbox("Baseline (A)", systems, index=default, key="baseline", bind=_ADDRESS)
    others = [name for name in systems if name != baseline]
    if not others:
        return test_set, baseline, None
    system = st.selectbox("System (B)", others, key="system", bind=_ADDRESS, help="Compared with the baseline.")
    return test_set, baseline, system


def _single(experiment: Experiment, test_set: str, *pair: str | None) -> str:
    """Return the one of two systems that has a single replica; none if both or neither have."""
    numbers = {name: len(experiment.system(name).present_on(test_set)) for name in pair if name}
    singles = [name for name, n in numbers.items() if n == 1]
    return singles[0] if len(singles) == 1 and len(numbers) == 2 else ""


def _resampling(experiment: Experiment, single: str) -> tuple[Settings, str]:
    default = Settings()
    paired = st.toggle(
        "Replicas are paired", value=experiment.paired, key="paired", bind=_ADDRESS,
        help="Turn on when replica 1 of every system shares a seed or a base model, replica 2 likewise, and so on.",
    )
    alike = bool(single) and st.toggle(
        "Assume that its replicas vary alike", key="alike", bind=_ADDRESS,
        help=f"{literal(single)} has one replica. Turn on to judge as if more of them varied as the other system's do, "
        "which cannot be tested; else only the other's recipe is judged, against this one output.",
    )
    with st.expander("Level, draws and seed"):
        alpha = st.number_input("Level alpha", 0.001, 0.5, default.alpha, 0.005, "%.3f", key="alpha", bind=_ADDRESS)
        n_bootstrap = st.number_input(
            "Bootstrap draws", 100, 100_000, default.n_bootstrap, 500, key="boot", bind=_ADDRESS
        )
        n_permutations = st.number_input(
            "Shuffles", 100, 1_000_000, default.n_permutations, 1000, key="shuffles", bind=_ADDRESS
        )
        seed = st.number_input("Seed", 0, 2**31 - 1, default.seed, 1, key="seed", bind=_ADDRESS)
        picture = st.segmented_control(
            "Pictures as", ["SVG", "PNG"], default="SVG", required=True, key="picture", persist_state="session",
            help="What the camera above a figure saves.",
        )
    settings = Settings(int(n_bootstrap), int(n_permutations), float(alpha), int(seed), bool(paired), alike)
    return settings, str(picture).lower()


def keep(view: View) -> None:
    """Keep what the sidebar says for the page that is drawn next."""
    st.session_state.view = view


def current(*, needs_metric: bool = True) -> View:
    """Return what the sidebar says, for the page that is being drawn.

    A page that needs a metric is not drawn when none of those chosen scores the systems on the test set.
    """
    now: View = st.session_state.view
    if needs_metric and not now.metrics:
        st.info(NO_METRIC)
        st.stop()
    return now


def one_metric(labels: Mapping[str, str]) -> str:
    """Choose the metric whose figures are drawn; the choice goes along from page to page.

    Parameters
    ----------
    labels : mapping of metric name to what people read
    """
    key = "one metric"
    if st.session_state.get(key) not in labels:
        st.session_state.pop(key, None)
    if len(labels) == 1:
        return next(iter(labels))
    picked = st.segmented_control(
        "Metric", list(labels), default=None if key in st.session_state else next(iter(labels)), required=True,
        format_func=labels.__getitem__, key=key, persist_state="session",
    )
    return str(picked or next(iter(labels)))
