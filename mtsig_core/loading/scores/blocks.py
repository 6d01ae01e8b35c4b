"""What a score file says: blocks of scores, and how one number is read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig_core.experiment import Scores
from mtsig_core.loading.report import LoadError, OutputKey, Reporter

#: How people write that there is no score.
MISSING = frozenset(("", "na", "n/a", "none", "null", "-", "--", "—", "missing", "."))
_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_INTEGER = re.compile(r"0*(\d+)(?:\.0*)?")


@dataclass(frozen=True)
class ScoreBlock:
    """The scores of one output under one metric, as one file gives them.

    Parameters
    ----------
    file : str
    metric : str
    system, replica : str
        ``""`` where the file does not say.
    test_set : str
        ``""`` where the file does not say.
    in_order : tuple of float or None, optional
        Scores in the order of the test set, or
    by_id : mapping of segment id to float or None, optional
    output_path : str
        File of the output that was scored, as the score file names it.
    higher_is_better : bool or None
        None where the file does not say.
    documents : mapping of segment id to document id
    exact : bool
        The names are those of the output and the test set, letter for letter: nothing is matched or guessed.
    """

    file: str
    metric: str
    system: str = ""
    replica: str = ""
    test_set: str = ""
    in_order: Scores | None = None
    by_id: Mapping[str, float | None] | None = None
    output_path: str = ""
    higher_is_better: bool | None = None
    documents: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False

    @property
    def label(self) -> str:
        """``file (system/replica, metric)`` for messages."""
        output = "/".join(part for part in (self.system, self.replica) if part) or self.output_path
        return f"{self.file} ({output}, {self.metric})"


def renamed(blocks: Sequence[ScoreBlock], names: Mapping[OutputKey, OutputKey]) -> list[ScoreBlock]:
    """Return blocks under the names that outputs were given after the score files were written.

    A name that several outputs have, and that became several names, is left as it is.
    """
    return [_renamed(block, names) for block in blocks] if names else list(blocks)


def _renamed(block: ScoreBlock, names: Mapping[OutputKey, OutputKey]) -> ScoreBlock:
    told = (block.system, block.replica, block.test_set)
    new = {to for key, to in names.items() if all(not t or t == k for t, k in zip(told, key, strict=True))}
    if not new:
        sets = {to[2] for key, to in names.items() if key[2] == block.test_set}
        return replace(block, test_set=sets.pop()) if len(sets) == 1 else block
    columns = [set(column) for column in zip(*new, strict=True)]
    system, replica, test_set = (
        values.pop() if name and len(values) == 1 else name for name, values in zip(told, columns, strict=True)
    )
    return replace(block, system=system, replica=replica, test_set=test_set)


def segment_id(text: str) -> str:
    """Return an id; whole numbers in one form, so that ``7``, ``007`` and ``7.0`` are one segment."""
    text = text.strip()
    number = _INTEGER.fullmatch(text)
    return number[1] if number else text


class NumberReader:
    """Reads the scores of one file and remembers what had to be repaired."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._commas = 0
        self._thousands = ""

    def read(self, cell: object, line: int, column: str = "") -> float | None:
        """Return a finite number, or None for a missing one.

        Raises
        ------
        LoadError
            When the cell holds something else; names file, line and column.
        """
        if cell is None:
            return None
        if isinstance(cell, bool) or not isinstance(cell, int | float | str):
            raise self._wrong(cell, line, column)
        if isinstance(cell, str):
            cell = cell.strip()
            if cell.casefold() in MISSING:
                return None
            if "," in cell:
                cell = self._with_point(cell, line, column)
        try:
            value = float(cell)
        except (ValueError, OverflowError):
            raise self._wrong(cell, line, column) from None
        if not math.isfinite(value) or (isinstance(cell, str) and "_" in cell):
            raise self._wrong(cell, line, column)
        return value

    def _with_point(self, cell: str, line: int, column: str) -> str:
        if not _COMMA.fullmatch(cell):
            raise self._wrong(cell, line, column)
        if _THOUSANDS.fullmatch(cell):
            self._thousands = self._thousands or self._place(line, column)
        else:
            self._commas += 1
        return cell.replace(",", ".")

    def finish(self, report: Reporter) -> None:
        """Report repairs; raise LoadError when a comma may as well separate thousands."""
        if self._thousands and not self._commas:
            raise LoadError(
                f"{self._thousands}: a comma before three digits may separate decimals or thousands. Write a decimal "
                "point.",
                self._file,
            )
        if self._commas:
            report.gather("repaired", "decimal-comma", "Decimal commas were read as decimal points", self._file)

    def _place(self, line: int, column: str) -> str:
        return f"{self._file}, line {line}" + (f", column {column!r}" if column else "")

    def _wrong(self, cell: object, line: int, column: str) -> LoadError:
        shown = repr(cell)
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        return LoadError(
            f"{self._place(line, column)}: expected a finite number, or nothing (or NA) for a missing score; found "
            f"{shown}. Correct it or leave it empty.",
            self._file,
        )
