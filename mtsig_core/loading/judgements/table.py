"""Human judgements: tables of what people said about outputs -> one object per judgement.

Read are the files of WMT's direct assessment (``ad-*-good-stnd*.csv``, ``ad-seg-scores-*.csv``), averages
of MQM (``*.avg_seg_scores.tsv``), ratings as of the E2E challenge (``quality.tsv``), scores of whole systems
(``hum-sys.*.scores.csv``), mt-metrics-eval's ``human-scores/*.score``, and any table with columns of a system and
of a score, adequacy, fluency, ... Columns mean what their names say; what a table does not say stays None, and
what is assumed is a note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig_core.formatting import count
from mtsig_core.loading.judgements.columns import JudgementColumns, columns_of_people, judgement_columns
from mtsig_core.loading.judgements.directions import QUALITY, direction_of
from mtsig_core.loading.judgements.frame import JudgementTable, table_of
from mtsig_core.loading.judgements.model import Judgement, Judgements
from mtsig_core.loading.judgements.sheets.sheet_columns import is_sheet
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.columns import Row, checked_rows
from mtsig_core.loading.scores.grids import table_in
from mtsig_core.loading.scores.numbers import MISSING, NumberReader, segment_id

NAME = "table of judgements"
#: What direct assessment calls an item: an output or one shown again, and items that check the annotator.
_OUTPUTS = frozenset(("system", "repeat", "tgt", "chk"))
_CONTROLS = frozenset(("ref", "bad_ref", "bad"))
_SHORT = {"ad": "adequacy", "fl": "fluency"}
_TRUTH = {"true": True, "yes": True, "1": True, "higher": True, "false": False, "no": False, "0": False, "lower": False}


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether a table has one row per metric, and each human score in as many rows."""
    try:
        return columns_of_people(table_in(lines, file).header).repeats_by_metric
    except LoadError:
        return False


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of a table with one row per metric, each human score once; the notes are its own.

    Raises
    ------
    LoadError
        As `read_table`.
    """
    return table_of(read_table(lines, file, Reporter()), NAME)


def read_table(lines: Sequence[str], file: str, report: Reporter) -> Judgements:
    """Return the judgements of a table with a heading: separated values, JSON lines or a JSON list of objects.

    Raises
    ------
    LoadError
        When it is no such table, or a cell is wrong; names file, line, column and remedy.
    """
    table = table_in(lines, file, "judgement")
    if is_sheet(table.header):
        message = f"{file}: is an annotation sheet, which does not say whose outputs these are. Give its key."
        raise LoadError(message, file)
    return _Reader(judgement_columns(table.header, file), file, report).read(list(table.rows))


@dataclass
class _Reader:
    """Turns the rows of one table into judgements."""

    columns: JudgementColumns
    file: str
    report: Reporter
    judgements: list[Judgement] = field(default_factory=list)
    declared_directions: dict[str, bool] = field(default_factory=dict)
    has_several_sets: bool = False
    controls: Counter[str] = field(default_factory=Counter)
    once: dict[tuple[str | None, ...], Judgement] = field(default_factory=dict)

    def read(self, rows: Sequence[Row]) -> Judgements:
        """Return the judgements of all rows; see `read_judgements`."""
        rows = list(checked_rows(self.columns.header, rows, self.file))
        if not rows:
            raise LoadError(f"{self.file}: there is a heading, but no row below it. Add the judgements.", self.file)
        self.has_several_sets = len({self._text("test_set", cells) for _, cells in rows}) > 1
        numbers = NumberReader(self.file)
        typed = self._types_are_known(rows)
        for line, cells in rows:
            kind = self._text("type", cells).casefold() if typed else ""
            if kind in _CONTROLS:
                self.controls[kind.upper()] += 1
            else:
                self._row(line, cells, numbers)
        numbers.finish(self.report)
        if not self.judgements:
            message = f"{self.file}: holds items that check annotators only, and no judgement of an output."
            raise LoadError(f"{message} Add rows of type SYSTEM.", self.file)
        if len(self.judgements) < len(self.columns.values) * len(rows) and self.columns.repeats_by_metric:
            message = f"{count(len(rows), 'row')}, one per metric: each human score was used once."
            self.report.add("recognised", "row-a-metric", message)
        return self._finish()

    def _text(self, role: str, cells: Sequence[object]) -> str:
        place = self.columns.places.get(role)
        cell = None if place is None else cells[place]
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)
        return "" if cell is None else str(cell).strip()

    def _name(self, role: str, cells: Sequence[object]) -> str | None:
        text = self._text(role, cells)
        return None if text.casefold() in MISSING else text

    def _needed(self, role: str, line: int, cells: Sequence[object]) -> str:
        # a system may be called "none"; only an empty cell names nothing
        text = self._text(role, cells)
        if not text:
            raise LoadError(f"{self._place(role, line)}: is empty. Fill it in.", self.file)
        return text

    def _place(self, role: str, line: int) -> str:
        return f"{self.file}, line {line}, column {self.columns.header[self.columns.places[role]]!r}"

    def _row(self, line: int, cells: Sequence[object], numbers: NumberReader) -> None:
        system = self._needed("system", line, cells)
        segment = segment_id(self._needed("segment", line, cells)) if "segment" in self.columns.places else None
        dimension = ""
        if "dimension" in self.columns.places:
            dimension = self._needed("dimension", line, cells).casefold()
            dimension = _SHORT.get(dimension, dimension)
        common = {role: self._name(role, cells) for role in ("annotator", "document", "item", "replica", "test_set")}
        if common["replica"] is not None:
            common["replica"] = segment_id(common["replica"])
        if pair := self._languages(cells):
            common["test_set"] = f"{common['test_set']} {pair}" if self.has_several_sets else pair
        for own, place in self.columns.values.items():
            value = numbers.read(cells[place], line, self.columns.header[place])
            dimension_name = self._dimension(own, dimension)
            self._direction(dimension_name, line, cells)
            value = None if value is None else value + 0.0  # no minus zero
            each = Judgement(system=system, segment=segment, dimension=dimension_name, value=value, **common)
            if not self._is_repeated(each, line, place):
                self.judgements.append(each)

    def _dimension(self, column: str, cell: str) -> str:
        if not cell:
            return column
        return f"{cell} (z)" if column == "z" else cell

    def _direction(self, dimension: str, line: int, cells: Sequence[object]) -> None:
        text = self._text("higher_is_better", cells)
        if not text:
            return
        higher = _TRUTH.get(text.casefold())
        if higher is None or self.declared_directions.setdefault(dimension, higher) is not higher:
            raise LoadError(
                f"{self._place('higher_is_better', line)}: expected true or false, the same in all rows of a "
                f"dimension; found {text!r}.",
                self.file,
            )

    def _languages(self, cells: Sequence[object]) -> str:
        """Return the language pair of a row, "" where no column names it."""
        if "pair" in self.columns.places:
            return self._text("pair", cells)
        sides = [self._text(role, cells) for role in ("source_language", "target_language")]
        return "-".join(sides) if all(sides) else ""

    def _types_are_known(self, rows: Sequence[Row]) -> bool:
        """Say whether the column of types is that of direct assessment; LoadError when only some of it is."""
        if "type" not in self.columns.places:
            return False
        strange = [(line, t) for line, cells in rows if (t := self._text("type", cells)).casefold() not in
                   _OUTPUTS | _CONTROLS]
        if len(strange) == len(rows):
            name = self.columns.header[self.columns.places["type"]]
            self.report.add("ignored", "unused-columns", f"Unused column: {name!r}.")
            return False
        if strange:
            line, text = strange[0]
            raise LoadError(
                f"{self._place('type', line)}: expected a type of item as in direct assessment (SYSTEM, REPEAT, REF, "
                f"BAD_REF, or TGT, CHK, BAD) as in other rows; found {text!r}. Correct it.",
                self.file,
            )
        return True

    def _is_repeated(self, each: Judgement, line: int, place: int) -> bool:
        """Say whether a row only repeats a human score beside that of another metric."""
        if not self.columns.repeats_by_metric:
            return False
        key = (each.test_set, each.system, each.replica, each.segment, each.annotator, each.dimension)
        before = self.once.setdefault(key, each)
        if before.value != each.value:
            raise LoadError(
                f"{self.file}, line {line}, column {self.columns.header[place]!r}: {each.system!r} has "
                f"{before.value} in an earlier row and {each.value} here; one row per metric, each with the same human "
                "score, was expected. Correct it.",
                self.file,
            )
        return before is not each

    def _finish(self) -> Judgements:
        named = self._named_by_file()
        values: dict[str, list[float]] = {}
        for each in self.judgements:
            own = values.setdefault(each.dimension, [])
            if each.value is not None:
                own.append(each.value)
        directions = {name: direction_of(name, own) for name, own in values.items()}
        directions |= {named.get(name, name): (higher, "") for name, higher in self.declared_directions.items()}
        by_name = "stnd" in base_name(self.file).casefold()
        standardised = tuple(name for name in values if by_name or name == "z" or name.endswith(" (z)"))
        self._remarks(directions, standardised)
        return Judgements(
            self.file,
            tuple(self.judgements),
            {name: higher for name, (higher, _) in directions.items()},
            {name: reason for name, (_, reason) in directions.items()},
            standardised,
            tuple(line.message for line in self.report.report().lines),
        )

    def _named_by_file(self) -> dict[str, str]:
        """Give plain scores the name of the dimension that the file has, and return what became what."""
        word = re.split(r"[\W_]", base_name(self.file).casefold())[0]
        if list(self.columns.values) != ["score"] or "dimension" in self.columns.places or word not in QUALITY:
            return {}
        self.report.add("assumed", "dimension-of-file", f"The scores are read as {word}, after the name of the file.")
        self.judgements = [replace(each, dimension=word) for each in self.judgements]
        return {"score": word}

    def _remarks(self, directions: Mapping[str, tuple[bool, str]], standardised: Sequence[str]) -> None:
        add = self.report.add
        add("recognised", "columns", f"Read as: {self.columns.description}.")
        if self.columns.unused:
            add("ignored", "unused-columns", f"Unused columns: {some(map(repr, self.columns.unused), 12)}.")
        if self.controls:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.controls.items()))
            add("ignored", "control-items", f"Left out, as they check annotators and judge no output: {kinds}.")
        if standardised:
            add("assumed", "standardised", f"Standardised by annotator already, by the name: {some(standardised)}.")
        for name, (higher, reason) in directions.items():
            if reason:
                add("assumed", "direction", f"{name}: {'higher' if higher else 'lower'} is better ({reason}).")
        if "segment" not in self.columns.places:
            add("recognised", "system-level", "No column names segments: judgements of whole systems.")
        if "annotator" not in self.columns.places:
            add("recognised", "no-annotator", "No column names annotators: nothing can be standardised by them.")
        elif unnamed := sum(each.annotator is None for each in self.judgements):
            add("warning", "unnamed-annotator", f"{count(unnamed, 'judgement')} without a named annotator.")
        keys = Counter((j.test_set, j.system, j.replica, j.segment, j.annotator, j.dimension) for j in self.judgements)
        if repeats := sum(n - 1 for n in keys.values()):
            add("recognised", "repeats", f"{count(repeats, 'repeated judgement')} of the same output, all used.")
