"""Tables with one column per system: their headings, and the same scores with one row per segment of a system.

::

    segment, base, new                  comet.csv, with or without the column of segments
    segment, base_seed1, base_seed2     names of columns say the replica as names of files do
    segment, comet_base, comet_new      names of columns say metric and system
    COMET        | chrF                 two rows of headings, as spreadsheets with merged cells have them
    base | new   | base | new
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtsig_core.loading.recognition.names import base_name, is_mark, split_flat, without_ending
from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.report import Reporter, some
from mtsig_core.loading.scores.columns import (
    BELOW,
    OF_SYSTEM,
    PEOPLE,
    Columns,
    Row,
    Table,
    columns_of,
    declared_columns,
    metric_by_name,
    plain_name,
)
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric

_HEADER = ("system", "replica", "segment", "metric", "score")

#: Words of names of systems: columns beside one of runs may as well be tasks.
_OF_SYSTEMS = frozenset((
    "alt", "anchor", "ancien", "base", "baseline", "baselines", "basis", "bert", "candidate", "claude", "control",
    "deepl", "finetuned", "gemini", "gpt", "grundsystem", "llama", "lora", "lstm", "mbart", "mistral", "model", "neu",
    "new", "nllb", "nouveau", "old", "opus", "ours", "pretrained", "proposed", "qwen", "roberta", "sota", "sys",
    "system", "transformer", "treatment", "vanilla", "variant",
))  # fmt: skip
#: Parts of a name that says a metric and a system, at most.
MOST_PARTS = 12
#: What else stands behind the name of a metric: variants, what it was computed with, test sets and pairs of languages.
_VARIANT = re.compile(
    r"\d+|precision|recall|[prfzln]|f1|lsum|macro|micro|weighted|mean|avg|average|median|min|max|total|sum|scores?|src|"
    r"source|ref\w?|reference|refs|qe|kiwi|da|mqm|xl|xxl|norm|none|low|mid|high|sent|sentence|seg|segments?|doc|corpus|char|"
    r"word|cased|uncased|lc|tok|detok|raw|human|pct|percent|rate|count|id|v\d\w*"
)
_SETS = re.compile(
    r"(?:.*[._-])?(?:wmt|newstest|newsdev|flores|iwslt|ted|ntrex|test|dev|valid|val|eval|train)\w*|[a-z]{2,3}[-_>]+[a-z]{2,3}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Column:
    """What the scores of a column are of."""

    system: str
    replica: str
    metric: str
    has_run: bool = True


def systems_by_column(header: Sequence[str], file: str, sheet: str = "") -> dict[int, Column]:
    """Return the columns that hold scores of a system each; none where a table is of another kind.

    Parameters
    ----------
    header : sequence of str
    file : str
        Names the metric, where it is a metric's name.
    sheet : str
        Of a workbook, which names the metric as well.
    """
    columns = columns_of(header)
    if {"system", "score", "metric", "replica"} & columns.places.keys() or PEOPLE & set(map(plain_name, header)):
        return {}
    free = [i for i in columns.free() if header[i] and (not is_no_metric(header[i]) or _is_named(header[i]))]
    pairs = {i: tuple(header[i].split(BELOW, 1)) for i in free if BELOW in header[i]}
    if pairs:
        return _of_pairs(pairs, file) if len(pairs) == len(free) else {}
    combined = of_metric_and_system({i: header[i] for i in free}) if "segment" in columns.places else {}
    if combined:
        return combined
    if len(free) < 2 or any(listed_direction(header[i]) is not None for i in free):
        return {}
    metric = metric_by_name(sheet) or metric_by_name(without_ending(base_name(file)))
    names = split_names({str(i): header[i] for i in free}, endings=False)
    names_segments = "segment" in columns.places or (metric and _is_all(free, columns))
    if not names_segments:
        return {}
    return {i: Column(names[str(i)].system, names[str(i)].replica, metric or "score") for i in free}


def of_metric_and_system(names: Mapping[int, str]) -> dict[int, Column]:
    """Return what columns are of whose names say a metric and a system each: ``comet_base``, ``new.BLEU``.

    Several metrics must each have all systems; of one metric, the rest of the names must say runs, or words of systems.
    """
    for metric_first in (True, False):
        split = _all_split(names, metric_first=metric_first)
        rests: dict[str, set[str]] = {}
        for metric, rest in split.values():
            rests.setdefault(metric, set()).add(rest)
        if len(split) < len(names) or len(names) < 2 or len({frozenset(own) for own in rests.values()}) != 1:
            continue
        all_rests = next(iter(rests.values()))
        systems = split_names({rest: rest for rest in all_rests}, endings=False)
        has_runs = all(each.why != "none" for each in systems.values())
        if len(all_rests) > 1 and (len(rests) > 1 or has_runs or any(map(is_of_system, all_rests))):
            return {i: Column(systems[rest].system, systems[rest].replica, metric, systems[rest].why != "none")
                    for i, (metric, rest) in split.items()}  # fmt: skip
    return {}


def _all_split(names: Mapping[int, str], *, metric_first: bool) -> dict[int, tuple[str, str]]:
    """Split names; none of them where one cannot be split."""
    split = {}
    for i, name in names.items():
        if (own := _split(name, metric_first=metric_first)) is None:
            return {}
        split[i] = own
    return split


def _split(name: str, *, metric_first: bool) -> tuple[str, str] | None:
    """Split a name into that of a metric and a rest that is no variant of it."""
    parts = re.split(r"([\s._/:|-]+)", name.strip())
    if len(parts) > 2 * MOST_PARTS:
        return None
    places = range(1, len(parts), 2) if metric_first else range(len(parts) - 2, 0, -2)
    for place in places:
        before, after = "".join(parts[:place]), "".join(parts[place + 1 :])
        metric, rest = (before, after) if metric_first else (after, before)
        words = [word for word in re.split(r"[\s._/:|-]+", rest.casefold()) if word]
        edge = words[0 if metric_first else -1] if words else ""
        if listed_direction(metric) is None or _VARIANT.fullmatch(edge):
            continue
        is_system = words and listed_direction(rest) is None and not all(map(_VARIANT.fullmatch, words))
        return (metric, rest) if is_system and not _SETS.fullmatch(rest) else None
    return None


def is_of_system(name: str) -> bool:
    """Say whether a word of a name is one that people call systems by."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return not _OF_SYSTEMS.isdisjoint(re.split(r"[^a-z]+", spaced.casefold()))


