"""Ids of rows in place of segments: a file numbers all its rows, so that no two outputs share an id.

Then the place of a row among those of its output is its segment, which is listed as a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtsig_core.loading.layouts.common.keyed import Collection, Key, KeyedText
from mtsig_core.loading.layouts.records.scored import Scored
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ROW_IDS, ROW_IDS_REMEDY, are_numbers_of_rows


def by_place(collection: Collection, scores: Scored, report: Reporter) -> None:
    """Give segments their place as id where a file has numbered its rows.

    Raises
    ------
    LoadError
        When references of one place differ.
    """
    for own in collection.by_set().values():
        for file in dict.fromkeys(text.file for text in own if text.kind == "output"):
            texts = [text for text in own if text.file == file]
            outputs = [text for text in texts if text.kind == "output"]
            if are_numbers_of_rows([[segment for _, segment in text.segments] for text in outputs]):
                places = _places(outputs)
                _renumber(texts, places)
                scores.renumber(file, places)
                report.gather_guess("row-ids", ROW_IDS, ROW_IDS_REMEDY, file)


def _places(outputs: Sequence[KeyedText]) -> dict[Key, Key]:
    return {key: (key[0], str(place)) for text in outputs for place, key in enumerate(text.segments, 1)}


def _renumber(texts: Sequence[KeyedText], places: Mapping[Key, Key]) -> None:
    for text in texts:
        before, text.segments = text.segments, {}  # a new one: other files may share what was there
        for key, segment in before.items():
            if text.segments.setdefault(places[key], segment) != segment:
                raise LoadError(
                    f"{text.file}: ids number the rows, none is in two outputs, and row {key[1]} has another "
                    f"{text.kind} than its place in the other outputs. Give a segment one id in all outputs.",
                    text.file,
                )
