"""Optimizer lab: which n-best lists are tuned on, and for which metric."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from data import DEMONSTRATIONS
from mtsig_core.formatting import count
from mtsig_core.loading import LoadError
from mtsig_core.loading.nbest import NbestData, load_nbest
from mtsig_core.metrics import get_metric, metric_names
from mtsig_core.optimizers import TuningProblem, tuning_problem
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.storage.workspace import is_shared
from pages.parts import address
from pages.parts.background import answer
from pages.parts.text import literal

OWN = "own"
SOURCE, GIVEN = "lists", "lab lists given"
HALVES = {"first": "first half, test on the second", "second": "second half, test on the first"}


@dataclass(frozen=True)
class Given:
    """n-best lists of the visitor's.

    Parameters
    ----------
    identity : tuple
        Tells one upload from another.
    source : str or list of (path, bytes)
    """

    identity: tuple
    source: str | list[tuple[str, bytes]]


@dataclass(frozen=True)
class Choice:
    """What the controls above the sections say.

    Parameters
    ----------
    source : str
        A demonstration, or `OWN`.
    given : Given or None
    metric : str
    lowercase : bool
    half : str
        Of a single list: the half that is tuned on.
    """

    source: str
    given: Given | None
    metric: str
    lowercase: bool
    half: str

    @property
    def key(self) -> tuple:
        """Identity of everything that the problems depend on."""
        return ("lab", self.source, self.given.identity if self.given else (), self.metric, self.lowercase, self.half)


def give(identity: tuple, source: str | list[tuple[str, bytes]]) -> None:
    """Take lists that another page received as the ones to open here."""
    st.session_state[GIVEN] = Given(identity, source)
    st.session_state[SOURCE] = OWN


def choose() -> None:
    """Draw the controls that all sections share, folded once lists of the visitor's are open."""
    with_lists = [name for name, demonstration in DEMONSTRATIONS.items() if demonstration.nbest is not None]
    sources = [*with_lists, OWN]
    titles = {name: f"Demonstration: {name}" for name in with_lists} | {OWN: "Your own lists"}
    address.check_choice(SOURCE, sources, titles[sources[0]])
    if SOURCE in st.query_params:
        st.session_state[SOURCE] = st.query_params[SOURCE]  # the address decides: a followed link moves the control too
    st.session_state.setdefault(SOURCE, sources[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "n-best lists", sources, required=True, format_func=titles.__getitem__, key=SOURCE, on_change=_follow,
            persist_state="session",
        )
        st.selectbox("Tune for", _metrics(), key="lab metric", persist_state="session", width=130,
                     format_func=lambda name: get_metric(name).label)
        st.checkbox("Ignore case", key="lab lowercase", persist_state="session", width="content")
        if st.session_state.get(SOURCE) == OWN:  # the demonstrations have lists of dev and test
            st.selectbox("Of a single list, tune on its", list(HALVES), key="lab half", persist_state="session",
                         format_func=HALVES.__getitem__, width=270)
    if st.session_state.get(SOURCE) == OWN:
        _own()


def _metrics() -> tuple[str, ...]:
    """Return the names of all metrics that can be tuned for: those that say something about quality."""
    return tuple(name for name in metric_names() if get_metric(name).is_quality)


def _follow() -> None:
    """Put the choice into the address."""
    st.query_params[SOURCE] = st.session_state[SOURCE]


def _own() -> None:
    """Offer an upload and a path."""
    given: Given | None = st.session_state.get(GIVEN)
    with st.expander("Open n-best lists", expanded=given is None, icon=":material/upload_file:"):
        st.caption(
            "Lists of Moses, cdec or Marian, or JSON lines with segment, text and one number per feature; plain, gzip "
            "or zstd. Add the references (named reference…), one segment per line. Folders or names say dev and test, "
            "and the system."
        )
        files = st.file_uploader("Lists and references, or a zip or tar of them", accept_multiple_files=True,
                                 key="lab upload")
        identity = tuple(file.file_id for file in files)
        if files and st.session_state.get("lab uploaded") != identity:
            st.session_state["lab uploaded"] = identity
            st.session_state[GIVEN] = Given(identity, [(file.name, file.getvalue()) for file in files])
            st.rerun()
        if not is_shared():
            with st.form("lab path form", border=False):
                path = st.text_input("Or a path on this computer", key="lab path", placeholder="/home/me/nbest")
                if st.form_submit_button("Open") and path.strip():
                    times = st.session_state["lab times"] = st.session_state.get("lab times", 0) + 1
                    st.session_state[GIVEN] = Given((path.strip(), times), path.strip())
                    st.rerun()


def current() -> Choice:
    """Return what the controls say."""
    state = st.session_state
    source = state.get(SOURCE) or next(iter(DEMONSTRATIONS))
    return Choice(
        source, state.get(GIVEN) if source == OWN else None, state.get("lab metric") or _metrics()[0],
        bool(state.get("lab lowercase")), state.get("lab half") or next(iter(HALVES)),
    )  # fmt: skip


def problems() -> tuple[TuningProblem, ...] | None:
    """Return the tuning problem of each system once its candidates are scored; None until then."""
    now = current()
    if now.source == OWN and now.given is None:
        st.info("No lists are open: upload n-best lists with their references above, or choose a demonstration.")
        return None
    problems: tuple[TuningProblem, ...] | LoadError | None = answer(
        "lab lists", now.key, lambda progress, publish: _problems(now, progress), keep=False
    )
    if isinstance(problems, LoadError):
        st.error(literal(str(problems)), icon=":material/block:")
        return None
    return problems


def _problems(choice: Choice, progress: Progress) -> tuple[TuningProblem, ...] | LoadError:
    if choice.given is None:
        source: Any = DEMONSTRATIONS[choice.source].nbest
    else:
        source = choice.given.source
    if isinstance(source, str) and is_shared():
        return LoadError("A shared server opens no paths: upload the files instead.", source)
    try:
        data = load_nbest(source, progress=subprogress(progress, 0, 0.5))
    except LoadError as error:
        return error
    tokenize = "none" if data.is_tokenized else "13a"
    metric = get_metric(choice.metric, tokenize=tokenize, lowercase=choice.lowercase)
    ends = [0.5 + 0.5 * i / len(data.systems) for i in range(len(data.systems) + 1)]
    problems = (
        tuning_problem(data, metric, system=system, progress=subprogress(progress, *ends[i : i + 2]),
                       **_halves(data, system, choice.half))
        for i, system in enumerate(data.systems)
    )  # fmt: skip
    return tuple(replace(problem, notes=(*problem.notes, *data.notes)) for problem in problems)


def _halves(data: NbestData, system: str, half: str) -> dict[str, range]:
    """Return the segments to tune and to test on, where the lists do not say."""
    lists = data.lists[system]
    if len(lists) > 1 or half == next(iter(HALVES)):
        return {}
    size = next(iter(lists.values())).n_segments
    middle = -(-size // 2)
    return {"dev_segments": range(middle, size), "test_segments": range(middle)}


def one(problems: tuple[TuningProblem, ...]) -> TuningProblem:
    """Choose the system whose lists are shown, and say what they are."""
    problem = chosen(problems)
    describe(problem)
    return problem


def chosen(problems: tuple[TuningProblem, ...]) -> TuningProblem:
    """Choose the system whose lists are shown."""
    by_name = {problem.system: problem for problem in problems}
    key, names = "lab system", list(by_name)
    if st.session_state.get(key) not in names:
        st.session_state.pop(key, None)
    name = names[0]
    if len(names) > 1:
        picked = st.segmented_control(
            "Show the lists of", names, default=st.session_state.get(key, name), required=True, key=key,
            persist_state="session", format_func=literal,
        )
        name = picked or name
    return by_name[name]


def describe(problem: TuningProblem) -> None:
    """Say in one line what is tuned on what, and what was assumed of the lists."""
    dev, test = problem.dev, problem.test
    sizes = f"{count(dev.n_segments, 'segment')} with {count(len(dev.nbest.texts), 'candidate')} to tune on"
    tested = f", {count(test.n_segments, 'segment')} to test on" if test else ", no test set"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(literal(f"{sizes}{tested}; {count(problem.n_features, 'feature')}."), width="content")
        if problem.notes:
            label = f"{count(len(problem.notes), 'remark')} on the lists"
            with st.popover(label, icon=":material/info:", type="tertiary"):
                st.markdown("\n".join(f"- {literal(note)}" for note in problem.notes))
