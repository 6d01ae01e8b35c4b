"""What one session corrects: the draft, what is applied, and what the table of columns says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.loading.corrections import READ_AS, Corrections
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.table_columns import ROLE_WORDS, table_columns, with_columns
from mtsig_core.loading.text_columns import TEXT_WORDS, tables_of_texts, text_columns, with_text_columns
from pages.parts import opened
from pages.parts.text import literal

MOST_ROWS = 10  # of the table of columns, without scrolling


@dataclass
class Desk:
    """What one session corrects: the draft, what is applied, and what was applied before."""

    recognition: Recognition
    applied: Corrections
    draft: Corrections
    before: list[tuple[opened.Opened, Corrections]] = field(default_factory=list)
    version: int = 0
    wanted: Corrections | None = None
    problem: str = ""
    tables: dict[FileRole, pd.DataFrame | None] = field(default_factory=dict)
    texts: dict[str, pd.DataFrame | None] = field(default_factory=dict)

    def take(self, draft: Corrections) -> None:
        """Take another draft; tables and boxes show it from the start."""
        self.draft = draft
        self.version += 1
        self.problem = ""

    def show(self, recognition: Recognition, applied: Corrections) -> None:
        """Take what is applied now, perhaps to files that were read again."""
        if recognition is not self.recognition:
            self.recognition, self.tables, self.texts = recognition, {}, {}
        self.applied = applied
        self.take(applied)

    def text_columns_of(self, path: str) -> pd.DataFrame | None:
        """Return what the columns of a table of texts are taken for in the draft; the file is read once."""
        if path not in self.texts:
            self.texts[path] = text_columns(self.recognition, path)
        frame, said = self.texts[path], dict(self.draft.named_columns.get(path, ()))
        if frame is None or not said:
            return frame
        return frame.assign(**{READ_AS: [TEXT_WORDS[said[name]] for name in frame.index]})

    def columns_of(self, role: FileRole) -> pd.DataFrame | None:
        """Return what the columns of a table of scores are taken for; the file is read once."""
        if role not in self.tables:
            self.tables[role] = table_columns(self.recognition, role)
        return self.tables[role]


def draw_columns(desk: Desk, pending: Corrections, collect: Callable[[], None]) -> None:
    """Let the columns of one table of scores be taken for something else.

    Parameters
    ----------
    desk : Desk
    pending : Corrections
        The draft with all that tables and boxes say: which files are tables of scores.
    collect : callable
        Takes that into the draft, before another table is shown.
    """
    # what the draft says of columns: a table that changes under its own edits would lose them
    columns = {role.path: role.columns for role in desk.draft.roles}
    roles = [replace(role, columns=columns.get(role.path, role.columns)) for role in pending.roles]
    texts = tables_of_texts(roles, desk.recognition)
    frames = {role.path: frame for role in roles
              if role.path not in texts and (frame := desk.columns_of(role)) is not None}  # fmt: skip
    if not frames:
        return
    st.markdown("**Columns of a table of scores**")
    path = _chosen(desk, list(frames), collect)
    frame = frames[path]
    _editor(frame, _key(desk, path), list(ROLE_WORDS.values()))


def draw_text_columns(desk: Desk, collect: Callable[[], None]) -> None:
    """Let the columns of one table of texts be taken for something else."""
    paths = tables_of_texts(desk.draft.roles, desk.recognition)
    if not paths:
        return
    st.markdown("**Columns of a table of texts**")
    path = _chosen(desk, paths, collect, "texts")
    frame = desk.text_columns_of(path)
    if frame is None:
        st.caption("This file is no table with a heading.")
        return
    _editor(frame, _key(desk, f"texts {path}"), list(TEXT_WORDS.values()))


def _editor(frame: pd.DataFrame, key: str, words: list[str]) -> None:
    st.data_editor(
        frame, key=key, num_rows="fixed", disabled=["_index", "first value"], width="stretch",
        height=38 + 35 * min(MOST_ROWS, len(frame)),
        column_config={
            "_index": st.column_config.TextColumn("column", width="medium"),
            READ_AS: st.column_config.SelectboxColumn(options=words, required=True),
        },
    )  # fmt: skip


def with_edited_text_columns(desk: Desk, corrections: Corrections) -> Corrections:
    """Return corrections with what the table of columns of texts says."""
    for path in tables_of_texts(desk.draft.roles, desk.recognition):
        rows = st.session_state.get(_key(desk, f"texts {path}"), {}).get("edited_rows", {})
        frame = desk.text_columns_of(path) if rows else None
        if frame is not None:
            corrections = with_text_columns(corrections, path, _taken(frame, rows))
    return corrections


def _chosen(desk: Desk, paths: list[str], collect: Callable[[], None], what: str = "scores") -> str:
    if len(paths) == 1:
        st.caption(literal(paths[0]))
        return paths[0]
    before = st.session_state.get(f"columns of {what}")
    path = st.selectbox("Table", paths, paths.index(before) if before in paths else 0, on_change=collect,
                        key=f"columns of {what} {desk.version}")
    st.session_state[f"columns of {what}"] = path
    return str(path)


def _key(desk: Desk, path: str) -> str:
    return f"columns {desk.version} {path}"


def with_edited_columns(desk: Desk, corrections: Corrections) -> Corrections:
    """Return corrections with what the table of columns says."""
    for role in corrections.roles:
        rows = st.session_state.get(_key(desk, role.path), {}).get("edited_rows", {})
        if rows:
            corrections = _with_rows(desk, corrections, role, rows)
    return corrections


def _with_rows(desk: Desk, corrections: Corrections, role: FileRole, rows: dict[int, dict[str, str]]) -> Corrections:
    frame = desk.columns_of(role)
    return corrections if frame is None else with_columns(corrections, role.path, _taken(frame, rows))


def _taken(frame: pd.DataFrame, rows: dict[int, dict[str, str]]) -> dict[str, str]:
    """Return what each column is taken for, by the table and its edited rows."""
    edited = {frame.index[row]: cells[READ_AS] for row, cells in rows.items() if READ_AS in cells}
    return dict(zip(frame.index, frame[READ_AS], strict=True)) | edited


# Directions of metrics

_BETTER = {True: "higher", False: "lower"}


def draw_directions(desk: Desk, experiment: Experiment) -> None:
    """Let the direction of metrics whose scores come in files be stated."""
    if not experiment.outside_metrics:
        return
    stated = {**experiment.outside_metrics, **desk.draft.directions}
    assumed = experiment.assumed_directions - desk.draft.directions.keys()
    frame = pd.DataFrame(
        {"better": [_BETTER[higher] for higher in stated.values()],
         "how it is known": ["assumed" if name in assumed else "" for name in stated]}, index=list(stated), dtype=str,
    )  # fmt: skip
    st.markdown("**Metrics: is higher or lower better?**")
    st.session_state["listed metrics"] = list(stated)
    st.data_editor(
        frame, key=f"directions {desk.version}", num_rows="fixed", disabled=["_index", "how it is known"],
        width="stretch", height=38 + 35 * min(MOST_ROWS, len(frame)),
        column_config={
            "_index": st.column_config.TextColumn("metric", width="medium"),
            "better": st.column_config.SelectboxColumn(options=list(_BETTER.values()), required=True),
        },
    )  # fmt: skip


def with_edited_directions(desk: Desk, corrections: Corrections) -> Corrections:
    """Return corrections with the directions that the table states."""
    rows = st.session_state.get(f"directions {desk.version}", {}).get("edited_rows", {})
    listed = st.session_state.get("listed metrics", [])
    stated = {listed[row]: cells["better"] == _BETTER[True] for row, cells in rows.items()
              if row < len(listed) and "better" in cells}  # fmt: skip
    return replace(corrections, directions={**corrections.directions, **stated}) if stated else corrections
