"""Experiment: what is open, what was recognised in it, and how to open one's own."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from data import DEMONSTRATIONS
from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadError, LoadResult, overview, read
from mtsig_core.runtime.jobs import Progress
from mtsig_core.storage.workspace import is_shared
from pages.parts import downloads, opened, view, visitors
from pages.parts.background import answer
from pages.parts.data.correcting import correcting
from pages.parts.data.recents import recents
from pages.parts.text import literal
from pages.parts.uploads import newest

ENCODINGS = {"UTF-8 (or UTF-16 with a mark)": None, "Latin-1": "latin-1", "Windows-1252": "cp1252"}
KINDS = {
    "refused": "Refused", "warning": "Warning", "repaired": "Repaired", "assumed": "Assumed",
    "recognised": "Recognised", "ignored": "Ignored",
}


def main() -> None:
    """Draw the page."""
    st.title("Data")
    st.markdown(
        "mtsig tells whether one system is really better than another when every training or tuning run gives a "
        "different result. Drop in the outputs of several runs (*replicas*) of two or more systems, with references."
    )
    now = view.current(needs_metric=False)
    open_own()
    recents(now.opened.id)
    demonstrations(now.opened.demonstration)
    summary(now)
    what_was_recognised(now)
    correcting(now.opened)
    outputs(now)


def open_own() -> None:
    """Offer the three ways to open one's own files."""
    with st.container(border=True):
        st.subheader("Open your own")
        encoding = ENCODINGS[str(st.session_state.get("encoding", next(iter(ENCODINGS))))]
        visitors.login()
        names = ["Zip, tar or loose files", "Folder", "Path on this computer"]
        archive, folder, *path = st.tabs(names[:2] if is_shared() else names)
        with archive:
            files = st.file_uploader(
                "A zip or tar of a run folder, or its files", accept_multiple_files=True, key="archive",
                help="The quickest way for many files.",
            )
            if files:
                chosen = newest(files)
                if len(chosen) < len(files):
                    st.caption(f"The last counts: {literal(', '.join(f.name for f in chosen))}.")
                _open(tuple(f.file_id for f in chosen), [(f.name, f) for f in chosen], encoding)
        with folder:
            files = st.file_uploader(
                "A run folder", accept_multiple_files="directory", key="folder",
                help="Up to a few hundred files; zip a larger folder first, it arrives much faster.",
            )
            if files:
                _open(tuple(f.file_id for f in files), [(f.name, f) for f in files], encoding)
        for tab in path:
            with tab:
                _typed_path(encoding)
        layouts()


def _typed_path(encoding: str | None) -> None:
    """Open a path of the computer that the server runs on; never drawn on a shared one."""
    with st.form("path form", border=False):
        where = st.text_input("Folder or archive", key="path", placeholder="/home/me/experiment")
        if st.form_submit_button("Open") and where.strip():
            st.session_state.typed = where.strip()
            st.session_state["times typed"] = st.session_state.get("times typed", 0) + 1
    if st.session_state.get("typed"):
        _open(("path", st.session_state.typed, st.session_state["times typed"]), st.session_state.typed, encoding)


def _open(identity: tuple, source: str | list[tuple[str, UploadedFile]], encoding: str | None) -> None:
    """Load in the background, once for each upload; what was open stays when the upload is refused."""
    identity = (*identity, encoding)
    if st.session_state.get("done upload") == identity:
        refused = st.session_state.get("refused")
        if refused:
            _show_refusal(refused)
        return

    def work(progress: Progress, publish: object) -> LoadResult | LoadError:
        if isinstance(source, str) and is_shared():
            return LoadError("Paths of a shared server cannot be opened: upload the files instead.", source)
        try:
            given = source if isinstance(source, str) else [(name, f.getvalue()) for name, f in source]
            # what people who share a server upload is kept in the workspace alone, where they can delete it
            return read(given, encoding=encoding, progress=progress, cache=not is_shared())
        except LoadError as error:
            return error

    result = answer("loading", identity, work, keep=False)
    if result is None:
        return
    st.session_state["done upload"] = identity
    st.session_state.refused = str(result) if isinstance(result, LoadError) else None
    if isinstance(result, LoadError):
        _show_refusal(str(result))
    else:
        opened.replace_by(result)


def _show_refusal(message: str) -> None:
    st.error(f"{literal(message)}\n\nWhat was open before is still open.", icon=":material/block:")
    if "atin-1" in message:
        st.radio("Read files that are not UTF-8 as", list(ENCODINGS), key="encoding", horizontal=True)


