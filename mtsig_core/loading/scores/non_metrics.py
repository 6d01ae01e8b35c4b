"""Columns of numbers that are no metrics by their names: lengths, times, ids, counts, settings of a training."""

from __future__ import annotations

import re

from mtsig_core.loading.scores.directions import listed_direction

#: Whole words of names of columns that hold numbers, but no scores.
NO_METRIC = frozenset((
    "age", "annotator", "annotators", "batch", "beam", "begin", "byte", "bytes", "char", "characters", "chars", "column",
    "count", "counts", "date", "day", "depth", "dim", "duration", "elapsed", "end", "epoch", "epochs", "gpu", "hour",
    "hours", "id", "ids", "idx", "index", "iteration", "iterations", "judge", "layers", "len", "length", "lengths", "line",
    "lr", "memory", "millis", "milliseconds", "minutes", "month", "ms", "n", "num", "number", "offset", "order", "page",
    "param", "parameters", "params", "position", "rank", "rater", "row", "runtime", "sec", "seconds", "secs", "seed",
    "sentences", "size", "start", "step", "steps", "temperature", "time", "timestamp", "token", "tokens", "user", "weight",
    "width", "word", "words", "worker", "year",
))  # fmt: skip
_ID = re.compile(r"(?:annotator|doc|document|hit|item|judge|line|rater|seg|segment|sent|task|user|worker)s?(?:id|no|nr|idx)")


def is_no_metric(name: str) -> bool:
    """Say whether a column of numbers is no metric by its name; the name of a documented metric always is one."""
    if listed_direction(name) is not None:
        return False
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())
    words = [word for word in re.split(r"[^a-z]+", spaced.casefold()) if word]
    return any(word in NO_METRIC or _ID.fullmatch(word) for word in words)
