"""Data, Open: an upload, a path, a recent experiment, or a demonstration."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from data import DEMONSTRATIONS
from mtsig_core.loading import LoadError, LoadResult, Source, read
from mtsig_core.loading.layouts.common.several import NestedExperiment, SeveralExperiments
from mtsig_core.loading.nbest import holds_nbest
from mtsig_core.loading.report import some
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.sources.source import Part
from mtsig_core.loading.text import decoding
from mtsig_core.loading.unrecognised import unrecognised
from mtsig_core.runtime.jobs import Progress
from mtsig_core.storage.workspace import is_shared
from pages.parts import opened, visitors
from pages.parts.background import answer
from pages.parts.data import correcting, stored_corrections
from pages.parts.data.recents import recents
from pages.parts.lab import lists
from pages.parts.text import literal
from pages.parts.uploads import newest
from pages.parts.view import View

#: What messages say where another encoding may read a file.
_ADVICE = "--encoding"
BY_HAND = "files to be named by hand"
SEVERAL = "This upload holds several experiments. Choose one from the list below."


@dataclass(frozen=True)
class Refused:
    """Why an upload is not open, its files as far as they could be unpacked, and experiments among them."""

    message: str
    recognition: Recognition | None = None
    experiments: tuple[NestedExperiment, ...] = ()


ENCODINGS = {
    "UTF-8 (or UTF-16 with a byte order mark)": None, "UTF-8, with U+FFFD for what is broken": decoding.REPLACING,
    **{f"{name} ({what})": name for name, what in {**decoding.ENCODINGS, **decoding.OTHER_SCRIPTS}.items()},
}  # fmt: skip


def draw(now: View) -> None:
    """Draw the section."""
    st.session_state.pop(BY_HAND, None)
    if left_out := list(dict.fromkeys(file for line in now.opened.report.refused for file in line.files)):
        st.warning(f"Left out: {literal(some(left_out))}. The section **Check and correct** says why.")
    left, right = st.columns([3, 2], gap="large")
    with left:
        open_own()
    first = second = right
    if BY_HAND in st.session_state:  # right below the refusal, and what else can be opened below that
        correcting.by_hand(st.session_state[BY_HAND])
        first, second = st.columns(2, gap="large")
    with first:
        recents(now.opened.id)
    with second:
        demonstrations(now.opened.demonstration)


def open_own() -> None:
    """Offer the three ways to open one's own files."""
    with st.container(border=True):
        st.header("Open your own")
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
                    st.caption(f"Opened: {literal(', '.join(f.name for f in chosen))}, which came last.")
                _open("archive", tuple(f.file_id for f in chosen), [(f.name, f) for f in chosen])
        with folder:
            files = st.file_uploader(
                "A run folder", accept_multiple_files="directory", key="folder",
                help="Up to a few hundred files; zip a larger folder first, it arrives much faster.",
            )
            if files:
                _open("folder", tuple(f.file_id for f in files), [(f.name, f) for f in files])
        for tab in path:
            with tab:
                _typed_path()
        layouts()


def _typed_path() -> None:
    """Open a path of the computer that the server runs on; never drawn on a shared one."""
    with st.form("path form", border=False):
        where = st.text_input("Folder or archive", key="path", placeholder="/home/me/experiment")
        if st.form_submit_button("Open") and where.strip():
            st.session_state.typed = where.strip()
            st.session_state["times typed"] = st.session_state.get("times typed", 0) + 1
    if st.session_state.get("typed"):
        _open("path", (st.session_state.typed, st.session_state["times typed"]), st.session_state.typed)


def _open(way: str, files: tuple, source: str | list[tuple[str, UploadedFile]]) -> None:
    """Load in the background, once for each upload; what was open stays when the upload is refused.

    Each way keeps what it was given: it is done with, and silent, once another one was used.
    """
    encoding, done = _asked("encoding", files), st.session_state.setdefault("done uploads", {})
    upload = (*files, encoding)
    folder = _asked("experiment", upload) or ""
    identity = (*upload, folder)
    if done.get(way) == identity:
        if st.session_state["last upload"] == identity:
            if refused := st.session_state["refused"]:
                _show_refusal(refused, files)
            elif encoding or st.session_state.get("encoding advised"):
                _offer_encodings(files)
            _choose_experiment(upload, folder)
        return

    given = _Given(source, folder, encoding, visitors.owner())
    result = answer("loading", identity, lambda progress, publish: _read(given, progress), keep=False)
    if result is None:
        return
    done[way] = st.session_state["last upload"] = identity
    _note_experiments(upload, result)
    st.session_state.refused = result if isinstance(result, Refused) else None
    st.session_state["encoding advised"] = _is_encoding_advised(result)
    lab = _lists_among(source)
    st.session_state["n-best refused"] = lab
    if lab:
        lists.give(identity, source if isinstance(source, str) else [(name, f.getvalue()) for name, f in source])
    if isinstance(result, Refused):
        _show_refusal(result, files)
        _choose_experiment(upload, folder)
    elif isinstance(result, stored_corrections.CorrectedAgain):
        correcting.replace_by_corrected(result)
    else:
        opened.replace_by(result)


@dataclass(frozen=True)
class _Given:
    """What is to be read, and who gave it."""

    source: str | list[tuple[str, UploadedFile]]
    folder: str
    encoding: str | None
    owner: str


