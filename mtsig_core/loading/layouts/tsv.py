"""Tables as sacreBLEU takes them: reference columns first, then one column per output, separated by tabs.

With a header, columns called ``ref*``, ``src*`` / ``source*`` and ``doc*`` are what they say, and the
others are outputs (``SYSTEM``, ``SYSTEM.seed1``). Without one, the first column is the reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.names import is_no_output, special, split_flat, stems
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.headings import check_distinct

NAME = "sacreBLEU TSV"
_SIDE = re.compile(
    r"(?P<reference>ref(?:erence)?s?)(?:[\W_]?\w{0,20})|(?P<source>src|source)|(?P<documents>doc(?:ument)?(?:_?id)?s?)"
    r"|(?P<number>id|seg(?:ment)?(?:_?id)?|line|index|#)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?|nan|NA|None|")
#: Columns of tables that hold scores, which are another layout.
_SCORES = re.compile(r"(?:.*[_\s-])?(?:score|rating|severity|category|metric|rater|annotator)s?", re.IGNORECASE)


def recognise(files: FileTree) -> int:
    """Return 18 when a table of texts is there, else 0."""
    return 18 if _tables(files) else 0


def _tables(files: FileTree) -> list[str]:
    return [path for path in files if _is_table(path, files)]


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
    cells = [cell.strip() for line in whole[1:] for cell in line.split("\t")]
    return sum(_NUMBER.fullmatch(cell) is not None for cell in cells) <= len(cells) / 2


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
    rows = _rows(path, files.lines(path, report), report)
    header = _header(rows)
    if header is None:
        first = stems([path])[path]
        n_outputs = len(rows[0]) - 1
        header = ["ref", *([first] if n_outputs == 1 else [f"column{i + 2}" for i in range(n_outputs)])]
        sentence = "No header: the first column is taken for the reference, the others for outputs"
        report.gather("assumed", "no-header", sentence, path)
    else:
        rows = rows[1:]
        if not any((m := _SIDE.fullmatch(name)) and m["reference"] for name in header):
            sentence = f"No column is called ref: {header[0]!r} is taken for the reference"
            report.gather("assumed", "first-is-reference", sentence, path)
            header = ["ref", *header[1:]]
    check_distinct(header, path, path)
    columns = []
    for i, name in enumerate(header):
        lines = [row[i] for row in rows]
        columns.append((_role(f"{path}#{name}", name, test_set), lines))
    return columns


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
    if len(rows) > 1 and any(map(_SIDE.fullmatch, first)) and all(first):
        return first
    names = len(set(first)) == len(first) and all(re.fullmatch(r"[\w.:+-]+", cell) for cell in first)
    texts = sum(len(row[0].split()) > 1 for row in rows[1:])
    return first if names and len(rows) > 2 and texts > 0.8 * (len(rows) - 1) else None


def _role(path: str, name: str, test_set: str) -> FileRole:
    side = _SIDE.fullmatch(name)
    if side is None:
        system, replica = split_flat(name) or (name, "1")
        return FileRole(path, "output", test_set, system, replica)
    if side["reference"]:
        return FileRole(path, "reference", test_set, stream=name)
    if side["number"]:
        return FileRole(path, "ignored", test_set, reason="numbers of segments")
    return FileRole(path, "source" if side["source"] else "documents", test_set)
