"""Scores of whole runs in objects within objects -> one row per score.

::

    {"base": {"seed1": {"bleu": 27.1, "chrf": 55.0}, "seed2": ...}, "new": ...}
    {"base": {"bleu": [27.1, 27.4]}, ...}      {"bleu": {"base": [27.1, 27.4]}}      {"base-seed1": {"bleu": 27.1}}

Each level of keys is one thing: metrics by documented names, runs by words and numbers that say so, the rest systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mtsig_core.loading.recognition.names import is_mark
from mtsig_core.loading.report import some
from mtsig_core.loading.reshaping.shape import NotClear, Row, Rows, runs_of
from mtsig_core.loading.scores.columns import metric_by_name
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric

#: Levels of objects within objects, and numbers in a list that may be those of runs.
DEEPEST, MOST_RUNS = 4, 30
_TEST_SET = re.compile(
    r"(?:.*[-_. /])?(?:wmt|newstest|newsdev|flores|test|dev|valid|validation|iwslt|ted|opus|ntrex|tatoeba|tico)\w*"
    r"(?:[-_. /].*)?", re.IGNORECASE,
)  # fmt: skip
_Path = tuple[str, ...]


def rows_of_results(content: Mapping[str, object], stem: str) -> Rows | None:
    """Return one row per score; None for an object that holds something else.

    Parameters
    ----------
    content : mapping
    stem : str
        What the file is called, which may be the name of its metric.

    Raises
    ------
    NotClear
        When the numbers may be scores, but it is not clear of what.
    """
    leaves = [(path, value) for path, value in _leaves(content, ()) if not is_no_metric(path[-1])]
    depths = {len(path) for path, _ in leaves}
    if not leaves or len(depths) != 1 or max(depths) > DEEPEST:
        return None
    levels = [list(dict.fromkeys(keys)) for keys in zip(*(path for path, _ in leaves), strict=True)]
    has_lists = any(isinstance(value, list) for _, value in leaves)
    # numbers side by side, some with lists beside them, are the report of one run
    if (has_lists and not all(isinstance(value, list) for _, value in leaves)) or (max(depths) == 1 and not has_lists):
        return None
    kinds = _kinds(levels)
    by_file = metric_by_name(stem)
    if "metric" not in kinds and not by_file:
        return None
    _check(levels, kinds, leaves, has_lists)
    return Rows(list(_rows(leaves, kinds, by_file)), _how(levels, kinds, by_file, has_lists))


def _leaves(value: object, path: _Path) -> Iterator[tuple[_Path, object]]:
    """Yield numbers, and lists of numbers, with the keys above them."""
    if isinstance(value, dict):
        if len(path) > DEEPEST:
            return
        for key, below in value.items():
            yield from _leaves(below, (*path, key))
    elif path and (_is_number(value) or (isinstance(value, list) and value and all(map(_is_number, value)))):
        yield path, value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kinds(levels: Sequence[Sequence[str]]) -> list[str]:
    """Return what each level of keys names: metric, run, test_set, or system for what is left."""
    kinds = []
    for keys in levels:
        known = [key for key in keys if listed_direction(key) is not None]
        is_metric = 2 * len(known) > len(keys) and "metric" not in kinds
        kinds.append("metric" if is_metric else "run" if all(map(is_mark, keys)) and "run" not in kinds else "system")
    rest = [i for i, kind in enumerate(kinds) if kind == "system"]
    sets = [i for i in rest if all(map(_TEST_SET.fullmatch, levels[i]))]
    if len(rest) > 1 and len(sets) == 1:
        kinds[sets[0]] = "test_set"
    return kinds


def _check(
    levels: Sequence[Sequence[str]], kinds: Sequence[str], leaves: Sequence[tuple[_Path, object]], has_lists: bool
) -> None:
    systems = [some(map(repr, keys), 3) for keys, kind in zip(levels, kinds, strict=True) if kind == "system"]
    if len(systems) > 1:
        raise NotClear(f"holds scores by {' and by '.join(systems)}, and it is not clear which of these are systems. "
                       "Write a table with columns system, run, test_set, metric and score.")  # fmt: skip
    if has_lists and "run" in kinds:
        raise NotClear("holds lists of scores of runs. Write scores of segments to a table with columns system, run, "
                       "segment and score.")  # fmt: skip
    longest = max((len(value) for _, value in leaves if isinstance(value, list)), default=0)
    if longest > MOST_RUNS:
        raise NotClear(f"holds lists of up to {longest} numbers, which may be scores of runs or of segments. Write a "
                       "table with columns system, segment (or run) and score.")  # fmt: skip
    if not has_lists and "run" not in kinds and not _runs_in_names(levels, kinds):
        raise NotClear("holds one number for each system and metric, without runs. They do not say how far another run "
                       "would move them, so no test can be made. Give the scores of several runs of each system "
                       "(columns system, run and score).")  # fmt: skip


def _runs_in_names(levels: Sequence[Sequence[str]], kinds: Sequence[str]) -> bool:
    names = next((keys for keys, kind in zip(levels, kinds, strict=True) if kind == "system"), ())
    return bool(names) and all(run for _, run in runs_of(names).values())


def _rows(leaves: Sequence[tuple[_Path, object]], kinds: Sequence[str], by_file: str) -> Iterator[Row]:
    place = kinds.index("system") if "system" in kinds else None
    names = {} if place is None or "run" in kinds else runs_of(list(dict.fromkeys(p[place] for p, _ in leaves)))
    if not all(run for _, run in names.values()):
        names = {}
    for path, value in leaves:
        row: dict[str, object] = {"metric": by_file, **dict(zip(kinds, path, strict=True))}
        if names:
            row["system"], row["run"] = names[str(row["system"])]
        for i, score in enumerate(value if isinstance(value, list) else [value], 1):
            yield {**row, **({"run": str(i)} if isinstance(value, list) else {}), "score": score}


def _how(levels: Sequence[Sequence[str]], kinds: Sequence[str], by_file: str, has_lists: bool) -> str:
    words = {"system": "systems", "run": "runs", "metric": "metrics", "test_set": "test sets"}
    listed = [f"{words[kind]} ({some(keys, 4)})" for keys, kind in zip(levels, kinds, strict=True)]
    lists = ", each list as the scores of runs" if has_lists else ""
    name = f", the metric by the file's name ({by_file})" if "metric" not in kinds else ""
    return f"its keys were read as {', '.join(listed)}{lists}{name}"
