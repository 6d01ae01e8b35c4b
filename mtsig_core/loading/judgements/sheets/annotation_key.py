"""The key of a blind annotation sheet: which side of which row is which output, and what was asked."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.text.spreadsheets import Cells, guarded, read_cells

ADEQUACY, FLUENCY, RANKING, ERRORS = "adequacy", "fluency", "ranking", "errors"
#: What a sheet may ask of each output, or (ranking) of both.
COLUMNS = (ADEQUACY, FLUENCY, RANKING, ERRORS)
RATINGS = (ADEQUACY, FLUENCY)
ERROR_TYPES: tuple[str, ...] = (
    "mistranslation", "omission", "addition", "grammar", "word order", "terminology", "other",
)  # fmt: skip
KEY_HEADER = (
    "sheet", "item", "test set", "segment", "output 1 system", "output 1 replica", "output 2 system",
    "output 2 replica", "baseline is", "check", "asked", "drawn",
)  # fmt: skip
#: A rating is not farther from 0.
MOST = 1000
_NEEDED = ("item", "segment", "output 1 system", "output 2 system", "baseline is", "check", "asked")
_RATING = re.compile(r"(\w+) (-?[\d.]+) to (-?[\d.]+)")
_BLANK = re.compile(r"[\s\x00-\x1f\ufffd]+")

Output = tuple[str, str]  # system, replica


@dataclass(frozen=True)
class Asked:
    """What a sheet asks of people.

    Parameters
    ----------
    columns : tuple of str
        Some of `COLUMNS`.
    scale : tuple of (float, float)
        Worst and best rating of adequacy and fluency.
    errors : tuple of str
        Types of error to mark.

    Raises
    ------
    ValueError
        When nothing is asked, a column is unknown, the scale is empty, or an error type has no usable name.
    """

    columns: tuple[str, ...] = COLUMNS
    scale: tuple[float, float] = (1, 5)
    errors: tuple[str, ...] = ERROR_TYPES

    def __post_init__(self) -> None:
        unknown = [c for c in self.columns if c not in COLUMNS]
        if unknown or not self.columns:
            problem = f"not {unknown[0]!r}" if unknown else "at least one of them"
            raise ValueError(f"A sheet can ask for {', '.join(COLUMNS)}; {problem}.")
        low, high = self.scale
        if not -MOST <= low < high <= MOST:
            raise ValueError(f"The scale runs from {low:g} to {high:g}; the best must be above the worst, both within "
                             f"{MOST} of 0.")  # fmt: skip
        names = [name.casefold() for name in self.errors]
        if ERRORS in self.columns and (not names or len(set(names)) < len(names)):
            raise ValueError("Give types of error to mark, each once.")
        bad = next((name for name in self.errors if not name.strip() or set(name) & set(",;|/\n")), None)
        if bad is not None:
            raise ValueError(f"An error type needs a name without comma, semicolon, bar or slash; not {bad!r}.")

    @property
    def description(self) -> str:
        """What is asked in words that `asked_from` reads."""
        low, high = self.scale
        parts = {c: f"{c} {low:g} to {high:g}" if c in RATINGS else c for c in self.columns}
        if ERRORS in parts:
            parts[ERRORS] = f"{ERRORS} {'|'.join(self.errors)}"
        return "; ".join(parts.values())


def asked_from(description: str) -> Asked:
    """Return what `Asked.description` describes; ValueError when it is something else."""
    columns: list[str] = []
    scale, errors = (1.0, 5.0), tuple(ERROR_TYPES)
    for part in description.split("; "):
        rating = _RATING.fullmatch(part)
        if rating:
            scale = (float(rating[2]), float(rating[3]))
        elif part.startswith(f"{ERRORS} "):
            errors = tuple(part.removeprefix(f"{ERRORS} ").split("|"))
        columns.append(rating[1] if rating else part.split(" ")[0])
    return Asked(tuple(columns), scale, errors)


@dataclass(frozen=True)
class KeyItem:
    """One row of a sheet.

    Parameters
    ----------
    item : str
        Its id in the sheet.
    segment : str
        Number of the segment in the test set, from 1.
    a_is_first : bool
        Whether output 1 is that of a.
    check : str
        Digest of both outputs, the first side first: finds rows whose cells were moved.
    """

    item: str
    segment: str
    a_is_first: bool
    check: str


@dataclass(frozen=True)
class AnnotationKey:
    """What says which output is on which side of each row of a sheet.

    Parameters
    ----------
    test_set : str
    a, b : tuple of (str, str)
        System and replica; a is the baseline.
    asked : Asked
    items : tuple of KeyItem
    drawn : str
        How the segments were chosen, in words.
    file : str
        Where the key was read from.
    """

    test_set: str
    a: Output
    b: Output
    asked: Asked
    items: tuple[KeyItem, ...]
    drawn: str = ""
    file: str = field(default="key.csv", compare=False)

    @property
    def sheet(self) -> str:
        """Id of the sheet: a digest of everything in the key."""
        return _sheet_id(self.test_set, self.a, self.b, self.asked, self.drawn, self.items)


def item_id(sheet: str, place: int) -> str:
    """Return the id of the row at a place from 0; letters before the number keep spreadsheets from seeing a date."""
    return f"{sheet}-{place + 1:03d}"


def _sheet_id(
    test_set: str, a: Output, b: Output, asked: Asked, drawn: str, items: Sequence[KeyItem]
) -> str:
    rows = [(i.segment, str(i.a_is_first), i.check) for i in items]
    return letters(repr((test_set, a, b, asked.description, drawn, rows)))


def new_key(
    test_set: str, a: Output, b: Output, asked: Asked, drawn: str, rows: Sequence[tuple[int, bool, tuple[str, str]]]
) -> AnnotationKey:
    """Return the key of rows, each a segment number, whether a stands first, and the outputs as they stand."""
    bare = [KeyItem("", str(segment), first, check_of(*outputs)) for segment, first, outputs in rows]
    sheet = _sheet_id(test_set, a, b, asked, drawn, bare)
    items = tuple(KeyItem(item_id(sheet, i), r.segment, r.a_is_first, r.check) for i, r in enumerate(bare))
    return AnnotationKey(test_set, a, b, asked, items, drawn)


def letters(text: str) -> str:
    """Return eight letters that stand for a text; a spreadsheet takes digits such as 12e45678 for a number."""
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()
    return "".join(chr(ord("a") + byte % 16) for byte in digest[:8])


def check_of(first: str, second: str) -> str:
    """Return the digest of two outputs, blind to white space, which spreadsheets change."""
    return letters("\n".join(_BLANK.sub(" ", text).strip() for text in (first, second)))


def key_csv(key: AnnotationKey) -> bytes:
    """Return a key as CSV, one row per segment in the order of the sheet."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(KEY_HEADER)
    for each in key.items:
        first, second = (key.a, key.b) if each.a_is_first else (key.b, key.a)
        cells = (
            key.sheet, each.item, key.test_set, each.segment, *first, *second, "1" if each.a_is_first else "2",
            each.check, key.asked.description, key.drawn,
        )  # fmt: skip
        writer.writerow([guarded(cell) for cell in cells])
    return stream.getvalue().encode("utf-8-sig")


