"""Tables as sacreBLEU takes them: reference columns first, then one column per output, separated by tabs.

With a header, columns called ``ref*``, ``src*`` / ``source*`` and ``doc*`` are what they say, and the
others are outputs (``SYSTEM``, ``SYSTEM.seed1``). Without one, the first column is the reference. The same as CSV
needs a header with a reference; of its other columns those of numbers are not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.records.books import is_book, table_of
from mtsig_core.loading.layouts.records.rows import LOOKED_AT, first_rows, is_text, may_be_table, start_of_table
from mtsig_core.loading.recognition.names import is_no_output, special, stems
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import report_names, split_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.columns import checked_rows
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.headings import check_distinct
from mtsig_core.loading.text.xml import one_line

NAME = "sacreBLEU TSV"
_TOLD = {"reference": "reference", "source": "source", "documents": "documents", "output": "outputs"}
_SIDE = re.compile(
    r"(?P<reference>ref(?:erence)?s?|referenz(?:en)?|targets?|gold)(?:[\W_]?(?:\d{1,3}|[A-Za-z]|std|human|[a-z]{2}))?|"
    r"(?P<source>(?:src|source|input)(?:[\W_]?text)?|questions?|prompts?|quelle|quelltext|ausgangstext|original|fuente|fonte)"
    r"|(?P<documents>doc(?:ument)?(?:_?id)?s?)"
    r"|(?P<number>id|seg(?:ment)?(?:_?id)?|line|index|#)",
    re.IGNORECASE,
)
#: Names that are those of a reference where no other column is one.
_WEAKER = re.compile(
    r"(?:human|ht|gt|ground[\W_]?truth|correct|expected)(?:[\W_]?(?:translation|reference|output|answer))?(?:[\W_]?\d{1,2})?",
    re.IGNORECASE,
)
_HEADING = "To change this, name the columns in the first line."
_NUMBER = re.compile(
    r"[-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?\s*%?(?:\s*(?:±|\+/?-)\s*\d*[.,]?\d+|\s*\(\s*±?\s*\d*[.,]?\d+\s*\))?|"
    r"nan|NA|None|"
)
#: Columns of tables that hold scores, which are another layout.
_SCORES = re.compile(r"(?:.*[_\s-])?(?:score|rating|severity|category|metric|rater|annotator)s?", re.IGNORECASE)


def recognise(files: FileTree) -> int:
    """Return 18 when a table of texts is there, else 0; 20 when a workbook or parquet file is one, not of scores."""
    tables = _tables(files)
    return 20 if any(map(is_book, tables)) else 18 if tables else 0


def _tables(files: FileTree) -> list[str]:
    return [path for path in files if _is_table(path, files) or _is_csv(path, files)]


def _is_csv(path: str, files: FileTree) -> bool:
    """Say whether a file is separated by commas or the like, with a reference and outputs by name and by content."""
    if not may_be_table(path, files) or first_rows(path, files):
        return False
    rows = start_of_table(path, files)
    columns = {name: [str(row[name]) for row in rows] for name in (rows[0] if rows else ())}
    sides = _sides(columns)
    texts = [name for name, cells in columns.items() if is_text(cells)]
    return any(sides.get(name) == "reference" for name in texts) and any(name not in sides for name in texts)


def _sides(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return which columns are a reference, source, documents or numbers of segments by their names."""
    sides = {name: match.lastgroup or "" for name in columns if (match := _SIDE.fullmatch(name))}
    if "reference" not in sides.values():
        weaker = [name for name, cells in columns.items() if _WEAKER.fullmatch(name) and is_text(cells)]
        sides |= dict.fromkeys(weaker, "reference")
    return sides


def _is_table(path: str, files: FileTree) -> bool:
    name = path.lower().removesuffix(".gz")
    if not name.endswith((".tsv", ".tab")) or is_no_output(path) or special(path) == "documents" or files.format(path):
        return False
    lines = files.head(path).split("\n")
    whole = [line for line in lines[:-1] or lines if line.strip()][:50]
    columns = {line.count("\t") + 1 for line in whole}
    header = [cell.strip() for cell in whole[0].split("\t")] if whole else []
    if len(columns) != 1 or columns == {1} or any(map(_SCORES.fullmatch, header)):
        return False
    rows = [[_NUMBER.fullmatch(cell.strip()) is not None for cell in line.split("\t")] for line in whole[1:]]
    n_numbers = [sum(column) for column in zip(*rows, strict=True)]
    if not rows:
        return True
    # at least a reference and an output are there that are no columns of numbers
    return sum(n_numbers) <= len(rows) * len(n_numbers) / 2 and sum(n < len(rows) for n in n_numbers) > 1


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    tables = _tables(files)
    names = stems(tables) if len(tables) > 1 else dict.fromkeys(tables, "test")
    roles: list[FileRole] = []
    texts: dict[str, list[str]] = {}
    for path in files:
        if path not in names:
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
            continue
        for role, lines in _columns(path, names[path], files, report):
            roles.append(role)
            texts[role.path] = lines
    return Plan(tuple(roles), texts)


