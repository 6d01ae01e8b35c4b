"""Tables as text that fits a terminal: long texts are wrapped, and many columns stand in blocks."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

GAP = 2  # blanks between columns
WIDEST = 44  # characters of a column that has to give way

Column = tuple[str, list[str], bool]  # heading, cells, whether they are numbers


def fitted(frame: pd.DataFrame, width: int) -> str:
    """Return a table in lines of at most so many characters.

    A table that is too wide first gets lower headings, then narrower columns of text, then blocks of columns below
    each other, each with the first columns that tell its rows apart.

    Parameters
    ----------
    frame : DataFrame
        Numbers are printed with four significant digits below 10, else with two decimals.
    width : int
    """
    columns = [_column(frame, j) for j in range(frame.shape[1])]
    natural = [max(map(len, (heading, *cells))) for heading, cells, _ in columns]
    if sum(natural) + GAP * (len(columns) - 1) <= width:
        return _block(columns, natural)
    narrowest = [_narrowest(column, width) for column in columns]
    lower = [max(len(max(cells, key=len, default="")), least) for (_, cells, _), least in
             zip(columns, narrowest, strict=True)]  # fmt: skip
    wanted = [min(one, two) for one, two in zip(lower, natural, strict=True)]
    blocks = _blocks(narrowest, width, _keys(columns, narrowest, width))
    return "\n\n".join(
        _block([columns[j] for j in block], _shared([wanted[j] for j in block], [narrowest[j] for j in block], width))
        for block in blocks
    )


def _column(frame: pd.DataFrame, j: int) -> Column:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    column = frame.iloc[:, j]
    cells = [_cell(value) for value in column.tolist()]
    texts = [cell for cell in cells if cell and cell != "—"]
    is_number = is_numeric_dtype(column) and not is_bool_dtype(column) or bool(texts) and all(
        not cell.lstrip("−+-< ").strip("%×⚠▲▼○ ").replace(",", "").replace(".", "", 1).strip("0123456789")
        for cell in texts
    )
    return " ".join(str(frame.columns[j]).split()), cells, is_number


def _cell(value: Any) -> str:
    import pandas as pd

    if pd.isna(value):
        return "—"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 10 else f"{value:.2f}"
    return " ".join(str(value).split())


def _narrowest(column: Column, width: int) -> int:
    """Return how narrow a column can be: as its longest word; numbers are not broken."""
    heading, cells, is_number = column
    words = [*heading.split(), *(cells if is_number else (word for cell in cells for word in cell.split()))]
    return min(max(map(len, words), default=1), WIDEST, width)


def _keys(columns: Sequence[Column], narrowest: Sequence[int], width: int) -> int:
    """Return how many of the first columns tell rows apart; one where they would take more than half of the width."""
    rows = list(zip(*(cells for _, cells, _ in columns), strict=True))
    for k in range(1, len(columns)):
        if len({row[:k] for row in rows}) == len(rows):
            return k if sum(narrowest[:k]) + GAP * k <= width // 2 else 1
    return 1


def _blocks(narrowest: Sequence[int], width: int, n_keys: int) -> list[list[int]]:
    """Return which columns stand beside each other; the first ones begin every block."""
    blocks = [[*range(n_keys)]]
    for j in range(n_keys, len(narrowest)):
        used = sum(narrowest[i] for i in blocks[-1]) + GAP * len(blocks[-1])
        if used + narrowest[j] > width and len(blocks[-1]) > n_keys:
            blocks.append([*range(n_keys)])
        blocks[-1].append(j)
    return blocks


def _shared(wanted: Sequence[int], narrowest: Sequence[int], width: int) -> list[int]:
    """Return widths that fit: the widest columns give way first, none below its narrowest."""
    widths = list(wanted)
    excess = sum(widths) + GAP * (len(widths) - 1) - width
    while excess > 0:
        free = [j for j in range(len(widths)) if widths[j] > narrowest[j]]
        if not free:
            break
        widest = max(free, key=lambda j: widths[j])
        widths[widest] -= 1
        excess -= 1
    if excess > 0 and len(widths) > 1:  # two very long words beside each other
        longest = max(range(len(widths)), key=lambda j: widths[j])
        widths[longest] = max(8, widths[longest] - excess)
    return widths


def _block(columns: Sequence[Column], widths: Sequence[int]) -> str:
    headings = [heading for heading, _, _ in columns]
    rows = [headings, *([cells[i] for _, cells, _ in columns] for i in range(len(columns[0][1])))] if columns else []
    lines = [line for row in rows for line in _row(row, columns, widths)]
    return "\n".join(lines)


def _row(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, wrapped))
    lines = []
    for k in range(height):
        parts = [
            (lines_of[k] if k < len(lines_of) else "").rjust(width) if is_number else
            (lines_of[k] if k < len(lines_of) else "").ljust(width)
            for lines_of, width, (_, _, is_number) in zip(wrapped, widths, columns, strict=True)
        ]
        lines.append((" " * GAP).join(parts).rstrip())
    return lines
