"""The table of what each file was taken for: changed as a draft, applied at once, undone as quickly."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from mtsig_core.experiment import ROLES, Experiment, Role
from mtsig_core.formatting import count
from mtsig_core.loading import LoadError
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.corrections import Corrections
from mtsig_core.loading.recognition.roles import SHOWN
from mtsig_core.loading.result import LoadResult, Recognition
from mtsig_core.loading.stored_corrections import manifest_of
from mtsig_core.loading.table_columns import likely_tables
from mtsig_core.loading.writing import native_zip
from mtsig_core.runtime.jobs import Progress
from mtsig_core.workbench.corrected import Corrected, correct
from pages.parts import downloads, opened, visitors
from pages.parts.background import answer
from pages.parts.data import stored_corrections
from pages.parts.data.desk import (
    Desk,
    draw_columns,
    draw_directions,
    draw_text_columns,
    with_edited_columns,
    with_edited_directions,
    with_edited_text_columns,
)
from pages.parts.text import literal

FILTERS = ("Only test sets", "Only systems")
_COUNTED = ("output", "reference", "source")
MOST_STEPS = 20  # that can be undone; experiments share their text, so each takes little


def correcting(now: opened.Opened) -> None:
    """Show what each file was taken for, and let it be corrected."""
    st.header("What each file is")
    if now.recognition is not None:
        desk = _desk(now, now.recognition)
        _apply(desk, now)
        _draft(desk, now)
        st.download_button(
            "Download as experiment.toml", data=partial(manifest_of, now.recognition, desk.applied, now.experiment),
            mime="application/toml", file_name="experiment.toml", on_click="ignore", icon=":material/description:",
            help="Put it at the top of your own folder: the same is recognised from then on, here and on the command "
                 "line.",
        )  # fmt: skip
    st.download_button(
        "Download as a run folder (zip)", data=lambda: native_zip(now.experiment), mime="application/zip",
        file_name=downloads.file_name("mtsig", now.experiment.name) + ".zip", on_click="ignore",
        icon=":material/folder_zip:",
        help="mtsig's own layout, with names, roles, baseline and pairing in experiment.toml.",
    )


def replace_by_corrected(again: stored_corrections.CorrectedAgain) -> None:
    """Open an upload as the same files were corrected before; Reset goes back to what was recognised."""
    reading, now = again.reading, again.corrected
    first = mapping.recognised(reading.recognition, reading.experiment)
    original = opened.Opened(reading.experiment, reading.report, None, reading.recognition)
    st.session_state.desk = Desk(now.recognition, now.corrections, now.corrections, before=[(original, first)])
    opened.replace_by(LoadResult(now.experiment, now.report, now.recognition))


def by_hand(recognition: Recognition) -> None:
    """Let a person say what each file is, of an upload of which nothing was recognised."""
    desk = st.session_state.get("desk by hand")
    if desk is None or desk.recognition is not recognition:
        first = Corrections(recognition.plan.roles)
        as_scores = {"kind": mapping.KIND_WORDS["scores"]}
        draft = mapping.edited(first, dict.fromkeys(likely_tables(recognition), as_scores))
        desk = st.session_state["desk by hand"] = Desk(recognition, first, draft)
    _apply(desk, None)
    st.header("Say what the files are")
    st.markdown("Choose the kind of each file: outputs and references hold one segment per line. For a table, choose "
                "what its columns are. Then apply.")
    _draft(desk, None)


def _desk(now: opened.Opened, recognition: Recognition) -> Desk:
    desk = st.session_state.get("desk")
    if desk is None or desk.recognition is not recognition:
        first = mapping.recognised(recognition, now.experiment)
        desk = st.session_state.desk = Desk(recognition, first, first)
    return desk


def _apply(desk: Desk, now: opened.Opened | None) -> None:
    """Apply the draft that is wanted, in the background; what is open stays open when it fails.

    Without anything recognised (`now` is None), what the draft makes is opened.
    """
    wanted = desk.wanted
    if wanted is None:
        return

    def work(progress: Progress, publish: object) -> Corrected | LoadError:
        try:
            return correct(desk.recognition, wanted, progress=progress)
        except LoadError as error:
            return error

    result = answer("correcting", (id(desk.recognition), id(desk), desk.version), work, keep=False)
    if result is None:
        return
    desk.wanted = None
    if isinstance(result, LoadError):
        desk.problem = str(result)
        return
    corrected = result.corrections
    stored_corrections.remember(visitors.owner(), result.recognition, corrected)
    if now is None:
        plan = replace(result.recognition.plan, roles=corrected.roles)
        del st.session_state["desk by hand"]
        st.session_state.refused = None
        opened.replace_by(LoadResult(result.experiment, result.report, replace(result.recognition, plan=plan)))
        return
    steps = [*desk.before, (now, desk.applied)]
    desk.before = [*steps[:1], *steps[1:][-MOST_STEPS:]]  # the first is what was recognised
    desk.show(result.recognition, corrected)
    opened.pend(replace(now, experiment=_as_stated(result.experiment, now.experiment), report=result.report,
                        recognition=result.recognition, demonstration=None))  # fmt: skip
    st.rerun()


def _as_stated(corrected: Experiment, before: Experiment) -> Experiment:
    """Return an experiment with the directions that a person stated of the one before."""
    stated = corrected.assumed_directions - before.assumed_directions
    return corrected.with_directions({m: before.outside_metrics[m] for m in stated if m in before.outside_metrics})


@st.fragment
def _draft(desk: Desk, now: opened.Opened | None) -> None:
    draft, version = desk.draft, desk.version
    if now is not None:
        _counts(draft, now)
    with st.expander("Correct names, kinds and roles",
                     expanded=now is None or bool(desk.problem) or draft != desk.applied):  # fmt: skip
        _at_once(desk)
        paths = _listed(desk)
        st.data_editor(
            mapping.table(draft).loc[paths], key=f"files {version}", num_rows="fixed", height=_height(len(paths)),
            disabled=["_index", "role of the set", "why left out"], width="stretch",
            column_config={
                "_index": st.column_config.TextColumn("file", width="medium"),
                "kind": st.column_config.SelectboxColumn(options=mapping.kinds(), required=True),
                "reference": st.column_config.TextColumn("reference", help="Name of a reference"),
            },
        )  # fmt: skip
        st.session_state["listed files"] = paths
        draw_columns(desk, _pending(desk), partial(_collect, desk, version))
        draw_text_columns(desk, partial(_collect, desk, version))
        if now is not None:
            draw_directions(desk, now.experiment)
        if desk.problem:
            st.error(f"{literal(desk.problem)}\n\nNothing was changed; the table keeps what you wrote.",
                     icon=":material/block:")
        _buttons(desk, now)


def said_counts(draft: Corrections) -> str:
    """Return how many files there are of each kind; those of human judgements are not left out, but shown elsewhere."""
    shown = sum(SHOWN in role.reason for role in draft.roles if role.kind == "ignored")
    numbers = {word: _count(draft, word) for word in mapping.kinds()}
    numbers[mapping.KIND_WORDS["ignored"]] -= shown
    numbers |= {"human judgements": shown}
    return ", ".join(_counted(n, word) for word, n in numbers.items() if n)


def _counts(draft: Corrections, now: opened.Opened) -> None:
    # one that was saved has a file for each run and metric, where a table of scores was uploaded
    kept = now.recognition is not None and now.recognition.layout != now.report.layout
    counts = f"As kept here: {said_counts(draft)}" if kept else said_counts(draft)
    st.caption(f"{counts}. Anything wrong? Change it here and apply; nothing is lost.")


def _counted(n: int, word: str) -> str:
    if word in (mapping.KIND_WORDS["documents"], mapping.KIND_WORDS["scores"], "human judgements"):
        return f"{count(n, 'file')} of {word}"
    return count(n, word) if word in _COUNTED else f"{n:,} {word}"


def _height(n_rows: int) -> int:
    return min(420, 38 + 35 * max(1, n_rows))


def _count(corrections: Corrections, word: str) -> int:
    return sum(mapping.KIND_WORDS[role.kind] == word for role in corrections.roles)


def _at_once(desk: Desk) -> None:
    """Offer what concerns many files at once: baseline, pairing, roles of sets, names."""
    draft, version = desk.draft, desk.version
    sets, systems = mapping.names_of_sets(draft), mapping.names_of_systems(draft)
    if not systems:
        return
    columns = st.columns([2, 2, 1], vertical_alignment="bottom")
    place = systems.index(draft.baseline) if draft.baseline in systems else 0
    columns[0].selectbox("Baseline", systems, place, key=f"draft baseline {version}")
    columns[1].toggle("Replicas are paired", draft.paired, key=f"draft paired {version}",
                      help="Replica 1 of every system shares a seed or a base model, replica 2 likewise, and so on.")
    boxes = st.columns(4)
    for i, name in enumerate(sets):
        role = draft.set_roles[name]
        boxes[i % 4].selectbox(f"Role of {literal(name)}", ROLES, ROLES.index(role), key=f"draft role {i} {version}",
                               help="dev: the set that systems were tuned on.")
    choices = [("system", name) for name in systems] + [("test set", name) for name in sets]
    which, new, button, out = st.columns([4, 4, 2, 2], vertical_alignment="bottom")
    if choices:
        which.selectbox("Rename everywhere", choices, format_func=lambda c: f"{c[0]} {c[1]}", key=f"which {version}")
        new.text_input("New name", key=f"new name {version}", help="Two systems with the same name become one.")
        button.button("Rename", on_click=_rename, args=(desk,), width="stretch")
        out.button("Leave out", on_click=_leave_out_whole, args=(desk,), width="stretch",
                   help="Leave out the chosen system or test set with its files and scores.")


def _listed(desk: Desk) -> list[str]:
    """Return the files that the table shows."""
    draft, version = desk.draft, desk.version
    sets, systems = mapping.names_of_sets(draft), mapping.systems_with_files(draft)
    if not systems:
        return mapping.matching(draft)
    chosen = st.session_state.get("files shown", ([], []))
    columns = st.columns([2, 2, 1], vertical_alignment="bottom")
    shown = [
        columns[i].multiselect(label, names, [n for n in chosen[i] if n in names], key=f"shown {label} {version}",
                               placeholder="all", on_change=_collect, args=(desk, version))
        for i, (label, names) in enumerate(zip(FILTERS, (sets, systems), strict=True))
    ]
    st.session_state["files shown"] = shown
    paths = mapping.matching(draft, test_sets=shown[0], systems=shown[1])
    if any(shown) and paths:
        columns[2].button(f"Leave out these {len(paths)}", on_click=_leave_out, args=(desk, paths), width="stretch")
    return paths


def _pending(desk: Desk) -> Corrections:
    """Return the draft with what tables and boxes say."""
    state, version = st.session_state, desk.version
    rows = state.get(f"files {version}", {}).get("edited_rows", {})
    listed = state.get("listed files", [])
    roles: dict[str, Role] = {
        name: state.get(f"draft role {i} {version}", desk.draft.set_roles[name])
        for i, name in enumerate(mapping.names_of_sets(desk.draft))
    }
    draft = replace(
        desk.draft,
        baseline=state.get(f"draft baseline {version}", desk.draft.baseline),
        paired=state.get(f"draft paired {version}", desk.draft.paired),
        set_roles={**desk.draft.set_roles, **roles},
    )
    draft = mapping.edited(draft, {listed[row]: cells for row, cells in rows.items() if row < len(listed)})
    return with_edited_directions(desk, with_edited_text_columns(desk, with_edited_columns(desk, draft)))


def _collect(desk: Desk, version: int) -> None:
    """Take what tables and boxes say into the draft, before other rows are shown."""
    if version != desk.version:
        return  # a box that was drawn before the draft changed
    shown = [st.session_state.get(f"shown {label} {desk.version}", []) for label in FILTERS]
    st.session_state["files shown"] = shown
    desk.take(_pending(desk))


def _rename(desk: Desk) -> None:
    choice = st.session_state.get(f"which {desk.version}")
    name = str(st.session_state.get(f"new name {desk.version}", "")).strip()
    if not choice or not name:
        return
    kind, old = choice
    corrected = _pending(desk)
    if kind == "system":
        desk.take(mapping.rename_systems(corrected, {old: name}))
    else:
        desk.take(mapping.change_sets(corrected, {old: name}, {}))


def _leave_out_whole(desk: Desk) -> None:
    choice = st.session_state.get(f"which {desk.version}")
    if choice:
        kind, name = choice
        leave_out = mapping.without_system if kind == "system" else mapping.without_set
        desk.take(leave_out(_pending(desk), name))


def _leave_out(desk: Desk, paths: list[str]) -> None:
    desk.take(mapping.left_out(_pending(desk), paths))


def _buttons(desk: Desk, now: opened.Opened | None) -> None:
    is_changed = _pending(desk) != desk.applied
    columns = st.columns(4)

    def button(place: int, label: str, help: str, enabled: bool, kind: Literal["primary", "secondary"]) -> bool:
        box, key = columns[place], label.lower()
        return box.button(label, type=kind, disabled=not enabled, key=key, width="stretch", help=help)

    if button(0, "Apply", "Apply the changes made in the table.", is_changed, "primary"):
        desk.take(_pending(desk))
        desk.wanted = desk.draft
        st.rerun()
    if button(1, "Discard", "Discard the changes that were not applied.", is_changed, "secondary"):
        desk.take(desk.applied)
        st.rerun()
    if now is None:
        return
    if button(2, "Undo", "Go back to before the last Apply.", bool(desk.before), "secondary"):
        _go_back(desk, now, -1)
    if button(3, "Reset", "Go back to what was recognised.", bool(desk.before), "secondary"):
        _go_back(desk, now, 0)


def _go_back(desk: Desk, now: opened.Opened, step: int) -> None:
    former, corrections = desk.before[step]
    desk.before = desk.before[:step]
    desk.show(former.recognition or desk.recognition, corrections)
    stored_corrections.remember(visitors.owner(), desk.recognition, corrections if desk.before else None)
    opened.pend(former if former.demonstration else replace(former, id=now.id))
    st.rerun()
