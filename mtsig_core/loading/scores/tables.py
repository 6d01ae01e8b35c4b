"""Score tables with one row per segment of an output, and one score (long) or one column per metric (wide)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtsig_core.formatting import count, visible
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock, without_row_ids
from mtsig_core.loading.scores.columns import (
    PEOPLE,
    Columns,
    Row,
    Table,
    columns_of,
    declared_columns,
    metric_of_file,
    plain_name,
)
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.numbers import GROUPED, MINUS, MISSING, TRUTH, NumberReader, segment_id
from mtsig_core.loading.text import ids
from mtsig_core.loading.text.headings import check_distinct

#: Rows of a wide table that decide which of its columns hold numbers.
#: Steps of a scale that people rate by, at most: longer counts are no ratings.
MOST_RATINGS = 8
N_LOOKED_AT = 100
#: Between a document and a segment's id within it.
WITHIN = "\x1f"
_TRUTH = {"true": True, "yes": True, "1": True, "higher": True, "false": False, "no": False, "0": False, "lower": False}


#: Characters of a name or an id.
LONGEST_NAME = 200
#: What a row is that checks the annotators and no system: damaged copies, references, training items.
CONTROLS = re.compile(r"(?:bad|ref|chk|check|tutorial|control|bad[ _-]?ref|qc|attention)(?:[._-]?\d+)?", re.IGNORECASE)


def read_table(
    table: Table, file: str, report: Reporter, declared: Mapping[str, str] | None = None
) -> list[ScoreBlock]:
    """Return the scores of a table, one block per output and metric.

    Parameters
    ----------
    table : Table
    file : str
    report : Reporter
    declared : mapping of column to its role, optional
        What a person says that columns are; see `declared_columns`.

    Raises
    ------
    LoadError
        For a row of the wrong length, a name or id that is missing, a score that is no number, or two
        different scores of one segment; names file, line and column.
    """
    columns = declared_columns(table.header, declared, file) if declared else columns_of(table.header)
    if not columns.is_table_of_scores:
        raise LoadError(
            f"{file}: the header ({some([repr(name) for name in table.header], 12) or 'empty'}) names no columns "
            "system, segment and score. Rename the columns, or say what they are: on the Data page, under Check and "
            "correct, or in experiment.toml.",
            file,
        )
    table, columns = _with_sets(table, columns, file, report)
    first = list(itertools.islice(table.rows, N_LOOKED_AT))
    columns = _with_metrics(columns, first, file, report)
    reader = _Reader(columns, file, metric_of_file(file, columns, table.name))
    for line, cells in itertools.chain(first, table.rows):
        reader.row(line, cells)
    return without_row_ids(reader.finish(report), report)


def _with_sets(table: Table, columns: Columns, file: str, report: Reporter) -> tuple[Table, Columns]:
    """Take columns such as language or domain for the test set, where ids of segments start again in each."""
    told = [] if "test_set" in columns.places else ids.candidates([plain_name(name) for name in columns.header])
    told = [i for i in told if i not in {*columns.places.values(), *columns.metrics, *columns.unused}]
    if not told:
        return table, columns
    rows = list(table.rows)
    identity = [columns.places[role] for role in ("system", "replica", "document", "segment", "metric")
                if role in columns.places]  # fmt: skip
    whole = [cells for _, cells in rows if len(cells) == len(columns.header)]
    named = ((tuple(str(cells[i]) for i in identity), [str(cells[i]) for i in told]) for cells in whole)
    chosen = [told[i] for i in ids.telling(named, len(told))]
    if chosen:
        names = " and ".join(repr(columns.header[i]) for i in chosen)
        report.gather_guess("sets-by-column", ids.SETS_GUESS.format(column=names), ids.SETS_REMEDY, file)
        columns = replace(columns, header=(*columns.header, "test set"),
                          places={**columns.places, "test_set": len(columns.header)})  # fmt: skip
        rows = [(line, [*cells, "-".join(str(cells[i]) for i in chosen if i < len(cells))]) for line, cells in rows]
    return replace(table, rows=iter(rows)), columns


def _with_metrics(columns: Columns, rows: Sequence[Row], file: str, report: Reporter) -> Columns:
    """Find the metrics of a wide table: columns without a role whose first rows hold numbers."""
    if "score" not in columns.places and not columns.metrics:
        free = columns.free()
        first = {i: [cells[i] for _, cells in rows if i < len(cells)] for i in free}
        metrics = [i for i in free if may_be_metric(columns.header[i], first[i])]
        if not metrics:
            raise LoadError(f"{file}: no column holds scores. Name it 'score', or by its metric.{_of_book(file)}", file)
        check_distinct([columns.header[i] for i in metrics], f"{file}, in the heading", file)
        columns = scores_beside_names(replace(columns, metrics=tuple(metrics)), file, report)
    used = {*columns.places.values(), *columns.metrics}
    unused = [i for i in range(len(columns.header)) if i not in used]
    if unused:
        names = some([repr(columns.header[i]) for i in unused], 12)
        report.add("ignored", "unused-columns", f"{file}: unused columns: {names}.", [file])
    return columns


def _of_book(file: str) -> str:
    if not file.casefold().endswith(".xlsx"):
        return ""
    return " Of formulas the results must be saved, too: open the file in a spreadsheet program and save it."


def scores_beside_names(columns: Columns, file: str, report: Reporter) -> Columns:
    """Take the only metric of a table that has a column of names of metrics for the scores of these."""
    likely = [i for i in columns.metrics if not is_no_metric(columns.header[i])]
    if "metric" not in columns.places or len(likely) != 1:
        return columns
    score, metric = columns.header[likely[0]], columns.header[columns.places["metric"]]
    message = f"{file}: the column {score!r} was read as the scores of the metrics that {metric!r} names."
    report.assume("score-column", message, "To change this, rename the columns.", [file])
    return replace(columns, places={**columns.places, "score": likely[0]}, metrics=())


def holds_numbers(cells: Sequence[object]) -> bool:
    """Say whether most cells are numbers, leaving out missing ones: a wrong cell among them deserves an error."""
    values = [c for c in cells if c is not None and not (isinstance(c, str) and c.strip().casefold() in MISSING)]
    return 2 * sum(map(_is_number, values)) > len(values)


def holds_truth(cells: Sequence[object]) -> bool:
    """Say whether all cells say true or false, leaving out missing ones."""
    values = [str(cell).strip().casefold() for cell in cells]
    said = [value for value in values if value not in MISSING]
    return bool(said) and all(value in TRUTH for value in said)


def may_be_metric(name: str, cells: Sequence[object]) -> bool:
    """Say whether a column may hold scores: numbers, or of a metric by its name whether each segment is right."""
    is_known = listed_direction(name) is not None
    return (holds_numbers(cells) and (is_known or not counts_up(cells))) or (is_known and holds_truth(cells))


def counts_up(cells: Sequence[object]) -> bool:
    """Say whether cells count rows, segments or outputs: whole numbers that go up by one, stay, or begin again."""
    texts = [str(cell).strip() for cell in cells]
    if len(texts) < MOST_RATINGS or not all(map(str.isdecimal, texts)):
        return False
    numbers = [int(text) for text in texts]
    steps = zip(numbers, numbers[1:], strict=False)
    goes_up = all(after - before in (0, 1) or after == numbers[0] for before, after in steps)
    return goes_up and max(numbers) - numbers[0] >= MOST_RATINGS - 1


def _shown(segment: str) -> str:
    return segment.replace(WITHIN, " ")


def _is_number(cell: object) -> bool:
    if isinstance(cell, bool):
        return False
    if isinstance(cell, str):
        cell = cell.strip().replace(MINUS, "-")
        if GROUPED.fullmatch(cell):
            return True
        # nan and inf count here, to be refused by name later on
        return re.fullmatch(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*%?|[+-]?(nan|inf|infinity)", cell,
                            re.IGNORECASE) is not None
    return isinstance(cell, int | float)


class _Reader:
    """Sorts the rows of a table into blocks."""

    def __init__(self, columns: Columns, file: str, metric: str) -> None:
        self._file = file
        self._columns = columns
        self._places = columns.places
        self._numbers = NumberReader(file)
        self._blocks: dict[tuple[str, str, str, str], dict[str, float | None]] = {}
        self._documents: dict[str, dict[str, str]] = {}
        self._directions: dict[str, bool] = {}
        self._pool: dict[str, str] = {}
        self._repeated = 0
        self._controls = 0
        self._metric = metric

    def row(self, line: int, cells: Sequence[object]) -> None:
        """Take one row."""
        header = self._columns.header
        if len(cells) != len(header):
            raise LoadError(
                f"{self._file}, line {line}: {len(cells)} cells, but the header has {len(header)}. Correct the line.",
                self._file,
            )
        test_set, system, replica = (self._name(role, line, cells) for role in ("test_set", "system", "replica"))
        if CONTROLS.fullmatch(self._name("type", line, cells)):
            self._controls += 1
            return
        segment = self._pooled(segment_id(self._name("segment", line, cells)))
        segment = self._within(self._name("document", line, cells), segment, test_set)
        if self._columns.metrics:
            for i in self._columns.metrics:
                self._add((test_set, header[i], system, replica), segment, cells[i], line, header[i])
            return
        metric = self._name("metric", line, cells) or self._metric
        self._direction(metric, line, cells)
        place = self._places["score"]
        self._add((test_set, metric, system, replica), segment, cells[place], line, header[place])

    def _name(self, role: str, line: int, cells: Sequence[object]) -> str:
        place = self._places.get(role)
        if place is None:
            return ""
        cell = cells[place]
        text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else "" if cell is None else str(cell)
        text = visible(text.strip())
        if len(text) > LONGEST_NAME:
            column = self._columns.header[place]
            raise LoadError(
                f"{self._file}, line {line}, column {column!r}: a name of {len(text):,} characters; the limit is "
                f"{LONGEST_NAME}. Shorten it.",
                self._file,
            )
        if not text and role in ("system", "segment", "metric"):
            column = self._columns.header[place]
            raise LoadError(f"{self._file}, line {line}, column {column!r}: is empty. Fill it in.", self._file)
        if role == "replica":
            text = segment_id(text)
        return self._pooled(text)

    def _within(self, document: str, segment: str, test_set: str) -> str:
        """Return the id of a segment within its document; ids that are unique without it lose it at the end."""
        if "document" not in self._places:
            return segment
        key = self._pooled(f"{document}{WITHIN}{segment}")
        self._documents.setdefault(test_set, {})[key] = document
        return key

    def _pooled(self, text: str) -> str:
        return self._pool.setdefault(text, text)

    def _direction(self, metric: str, line: int, cells: Sequence[object]) -> None:
        text = self._name("higher_is_better", line, cells)
        if not text:
            return
        higher = _TRUTH.get(text.casefold())
        if higher is None or self._directions.setdefault(metric, higher) is not higher:
            column = self._columns.header[self._places["higher_is_better"]]
            raise LoadError(
                f"{self._file}, line {line}, column {column!r}: expected true or false, the same in all rows of a "
                f"metric; found {text!r}.",
                self._file,
            )

    def _add(self, key: tuple[str, str, str, str], segment: str, cell: object, line: int, column: str) -> None:
        value = self._numbers.read(cell, line, column)
        own = self._blocks.setdefault(key, {})
        if segment not in own:
            own[segment] = value
        elif own[segment] == value:
            self._repeated += 1
        else:
            _, metric, system, replica = key
            kind = metric if metric == "score" else f"{metric} score"
            people = next((repr(n) for n in self._columns.header if plain_name(n) in PEOPLE), "")
            remedy = "Keep one; if replicas differ, name them in a column 'replica'."
            if people:
                how = "save the table as CSV" if ".xlsx" in self._file.casefold() else "call their scores 'score'"
                remedy = f"The column {people} names people: {how}, to be read as human judgements."
            raise LoadError(
                f"{self._file}, line {line}, column {column!r}: a second {kind} of segment {_shown(segment)!r} of "
                f"{system}{'/' + replica if replica else ''} ({own[segment]} before, {value} here). {remedy}",
                self._file,
            )

    def finish(self, report: Reporter) -> list[ScoreBlock]:
        """Return the blocks; report what was repaired."""
        self._numbers.finish(report)
        if self._repeated:
            message = f"{self._file}: {self._repeated} repeated rows with equal scores were used once."
            report.add("repaired", "repeated-rows", message, [self._file])
        if self._controls:
            rows = count(self._controls, "control row")
            message = f"{self._file}: {rows} (BAD, REF, tutorial) left out of the scores."
            report.add("ignored", "control-rows", message, [self._file])
        if not self._blocks:
            raise LoadError(f"{self._file}: there is a header, but no row below it. Add the scores.", self._file)
        names = {test_set: self._ids(test_set, report) for test_set in self._documents}
        return [
            ScoreBlock(
                self._file, metric, system, replica, test_set,
                by_id={names[test_set][key]: score for key, score in scores.items()} if test_set in names else scores,
                higher_is_better=self._directions.get(metric),
                documents={names[test_set][key]: name for key, name in self._documents.get(test_set, {}).items()
                           if name},
            )
            for (test_set, metric, system, replica), scores in self._blocks.items()
        ]  # fmt: skip

    def _ids(self, test_set: str, report: Reporter) -> dict[str, str]:
        """Return what segments are called: their own ids where these are unique, else document and id."""
        own = {key: key.split(WITHIN, 1)[1] for key in self._documents[test_set]}
        if len(set(own.values())) == len(own):
            return own
        message = f"{self._file}: segment ids start again in every document; a segment is its document and its id."
        remedy = "If not, give each segment an id of its own."
        report.assume("ids-within-documents", message, remedy, [self._file])
        return {key: key.replace(WITHIN, " ", 1) for key in own}
