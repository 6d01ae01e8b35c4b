"""What the sidebar says, handed to each page: one experiment, test set, pair of systems, and set of settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.figures.theme import system_colours
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Pair, Workbench
from pages.parts import address, opened

ONE_SYSTEM = "One system only: this page compares two. Open an experiment with another one on the Data page."
MOST_BUTTONS = 8  # beside each other; a list is shorter where there are more
NO_METRIC = "None of the chosen metrics has scores of these systems on this test set: choose another in the sidebar."


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

    def pair(self, metric: Metric, system: str | None = None) -> Pair:
        """Return the chosen systems, or the baseline and another one, under a metric on the chosen test set."""
        return self.bench.pair(self.test_set, metric, self.baseline, system or self.system)

    @property
    def bench(self) -> Workbench:
        """The workbench of the open experiment."""
        return opened.workbench(self.experiment)

    @property
    def colours(self) -> dict[str, str]:
        """One colour per system, the same on every page."""
        return system_colours([s.name for s in self.experiment.systems])

    @property
    def one_each(self) -> bool:
        """Whether both systems of the pair have one replica on the test set; copies count as one."""
        pair = [s for s in self.experiment.systems if s.name in (self.baseline, self.system)]
        return all(s.runs_on(self.test_set) < 2 for s in pair)

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
    return one_of(labels, "one metric", "Metric", address.METRIC)


def one_of(labels: Mapping[str, str], key: str, title: str, parameter: str) -> str:
    """Draw a choice, where there is one: buttons beside each other, or a list where they would fill several rows.

    Parameters
    ----------
    labels : mapping of name to what people read
    key : str
        Of the control.
    title : str
    parameter : str
        In the address.
    """
    kept = address.choice(parameter, key, labels)
    first = next(iter(labels))
    if len(labels) == 1:
        return first
    if len(labels) > MOST_BUTTONS:
        return str(st.selectbox(title, list(labels), format_func=labels.__getitem__, **kept))
    picked = st.segmented_control(title, list(labels), required=True, format_func=labels.__getitem__, **kept)
    return str(picked or first)
