"""Which replica to read: the median one (Clark et al. 2011, section 6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.experiment import natural_key
from mtsig_core.significance import Result


@dataclass(frozen=True)
class MedianReplica(Result):
    """The median replica of a system.

    Attributes
    ----------
    replica : str
        The first replica, by natural order of names, whose score is the median score.
    score : float
        For an even number of replicas the worse of the two middle ones, so a real output is shown.
    middle : tuple of (str, float)
        The middle replica, or both (worse first) for an even number.
    order : tuple of str
        All replicas, worst first by quality.
    note : str
        What to know before reading it; may be empty.
    """

    replica: str
    score: float
    middle: tuple[tuple[str, float], ...]
    order: tuple[str, ...]
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row per replica, worst first, with what it is."""
        middle = {name for name, _ in self.middle}
        words = ["chosen" if r == self.replica else "middle" if r in middle else "" for r in self.order]
        return pd.DataFrame({"replica": self.order, "place from the worst": range(1, len(words) + 1), "median": words})


def median_system(scores: Mapping[str, float], higher_is_better: bool) -> MedianReplica:
    """Return the median replica by quality.

    Parameters
    ----------
    scores : mapping of replica name to score
        On the selection test set, under one metric.
    higher_is_better : bool

    Raises
    ------
    ValueError
        When there are no scores or one of them is not a number.
    """
    undefined = [name for name, score in scores.items() if not np.isfinite(score)]
    if not scores or undefined:
        which = f"{undefined[0]!r} has none" if undefined else "there is no replica"
        raise ValueError(f"The median needs a score for every replica; {which}.")
    names = sorted(scores, key=natural_key)
    order = tuple(sorted(names, key=lambda r: scores[r] if higher_is_better else -scores[r]))
    n = len(order)
    low, high = (n - 1) // 2, n // 2
    value = float(scores[order[low]])
    middle = tuple((r, float(scores[r])) for r in dict.fromkeys((order[low], order[high])))
    chosen = next(r for r in names if scores[r] == value)
    return MedianReplica(chosen, value, middle, order, _note(n, chosen))


def _note(n: int, chosen: str) -> str:
    if n == 1:
        return f"There is one replica ({chosen}): it is all there is to read, typical or not."
    if n == 2:
        return f"Of two replicas there is no middle one: {chosen} is the worse of the two, not a median."
    return ""


def reading_warning(selection_set: str, reading_set: str, *, others: bool) -> str:
    """Return a warning when the replica is read on the set that chose it; empty otherwise.

    Parameters
    ----------
    selection_set, reading_set : str
    others : bool
        Whether another set could choose.
    """
    if selection_set != reading_set:
        return ""
    advice = " Choose on one set and read on another." if others else ""
    return (
        f"The median replica is chosen and read on the same test set ({selection_set}): its score there is "
        f"the median by construction.{advice}"
    )


@dataclass(frozen=True, eq=False)
class RankTable(Result):
    """Rank of each replica of a system under several metrics.

    Attributes
    ----------
    metrics : tuple of str
    replicas : tuple of str
        In natural order.
    scores : ndarray of shape (replica, metric)
    ranks : ndarray of shape (replica, metric)
        1 is the best; equal scores share the average of their ranks.
    distance : ndarray of shape (replica,)
        Mean over metrics of the distance, in ranks, to each metric's own median replica.
    closest : str
        Replica of the smallest distance, the first by natural order among equals: the median of all
        metrics together.
    medians : tuple of str
        The median replica under each metric.
    higher_is_better : tuple of bool
        Of each metric.
    """

    metrics: tuple[str, ...]
    replicas: tuple[str, ...]
    scores: np.ndarray
    ranks: np.ndarray
    distance: np.ndarray
    closest: str
    medians: tuple[str, ...]
    higher_is_better: tuple[bool, ...]

    @property
    def agree(self) -> bool:
        """Whether one replica is the median under every metric."""
        return len(set(self.medians)) == 1

    @property
    def best(self) -> str:
        """Replica of the best mean rank, the first by natural order among equals."""
        return self.replicas[int(self.ranks.sum(axis=1).argmin())]

    @property
    def worst(self) -> str:
        """Replica of the worst mean rank, the first by natural order among equals."""
        return self.replicas[int(self.ranks.sum(axis=1).argmax())]

    def only(self, metrics: Collection[str]) -> RankTable:
        """Return the table of some of the metrics: what is closest is closest to their medians.

        Raises
        ------
        ValueError
            When none of them is in the table.
        """
        columns = [j for j, name in enumerate(self.metrics) if name in metrics]
        scores = {self.metrics[j]: dict(zip(self.replicas, self.scores[:, j].tolist(), strict=True)) for j in columns}
        return rank_table(scores, {self.metrics[j]: self.higher_is_better[j] for j in columns})

    def to_frame(self) -> pd.DataFrame:
        """Return one row per replica: its rank under each metric and its distance to the medians."""
        frame = pd.DataFrame(self.ranks, columns=list(self.metrics))
        frame.insert(0, "replica", list(self.replicas))
        return frame.assign(**{"distance to the medians": self.distance})


def rank_table(scores: Mapping[str, Mapping[str, float]], higher_is_better: Mapping[str, bool]) -> RankTable:
    """Return the ranks of a system's replicas under each metric, and the replica closest to all medians.

    Parameters
    ----------
    scores : mapping of metric to (mapping of replica name to score)
        Every metric scores the same replicas.
    higher_is_better : mapping of metric to bool

    Raises
    ------
    ValueError
        When there is no metric, or two metrics score different replicas.
    """
    if not scores:
        raise ValueError("A rank table needs at least one metric.")
    metrics = tuple(scores)
    replicas = tuple(sorted(scores[metrics[0]], key=natural_key))
    for metric in metrics:
        if set(scores[metric]) != set(replicas):
            raise ValueError(f"{metric} scores other replicas than {metrics[0]}; compute both on the same outputs.")
    table = np.array([[scores[m][r] for m in metrics] for r in replicas], dtype=float)
    signs = np.array([-1.0 if higher_is_better[m] else 1.0 for m in metrics])
    from scipy.stats import rankdata  # takes a second to import: when it is needed

    ranks = rankdata(table * signs, axis=0, method="average")
    medians = tuple(median_system(scores[m], higher_is_better[m]).replica for m in metrics)
    distance = np.abs(ranks - ranks[[replicas.index(r) for r in medians], range(len(metrics))]).mean(axis=1)
    better = tuple(higher_is_better[m] for m in metrics)
    return RankTable(metrics, replicas, table, ranks, distance, replicas[int(distance.argmin())], medians, better)
