"""Tables of one column -> the same with ids of segments: their rows are taken in order."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from mtsig_core.loading.reshaping.shape import NotClear
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.text.records import fields_of

_SIDES = ("output", "reference", "source")


def is_known(heading: str) -> bool:
    """Say whether a column is known to hold texts or scores by its name."""
    if any(sign in heading for sign in ",;\t|") or len(columns_of(heading.split()).places) > 1:
        return False  # several columns
    fields = fields_of([{heading: ""}])
    return any(role in fields for role in _SIDES) or "score" in columns_of([heading]).places or bool(
        listed_direction(heading))  # fmt: skip


def with_ids(lines: Sequence[str], delimiter: str) -> str:
    """Return the table with a column of ids.

    Raises
    ------
    NotClear
        When a row has several cells: a text with the delimiter, without quotes around it.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    reader = csv.reader(lines, delimiter=delimiter)
    for i, cells in enumerate(reader):
        if len(cells) > 1:
            raise NotClear(
                f"line {reader.line_num}: {len(cells)} cells, but the heading has one. Put a text that holds "
                f"{delimiter!r} in quotes, or save the texts as lines of a .txt file."
            )
        writer.writerow([i or "segment_id", *(cells or [""])])
    return stream.getvalue()