def _columns(path: str, test_set: str, files: FileTree, report: Reporter) -> list[tuple[FileRole, list[str]]]:
    if not _is_table(path, files):
        return _columns_of_csv(path, test_set, files, report)
    rows = _rows(path, files.lines(path, report), report)
    header = _header(rows)
    _check_first(path, header, rows)
    if header is None:
        first = stems([path])[path]
        n_outputs = len(rows[0]) - 1
        header = ["ref", *([first] if n_outputs == 1 else [f"column{i + 2}" for i in range(n_outputs)])]
        sentence = "No header: the first column is read as the reference, the others as outputs"
        report.gather_guess("no-header", sentence, _HEADING, path)
    else:
        rows = rows[1:]
        sides = _sides(_by_name(header, rows))
        if "source" in sides.values() and "reference" not in sides.values():
            listed = some(header, 8)
            raise LoadError(f"{path}: no column is the reference ({listed}). Call it 'ref' in the heading.", path)
        if "reference" not in sides.values():
            sentence = f"No column is called ref: {header[0]!r} is read as the reference"
            report.gather_guess("first-is-reference", sentence, _HEADING, path)
            header = ["ref", *header[1:]]
    check_distinct(header, path, path)
    roles = _roles(path, test_set, header, rows, report)
    _report_columns(path, roles, report)
    return roles


def _check_first(path: str, header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> None:
    """Refuse to take the first column for the reference where it holds single words, and others texts."""
    if header is not None and "reference" in _sides(_by_name(header, rows[1:])).values():
        return
    columns = list(zip(*rows[1 : LOOKED_AT + 1], strict=True))
    if columns and not is_text(columns[0]) and any(map(is_text, columns[1:])):
        first = repr(rows[0][0][:40])
        raise LoadError(
            f"{path}: no column is called ref, and the first ({first}) holds no texts, as others do. Call the "
            "reference 'ref' in the heading, ids 'id', and each output by its system.", path,
        )  # fmt: skip


def _columns_of_csv(
    path: str, test_set: str, files: FileTree, report: Reporter
) -> list[tuple[FileRole, list[str]]]:
    table = table_of(path, files, report)
    check_distinct(table.header, f"{path}, line 1", path)
    rows = [[one_line(str(cell)) for cell in cells] for _, cells in checked_rows(table.header, table.rows, path)]
    columns = _by_name(table.header, rows)
    used = [i for i, (name, cells) in enumerate(columns.items()) if name in _sides(columns) or is_text(cells)]
    unused = [repr(name) for i, name in enumerate(table.header) if i not in used]
    if unused:
        report.add("ignored", "unused-columns", f"{path}: unused columns: {some(unused, 12)}.", [path])
    header = [table.header[i] for i in used]
    roles = _roles(path, test_set, header, [[row[i] for i in used] for row in rows], report)
    _report_columns(path, roles, report)
    return roles


def _report_columns(path: str, roles: Sequence[tuple[FileRole, list[str]]], report: Reporter) -> None:
    """List which columns were taken for references, sources and outputs by their names."""
    kinds = {word: [role.path.partition("#")[2] for role, _ in roles if role.kind == word] for word in _TOLD}
    columns = "; ".join(f"{_TOLD[word]}: {some(names, 8)}" for word, names in kinds.items() if names)
    remedy = "To change this, rename the columns, or choose them on the Data page."
    report.assume("texts-in-columns", f"{path}: its columns were read as texts ({columns}).", remedy, [path])


def _roles(
    path: str, test_set: str, header: Sequence[str], rows: Sequence[Sequence[str]], report: Reporter
) -> list[tuple[FileRole, list[str]]]:
    """Return what each column is, with its lines."""
    sides = _sides(_by_name(header, rows))
    outputs = split_names([name for name in header if name not in sides], endings=False)
    report_names(outputs, report)
    roles = [
        FileRole(f"{path}#{name}", "output", test_set, outputs[name].system, outputs[name].replica)
        if name in outputs
        else _role(f"{path}#{name}", name, sides[name], test_set)
        for name in header
    ]
    return [(role, [row[i] for row in rows]) for i, role in enumerate(roles)]


def _by_name(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {name: [row[i] for row in rows[:LOOKED_AT]] for i, name in enumerate(header)}


def _rows(path: str, lines: Sequence[str], report: Reporter) -> list[list[str]]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
        report.gather("repaired", "blank-rows", "Blank rows at the end of a table were left out", path)
    rows = [line.split("\t") for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise LoadError(
                f"{path}, line {number}: {count(len(row), 'column')}, but {len(rows[0])} in the first line. Every row "
                "needs one cell per column; a tab inside a segment must be a blank.",
                path,
            )
    return rows


def _header(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the names of the first row, or None when it is text like the others."""
    first = [cell.strip() for cell in rows[0]]
    if len(rows) > 1 and any(_SIDE.fullmatch(name) or _WEAKER.fullmatch(name) for name in first) and all(first):
        return first
    names = len(set(first)) == len(first) and all(re.fullmatch(r"[\w.:+-]+", cell) for cell in first)
    texts = sum(len(row[0].split()) > 1 for row in rows[1:])
    return first if names and len(rows) > 2 and texts > 0.8 * (len(rows) - 1) else None


def _role(path: str, name: str, side: str, test_set: str) -> FileRole:
    if side == "number":
        return FileRole(path, "ignored", test_set, reason="numbers of segments")
    if side == "reference":
        return FileRole(path, "reference", test_set, stream=name)
    return FileRole(path, "source" if side == "source" else "documents", test_set)
