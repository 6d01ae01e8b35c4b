"""Scores of metrics that stand beside human scores in one table: one row per metric, or one column each."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mtsig_core.loading.judgements.columns import JudgementColumns, columns_of_people
from mtsig_core.loading.scores.columns import Row, columns_of
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.numbers import NumberReader, segment_id
from mtsig_core.loading.scores.tables import holds_numbers

#: Columns of the frame that `read_metric_scores` returns.
COLUMNS = ("test_set", "metric", "system", "segment", "score")
#: Columns of numbers that are no metric: how many judgements a mean is of, times.
_NO_METRICS = frozenset(("n", "count", "time", "start", "end", "seconds", "duration", "rid", "hit"))
_SCORE = {"score": ("score", "metric score", "value")}


def read_metric_scores(lines: Sequence[str], file: str) -> pd.DataFrame:
    """Return the scores of metrics in a table that has human scores, too.

    A table with a column of metrics has their scores in its column ``score``; in others, each column of numbers without
    another meaning is a metric.

    Returns
    -------
    DataFrame
        One row per metric and output (and segment, where the table names segments), with the test set or
        language pair where the table names it; empty where there is no metric.

    Raises
    ------
    LoadError
        When a score is no number.
    """
    if next((line for line in lines if line.strip()), "").lstrip().startswith(("[", "{")):
        return pd.DataFrame(columns=list(COLUMNS))
    table = delimited(list(lines), file)
    rows = [(line, cells) for line, cells in table.rows if len(cells) == len(table.header)]
    people = columns_of_people(table.header)
    if "system" not in people.places or not rows:
        return pd.DataFrame(columns=list(COLUMNS))
    metrics = _metrics(people, table.header, rows)
    sets = _set_places(people, rows)
    numbers = NumberReader(file)
    scores = []
    for line, cells in rows:
        system = str(cells[people.places["system"]]).strip()
        segment = segment_id(str(cells[people.places["segment"]])) if "segment" in people.places else None
        test_set = " ".join(str(cells[place]).strip() for place in sets) or None
        for name_place, place in metrics:
            name = str(cells[name_place]) if name_place >= 0 else table.header[place]
            scores.append((test_set, name, system, segment, numbers.read(cells[place], line, table.header[place])))
    return pd.DataFrame(scores, columns=list(COLUMNS)).astype({"score": float})


def _set_places(people: JudgementColumns, rows: Sequence[Row]) -> list[int]:
    """Return the columns that name the test set of a row, as for the judgements of the table."""
    places = [people.places[role] for role in ("test_set", "pair") if role in people.places]
    return places[1:] if len(places) > 1 and len({cells[places[0]] for _, cells in rows}) < 2 else places


def _metrics(people: JudgementColumns, header: Sequence[str], rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return the columns of a metric's name (negative: its score's own heading) and of its score."""
    if people.repeats_by_metric:
        places = columns_of(header, _SCORE).places
        return [(people.places["metric"], places["score"])] if "score" in places else []
    used = {*people.places.values(), *people.values.values()}
    free = [i for i, name in enumerate(header) if i not in used and name.casefold() not in _NO_METRICS]
    return [(-1 - i, i) for i in free if holds_numbers([cells[i] for _, cells in rows])]
