"""Post-edits in a table: outputs that people corrected."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mtsig_core.loading.report import LoadError
from mtsig_core.loading.scores.columns import checked_rows, columns_of
from mtsig_core.loading.scores.grids import table_in
from mtsig_core.loading.scores.numbers import segment_id
from mtsig_core.loading.text.decoding import read_text

_ROLES = {
    "post_edit": ("post edit", "postedit", "post edited", "pe", "edited", "human post edit", "hpe", "post edition"),
    "output": ("output", "mt", "hypothesis", "translation", "machine translation", "target", "tgt"),
    "system": ("system", "system id", "model", "mt system"), "replica": ("replica", "seed", "run"),
    "segment": ("segment", "segment id", "seg id", "segid", "id", "item", "sentence id"),
    "document": ("document", "doc", "document id", "doc id"),
    "annotator": ("annotator", "annotator id", "editor", "post editor", "translator", "subject", "subject id"),
    "seconds": ("seconds", "edit time", "time", "duration"),
}  # fmt: skip


def holds_post_edits(header: Sequence[str]) -> bool:
    """Say whether a heading has post-edits of the outputs of systems."""
    places = columns_of(header, _ROLES).places
    return {"post_edit", "system"} <= places.keys()


def read_post_edits(name: str, data: bytes, *, encoding: str | None = None) -> pd.DataFrame:
    """Read a table of post-edits: tab, comma or semicolon separated, JSON lines or a JSON list.

    Returns
    -------
    DataFrame
        One row per post-edit, with the columns ``post_edit``, ``system``, and as far as the file has them ``output``,
        ``replica``, ``segment``, ``document``, ``annotator``, ``seconds``: what
        `hter_judgements` takes once the outputs are there.

    Raises
    ------
    LoadError
        When there is no column of post-edits or of systems, or a row has another length.
    """
    lines = read_text(data, name, encoding=encoding).lines
    table = table_in(lines, name, "post-edit")
    places = columns_of(table.header, _ROLES).places
    for role, column in (("post_edit", "post_edit"), ("system", "system")):
        if role not in places:
            raise LoadError(f"{name}: no column of {role.replace('_', '-')}s; call it {column!r}.", name)
    rows = list(checked_rows(table.header, table.rows, name))
    frame = pd.DataFrame({role: [cells[place] for _, cells in rows] for role, place in places.items()})
    if "segment" in frame:
        frame["segment"] = [segment_id(str(cell)) for cell in frame["segment"]]
    if "seconds" in frame:
        frame["seconds"] = pd.to_numeric(frame["seconds"], errors="coerce")
    return frame
