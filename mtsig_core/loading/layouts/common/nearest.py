"""What to say of files in which no layout was recognised: what is missing, what they are, and what came nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from mtsig_core.loading.layouts.common.system_level import system_level
from mtsig_core.loading.recognition.names import is_no_output, special
from mtsig_core.loading.recognition.reports import report_of_tool
from mtsig_core.loading.recognition.unread import unread, why_unread
from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.reshaping import why_not
from mtsig_core.loading.scores.columns import PEOPLE, Table, columns_of, plain_name
from mtsig_core.loading.scores.grids import delimited, sheets
from mtsig_core.loading.scores.non_metrics import is_answer
from mtsig_core.loading.scores.numbers import OF_SPREAD, SPREAD
from mtsig_core.loading.scores.run_tables import STEPS
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import fields_of, first_records, read_records
from mtsig_core.loading.text.surroundings import is_drawn

#: Files that are looked into, and lines of each.
MOST_FILES, LOOKED_AT = 20, 30
_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_BOOK = ".xlsx"
#: What nobody would read scores from.
_ENDINGS = {"ipynb": "a notebook", "tex": "LaTeX", "log": "a log",
            **dict.fromkeys(("yaml", "yml"), "YAML")}  # fmt: skip
_DATA = (".json", ".jsonl", ".csv", ".tsv", ".log", ".md", ".txt")


def no_layout(files: FileTree) -> LoadError:
    """Return the error for a tree that fits no layout."""
    first = next(iter(files))
    first_files = [path for path in list(files)[:MOST_FILES] if not report_of_tool(files.head(path))]
    if of_systems := system_level(first_files, files):
        return LoadError(of_systems, first)
    why = why_unread(files) + _what_they_are(files)
    if len(files) == 1:
        is_book = first.casefold().endswith(_BOOK)
        nothing = _no_table(files[first]) if is_book else _nothing_to_read(files.head(first))
        if not why and nothing:
            return LoadError(f"{first}: {nothing}. Choose another file, or the folder that holds outputs and "
                             "references.", first)
        give = "give the folder that holds outputs and references, or a table with columns system, segment and score."
        if why.startswith((f" {first}: ", f" {first}, ")):
            return LoadError(f"{why.lstrip()} Or {give}", first)
        return LoadError(f"{first}: is the only file, and not a table or XML file of a known layout.{why} "
                         f"{give.capitalize()}", first)
    texts = [path for path in files if not is_no_output(path) and path not in unread(files)]
    references = [path for path in texts if special(path) == "reference"]
    missing = "no reference (ref*, refs/*, reference*)" if not references else "no output beside the reference"
    nearest = "no file is text"
    if texts:
        nearest = f"{len(texts):,} of {len(files):,} files may be text, but there is {missing}"
    return LoadError(
        f"{files.name}: no layout was recognised in {some(files, 3)}: {nearest}, and no table of scores.{why} Expected "
        "outputs and at least one reference, for example systems/SYSTEM/REPLICA.txt with refs/ref.txt, or "
        "SYSTEM.seed1.txt with ref.txt.",
        first,
    )


def _no_table(content: bytes) -> str:
    """Return why a workbook says nothing to a reader of tables."""
    if content.startswith(b"PK"):
        return "no sheet holds a table with a heading"
    return "is not an Excel workbook, although its name ends in .xlsx; save the table as CSV"


def _nothing_to_read(beginning: str) -> str:
    """Return why a file says nothing to a reader of text; "" where it may be text."""
    if not beginning.strip():
        return "is empty"
    return "is not text" if "\0" in beginning else ""


def _what_they_are(files: FileTree) -> str:
    """Return a sentence for the first report of a tool and the first table, each with a blank before it."""
    looked_at = [path for path in files if path.casefold().endswith((*_DATA, *_TABLES, _BOOK))][:MOST_FILES]
    reasons = {path: report_of_tool(files.head(path)) for path in looked_at}
    reports = [path for path, reason in reasons.items() if reason]
    if reports:
        same = [path for path in reports if reasons[path] == reasons[reports[0]]]
        return f" {some(same, 3)}: {reasons[reports[0]]}."
    kinds = {path: _ENDINGS[ending] for path in files if (ending := path.casefold().rpartition(".")[2]) in _ENDINGS}
    if kinds and len(kinds) == len(files):
        first = next(iter(kinds))
        what = f"{some(kinds, 3)}: {kinds[first]}, which is not read"
        return f" {what}; write the scores to a CSV, with columns system, run and score."
    shapes = (f" {reason}" for path in looked_at if (reason := why_not(path, files)))
    return next(shapes, "") or next(_headings(looked_at, files), "") or next(_keys(looked_at, files), "")


def _keys(paths: Sequence[str], files: FileTree) -> Iterator[str]:
    """Yield which keys the objects of JSON lines have, and which are missing."""
    for path in paths:
        if not path.casefold().endswith((".jsonl", ".ndjson", ".json")):
            continue
        records = first_records(files.head(path))
        if not records and (fault := _fault(path, files)):
            yield f" {fault}"
        fields = fields_of(records)
        missing = [role for role in ("output", "reference") if role not in fields]
        if records and missing:
            listed = some([repr(key) for key in records[0]], 8)
            yield (
                f" {path}: the keys are {listed}; none is known for the {' or the '.join(missing)}. Rename them, for "
                "example 'hypothesis' and 'reference'; for scores: 'system', 'segment' and 'score'."
            )


def _fault(path: str, files: FileTree) -> str:
    """Return why a file that seems to hold JSON lines holds none; "" where it is something else."""
    start = files.head(path).split("\n")
    whole = [line for line in start[:-1] or start if line.strip()]
    if len(whole) < 2 or not all(line.lstrip().startswith("{") for line in whole):
        return ""
    try:
        list(read_records(start[:-1] or start, path))
    except LoadError as error:
        return str(error)
    return ""


def _header(path: str, files: FileTree) -> Sequence[str]:
    """Return the names of a table's columns, of a workbook those of its first sheet; none where it is no table."""
    table = _begun(path, files)
    return table.header if table else ()


