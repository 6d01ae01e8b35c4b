"""On which segments do two systems differ? Scores by bucket of segments, replicas as the units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.formatting import number
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.closed_form.two_means import TwoMeans, difference_columns, two_means

By = Literal["length", "document", "frequency", "difficulty"]
FIFTHS = 5
UNEQUAL = 1.5  # ratio of the standard errors of two systems' segment means that deserves a warning
DIFFICULTY_NOTE = (
    "Difficulty is the mean score of a segment over both systems, each the mean of its replicas, so neither is "
    "favoured. Beware of regression to the mean: these very scores chose the buckets, so the hardest look harder and "
    "the easiest easier than they would to new replicas, and the system whose scores vary more swings further at both "
    "ends."
)
LENGTH_NOTE = (
    "Length is that of the references, in words; in a script without spaces, such as Chinese, in characters."
)
FREQUENCY_NOTE = (
    "Frequency is how often a word occurs in the references of this test set, not in any training data; a segment "
    "counts by the geometric mean over the words of its references."
)


@dataclass(frozen=True, eq=False)
class Grouping:
    """A partition of the segments.

    Attributes
    ----------
    by : {"length", "document", "frequency", "difficulty"}
    bucket_of : ndarray of int of shape (segment,)
        0, 1, ... without gaps.
    labels : tuple of str
        One per bucket.
    note : str
        What to know of it.
    """

    by: By
    bucket_of: np.ndarray
    labels: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class BucketRow:
    """One bucket: its segments, the score of each system there, and the length of each output."""

    label: str
    segments: int
    score: TwoMeans
    length: TwoMeans | None


@dataclass(frozen=True, eq=False)
class BucketTable(OfPair, Result):
    """Scores of two systems by bucket of segments.

    Attributes
    ----------
    scope : Scope
    grouping : Grouping
    rows : tuple of BucketRow
        `length` is words of the output in percent of those of the references; None without text.
    n_a, n_b : int
        Replicas.
    alpha : float
    """

    scope: Scope
    grouping: Grouping
    rows: tuple[BucketRow, ...]
    n_a: int
    n_b: int
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row per bucket."""
        columns: dict[str, list] = {
            self.grouping.by: [r.label for r in self.rows],
            "segments": [r.segments for r in self.rows],
            f"{self.label} of {self.a}": [r.score.a for r in self.rows],
            f"{self.label} of {self.b}": [r.score.b for r in self.rows],
        }
        differences = difference_columns([r.score for r in self.rows])
        notes = differences.pop("note")
        columns |= differences
        if any(r.length for r in self.rows):
            columns[f"length of {self.a}"] = [r.length and r.length.a for r in self.rows]
            columns[f"length of {self.b}"] = [r.length and r.length.b for r in self.rows]
        return pd.DataFrame(columns | {"note": notes})