def layouts() -> None:
    """Say what loads."""
    with st.expander("What does a run folder look like?"):
        st.code(
            "my-experiment/\n"
            "  test/                     one folder for each test set (dev, tune or valid: the tuning set)\n"
            "    reference.txt           or reference.0.txt, reference.1.txt …\n"
            "    source.txt              if you have it\n"
            "    documents.txt           if you have it: a document id for each line\n"
            "    systems/\n"
            "      baseline/  seed1.txt  seed2.txt  seed3.txt\n"
            "      mine/      seed1.txt  seed2.txt  seed3.txt\n"
            "    scores/                 if you have any: a number a line, of COMET, people, accuracy …\n"
            "      COMET/  baseline/  seed1.txt …\n"
            "  dev/ …",
            language=None,
        )
        st.markdown(
            "One segment a line, UTF-8, `.gz` allowed. These load as they are, too:\n"
            "- `systems/SYSTEM/REPLICA.txt` beside `refs/*`\n"
            "- MultEval's names: `hyps.*.SYSTEM.optK` and `refs.*.K`\n"
            "- segment scores of any metric of any task, alone or beside text: tables (csv, tsv, jsonl, parquet) with "
            "columns system, replica, segment and score, what `comet-score` writes, `*.seg.score`\n"
            "- flat names: `SYSTEM.seedK.txt`, `SYSTEM_runK`, `hyp.SYSTEM.K` or `out.K`, with `ref*` beside them\n"
            "- logs of fairseq-generate, anywhere; `RUN-seedK/generated_predictions.txt` of Hugging Face's trainer\n"
            "- text and XML of the WMT tasks, mt-metrics-eval, NIST SGML and mteval XML, sacreBLEU's `.tsv`"
        )


def demonstrations(current: str | None) -> None:
    """Offer the demonstrations."""
    with st.container(border=True):
        st.subheader("Demonstrations")
        for name, demonstration in DEMONSTRATIONS.items():
            words, button = st.columns([5, 1], vertical_alignment="center")
            words.markdown(f"**{demonstration.title}** — {demonstration.description}")
            is_open = name == current
            button.button("Open now" if is_open else "Open", key=f"demo {name}", disabled=is_open,
                          on_click=opened.pend_demonstration, args=(name,), width="stretch")


def summary(now: view.View) -> None:
    """Show the size of what is open."""
    experiment = now.experiment
    st.subheader(f"Open: {literal(experiment.name)}")
    st.caption(f"Recognised as: {literal(now.opened.report.layout)}")
    columns = st.columns(4)
    columns[0].metric("Systems", len(experiment.systems))
    columns[1].metric("Replicas", sum(len(s.replicas) for s in experiment.systems))
    columns[2].metric("Test sets", len(experiment.test_sets))
    columns[3].metric("Segments", f"{sum(t.n_segments for t in experiment.test_sets):,}")


def what_was_recognised(now: view.View) -> None:
    """List what loading recognised, assumed, repaired and refused, the important first."""
    frame = now.opened.report.to_frame()
    order = {kind: i for i, kind in enumerate(KINDS)}
    frame = frame.sort_values("kind", key=lambda kinds: kinds.map(order), kind="stable")
    shown = frame[frame.kind.isin(["refused", "warning"])].head(5)
    for _, line in shown.iterrows():
        show = st.error if line.kind == "refused" else st.warning
        show(literal(line.message))
    st.subheader("What was recognised")
    # a list, as a table keeps its cells narrow however wide the page is
    for kind, lines in frame.drop(shown.index).groupby("kind", sort=False).message:
        heading = f"**{'More: ' if kind in set(shown.kind) else ''}{KINDS[str(kind)]}**"
        st.markdown("\n".join([heading, "", *(f"- {literal(line)}" for line in lines)]))
    downloads.buttons(frame, "load-report", downloads.file_name("mtsig", now.experiment.name, "report"), latex=False)


def outputs(now: view.View) -> None:
    """Show the table of systems x replicas x test sets."""
    st.subheader("Outputs")
    frame = _overview(now.experiment)
    columns = st.columns(2)
    names = {"systems": sorted(frame["system"].unique()), "sets": sorted(frame["test set"].unique())}
    systems = columns[0].multiselect("Systems", names["systems"], placeholder="all", key="overview systems")
    sets = columns[1].multiselect("Test sets", names["sets"], placeholder="all", key="overview sets")
    if systems:
        frame = frame[frame.system.isin(systems)]
    if sets:
        frame = frame[frame["test set"].isin(sets)]
    frame = frame.rename(columns=str.capitalize)
    caption = "Lines, empty lines, tokens and duplicates of every output"
    downloads.table(now, frame, "outputs", caption=caption, height=360)


@st.cache_data(show_spinner=False, hash_funcs={"mtsig_core.experiment.model.Experiment": lambda e: e.digest})
def _overview(experiment: Experiment) -> pd.DataFrame:
    return overview(experiment)


main()