def _read(given: _Given, progress: Progress) -> LoadResult | stored_corrections.CorrectedAgain | Refused:
    """Read an upload, with the corrections that were made of the same files before."""
    if isinstance(given.source, str) and is_shared():
        return Refused("A shared server opens no paths: upload the files instead.")
    whole = given.source if isinstance(given.source, str) else [(name, f.getvalue()) for name, f in given.source]
    source = Part(whole, given.folder) if given.folder else whole
    try:
        # what people who share a server upload is kept in the workspace alone, where they can delete it
        reading = read(source, encoding=given.encoding, progress=progress, cache=not is_shared())
    except SeveralExperiments as error:
        return Refused(SEVERAL, experiments=error.experiments)
    except LoadError as error:
        return _refused(str(error), source, given, progress)
    return stored_corrections.again(given.owner, reading, progress)


def _asked(what: str, upload: tuple) -> str | None:
    """Return what was chosen for an upload: the folder of one of its experiments, or an encoding."""
    of, chosen = st.session_state.get(f"{what} asked", (None, None))
    return chosen if of == upload else None


def _ask_encoding(files: tuple) -> None:
    st.session_state["encoding asked"] = (files, ENCODINGS[st.session_state.encoding])


def _note_experiments(upload: tuple, result: LoadResult | stored_corrections.CorrectedAgain | Refused) -> None:
    """Remember the experiments of an upload, which are known once it was looked at whole."""
    if isinstance(result, Refused):
        experiments = list(result.experiments)
    else:
        first = result.reading if isinstance(result, stored_corrections.CorrectedAgain) else result
        experiments = [NestedExperiment(line.files[0]) for line in first.report.with_code("other-experiment")]
    if experiments:
        st.session_state["experiments of upload"] = (upload, experiments)


def _choose_experiment(upload: tuple, folder: str) -> None:
    """Let a person choose among the experiments of an upload, again after one of them was opened."""
    of, experiments = st.session_state.get("experiments of upload", (None, []))
    if of != upload:
        return
    folders = [one.folder for one in experiments]
    with st.form("experiments", border=False):
        chosen = st.selectbox(
            "Experiments in this upload", experiments, folders.index(folder) if folder in folders else 0,
            format_func=lambda one: f"{one.folder}: {one.what}" if one.what else one.folder,
        )
        if st.form_submit_button("Open this one"):
            st.session_state["experiment asked"] = (upload, chosen.folder)
            st.rerun()


def _lists_among(source: str | list[tuple[str, UploadedFile]]) -> bool:
    """Say whether n-best lists were given, which the optimizer lab takes."""
    if isinstance(source, str) and is_shared():
        return False
    try:
        return holds_nbest(source if isinstance(source, str) else [(name, f.getvalue()) for name, f in source])
    except LoadError:
        return False


def _refused(message: str, source: Source, given: _Given, progress: Progress) -> LoadResult | Refused:
    """Return why an upload is refused, with its files to be named by hand; or what they were named before."""
    try:
        recognition = unrecognised(source, encoding=given.encoding)
    except LoadError:
        return Refused(message)
    return stored_corrections.by_hand_again(given.owner, recognition, progress) or Refused(message, recognition)


def _show_refusal(refused: Refused, files: tuple) -> None:
    message = refused.message
    st.error(f"{literal(message)}\n\nWhat was open before is still open.", icon=":material/block:")
    if st.session_state.get("n-best refused"):
        st.page_link("pages/tools/optimizer_lab.py", label="Open it in the Optimizer lab", icon=":material/science:",
                     query_params={lists.SOURCE: lists.OWN})
    if _ADVICE in message:
        _offer_encodings(files)
    if refused.recognition is not None and refused.recognition.plan.roles:
        st.session_state[BY_HAND] = refused.recognition
        st.caption("Or say below what the files are.")


def _offer_encodings(files: tuple) -> None:
    chosen = list(ENCODINGS.values()).index(_asked("encoding", files))
    st.selectbox("Read files that are not UTF-8 as", list(ENCODINGS), chosen, key="encoding",
                 on_change=_ask_encoding, args=(files,))  # fmt: skip


def _is_encoding_advised(result: LoadResult | stored_corrections.CorrectedAgain | Refused) -> bool:
    """Say whether what was opened lacks a file that another encoding may read."""
    if isinstance(result, Refused):
        return _ADVICE in result.message
    reading = result.reading if isinstance(result, stored_corrections.CorrectedAgain) else result
    return any(_ADVICE in line.message for line in reading.report.refused)


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
            "    scores/                 if you have any: one number per line, of COMET, people, accuracy …\n"
            "      COMET/  baseline/  seed1.txt …\n"
            "  dev/ …",
            language=None,
        )
        st.markdown(
            "One segment per line, UTF-8, `.gz` allowed. These load too, without changes:\n"
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
        st.header("Demonstrations")
        for name, demonstration in DEMONSTRATIONS.items():
            st.markdown(f"**{demonstration.title}**  \n{demonstration.description}")
            if name == current:
                st.caption("Open now")
            else:
                st.button("Open", key=f"demo {name}", on_click=opened.pend_demonstration, args=(name,))
