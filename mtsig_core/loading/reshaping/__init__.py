"""JSON of other shapes -> the list of rows that layouts read: one row per output and segment, or per score.

::

    {"columns": [...], "data": [[...]]}        what pandas' to_json writes, in each of its orientations
    {"model": "base", "data": [{...}, ...]}    one list of rows, with what holds for all of them
    {"src": [...], "ref": [...], "base": [...]}  texts in lists of equal length, also by system and run
    {"base": {"seed1": {"bleu": 27.1}}}        scores by system, run and metric, in any order
    ["A cat.", "A dog."]                       the texts of one file
    {"id": 7, "outputs": ["...", "..."]}       samples of one prompt, and answers of batch requests

To a table of one column, which holds the texts or scores of one output, ids of segments are added. A file keeps its
path; what was read is listed as a guess.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.reshaping.answers import from_answers, from_several_texts, may_hold_answers
from mtsig_core.loading.reshaping.harness import SAMPLES, from_samples, holds_texts
from mtsig_core.loading.reshaping.named_columns import NamedColumns, rows_by_columns
from mtsig_core.loading.reshaping.one_column import is_known, with_ids
from mtsig_core.loading.reshaping.orients import rows_of
from mtsig_core.loading.reshaping.results import rows_of_results
from mtsig_core.loading.reshaping.shape import NotClear, Rows
from mtsig_core.loading.reshaping.texts import from_ids, from_lists, from_rows, from_texts, may_hold_texts
from mtsig_core.loading.sources.limits import MIB
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.records import first_of_list, first_records, is_list, parse_json, read_records

#: Bytes of a file, and objects and lists in it, that are looked into.
MOST_BYTES, MOST_OBJECTS = 20 * MIB, 500_000
_ENDINGS = (".json", ".jsonl", ".ndjson")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_REMEDY = "To change this, write one row per score or per text, with its system, run and segment."


@dataclass(frozen=True)
class _Read:
    """What became of a file: its rows, or why it has none; nothing where it is of another kind."""

    data: bytes | None = None
    how: str = ""
    reason: str = ""


def in_rows(files: FileTree, named: Mapping[str, NamedColumns] | None = None) -> FileTree:
    """Return the tree in which JSON of other shapes is a list of rows, and so are tables whose columns are named.

    Parameters
    ----------
    files : FileTree
    named : mapping of path to the roles of its columns, optional
        Of tables of texts, as a person says.

    Raises
    ------
    LoadError
        When a table has no such columns, or cannot be read by them.
    """
    files = _reshaped(files)
    changed = {}
    for path, columns in (named or {}).items():
        if path in files:
            data = files.read_once(f"named {path}", partial(rows_by_columns, path, files, columns))
            changed[path] = Entry(path, _always(data), original=partial(files.original, path))
    return files.joined(changed) if changed else files


def before_naming(path: str, files: FileTree) -> FileTree:
    """Return the tree of one file as it is read where nobody names its columns."""
    return _reshaped(files.only([]).joined({path: Entry(path, partial(files.original, path))}))


def _reshaped(files: FileTree) -> FileTree:
    changed = {}
    for path in files:
        read = _read(path, files)
        if read.data is None:
            continue
        changed[path] = Entry(path, _always(read.data), original=files.entry(path).read, how=read.how)
    return files.joined(changed) if changed else files


def report_shapes(files: FileTree, used: Iterable[str], report: Reporter) -> None:
    """List how files were read that are no rows as they were uploaded.

    Parameters
    ----------
    files : FileTree
    used : iterable of str
        Files, or parts of them behind a sign, that are used.
    report : Reporter
    """
    for path in dict.fromkeys(re.split(r"[#@]", path)[0] for path in used):
        if path in files and (how := files.entry(path).how):
            report.gather_guess("shape", f"{how[:1].upper()}{how[1:]}", _REMEDY, path)


def _always(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def why_not(path: str, files: FileTree) -> str:
    """Return why a JSON file of a shape that is nearly known was not read; "" where it is of another kind."""
    return _read(path, files).reason


def _read(path: str, files: FileTree) -> _Read:
    name = base_name(path).casefold()
    if name.endswith(tuple(_DELIMITERS)):
        heading = files.head(path).split("\n", 1)[0].strip().strip('"')
        return files.read_once(f"rows of {path}", lambda: _column(path, files)) if is_known(heading) else _Read()
    if not name.endswith(_ENDINGS) or not _may_be_reshaped(files.head(path), name):
        return _Read()
    return files.read_once(f"rows of {path}", lambda: _rows_in(path, files))


def _column(path: str, files: FileTree) -> _Read:
    """Return the rows of a table of one column, with ids of segments."""
    try:
        delimiter = _DELIMITERS[base_name(path).casefold()[-4:]]
        data = with_ids(files.decoder.text(files[path], path).lines, delimiter).encode()
        return _Read(data, "its one column was read as the texts or scores of the segments in order")
    except NotClear as reason:
        return _Read(reason=f"{path}, {reason}")
    except (LoadError, csv.Error):
        return _Read()  # refused with its reason where it is read


def _may_be_reshaped(head: str, name: str) -> bool:
    """Say whether it is worth reading the file: an object, or rows that hold the texts of several systems each."""
    try:
        return _is_candidate(head, name)
    except NotClear:  # of a missing text
        return True


def _is_candidate(head: str, name: str) -> bool:
    start = head.lstrip()
    if name.endswith(".json") and start.startswith(("{", "[")) and not is_list(head):
        return True
    records = first_of_list(head) if is_list(head) else first_records(head)
    return holds_texts(records) if SAMPLES.fullmatch(name) else may_hold_texts(records) or may_hold_answers(records)


def _rows_in(path: str, files: FileTree) -> _Read:
    entry = files.entry(path)
    if len(data := entry.read()) > MOST_BYTES:
        return _Read()
    try:
        lines = files.decoder.text(data, path).lines
        if sum(line.count("{") + line.count("[") for line in lines) > MOST_OBJECTS:
            return _Read()
        rows = _rows(_content(lines, path), path)
        return _Read() if rows is None else _Read(_written(rows, path), rows.how)
    except NotClear as reason:
        return _Read(reason=f"{path}: {reason}")
    except LoadError as error:
        is_read_here_alone = "deep" in str(error) or may_hold_answers(first_records(files.head(path)))
        return _Read(reason=str(error) if is_read_here_alone else "")


def _written(rows: Rows, path: str) -> bytes:
    """Return rows as JSON, one object per line where the file's name says so."""
    if not base_name(path).casefold().endswith(".json"):
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows.rows).encode()
    return json.dumps(rows.rows, ensure_ascii=False).encode()


