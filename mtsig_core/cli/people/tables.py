"""What the commands about people print: parts of one or more tables, each part one table of the JSON document."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtsig_core.cli import output

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.resampling import Settings


@dataclass(frozen=True, eq=False)
class Part:
    """One answer.

    Parameters
    ----------
    name : str
        Its heading, and its key in JSON.
    frame : DataFrame
        All numbers in full precision, for JSON.
    tables : sequence of (shown, numbers)
        What people read, and the same numbers for CSV; without any, they stand in JSON alone.
    sentences : sequence of str
        What the tables say; empty ones are left out.
    """

    name: str
    frame: pd.DataFrame
    tables: Sequence[tuple[pd.DataFrame, pd.DataFrame]] = ()
    sentences: Sequence[str] = ()


def shown_part(name: str, frame: pd.DataFrame, shown: pd.DataFrame | None = None, *sentences: str) -> Part:
    """Return a part of one table, shown as given or else as people read any table."""
    from mtsig_core.reports.people import people_table

    return Part(name, frame, ((people_table(frame) if shown is None else shown, frame),), sentences)


def print_parts(
    options: argparse.Namespace, parts: Sequence[Part], settings: Settings, notes: Sequence[str],
    facts: Mapping[str, object],
) -> None:  # fmt: skip
    """Print parts in the format of the call, each under its heading with its sentences, and notes at the end."""
    from mtsig_core.reports.people import tables_document

    output.clear_line()
    if options.json:
        tables = [(part.name, part.frame) for part in parts]
        said = [line for part in parts for line in part.sentences if line]
        output.print_json(tables_document(tables, settings, [*dict.fromkeys([*notes, *said])], facts))
        return
    for part in parts:
        if not part.tables and not any(part.sentences):
            continue
        output.say(f"\n{part.name}")
        for place, (shown, numbers) in enumerate(part.tables):
            if place and output.is_for_people():
                output.say(" ")
            output.print_frame(shown, numbers)
        output.print_lines(part.sentences)
    if any(notes) and output.is_for_people():
        output.say("\nNotes")
    output.print_lines(notes)
