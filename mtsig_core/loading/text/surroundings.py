"""What stands around a table in a text: titles above its heading, lines that it is drawn with, names of rows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError

TextRow = tuple[int, list[str]]
#: Rows above a heading that are looked through for it, and rows below it for names of rows.
HEADING_WITHIN, LOOKED_AT = 20, 20
#: The line below a heading in Markdown, and the ones between rows where a table has a frame.
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:[|+]\s*:?-{2,}:?\s*)*\|?\s*")
_FRAME = re.compile(r"\s*\+(?:[-=]+\+)+\s*")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?P<text>.+)\1")
_NOTES = re.compile(r"(?:readme|changelog|changes|contributing|license)\b.*")
_DRAWN = (".md", ".markdown", ".txt")
_WORD = re.compile(r'"(?P<quoted>[^"]*)"|\S+')


def is_drawn(path: str, head: str) -> bool:
    """Say whether a text holds a table that is drawn with bars, and is no file of notes by its name."""
    name = base_name(path).casefold()
    return "|" in head and name.endswith(_DRAWN) and not _NOTES.fullmatch(name) and bool(_tables(head.split("\n")))


def undrawn(lines: Sequence[str], file: str) -> Sequence[str]:
    """Return the rows of a table drawn with bars, cells between tabs and all other lines blank; else the lines.

    Raises
    ------
    LoadError
        When the text holds several such tables.
    """
    tables = _tables(lines) if any("--" in line or "==" in line for line in lines[: 10 * HEADING_WITHIN]) else []
    if not tables:
        return lines
    if len(tables) > 1:
        listed = " and ".join(str(start + 1) for start, _ in tables[:2])
        raise LoadError(f"{file}: holds several tables (lines {listed}). Write each to a file of its own.", file)
    ((start, end),) = tables
    return [_cells(line) if start <= i < end else "" for i, line in enumerate(lines[:end])]


def _tables(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each drawn table begins and ends: a heading with bars, and a rule or frame below it."""
    tables: list[tuple[int, int]] = []
    for i in range(1, len(lines)):
        is_rule = "|" in lines[i] and _RULE.fullmatch(lines[i]) or _FRAME.fullmatch(lines[i])
        if is_rule and "|" in lines[i - 1] and (not tables or i > tables[-1][1]):
            end = next((k for k in range(i, len(lines)) if not {"|", "+"} & set(lines[k])), len(lines))
            tables.append((i - 1, end))
    return tables


def _cells(line: str) -> str:
    if _RULE.fullmatch(line) or _FRAME.fullmatch(line):
        return ""
    inner = line.strip().removeprefix("|").removesuffix("|")
    cells = [" ".join(cell.split()) for cell in inner.split("|")]
    return "\t".join(match["text"] if (match := _EMPHASIS.fullmatch(cell)) else cell for cell in cells)


def without_title(
    lines: Sequence[str], delimiters: Sequence[str], n_known: Callable[[list[str]], int]
) -> Sequence[str]:
    """Return lines in which what stands above the heading is blank: titles, which fill one cell at most.

    Parameters
    ----------
    lines : sequence of str
    delimiters : sequence of str
    n_known : callable
        Takes names of columns and says how many of them are known: two, and they are a heading.
    """
    def filled(line: str) -> list[str]:
        return max(([cell for cell in line.split(sign) if cell.strip().strip('"')] for sign in delimiters), key=len)

    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    within = range(first, min(len(lines), first + HEADING_WITHIN))
    heading = next((i for i in within if len(filled(lines[i])) > 1), first)
    if heading == first or n_known([cell.strip().strip('"') for cell in filled(lines[heading])]) < 2:
        return lines
    return [*[""] * heading, *lines[heading:]]


def words_of(line: str) -> list[str]:
    """Return the cells of a line that blanks separate; one in quotes may hold some."""
    return [match[0] if match["quoted"] is None else match["quoted"] for match in _WORD.finditer(line)]


def may_be_even(head: str) -> bool:
    """Say whether the last lines that are looked at may be rows with equally many cells; text hardly ever is."""
    looked_at = [line for line in head.split("\n", 2 * LOOKED_AT)[:-1] if line.strip()]
    if len(looked_at) < LOOKED_AT or any('"' in line for line in looked_at):
        return True  # titles and headings may be among so few lines
    looked_at = looked_at[-8:]
    counts = [[len(line.split()) for line in looked_at]]
    counts += [[line.count(sign) for line in looked_at] for sign in "\t,;|" if sign in looked_at[-1]]
    return any(len(set(own)) == 1 for own in counts)


def with_row_names(header: list[str], rows: Iterator[TextRow]) -> tuple[list[str], Iterator[TextRow]]:
    """Return a heading and rows of equal length where every row has one cell more.

    R's write.table gives the names of rows no heading; a delimiter at the end of each row is one too many.
    """
    first = list(itertools.islice(rows, LOOKED_AT))
    rest = itertools.chain(first, rows)
    if len(header) < 2 or not first or any(len(cells) != len(header) + 1 for _, cells in first):
        return header, rest
    if not any(cells[-1].strip() for _, cells in first):
        return header, ((i, cells[:-1] if len(cells) > len(header) and not cells[-1].strip() else cells)
                        for i, cells in rest)  # fmt: skip
    if len({cells[0] for _, cells in first}) < len(first):
        return header, rest
    return ["", *header], rest
