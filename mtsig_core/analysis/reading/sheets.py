"""Blind annotation sheets: which segments of two outputs people judge, in which order, and the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.loading.judgements.sheets.annotation_key import ERRORS, RANKING, AnnotationKey, Asked, new_key
from mtsig_core.loading.judgements.sheets.sheet_columns import ANNOTATOR, BETTER, ITEM, OUTPUTS
from mtsig_core.significance import Result


@dataclass(frozen=True)
class AnnotationSheet(Result):
    """The sheet that annotators fill in, and its key, which they do not see.

    Attributes
    ----------
    key : AnnotationKey
    header : tuple of str
    rows : tuple of tuple of str
        In the order of the test set; cells to fill in are empty.
    """

    key: AnnotationKey
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per segment, as text."""
        return pd.DataFrame(list(self.rows), columns=list(self.header))

    @property
    def instructions(self) -> tuple[str, ...]:
        """Instructions for annotators, one sentence each."""
        low, high = self.key.asked.scale
        ratings = [c for c in self.key.asked.columns if c not in (RANKING, ERRORS)]
        lines = ["Each row shows one source with two outputs, in an order that changes from row to row."]
        if ratings:
            lines.append(f"{' and '.join(ratings).capitalize()}: a number from {low:g} (worst) to {high:g} (best) for "
                         "each output.")  # fmt: skip
        if RANKING in self.key.asked.columns:
            lines.append("Better: 1 or 2, the number of the better output; 0 when neither is.")
        if ERRORS in self.key.asked.columns:
            lines.append(f"Errors: any of {', '.join(self.key.asked.errors)}; commas between several, none if there "
                         "are none.")  # fmt: skip
        return (*lines, "Rows may be sorted (whole rows only) or left empty. Do not change the column 'item'.")


def annotation_sheet(
    table: SegmentTable, segments: Sequence[int], asked: Asked, *, seed: int, drawn: str = ""
) -> AnnotationSheet:
    """Return the blind sheet of chosen segments.

    Each output stands first in half of the rows (up to one), which half is drawn.

    Parameters
    ----------
    table : SegmentTable
    segments : sequence of int
        Numbers of segments of the table, from 1; the sheet has them in the order of the test set.
    asked : Asked
    seed : int
        The same seed gives the same sheet, byte for byte.
    drawn : str
        How the segments were chosen, for the key.

    Raises
    ------
    ValueError
        When no segment is chosen, or one is not in the table.
    """
    numbers = _checked(table, segments)
    # another stream than that of the choice, which may have the same seed
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence([seed, 1])))
    half = np.arange(len(numbers)) + rng.integers(2)
    a_is_first = rng.permutation(half % 2 == 0).tolist()
    outputs = [
        (number, first, _outputs(table, number, first))
        for number, first in zip(numbers, a_is_first, strict=True)
    ]
    key = new_key(table.test_set, table.a, table.b, asked, drawn, outputs)
    n_references = max(len(table.references[table.row(n)]) for n in numbers)
    empty = ("",) * len(to_fill(asked))
    rows = [
        (item.item, str(number), *_texts(table, table.row(number), n_references), *sides, *empty)
        for item, (number, _, sides) in zip(key.items, outputs, strict=True)
    ]
    return AnnotationSheet(key, (*_text_columns(table, n_references), *OUTPUTS, *to_fill(asked)), tuple(rows))


def _outputs(table: SegmentTable, number: int, a_is_first: bool) -> tuple[str, str]:
    a, b = table.output_a[table.row(number)], table.output_b[table.row(number)]
    return (a, b) if a_is_first else (b, a)


def _text_columns(table: SegmentTable, n_references: int) -> list[str]:
    columns = [ITEM, "segment", *(["document"] if table.document else []), *(["source"] if table.source else [])]
    return columns + (["reference"] if n_references == 1 else [f"reference {k + 1}" for k in range(n_references)])


def _checked(table: SegmentTable, segments: Sequence[int]) -> list[int]:
    """Return the numbers of the segments in order; raise ValueError when there is none or one is not in the table."""
    numbers = sorted(set(segments))
    unknown = sorted(set(numbers) - set(table.index.tolist()))
    if unknown or not numbers:
        reason = f"segment {unknown[0]} is not among them" if unknown else "none was chosen"
        raise ValueError(f"A sheet needs segments of {table.test_set!r} (1 to {int(table.index.max())}); {reason}.")
    return numbers


def _texts(table: SegmentTable, place: int, n_references: int) -> list[str]:
    """Return document, source and references of a segment, as far as the table has them."""
    texts = [table.document[place]] if table.document else []
    texts += [table.source[place]] if table.source else []
    references = table.references[place]
    return [*texts, *references, *[""] * (n_references - len(references))]


def to_fill(asked: Asked) -> tuple[str, ...]:
    """Return the names of the columns that annotators fill in."""
    names = []
    for column in asked.columns:
        names += [BETTER] if column == RANKING else [f"{column} 1", f"{column} 2"]
    return (*names, ANNOTATOR, "comment")
