"""The list of experiments that were opened before."""

from __future__ import annotations

import time

import streamlit as st

from mtsig_core.storage.workspace import Entry, WorkspaceError, is_shared
from mtsig_core.workbench.saved_experiments import default_saved_experiments
from pages.parts import opened, visitors
from pages.parts.text import keep_together, literal

SHOWN = 5


def recents(current: str | None) -> None:
    """List the visitor's experiments, to open or to delete."""
    entries = default_saved_experiments().entries(visitors.owner())
    if not entries:
        return
    with st.container(border=True):
        st.header("Recent experiments")
        if is_shared():
            st.caption("Only you see this list. Whoever has the link of an experiment, in the address, can open it.")
        for entry in entries[:SHOWN]:
            _row(entry, current)
        if entries[SHOWN:]:
            with st.expander(f"{len(entries) - SHOWN} more"):
                for entry in entries[SHOWN:]:
                    _row(entry, current)
        if st.session_state.get("not deleted"):
            st.error(literal(st.session_state.pop("not deleted")))


def _row(entry: Entry, current: str | None) -> None:
    name = f"**{literal(entry.name)}**" if not entry.problem else f":material/broken_image: {literal(entry.problem)}"
    st.markdown(f"{name}  \n{keep_together(_described(entry))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if entry.id == current:
            st.caption("Open now", width="content")
        else:
            st.button("Open", key=f"open {entry.id}", disabled=bool(entry.problem), on_click=opened.pend_saved,
                      args=(entry.id,))
        with st.popover("Delete"):
            shown = literal(entry.name) or "this entry"
            st.markdown(f"Delete **{shown}** for good? Links to it stop working.")
            st.button("Yes, delete it", key=f"delete {entry.id}", on_click=_delete, args=(entry.id,))


def _delete(id: str) -> None:
    try:
        default_saved_experiments().delete(id)
        opened.forget_saved(id)
    except WorkspaceError as error:
        st.session_state["not deleted"] = str(error)


def _described(entry: Entry) -> str:
    size = f"{entry.bytes / 2**20:.1f} MB" if entry.bytes > 2**20 / 20 else "less than 0.1 MB"
    if entry.problem:
        return f"{size}, {_ago(entry.when)}"
    counted = [
        f"{n} {noun}{'' if n == 1 else 's'}"
        for n, noun in ((entry.systems, "system"), (entry.replicas, "replica"), (entry.test_sets, "test set"))
    ]
    return ", ".join([*counted, size, _ago(entry.when)])


def _ago(when: float) -> str:
    minutes = max(0.0, time.time() - when) / 60
    for limit, size, unit in ((60, 1, "minute"), (48 * 60, 60, "hour"), (float("inf"), 24 * 60, "day")):
        if minutes < limit:
            n = int(minutes / size)
            return "just now" if n == 0 else f"{n} {unit}{'' if n == 1 else 's'} ago"
    return ""