def buckets(
    statistics: SegmentStatistics, a: str, b: str, grouping: Grouping, settings: Settings, *,
    words: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> BucketTable:  # fmt: skip
    """Return the scores of two systems in each bucket, means over replicas, with intervals of the difference.

    The score of a replica in a bucket is the metric's score of the summed statistics of the bucket's segments: that
    of a test set of these segments alone.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system.
    grouping : Grouping
        Of the segments of these statistics.
    settings : Settings
        Level, and whether replicas are paired.
    words : tuple of three ndarray, optional
        Words of the outputs of a and of b, shape (replica, segment), and mean words of the references, (segment,).

    Raises
    ------
    ValueError
        When the grouping is of another number of segments.
    """
    if grouping.bucket_of.shape != (statistics.n_segments,):
        raise ValueError(
            f"The buckets are of {len(grouping.bucket_of):,} segments; the statistics have {statistics.n_segments:,}."
        )
    n = len(grouping.labels)
    scores = [statistics.metric.score(_sums(statistics.of(x), grouping.bucket_of, n)) for x in (a, b)]
    ratios = None if words is None else _length_ratios(words, grouping)
    rows = tuple(_row(grouping, k, scores, ratios, settings) for k in range(n))
    return BucketTable(Scope.of(statistics, a, b), grouping, rows, len(scores[0]), len(scores[1]), settings.alpha)


def _row(
    grouping: Grouping, k: int, scores: list[np.ndarray], ratios: list[np.ndarray] | None, settings: Settings
) -> BucketRow:
    def means(values: list[np.ndarray]) -> TwoMeans:
        return two_means(values[0][:, k], values[1][:, k], alpha=settings.alpha, paired=settings.paired)

    n_segments = int((grouping.bucket_of == k).sum())
    return BucketRow(grouping.labels[k], n_segments, means(scores), means(ratios) if ratios else None)


def _length_ratios(words: tuple[np.ndarray, np.ndarray, np.ndarray], grouping: Grouping) -> list[np.ndarray]:
    """Return the length of the outputs of a and of b in percent of the references, shape (replica, bucket)."""
    n = len(grouping.labels)
    of_reference = _sums(words[2][None, :, None], grouping.bucket_of, n)[0, :, 0]
    ratios = []
    for own in words[:2]:
        sums = _sums(own[:, :, None], grouping.bucket_of, n)[..., 0]
        ratios.append(np.divide(100 * sums, of_reference, out=np.full(sums.shape, np.nan), where=of_reference > 0))
    return ratios


def _sums(values: np.ndarray, bucket_of: np.ndarray, n: int) -> np.ndarray:
    """Return sums over each bucket, shape (output, bucket, statistic), of values (output, segment, statistic)."""
    member = (bucket_of == np.arange(n)[:, None]).astype(float)
    return np.einsum("kl,ols->oks", member, values, optimize=True)


def by_document(documents: Sequence[str]) -> Grouping:
    """Return the segments by document, in the order of their first segments."""
    numbers = {name: k for k, name in enumerate(dict.fromkeys(documents))}
    return Grouping("document", np.array([numbers[name] for name in documents]), tuple(numbers))


def by_length(lengths: np.ndarray, unit: str = "words") -> Grouping:
    """Return the segments by the length of their references (the mean where there are several), shape (segment,)."""
    bucket_of, ends = quantile_groups(lengths)
    labels = [f"{_span(low, high, 1)} {unit}".replace(".0 ", " ") for low, high in ends]
    return Grouping("length", bucket_of, tuple(labels), LENGTH_NOTE)


def by_frequency(frequencies: np.ndarray) -> Grouping:
    """Return the segments by the typical frequency of the words of their references, shape (segment,)."""
    bucket_of, ends = quantile_groups(frequencies)
    return Grouping("frequency", bucket_of, tuple(_span(low, high, 1) for low, high in ends), FREQUENCY_NOTE)


def by_difficulty(statistics: SegmentStatistics, a: str, b: str) -> Grouping:
    """Return the segments by difficulty, hardest first: the mean of both systems' mean segment scores."""
    metric = statistics.metric
    scores = [metric.segment_score(statistics.of(x)) for x in (a, b)]
    sign = 1 if metric.higher_is_better else -1
    quality = sign * (scores[0].mean(axis=0) + scores[1].mean(axis=0)) / 2
    bucket_of, ends = quantile_groups(np.round(quality, 9))
    decimals = 1 if np.abs(quality).max() >= 2 else 3
    labels = [_span(min(sign * low, sign * high), max(sign * low, sign * high), decimals) for low, high in ends]
    names = ["hardest", *[""] * (len(ends) - 2), "easiest"] if len(ends) > 1 else ["all equal"]
    titles = [f"{name}: {label}" if name else label for name, label in zip(names, labels, strict=True)]
    note = f"{DIFFICULTY_NOTE} {_unequal_variance(scores, (a, b))}".strip()
    return Grouping("difficulty", bucket_of, tuple(titles), note)


def _unequal_variance(scores: list[np.ndarray], names: tuple[str, str]) -> str:
    """Return a warning where one system's segment means vary clearly more between its replicas; else nothing."""
    if min(map(len, scores)) < 2:
        single = [name for name, own in zip(names, scores, strict=True) if len(own) < 2]
        return f"How much that is cannot be told from one replica ({' and '.join(single)})."
    sizes = [float(np.sqrt(own.var(axis=0, ddof=1).mean() / len(own))) for own in scores]
    larger, smaller = max(sizes), min(sizes)
    if larger < UNEQUAL * smaller or larger == 0:
        return ""
    name, other = names if sizes[0] > sizes[1] else names[::-1]
    times = f"{larger / smaller:.1f} times as much as" if smaller > 0 else "from run to run, unlike"
    return f"Here the mean segment scores of {name} vary {times} those of {other}: trust no trend over difficulty."


def quantile_groups(values: np.ndarray, n: int = FIFTHS) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """Return up to n groups of about equal size, equal values together, and the ends of each.

    Parameters
    ----------
    values : ndarray of shape (segment,)
    n : int

    Returns
    -------
    bucket_of : ndarray of int of shape (segment,)
    ends : list of (lowest, highest)
    """
    distinct, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middles = counts.cumsum() - counts / 2
    raw = np.minimum((n * middles / len(values)).astype(int), n - 1)
    used = np.unique(raw)
    group_of = np.searchsorted(used, raw)
    ends = [
        (float(distinct[group_of == k].min()), float(distinct[group_of == k].max())) for k in range(len(used))
    ]
    return group_of[place], ends


def _span(low: float, high: float, decimals: int) -> str:
    texts = [number(value, decimals) for value in (low, high)]
    return texts[0] if texts[0] == texts[1] else " to ".join(texts)