def _begun(path: str, files: FileTree) -> Table | None:
    """Return the beginning of a table; None where a file is none."""
    try:
        if path.casefold().endswith(_BOOK):
            grids = sheets(files.decoder.unpacked(files[path], path), path, lambda header, _: len(header) > 1)
            return grids[0] if grids else None
        if path.casefold().endswith(_TABLES) or is_drawn(path, files.head(path)):
            return delimited([line.rstrip("\r") for line in files.head(path).split("\n")[:LOOKED_AT]], path)
    except LoadError:
        pass
    return None


def _spread(path: str, files: FileTree) -> str:
    """Return where a table holds a mean with its spread; "" where there is none."""
    table = _begun(path, files)
    for line, cells in islice(table.rows, LOOKED_AT) if table else ():
        for name, cell in zip(table.header, map(str, cells), strict=False) if table else ():
            if SPREAD.fullmatch(cell.strip()):
                place = f"{path}, line {line}, column {name!r}"
                return f"{place}: {cell.strip()[:40]!r} {OF_SPREAD} (columns system, run and score)."
    return ""


def _of_people_or_training(header: Sequence[str]) -> str:
    """Return what to do with a table whose columns name people, or steps of a training; "" for others."""
    plain = {plain_name(name): name for name in reversed(header)}
    if person := next((plain[name] for name in plain if name in PEOPLE), ""):
        return (f"{person!r} names people. Write one row per judgement, with columns annotator, system, segment and "
                "score.")  # fmt: skip
    if (step := next((plain[name] for name in plain if name in STEPS), "")) and len(plain) > 1:
        return (f"its rows are steps of a training ({step!r}), neither segments nor runs. Write the scores of each "
                "finished run to one table, with columns system, run and score.")  # fmt: skip
    return ""


def _headings(paths: Sequence[str], files: FileTree) -> Iterator[str]:
    """Yield what the columns of each table are, and which are missing."""
    for path in paths:
        header = _header(path, files)
        places = columns_of(header).places
        missing = [role for role in ("system", "segment") if role not in places]
        if spread := _spread(path, files):
            yield f" {spread}"
            continue
        if files.entry(path).original is not None and "output" in fields_of([dict.fromkeys(header, "")]):
            yield f" {path}: holds one output, and no reference. Add the reference as a file of its own, ref.csv."
            continue
        named = [name for name in header if name]
        if len(set(named)) < len(named):
            yield (
                f" {path}: several columns have one name, as under headings of several rows. Write one row of "
                "headings, each name once, for example base_seed1."
            )
            continue
        listed = some([repr(name) for name in header], 8)
        if special_columns := _of_people_or_training(header):
            yield f" {path}: the columns are {listed}; {special_columns}"
        elif "segment" in places and any(map(is_answer, header)):
            yield (
                f" {path}: the columns are {listed}; none says whether an answer is right. Add a column 'correct' with "
                "0 or 1."
            )
        elif "replica" in places and "segment" not in places:
            yield (
                f" {path}: the columns are {listed}; they name runs, but none holds numbers, which would be their "
                "scores."
            )
        elif not missing and len(header) > 2:
            yield f" {path}: the columns are {listed}; none of them holds numbers, which would be scores."
        elif missing and len(header) > 1:
            nor = "" if "replica" in places else ", nor run or seed for a table of whole runs"
            yield (
                f" {path}: the columns are {listed}; none is called {' or '.join(missing)}{nor}. Rename them; write "
                "texts to files of their own, one segment per line."
            )
