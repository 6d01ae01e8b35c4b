"""Tables of runs with a column per run or system: which columns are what.

::

    system, bleu_seed1, bleu_seed2      runs in columns, also as "seed 1", "seed 2"
    seed, base, new                     systems in columns, by the file's name (bleu.csv) or by words that say so
    seed, bleu_base, bleu_new           metrics and systems in columns
    metric, base_1, base_2, new_1       outputs in columns, metrics in rows
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mtsig_core.loading.recognition.names import base_name, is_mark, split_marked, without_ending
from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.scores.columns import Columns, metric_by_name
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.wide import is_of_system, of_metric_and_system

#: Columns that are computed from others: differences of systems, summaries of runs.
_OF_OTHERS = re.compile(
    r"delta|diff(?:erence)?s?|gains?|improvements?|[Δ∆].*|p|mean|average|avg|median|min|max|mittel(?:wert)?|differenz|"
    r"moyenne|media|promedio", re.IGNORECASE,
)  # fmt: skip


def by_score(columns: Columns, metrics: Sequence[int], file: str) -> dict[int, tuple[str, str, str]]:
    """Return system, run and metric of each column of scores, where columns name one of the first two; else nothing.

    What a row says is "". `metrics` are the columns that hold numbers.
    """
    places = columns.places
    if {"segment", "score"} & places.keys() or len({"system", "replica", "metric"} & places.keys()) != 1:
        return {}
    free = [i for i in metrics if not is_no_metric(columns.header[i]) or is_mark(columns.header[i])]
    free = [i for i in free if not _OF_OTHERS.fullmatch(columns.header[i].strip())]
    if len(free) < 2:
        return {}
    names, by_file = {i: columns.header[i] for i in free}, metric_by_name(without_ending(base_name(file)))
    if "system" in places:
        return _runs_in_columns(names, by_file or "score")
    if "metric" in places:
        split = split_names({str(i): name for i, name in names.items()}, endings=False)
        outputs = {i: (split[str(i)].system, split[str(i)].replica, "") for i in free}
        return outputs if all(own.why != "none" for own in split.values()) else {}
    combined = of_metric_and_system(names)
    # what stands beside metrics may be tasks, too
    if combined and any(is_of_system(own.system) or own.has_run for own in combined.values()):
        return {i: (own.system, own.replica if own.has_run else "", own.metric) for i, own in combined.items()}
    if any(map(listed_direction, names.values())) or not (by_file or any(map(is_of_system, names.values()))):
        return {}
    return {i: (name, "", by_file or "score") for i, name in names.items()}


def _runs_in_columns(names: Mapping[int, str], metric: str) -> dict[int, tuple[str, str, str]]:
    if all(map(is_mark, names.values())):
        return {i: ("", name, metric) for i, name in names.items()}
    pairs = {i: pair for i, name in names.items() if (pair := split_marked(name)) and listed_direction(pair[0])}
    return {i: ("", run, own) for i, (own, run) in pairs.items()} if len(pairs) == len(names) else {}