def _is_named(name: str) -> bool:
    """Say whether the name of a column is one of a replica, or stands below another."""
    return BELOW in name or split_flat(name) is not None


def _is_all(free: Sequence[int], columns: Columns) -> bool:
    """Say whether a table has no other columns, but for an index without a name."""
    return len(free) >= len([name for name in columns.header if name.strip()])


def _of_pairs(pairs: Mapping[int, Sequence[str]], file: str) -> dict[int, Column]:
    above, below = ({pair[place] for pair in pairs.values()} for place in (0, 1))
    if all(listed_direction(name) is not None for name in above):
        names = split_names({name: name for name in below}, endings=False)
        return {i: Column(names[b].system, names[b].replica, a) for i, (a, b) in pairs.items()}
    names = split_names({name: name for name in above}, endings=False)
    if all(listed_direction(name) is not None for name in below):
        return {i: Column(names[a].system, names[a].replica, b) for i, (a, b) in pairs.items()}
    if all(is_mark(name) for name in below):
        metric = metric_by_name(without_ending(base_name(file))) or "score"
        return {i: Column(a, b, metric) for i, (a, b) in pairs.items()}
    return {}


def by_row(table: Table, file: str, report: Reporter) -> Table:
    """Return a table with one row per score, where one has a column per system; any other as it is."""
    columns = systems_by_column(table.header, file, table.name)
    if not columns:
        return table
    place = columns_of(table.header).places.get("segment")
    systems = dict.fromkeys(column.system for column in columns.values())
    rows = "" if place is not None else ", and its rows for segments in order"
    report.assume(
        "systems-in-columns",
        f"{file}: its columns were read as systems ({some(systems)}){rows}.",
        "To change this, say what the columns are: on the Data page, or in experiment.toml ([[files]] columns).",
        [file],
    )
    unused = [repr(name) for i, name in enumerate(table.header) if i not in columns and i != place and name.strip()]
    if unused:
        report.add("ignored", "unused-columns", f"{file}: unused columns: {some(unused, 12)}.", [file])
    return Table(_HEADER, _rows(table.rows, columns, place), table.name)


def by_declared(table: Table, file: str, declared: Mapping[str, str]) -> Table:
    """Return a table with one row per score, where a person says which columns hold the scores of a system each."""
    places = declared_columns(table.header, declared, file).places
    names = {i: name for i, name in enumerate(table.header) if declared.get(name) == OF_SYSTEM}
    split = split_names({str(i): name for i, name in names.items()}, endings=False)
    metric = metric_by_name(without_ending(base_name(file))) or "score"
    columns = of_metric_and_system(names) or {i: Column(split[str(i)].system, split[str(i)].replica, metric)
                                              for i in names}  # fmt: skip
    if "segment" in places or "replica" not in places:
        return Table(_HEADER, _rows(table.rows, columns, places.get("segment")), table.name)
    run = places["replica"]
    long = ((line, (own.system, cells[run], own.metric, cells[i])) for line, cells in table.rows
            for i, own in columns.items() if max(i, run) < len(cells))  # fmt: skip
    return Table(("system", "run", "metric", "score"), long, table.name)


def _rows(rows: Iterator[Row], columns: Mapping[int, Column], place: int | None) -> Iterator[Row]:
    for number, (line, cells) in enumerate(rows, 1):
        for i, column in columns.items():
            if i < len(cells):
                segment = cells[place] if place is not None and place < len(cells) else str(number)
                yield line, (column.system, column.replica, segment, column.metric, cells[i])