def read_key(name: str, data: bytes) -> AnnotationKey:
    """Read the key of an annotation sheet.

    Parameters
    ----------
    name : str
        File name, for messages.
    data : bytes
        CSV as `key_csv` wrote it; also as a spreadsheet saved it again.

    Raises
    ------
    LoadError
        When it is no key, or was changed; names file, row and remedy.
    """
    table = read_cells(name, data, _NEEDED, what="the key of an annotation sheet")
    if not table.rows:
        raise LoadError(f"{name}: is a key without rows. Give the file as it was written.", name)
    rows = [dict(zip(table.header, map(table.text, cells), strict=True)) for _, cells in table.rows]
    one = {column: _one(column, rows, table) for column in ("sheet", "test set", "asked", "drawn") if column in rows[0]}
    try:
        asked = asked_from(one["asked"])
    except ValueError as error:
        raise LoadError(f"{name}, column 'asked': not readable ({error}). {_AS_WRITTEN}", name) from error
    (a, b), items = _sides_and_items(name, [number for number, _ in table.rows], rows)
    items.sort(key=lambda each: (len(each.item), each.item))
    key = AnnotationKey(one.get("test set", ""), a, b, asked, tuple(items), one.get("drawn", ""), name)
    if key.sheet != one.get("sheet") or [i.item for i in items] != [item_id(key.sheet, k) for k in range(len(items))]:
        raise LoadError(f"{name}: was changed after it was written (its contents do not give its id). {_AS_WRITTEN}",
                        name)  # fmt: skip
    return key


def _sides_and_items(
    name: str, numbers: Sequence[int], rows: Sequence[dict[str, str]]
) -> tuple[tuple[tuple[str, str], tuple[str, str]], list[KeyItem]]:
    """Return (system, replica) of the baseline and of the other output, and the items."""
    items, sides = [], set()
    for number, row in zip(numbers, rows, strict=True):
        side = row["baseline is"].strip()
        if side not in ("1", "2"):
            raise LoadError(f"{name}, row {number}, column 'baseline is': expected 1 or 2; found {side!r}. "
                            f"{_AS_WRITTEN}", name)  # fmt: skip
        first, second = ((row[f"output {i} system"], row.get(f"output {i} replica", "")) for i in (1, 2))
        sides.add((first, second) if side == "1" else (second, first))
        items.append(KeyItem(row["item"].strip(), row["segment"].strip(), side == "1", row["check"].strip()))
    if len(sides) > 1:
        names = some(sorted({"/".join(output) for pair in sides for output in pair}), 6)
        raise LoadError(f"{name}: names more than two outputs ({names}). {_AS_WRITTEN}", name)
    return sides.pop(), items


_AS_WRITTEN = "Give the key as it was written beside the sheet; a spreadsheet may change it when it saves it."


def _one(column: str, rows: Sequence[dict[str, str]], table: Cells) -> str:
    values = list(dict.fromkeys(row[column] for row in rows))
    if len(values) > 1:
        listed = some(map(repr, values), 3)
        message = f"{table.file}, column {column!r}: holds {listed}, but a key belongs to one sheet. {_AS_WRITTEN}"
        raise LoadError(message, table.file)
    return values[0]
