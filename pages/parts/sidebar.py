"""The sidebar: what is open, which test set, which two systems, which metrics; everything else under Settings."""

from __future__ import annotations

import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.formatting import count
from mtsig_core.runtime import cluster
from pages.parts import address, metric_controls, opened, settings_panel
from pages.parts.text import literal
from pages.parts.view import View

BASELINE, SYSTEM, TEST_SET = "baseline", "system", "set"
_ABSENT = "systems that the test set lacks"  # in the session: by control, what was chosen, and what is shown


def draw() -> View:
    """Draw the shared controls and return what they say."""
    is_new = opened.take_pending()
    now = opened.current()
    experiment = now.experiment
    if is_new:
        _reset(experiment)
    opened.show_in_address(now)
    _take_requested_pair(experiment)
    with st.sidebar:
        with st.container(key="experiment-name"):
            st.markdown(f"**{literal(experiment.name)}**  \n{_size(experiment)}")
        opened.say_whether_saved()
        if cluster.problem():
            st.caption(f":material/cloud_off: {literal(cluster.problem())}")
        test_set = _test_set(experiment)
        baseline, system = _pair(experiment, test_set)
        names = metric_controls.chosen_names(experiment)
        bench = opened.workbench(experiment)
        pair = tuple(filter(None, (baseline, system)))
        single = _only_one_with_one_replica(experiment, test_set, pair)
        chosen, settings, picture = settings_panel.draw(experiment, names, single)
        usable = tuple(m for m in chosen if bench.can_score(test_set, m, *pair))
        for metric in chosen:
            if metric not in usable:
                where = f"{literal(metric.label)} has no scores of these systems on {literal(test_set)}"
                st.caption(f":material/info: {where}.")
        metric_controls.about(bench, test_set, chosen)
    return View(now, test_set, baseline, system, usable, settings, picture)


def request_pair(baseline: str, system: str) -> None:
    """Take two systems as the pair that pages compare when the app is drawn next."""
    st.session_state["requested pair"] = (baseline, system)


def _take_requested_pair(experiment: Experiment) -> None:
    pair = st.session_state.pop("requested pair", None)
    if pair is not None and {s.name for s in experiment.systems}.issuperset(pair):
        st.session_state[BASELINE], st.session_state[SYSTEM] = pair


def _size(experiment: Experiment) -> str:
    replicas = sum(len(s.replicas) for s in experiment.systems)
    return f"{count(len(experiment.systems), 'system')}, {count(replicas, 'replica')}"


def _reset(experiment: Experiment) -> None:
    """Give the controls that hold names of the former experiment those of the new one."""
    first = next((t.name for t in experiment.test_sets if t.role != "dev"), experiment.test_sets[0].name)
    systems = [s.name for s in experiment.systems_present_on(first)]
    baseline = experiment.baseline if experiment.baseline in systems else systems[0]
    st.session_state.pop(_ABSENT, None)
    st.session_state[TEST_SET] = first
    st.session_state[BASELINE] = baseline
    others = [name for name in systems if name != baseline]
    if others:
        st.session_state[SYSTEM] = others[0]
    metric_controls.reset(experiment)
    settings_panel.reset(experiment)


def _test_set(experiment: Experiment) -> str:
    names = [t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)]
    roles = {t.name: t.role for t in experiment.test_sets}
    first = next((i for i, name in enumerate(names) if roles[name] != "dev"), 0)

    def label(name: str) -> str:
        return f"{name} (tuning set)" if roles[name] == "dev" else name

    address.check_choice(TEST_SET, names, f"the test set {names[first]}", label)
    return st.selectbox(
        "Test set", names, index=first, key=TEST_SET, bind="query-params", format_func=label,
        help="Every page shows results on this set.",
    )


def _pair(experiment: Experiment, test_set: str) -> tuple[str, str | None]:
    systems = [s.name for s in experiment.systems_present_on(test_set)]
    default = systems.index(experiment.baseline) if experiment.baseline in systems else 0
    _leave_absent(BASELINE, systems, systems[default])
    address.check_choice(BASELINE, systems, f"the baseline {systems[default]}")
    baseline = st.selectbox("Baseline (A)", systems, index=default, key=BASELINE, bind="query-params")
    others = [name for name in systems if name != baseline]
    if not others:
        _say_what_is_absent(test_set, systems, (baseline,))
        return baseline, None
    _leave_absent(SYSTEM, others, others[0], baseline)
    address.check_choice(SYSTEM, systems, f"the system {others[0]}")
    system = st.selectbox(
        "System (B)", others, key=SYSTEM, bind="query-params", help="This system is compared with the baseline."
    )
    _say_what_is_absent(test_set, systems, (baseline, system))
    st.button(
        "Swap A and B", icon=":material/swap_vert:", key="swap", type="tertiary",
        on_click=request_pair, args=(system, baseline),
    )
    return baseline, system


def _leave_absent(key: str, systems: list[str], other: str, taken: str = "") -> None:
    """Choose another system in place of one that the test set lacks, and note it; `taken` is there, as the baseline."""
    chosen = st.session_state.get(key)
    if chosen is not None and chosen not in (*systems, taken):
        st.session_state.setdefault(_ABSENT, {})[key] = (chosen, other)
        st.session_state[key] = other


def _say_what_is_absent(test_set: str, systems: list[str], pair: tuple[str, ...]) -> None:
    """Say which system the test set lacks, as long as what was chosen in its place is shown."""
    absent = st.session_state.get(_ABSENT, {})
    for key, shown in zip((BASELINE, SYSTEM), pair, strict=False):
        chosen, other = absent.get(key, ("", ""))
        if chosen and chosen not in systems and other == shown:
            text = f"{chosen} has no outputs on {test_set}: {other} is shown."
            st.caption(f":material/info: {literal(text)}")
        else:
            absent.pop(key, None)


def _only_one_with_one_replica(experiment: Experiment, test_set: str, pair: tuple[str, ...]) -> str:
    """Return the one of two systems that has a single replica; nothing if both or neither have."""
    numbers = {name: len(experiment.system(name).present_on(test_set)) for name in pair}
    singles = [name for name, n in numbers.items() if n == 1]
    return singles[0] if len(singles) == 1 and len(numbers) == 2 else ""