def _content(lines: list[str], path: str) -> object:
    """Return what the JSON says; of one object per line the list of these."""
    whole = [line for line in lines if line.strip()]
    are_records = len(whole) > 1 or not base_name(path).casefold().endswith(".json")
    if are_records and whole and whole[0].lstrip().startswith("{") and whole[0].rstrip().endswith("}"):
        return [record for _, record in read_records(lines, path)]
    return parse_json("\n".join(lines), path, None)


def _rows(content: object, path: str) -> Rows | None:
    if isinstance(content, list):
        return _rows_of_list(content, path)
    if not isinstance(content, dict) or not content or _is_curve(content):
        return None
    found = rows_of(content)
    if found is not None:
        return from_rows(found.rows) or (found if found.is_known else None)
    stem = without_ending(base_name(path))
    return from_lists(content, stem) or from_ids(content, path) or rows_of_results(content, stem)


def _rows_of_list(content: list[object], path: str) -> Rows | None:
    records = [item for item in content if isinstance(item, dict)]
    if not records or len(records) < len(content):
        return from_texts(content, path) or from_several_texts(content, path) if not records else None
    if SAMPLES.fullmatch(base_name(path)):
        return from_samples(records, path) if holds_texts(records) else None
    return from_answers(records) or from_rows(records)


def _is_curve(content: dict[str, object]) -> bool:
    """Say whether values are those of steps of a training, which are neither segments nor runs."""
    return any(isinstance(own, dict) and {"steps", "values"} <= own.keys() for own in content.values())
