"""What ids of segments are called, whether a file has columns or keys, and what tells them apart where they repeat."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations

#: Names in lower case with blanks between words, the surest first.
SEGMENT_IDS = (
    "segment id", "seg id", "segid", "sentence id", "sent id", "sentid", "line id", "item id", "example id",
    "instance id", "id", "index", "idx", "sample id", "question id", "query id", "prompt id", "problem id", "custom id",
    "record id", "row id", "row number", "entry id", "case id", "input id", "datapoint id", "data id", "pair id",
    "unit id", "tu id", "tuid", "utterance id", "utt id", "utt", "turn id", "clip id", "audio id", "image id",
    "img id", "article id", "passage id", "text id", "sent index", "sentence index", "example index", "sample index",
    "sent idx", "example idx", "sample idx", "qid", "sid", "uid", "guid", "uuid", "task id",
)  # fmt: skip
#: Columns that may name test sets where ids repeat, the surest first.
SETS = (
    "tgt lang", "target lang", "target language", "tgt language", "trg lang", "tgt", "language", "lang", "locale",
    "src lang", "source lang", "source language", "direction", "domain", "genre", "subject", "category", "topic",
    "subtask", "turn", "sprache", "langue", "idioma", "lingua",
)  # fmt: skip
SETS_GUESS = "Ids of segments start again for each value of {column}, which was read as the test set"
SETS_REMEDY = "If these are no test sets, give each segment an id of its own."


def candidates(plain: Sequence[str]) -> list[int]:
    """Return which names, in lower case with blanks between words, may be those of test sets."""
    return [list(plain).index(name) for name in SETS if name in plain]


def telling(rows: Iterable[tuple[Hashable, Sequence[str]]], n: int, most: int = 2) -> tuple[int, ...]:
    """Return which of `n` columns tell the rows of one identity apart, in every row; () where none is needed or does.

    Parameters
    ----------
    rows : iterable of (identity, values of the columns)
    n : int
    most : int
        How many columns may do it together.
    """
    ways = [way for size in range(1, most + 1) for way in combinations(range(n), size)]
    seen: set[Hashable] = set()
    told: list[set[Hashable]] = [set() for _ in ways]
    n_rows = 0
    for identity, values in rows:
        n_rows += 1
        seen.add(identity)
        for own, way in zip(told, ways, strict=True):
            own.add((identity, *(values[i] for i in way)))
    if len(seen) == n_rows:
        return ()
    return next((way for way, own in zip(ways, told, strict=True) if len(own) == n_rows), ())
