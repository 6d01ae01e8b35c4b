"""Tables of runs with a column per run or system, or with cells that are empty below others -> one row per score.

::

    system, bleu_seed1, bleu_seed2      runs in columns, also as "seed 1", "seed 2"
    seed, base, new                     systems in columns, by the file's name (bleu.csv) or by words that say so
    metric, base_1, base_2, new_1       outputs in columns, metrics in rows
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.names import base_name, is_mark, split_marked, without_ending
from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.report import Reporter, some
from mtsig_core.loading.scores.columns import Columns, Table, columns_of, metric_by_name
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.tables import holds_numbers

Row = tuple[int, list[object]]
#: Words of names of systems: columns beside one of runs may as well be tasks.
_OF_SYSTEMS = frozenset((
    "alt", "anchor", "ancien", "base", "baseline", "baselines", "basis", "bert", "candidate", "claude", "control",
    "deepl", "finetuned", "gemini", "gpt", "grundsystem", "llama", "lora", "lstm", "mbart", "mistral", "model", "neu",
    "new", "nllb", "nouveau", "old", "opus", "ours", "pretrained", "proposed", "qwen", "roberta", "sota", "sys",
    "system", "transformer", "treatment", "vanilla", "variant",
))  # fmt: skip


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


def by_score(columns: Columns, rows: Sequence[Sequence[object]], file: str) -> dict[int, tuple[str, str, str]]:
    """Return system, run and metric of each column of scores, where columns name one of the first two; else nothing.

    What a row says is "".
    """
    places = columns.places
    if {"segment", "score"} & places.keys() or len({"system", "replica", "metric"} & places.keys()) != 1:
        return {}
    free = [i for i in metrics_of(columns, rows) if not is_no_metric(columns.header[i]) or is_mark(columns.header[i])]
    if len(free) < 2:
        return {}
    names, by_file = {i: columns.header[i] for i in free}, metric_by_name(without_ending(base_name(file)))
    if "system" in places:
        return _runs_in_columns(names, by_file or "score")
    if "metric" in places:
        split = split_names({str(i): name for i, name in names.items()}, endings=False)
        outputs = {i: (split[str(i)].system, split[str(i)].replica, "") for i in free}
        return outputs if all(own.why != "none" for own in split.values()) else {}
    if any(listed_direction(name) for name in names.values()) or not (by_file or any(map(_is_system, names.values()))):
        return {}
    return {i: (name, "", by_file or "score") for i, name in names.items()}


def _runs_in_columns(names: Mapping[int, str], metric: str) -> dict[int, tuple[str, str, str]]:
    if all(map(is_mark, names.values())):
        return {i: ("", name, metric) for i, name in names.items()}
    pairs = {i: pair for i, name in names.items() if (pair := split_marked(name)) and listed_direction(pair[0])}
    return {i: ("", run, own) for i, (own, run) in pairs.items()} if len(pairs) == len(names) else {}


def _is_system(name: str) -> bool:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return not _OF_SYSTEMS.isdisjoint(re.split(r"[^a-z]+", spaced.casefold()))


def in_rows(table: Table, path: str, report: Reporter) -> Table:
    """Return a table with one row per score where columns name runs or systems; any other as it is."""
    rows: list[Row] = [(line, list(cells)) for line, cells in table.rows]
    columns = columns_of(table.header)
    named = by_score(columns, [cells for _, cells in rows], path)
    if not named:
        return replace(table, rows=iter(_filled(rows, columns, path, report)))
    what = "runs" if "system" in columns.places else "systems"
    listed = some(list(dict.fromkeys(system or run for system, run, _ in named.values())), 6)
    message = f"{path}: its columns were read as {what} ({listed})."
    report.assume(f"{what}-in-columns", message, "To change this, write one row per score: system, run, score.", [path])
    place = min(columns.places[role] for role in ("system", "replica", "metric") if role in columns.places)
    long = [(line, [system or cells[place], run or cells[place], metric or cells[place], cells[i]])
            for line, cells in rows if len(cells) == len(table.header)
            for i, (system, run, metric) in named.items()]  # fmt: skip
    return Table(("system", "run", "metric", "score"), iter(long), table.name)


def _filled(rows: list[Row], columns: Columns, path: str, report: Reporter) -> list[Row]:
    """Return rows in which an empty system is that of the row above, as spreadsheets leave merged cells."""
    system, run = columns.places.get("system"), columns.places.get("replica")
    if system is None or run is None:
        return rows
    above, filled = "", []
    for line, cells in rows:
        if len(cells) != len(columns.header):
            continue
        own = str(cells[system] or "").strip()
        if not own and above and is_mark(str(cells[run]).strip()):
            cells[system] = above
            filled.append(line)
        above = own or above
    if filled:
        rows_of = count(len(filled), "row")
        message = f"{path}: {rows_of} without a system, as merged cells leave them, were read as of the system above."
        report.assume("merged-cells", message, "If not, fill in the system of each row.", [path])
    return rows
