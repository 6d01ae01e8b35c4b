"""Tables of scores of whole runs: one row per run, one column per task or metric, or one row per score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.names import is_mark, without_text_ending
from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import (
    Columns,
    Table,
    columns_of,
    declared_columns,
    metric_of_file,
    plain_name,
)
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric, is_setting
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.scores.tables import holds_numbers, scores_beside_names

DEFAULT_SET = "test"
_SUMMARY = re.compile(
    r"(?:mean|average|avg|median|min(?:imum)?|max(?:imum)?|std\.?(?:dev)?|sd|stdev|standard deviation|variance|var|"
    r"range|total|sum|overall|count|n|q\d|\d+%)(?!\w).*|(?:best|worst)(?: (?:run|seed|of \d+))?|mittel(?:wert)?|"
    r"durchschnitt|standardabweichung|streuung|summe|moyenne|médiane|écart[- ]type|media|mediana|promedio|среднее|平均",
    re.IGNORECASE,
)
#: Columns that say how a run ended, and what they say of one that did not end.
_STATE = frozenset(("state", "status", "run state", "run status"))
_UNFINISHED = re.compile(
    r"crash(?:ed)?|fail(?:ed|ure)?|kill(?:ed)?|running|pending|aborted|cancell?ed|timeout|timed out|preempt(?:ed|ing)|"
    r"error|oom|interrupted|queued|waiting|pruned|unfinished|incomplete",
    re.IGNORECASE,
)
#: Columns of the checkpoints of a training.
STEPS = frozenset(("step", "steps", "global step", "epoch", "checkpoint", "ckpt", "iteration", "update", "updates"))
Row = tuple[int, list[object]]
#: What stands before the number of a run: ``base 1``.
_BLANK = re.compile(r"\s+(?=\d+$)")
#: How a name says system and replica both.
_NAMES_BOTH = frozenset(("marked", "keys", "number", "letter"))


def is_of_runs(columns: Columns) -> bool:
    """Say whether columns are those of a table of runs: what names a run is there, and no segment."""
    named_by = {"replica", "system"} if columns.metrics or "score" in columns.places else {"replica"}
    return bool(named_by & columns.places.keys()) and "segment" not in columns.places


def metrics_of(columns: Columns, rows: Sequence[Sequence[object]]) -> list[int]:
    """Return the columns of metrics: those that a person named, else those of numbers without a role."""
    if columns.metrics:
        return list(columns.metrics)
    if "score" in columns.places:
        return [columns.places["score"]]
    return [
        i for i in columns.free() if (cells := [r[i] for r in rows if i < len(r) and str(r[i]).strip()])
        and holds_numbers(cells)
    ]  # fmt: skip


def names_hold_runs(columns: Columns, rows: Sequence[Sequence[object]]) -> bool:
    """Say whether one column names system and run at once in every row: ``base-seed1``."""
    named_by = {"system", "replica"} & columns.places.keys()
    if len(named_by) != 1 or "segment" in columns.places:
        return False
    place = columns.places[min(named_by)]
    return bool(_split([str(row[place]).strip() for row in rows if place < len(row)]))


def _split(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return system and replica of each name of a run; nothing where one of them does not name both."""
    runs = list(dict.fromkeys(name for name in names if _is_run(name)))
    split = split_names({name: _BLANK.sub("_", without_text_ending(name)) for name in runs}, endings=False)
    if not all(own.why in _NAMES_BOTH and not is_mark(name) for name, own in split.items()):
        return {}
    return {name: (own.system, own.replica) for name, own in split.items()}


@dataclass(frozen=True)
class _Names:
    """Names the output and the test set of each row; a column may name system and run at once."""

    columns: Columns
    split: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    system: str = ""

    def cell(self, cells: Sequence[object], role: str) -> str:
        if self.split and role in ("system", "replica"):
            system, replica = self.split.get(self.run(cells), ("", ""))
            return system if role == "system" else replica
        place = self.columns.places.get(role)
        if place is None:
            return self.system if role == "system" else ""
        return str(cells[place]).strip()

    def run(self, cells: Sequence[object]) -> str:
        """Return what tells whether a row is a run: its replica, else its system."""
        place = self.columns.places.get("replica", self.columns.places.get("system"))
        return "" if place is None else str(cells[place]).strip()


