"""Which segments of two outputs to read: by text, length, document, score, and whether the replicas agree."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

import numpy as np

from mtsig_core.runtime.patterns import matching

if TYPE_CHECKING:
    from mtsig_core.analysis.reading.segments import SegmentTable

Field = Literal["source", "references", "output a", "output b"]
FIELDS: tuple[Field, ...] = ("source", "references", "output a", "output b")
Agree = Literal["", "any", "a", "b"]
Range = tuple[float, float]
EVERYTHING: Range = (-math.inf, math.inf)


@dataclass(frozen=True)
class SegmentFilter:
    """What a segment must satisfy; the default matches every segment.

    Attributes
    ----------
    text : str
        Contained in at least one of `fields`; white space at its ends counts only in a regular expression.
    fields : tuple of {"source", "references", "output a", "output b"}
    regex : bool
        `text` is a regular expression.
    match_case : bool
    length : (float, float)
        Least and most of `SegmentTable.lengths`.
    documents : tuple of str
        Any of these; empty: all.
    score_a, score_b, gain : (float, float)
        Least and most; what is not a number lies in no range but the default one.
    agree : {"", "any", "a", "b"}
        Every replica of one system beats every one of the other: of either, of a's, of b's.
    changed : bool
        The two outputs differ.
    """

    text: str = ""
    fields: tuple[Field, ...] = FIELDS
    regex: bool = False
    match_case: bool = False
    length: Range = EVERYTHING
    documents: tuple[str, ...] = ()
    score_a: Range = EVERYTHING
    score_b: Range = EVERYTHING
    gain: Range = EVERYTHING
    agree: Agree = ""
    changed: bool = False

    @property
    def asked(self) -> tuple[str, ...]:
        """Names of the conditions that are not the default: how many filters are on."""
        how_text = {"fields", "regex", "match_case"}  # alone they ask for nothing
        mine = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        return tuple(name for name in mine if name not in how_text)


def filter_segments(table: SegmentTable, wanted: SegmentFilter) -> np.ndarray:
    """Return the places in a table, ascending, of the segments that satisfy every condition.

    Raises
    ------
    mtsig_core.runtime.patterns.PatternError
        When the text is to be a regular expression and is none, or takes too long.
    """
    mask = np.ones(len(table.index), dtype=bool)
    for values, between in (
        (table.score_a, wanted.score_a), (table.score_b, wanted.score_b), (table.gain, wanted.gain),
    ):  # fmt: skip
        mask &= _within(values, between)
    if wanted.length != EVERYTHING:
        mask &= _within(table.lengths, wanted.length)
    if wanted.documents:
        chosen = set(wanted.documents)
        mask &= np.array([d in chosen for d in table.document or [""] * len(mask)], dtype=bool)
    if wanted.agree:
        sides = {"a", "b"} if wanted.agree == "any" else {wanted.agree}
        mask &= np.array([side in sides for side in table.agree], dtype=bool)
    if wanted.changed:
        mask &= np.array([x != y for x, y in zip(table.output_a, table.output_b, strict=True)], dtype=bool)
    if wanted.text:
        mask &= _containing(table, wanted)
    return np.flatnonzero(mask)


def _within(values: np.ndarray, between: Range) -> np.ndarray:
    if between == EVERYTHING:
        return np.ones(len(values), dtype=bool)
    return (values >= between[0]) & (values <= between[1])


def _containing(table: SegmentTable, wanted: SegmentFilter) -> np.ndarray:
    owners, texts = _texts(table, wanted.fields)
    if wanted.regex:
        hits: Sequence[bool] = matching(wanted.text, texts, match_case=wanted.match_case)
    else:
        needle = _plain(wanted.text.strip(), wanted.match_case)
        hits = [needle in _plain(text, wanted.match_case) for text in texts]
    mask = np.zeros(len(table.index), dtype=bool)
    mask[[owner for owner, hit in zip(owners, hits, strict=True) if hit]] = True
    return mask


def _plain(text: str, match_case: bool) -> str:
    """Return text so that equal letters compare equal, however they are encoded."""
    composed = unicodedata.normalize("NFC", text)
    return composed if match_case else unicodedata.normalize("NFC", composed.casefold())


def _texts(table: SegmentTable, wanted: Collection[Field]) -> tuple[list[int], tuple[str, ...]]:
    """Return the texts of the fields and the place of the segment that each belongs to."""
    owned: list[tuple[int, str]] = []
    for name, texts in (("source", table.source), ("output a", table.output_a), ("output b", table.output_b)):
        owned += enumerate(texts or ()) if name in wanted else ()
    if "references" in wanted:
        owned += [(i, text) for i, texts in enumerate(table.references) for text in texts]
    return [i for i, _ in owned], tuple(text for _, text in owned)


def nearest(order: Sequence[int], listed: Collection[int], current: int | None) -> int | None:
    """Return where a reader continues when the list has changed.

    Parameters
    ----------
    order : sequence of int
        All places, as they stand in the list.
    listed : collection of int
        Those still in it.
    current : int or None
        The place that was read.

    Returns
    -------
    int or None
        The same place if it is still listed, else the next listed one, else the last before it; None for an empty list.
        Without a current place, or with one that `order` does not have, the first.
    """
    still = set(listed)
    start = order.index(current) if current in order else 0
    after = next((place for place in order[start:] if place in still), None)
    return after if after is not None else next((place for place in reversed(order[:start]) if place in still), None)
