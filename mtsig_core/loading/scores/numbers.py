"""How one cell of a score file is read: a finite number, a missing one, a segment id."""

from __future__ import annotations

import math
import re

from mtsig_core.experiment import LARGEST_SCORE
from mtsig_core.loading.report import LoadError, Reporter

#: How people write that there is no score.
MISSING = frozenset(("", "na", "n/a", "none", "null", "-", "--", "—", "missing", ".", "#n/a", "<na>", "n.a.", "k.a."))
#: What says whether a segment is right, and its score.
TRUTH = {
    **dict.fromkeys(("true", "yes", "pass", "passed", "correct", "right"), 1.0),
    **dict.fromkeys(("false", "no", "fail", "failed", "incorrect", "wrong"), 0.0),
}
#: A minus sign as text is typeset with.
MINUS = "\u2212"
_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
#: Numbers with separators of thousands that can be nothing else: 1,234.5 or 1.234,5 or 1 234,5 or 1'234.5.
GROUPED = re.compile(
    r"[+-]?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,}|"
    r"(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:[.,]\d+)?)"
)
#: A mean with its spread or interval: 27.3 ± 0.4, 27.3 (0.4), 27.3 [26.9, 27.7].
SPREAD = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*%?\s*(?:(?:±|\+/?-|\\pm)\s*\d.*|[\[(]\s*±?[+-]?\d.*[\])])")
OF_SPREAD = "is a mean with its spread; a test needs the scores that it is of, one of each run"
_POINT_OF_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_INTEGER = re.compile(r"0*(\d+)(?:\.0*)?")


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
        self._grouped: set[str] = set()
        self._points = ""
        self._thousands = ""
        self._percent: dict[str, str] = {}
        self._plain: dict[str, str] = {}
        self._truth: dict[str, str] = {}

    def read(self, cell: object, line: int, column: str = "") -> float | None:
        """Return a finite number, or None for a missing one.

        Raises
        ------
        LoadError
            When the cell holds something else; names file, line and column.
        """
        if cell is None:
            return None
        if isinstance(cell, bool) or (isinstance(cell, str) and cell.strip().casefold() in TRUTH):
            self._truth.setdefault(column, self._place(line, column))
            return TRUTH[str(cell).strip().casefold()]
        if not isinstance(cell, int | float | str):
            raise self._wrong(cell, line, column)
        if isinstance(cell, str):
            cell = cell.strip().replace(MINUS, "-")
            if cell.casefold() in MISSING:
                return None
            if cell.endswith("%"):
                self._percent.setdefault(column, self._place(line, column))
                cell = cell[:-1].rstrip()
            elif column not in self._plain:
                self._plain[column] = self._place(line, column)
            if GROUPED.fullmatch(cell):
                cell = self._ungrouped(cell)
            elif "," in cell:
                cell = self._with_point(cell, line, column)
            elif not self._points and _POINT_OF_THOUSANDS.fullmatch(cell):
                self._points = self._place(line, column)
        elif column not in self._plain:
            self._plain[column] = self._place(line, column)
        try:
            value = float(cell)
        except (ValueError, OverflowError):
            raise self._wrong(cell, line, column) from None
        if not math.isfinite(value) or (isinstance(cell, str) and "_" in cell):
            raise self._wrong(cell, line, column)
        self._check_size(value, line, column)
        return value

    def _check_size(self, value: float, line: int, column: str) -> None:
        if abs(value) > LARGEST_SCORE:
            raise LoadError(
                f"{self._place(line, column)}: {value:g} is out of range; scores of up to {LARGEST_SCORE:g} can be "
                "used. Correct it or leave it empty.",
                self._file,
            )

    def _with_point(self, cell: str, line: int, column: str) -> str:
        if not _COMMA.fullmatch(cell):
            raise self._wrong(cell, line, column)
        if _THOUSANDS.fullmatch(cell):
            self._thousands = self._thousands or self._place(line, column)
        else:
            self._commas += 1
        return cell.replace(",", ".")

    def _ungrouped(self, cell: str) -> str:
        """Return a number without its separators of thousands: the last separator is that of decimals if it differs."""
        signs = [sign for sign in cell if not sign.isdecimal() and sign not in "+-"]
        self._grouped.add(signs[0])
        has_decimals = signs[-1] in ".," and signs.count(signs[-1]) == 1
        whole, _, decimals = cell.rpartition(signs[-1]) if has_decimals else (cell, "", "")
        self._commas += has_decimals and signs[-1] == ","
        return re.sub(r"[^\d+-]", "", whole) + (f".{decimals}" if has_decimals else "")

    def finish(self, report: Reporter) -> None:
        """Report repairs; raise LoadError when a comma may as well separate thousands, or percent signs are missing."""
        mixed = next((column for column in self._percent if column in self._plain), None)
        if mixed is not None:
            raise LoadError(
                f"{self._plain[mixed]}: a number without a percent sign, but {self._percent[mixed]} has one. Write all "
                "numbers of a column alike.",
                self._file,
            )
        self._report_truth(report)
        if self._percent:
            sentence = "Percent signs were left out: 83% was read as 83"
            report.gather("repaired", "percent", sentence, self._file)
        if self._points and (self._commas or "." in self._grouped):
            raise LoadError(
                f"{self._points}: a point before three digits, beside decimal commas, may separate decimals or "
                "thousands. Write all numbers alike.",
                self._file,
            )
        if self._grouped:
            sentence = "Separators of thousands were left out: 1,234.5 was read as 1234.5"
            report.gather("repaired", "thousands", sentence, self._file)
        if self._thousands and (self._grouped or not self._commas):
            raise LoadError(
                f"{self._thousands}: a comma before three digits may separate decimals or thousands. Write a decimal "
                "point.",
                self._file,
            )
        if self._commas:
            report.gather("repaired", "decimal-comma", "Decimal commas were read as decimal points", self._file)

    def _report_truth(self, report: Reporter) -> None:
        mixed = next((column for column in self._truth if column in self._plain), None)
        if mixed is not None:
            raise LoadError(
                f"{self._truth[mixed]}: true or false (or yes or no), but {self._plain[mixed]} has a number. Write "
                "all scores of a column alike.",
                self._file,
            )
        if self._truth:
            sentence = "true and false, or yes and no, were read as 1 and 0: the score is the share that is right"
            report.gather("repaired", "truth", sentence, self._file)

    def _place(self, line: int, column: str) -> str:
        return f"{self._file}, line {line}" + (f", column {column!r}" if column else "")

    def _wrong(self, cell: object, line: int, column: str) -> LoadError:
        if isinstance(cell, str) and SPREAD.fullmatch(cell):
            return LoadError(f"{self._place(line, column)}: {cell[:40]!r} {OF_SPREAD}.", self._file)
        shown = repr(cell)
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        return LoadError(
            f"{self._place(line, column)}: expected a finite number, or nothing (or NA) for a missing score; found "
            f"{shown}. Correct it or leave it empty.",
            self._file,
        )