def read_runs(
    table: Table, path: str, report: Reporter, declared: Mapping[str, str] | None = None, system: str = ""
) -> tuple[ScoreBlock, ...]:
    """Return the scores of a table of runs.

    Parameters
    ----------
    table : Table
    path : str
    report : Reporter
    declared : mapping of column to its role, optional
        What a person says that columns are.
    system : str, optional
        Of all runs, where no column names systems and the file's name tells it.

    Raises
    ------
    LoadError
        When no row is a run, or a score is no number.
    """
    columns = declared_columns(table.header, declared, path) if declared else columns_of(table.header)
    rows: list[Row] = [(line, list(cells)) for line, cells in table.rows if any(str(cell).strip() for cell in cells)]
    names = _Names(columns, system=system)
    if names_hold_runs(columns, [cells for _, cells in rows]):
        names = replace(names, split=_split([names.run(cells) for _, cells in rows]))
    runs = _runs(_finished(rows, columns, path, report), names, len(table.header), path, report)
    if not runs:
        place = columns.places.get("replica", columns.places.get("system", 0))
        raise LoadError(f"{path}: no row is a run. Name the runs in the column {table.header[place]!r}.", path)
    metrics = metrics_of(columns, [cells for _, cells in runs])
    groups = _report_columns(columns, runs, metrics, path, report)
    if names.split or not ("system" in columns.places or system):
        _report_systems(bool(names.split), groups, [columns.header[i] for i in metrics], path, report)
    if "score" not in columns.places:
        columns = scores_beside_names(replace(columns, metrics=tuple(metrics)), path, report)
        names = replace(names, columns=columns)
        metrics = [columns.places["score"]] if "score" in columns.places else metrics
    blocks = _blocks(path, runs, names, metrics, metric_of_file(path, columns, table.name), report)
    _report_constant(path, list(dict.fromkeys(block.metric for block in blocks)), blocks, report)
    return blocks


def _warn_of_settings(names: _Names, runs: Sequence[Row], path: str, report: Reporter) -> None:
    """Warn where runs of one system differ in a setting of their training or decoding: they are no replicas then."""
    used = set(names.columns.places.values())
    differ: dict[str, str] = {}
    for i, name in enumerate(names.columns.header):
        if i in used or not is_setting(name):
            continue
        values: dict[tuple[str, str], set[str]] = {}
        for _, cells in runs:
            output = names.cell(cells, "system"), names.cell(cells, "test_set")
            values.setdefault(output, set()).add(str(cells[i]).strip())
        if systems := [system for (system, _), own in values.items() if len(own - {""}) > 1]:
            differ[name] = systems[0]
    if differ:
        system = next(iter(differ.values()))
        of = f" of {system!r}" if system else ""
        message = (
            f"{path}: runs{of} that were read as replicas differ in {some(map(repr, differ), 6)}. Replicas differ by "
            "chance alone: if these are settings that were tried, name them in a column 'system'."
        )
        report.add("warning", "unequal-settings", message, [path])


def _report_systems(
    is_split: bool, groups: Sequence[str], metrics: Sequence[str], path: str, report: Reporter
) -> None:
    """List as a guess which system each run is of, where no column says it."""
    if is_split:
        sentence = "Names of runs were split into system and replica"
        report.gather_guess("replica-in-name", sentence, "To change this, add columns 'system' and 'run'.", path)
        return
    message = f"{path}: no column names the system: all runs are read as replicas of one system."
    which = f" or call one of these so, which have several values: {some(groups)}" if groups else ""
    may_be_systems = len(metrics) > 1 and not any(map(listed_direction, metrics))
    rows = " If its columns are systems, write one row per score: system, run, score." if may_be_systems else ""
    report.assume("one-system", message, f"To compare systems, add a column 'system'{which}.{rows}", [path])


def _runs(rows: Sequence[Row], names: _Names, width: int, path: str, report: Reporter) -> list[Row]:
    """Return the rows that are runs by their names; the others are listed."""
    with_system = any(names.cell(cells, "system") for _, cells in rows if len(cells) == width)
    runs = [
        (line, cells)
        for line, cells in rows
        if len(cells) == width and _is_run(names.run(cells)) and (not with_system or names.cell(cells, "system"))
    ]
    used = {line for line, _ in runs}
    others = list(dict.fromkeys(line for line, _ in rows if line not in used))
    if others:
        message = f"{path}: {count(len(others), 'row')} read as summaries, not runs: {_lines(others)}."
        report.assume("no-runs", message, "To use one, give it the name of a run.", [path])
    return runs


