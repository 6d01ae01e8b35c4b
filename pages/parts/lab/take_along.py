"""Optimizer lab: the replicas as the open experiment, and as downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from mtsig_core.formatting import count
from mtsig_core.loading import LoadResult, read
from mtsig_core.loading.writing import native_files
from mtsig_core.optimizers import TuningResult, moses_zip, replica_zip, system_names, to_experiment, weights_json
from mtsig_core.runtime.jobs import Progress
from pages.parts import explanations, opened
from pages.parts.background import answer
from pages.parts.lab import lists
from pages.parts.lab.plan import Plan
from pages.parts.text import literal

ASKED, DONE = "lab open as experiment", "lab opened"
NAME = "tuned replicas"


def draw(results: Sequence[TuningResult], plan: Plan, *, is_complete: bool) -> None:
    """Draw the button that opens the replicas as an experiment, and the downloads."""
    explanations.heading("Use the replicas", "lab-take-along")
    names = system_names(results)
    each = count(len(results[0].replicas), "replica")
    many = " each" if len(names) > 1 else ""
    st.caption(literal(f"{count(len(names), 'system')} ({', '.join(names)}), {each}{many}."))
    key = (*lists.current().key, names, plan, len(results[0].replicas))
    with st.container(horizontal=True):
        st.button("Open as experiment", type="primary", icon=":material/open_in_new:", key="lab open",
                  disabled=not is_complete, on_click=lambda: st.session_state.update({ASKED: key}),
                  help="Every page then shows these replicas.")
        with st.popover("Download", icon=":material/download:"):
            _download("Weights for Moses (moses.ini, zip)", lambda: moses_zip(results), "weights-moses.zip")
            _download("Weights (JSON)", lambda: weights_json(results), "weights.json")
            _download("Replicas and weights (zip for the Data page)", lambda: replica_zip(results), "replicas.zip")
    if st.session_state.get(ASKED) == key:
        _open(results, key)
    elif st.session_state.get(DONE) == key:
        st.success("Every page now shows these replicas.", icon=":material/check:")
        st.page_link("pages/explore/replicas.py", label="How far do the runs differ?", icon=":material/scatter_plot:")
        st.page_link("pages/explore/compare.py", label="Is one better?", icon=":material/compare_arrows:")


def _download(label: str, content: Callable[[], bytes], name: str) -> None:
    st.download_button(label, content, f"mtsig-{name}", key=f"lab {name}", on_click="ignore", type="tertiary")


def _open(results: Sequence[TuningResult], key: tuple) -> None:
    def work(progress: Progress, publish: object) -> LoadResult:
        files = list(native_files(to_experiment(results, NAME)))
        return read(files, name=NAME, progress=progress, cache=False)

    reading: LoadResult | None = answer("lab opening", key, work, keep=False)
    if reading is not None:
        del st.session_state[ASKED]
        st.session_state[DONE] = key
        opened.replace_by(reading)