def _finished(rows: Sequence[Row], columns: Columns, path: str, report: Reporter) -> list[Row]:
    """Return the rows without those whose run did not end, where a column says so."""
    place = next((i for i, name in enumerate(columns.header) if plain_name(name) in _STATE), None)
    if place is None:
        return list(rows)
    left = [row for row in rows if place < len(row[1]) and _UNFINISHED.fullmatch(str(row[1][place]).strip())]
    if left:
        lines = [line for line, _ in left]
        message = (
            f"{path}: {count(len(left), 'run')} left out, which did not end by the column {columns.header[place]!r}: "
            f"{_lines(lines)}."
        )
        report.assume("unfinished-runs", message, "To use one, empty its cell of this column.", [path])
    return [row for row in rows if row not in left]


def _report_columns(
    columns: Columns, runs: Sequence[Row], metrics: Sequence[int], path: str, report: Reporter
) -> list[str]:
    """List the columns that are not used; return those of words that may tell systems apart."""
    used = {*columns.places.values(), *metrics}
    unused = [i for i, name in enumerate(columns.header) if i not in used and name.strip()]
    if unused:
        names = some([repr(columns.header[i]) for i in unused], 12)
        report.add("ignored", "unused-columns", f"{path}: unused columns: {names}.", [path])
    values = {i: [str(cells[i]).strip() for _, cells in runs] for i in unused}
    return [repr(columns.header[i]) for i, own in values.items() if 1 < len(set(own)) < len(own)]


def _blocks(
    path: str, runs: Sequence[Row], names: _Names, metrics: Sequence[int], by_file: str, report: Reporter
) -> tuple[ScoreBlock, ...]:
    """Return the scores of all runs; `by_file` is the metric of a column that is only called score."""
    _warn_of_settings(names, runs, path, report)
    columns, numbers = names.columns, NumberReader(path)
    seen: Counter[tuple[str, str, str]] = Counter()
    lines: dict[tuple[str, str, str, str], int] = {}
    blocks = []
    for line, cells in runs:
        system = names.cell(cells, "system") or "system"
        test_set = names.cell(cells, "test_set") or DEFAULT_SET
        for i in metrics:
            is_score = i == columns.places.get("score")
            metric = (names.cell(cells, "metric") or by_file) if is_score else columns.header[i]
            seen[system, test_set, metric] += 1
            replica = names.cell(cells, "replica") or str(seen[system, test_set, metric])
            value = numbers.read(cells[i], line, columns.header[i])
            first = lines.setdefault((system, replica, test_set, metric), line)
            if first != line and not is_no_metric(metric):
                raise LoadError(
                    f"{path}, line {line}: a second {metric} of run {replica!r} of {system!r} on {test_set!r}; the "
                    f"first is in line {first}. {_remedy(columns)}",
                    path,
                )
            blocks.append(ScoreBlock(
                path, metric, system, replica, test_set, in_order=(value,), exact=True, whole_run=True,
            ))  # fmt: skip
    numbers.finish(report)
    return tuple(blocks)


def _remedy(columns: Columns) -> str:
    """Return what to do about a second score of a run."""
    settings = [repr(name) for i, name in enumerate(columns.header) if is_setting(name)
                and i not in columns.places.values()]  # fmt: skip
    step = next((repr(name) for name in columns.header if plain_name(name) in STEPS), "")
    if step:
        return f"Keep the row of one checkpoint of each run (column {step})."
    if settings and "system" in columns.places:
        return f"If {some(settings, 3)} tells systems apart, write it into their names, as in 'base 5'."
    return (
        "Name the systems in a column 'system', the runs in a column 'run'; if rows are segments, number them in a "
        "column 'segment'."
    )


def _is_run(name: str) -> bool:
    return bool(name.strip()) and _SUMMARY.fullmatch(name.strip()) is None


def _lines(lines: Sequence[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + some(map(str, lines), 8)


def _report_constant(path: str, names: Sequence[str], blocks: Sequence[ScoreBlock], report: Reporter) -> None:
    values: dict[str, set[object]] = {name: set() for name in names}
    for block in blocks:
        values[block.metric].add((block.in_order or (None,))[0])
    constant = [name for name, own in values.items() if len(own) == 1 and not is_no_metric(name)]
    if constant and len(blocks) > len(names):
        message = f"{path}: all runs have the same value in {some([repr(name) for name in constant], 12)}."
        report.add("warning", "constant-scores", message, [path])
