"""Correlations of metrics with people, over outputs, over scores in tables, and of what people gave with itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.meta_evaluation.correlation import MetricAgainstPeople, metric_against_people
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import MetricComparisons, compare_metrics
from mtsig_core.analysis.people.meta_evaluation.pair_accuracy import (
    PairAccuracies,
    compare_soft_accuracies,
    pair_accuracies,
)
from mtsig_core.analysis.people.meta_evaluation.replica_spread import ReplicaSpread, replica_spread
from mtsig_core.analysis.people.meta_evaluation.segment_level import SegmentLevel, segment_level
from mtsig_core.loading.judgements.languages import language_pair
from mtsig_core.loading.scores.directions import direction
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench.meta_evaluation.agreement import Judged
from mtsig_core.workbench.people import Campaign, People


@dataclass(frozen=True, eq=False)
class Correlations:
    """Metrics against people on one test set.

    Attributes
    ----------
    dimension : str
    metrics : tuple of MetricAgainstPeople
    comparisons : MetricComparisons
    spreads : tuple of ReplicaSpread
    accuracies : PairAccuracies or None
        None where no judgement fits a segment of the test set.
    segments : tuple of SegmentLevel
    n_segments : int
        Segments of the test set with a judgement.
    by_segment : ndarray of shape (segment, system), or None
        People's scores of those segments.
    metric_segments : tuple of (metric, ndarray of shape (segment, system))
        Scores of metrics on those segments; higher is better.
    """

    dimension: str
    metrics: tuple[MetricAgainstPeople, ...]
    comparisons: MetricComparisons
    spreads: tuple[ReplicaSpread, ...]
    accuracies: PairAccuracies | None
    segments: tuple[SegmentLevel, ...]
    n_segments: int
    by_segment: np.ndarray | None = None
    metric_segments: tuple[tuple[str, np.ndarray], ...] = ()

    def soft_accuracy_tests(self, settings: Settings) -> pd.DataFrame:
        """Return the tests of differences in soft pairwise accuracy, one row per pair of metrics."""
        if self.by_segment is None:
            return pd.DataFrame()
        return compare_soft_accuracies(self.by_segment, self.metric_segments, settings)


@dataclass(frozen=True, eq=False)
class MetricValues:
    """Scores of one metric for the systems that people judged.

    Attributes
    ----------
    label : str
    higher_is_better : bool
    replicas : list of ndarray of shape (replica,)
        Of each system.
    segments : ndarray of shape (segment, system), or None
        Higher is better; None where only whole systems have scores.
    """

    label: str
    higher_is_better: bool
    replicas: list[np.ndarray]
    segments: np.ndarray | None

    @property
    def means(self) -> np.ndarray:
        """Mean over replicas, shape (system,)."""
        return np.array([own.mean() for own in self.replicas])


def correlations(judged: Judged, metrics: Sequence[Metric], settings: Settings) -> Correlations:
    r"""Correlate metrics with people at system and segment level.

    Parameters
    ----------
    judged : Judged
    metrics : sequence of Metric
    settings : Settings

    Examples
    --------
    >>> import mtsig_core
    >>> from mtsig_core.loading.example import example_judgements
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(1, 4))
    >>> of_people = mtsig_core.open_people([("judged.csv", example_judgements())])
    >>> judged, metrics = mtsig_core.Judged.of(bench, "test", of_people), [bench.metric("score")]
    >>> result = mtsig_core.correlations(judged, metrics, mtsig_core.Settings(n_bootstrap=100))
    >>> result.metrics[0].coefficients["kendall"].value
    1.0
    """
    values = [
        MetricValues(m.label, m.higher_is_better, [judged.statistics(m).scores_of(name) for name in judged.systems],
                     judged.segment_values(m))
        for m in metrics
    ]  # fmt: skip
    return correlate(judged.campaign.name, judged.systems, (judged.human, judged.human_segments), values, settings)


def correlations_of_scores(campaign: Campaign, scores: pd.DataFrame, settings: Settings) -> Correlations:
    """Correlate scores of metrics that stand in tables with people; there is no experiment.

    Parameters
    ----------
    campaign : Campaign
    scores : DataFrame
        One row per metric, system and segment (missing for whole systems), as `read_metric_scores` returns them.
    settings : Settings

    Raises
    ------
    ValueError
        When fewer than two judged systems have scores of a metric.
    """
    items, scores = campaign.items, _of_the_same_set(campaign, scores)
    systems = tuple(name for name in items.systems if name in set(scores["system"]))
    if len(systems) < 2:
        raise ValueError(f"{len(systems)} of the judged systems have scores of a metric; two at least are needed.")
    names = pd.Index(items.items)
    people = items.quality[:, [items.place(name) for name in systems]]
    values = []
    for metric, own in scores.groupby("metric", sort=False):
        higher, _ = direction(str(metric), own["score"].dropna())
        means = own.groupby("system")["score"].mean().reindex(list(systems))
        table = None
        if own["segment"].notna().all():
            wide = own.pivot_table(index="segment", columns="system", values="score", aggfunc="mean")
            # items of a table with documents or test sets are named by them, too: such segments are not compared
            table = (1.0 if higher else -1.0) * wide.reindex(index=names, columns=list(systems)).to_numpy(float)
        values.append(MetricValues(str(metric), higher, [np.array([mean]) for mean in means], table))
    sign = 1.0 if items.higher_is_better else -1.0
    human = np.array([sign * items.means[items.place(name)] for name in systems])
    return correlate(campaign.name, systems, (human, people), values, settings)


def _of_the_same_set(campaign: Campaign, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores on the test set of a campaign, where both name one: by its name, else by its languages."""
    judged = list(campaign.frame["test_set"].dropna().unique())
    named = scores["test_set"].notna()
    same = scores["test_set"].isin(judged)
    if not same.any():
        pairs = scores["test_set"].fillna("").map(language_pair)
        same = (pairs != "") & pairs.isin([language_pair(name) for name in judged])
    return scores[same | ~named] if judged else scores


def correlations_of_dimensions(campaign: Campaign, people: People, settings: Settings) -> Correlations:
    """Correlate every other dimension that people judged with one of them, each in the place of a metric.

    Parameters
    ----------
    campaign : Campaign
        What the others are compared with.
    people : People
    settings : Settings

    Raises
    ------
    ValueError
        When no other dimension has two of the systems.
    """
    items = campaign.items
    others = [other for other in people.campaigns if other is not campaign]
    shared = {other.name: [name for name in items.systems if name in other.items.systems] for other in others}
    others = [other for other in others if len(shared[other.name]) > 1]
    if not others:
        raise ValueError(f"Nothing but {campaign.name} was judged of two systems, so there is nothing to compare.")
    systems = tuple(name for name in items.systems if any(name in shared[other.name] for other in others))
    rows = pd.Index(items.items)
    values = [_dimension_values(other, systems, rows) for other in others]
    sign = 1.0 if items.higher_is_better else -1.0
    human = np.array([sign * items.means[items.place(name)] for name in systems])
    by_item = items.quality[:, [items.place(name) for name in systems]]
    return correlate(campaign.name, systems, (human, by_item), values, settings)


def _dimension_values(other: Campaign, systems: Sequence[str], rows: pd.Index) -> MetricValues:
    """Return what people gave in one dimension as the scores of a metric; its segments where ids are the same."""
    items = other.items
    means = dict(zip(items.systems, items.means.tolist(), strict=True))
    table = pd.DataFrame(items.quality, index=list(items.items), columns=list(items.systems))
    by_item = table.reindex(index=rows, columns=list(systems)).to_numpy(float)
    own = [np.array([means.get(name, np.nan)]) for name in systems]
    return MetricValues(other.name, other.higher_is_better, own, by_item)


def correlate(
    dimension: str, systems: Sequence[str], people: tuple[np.ndarray, np.ndarray], values: Sequence[MetricValues],
    settings: Settings,
) -> Correlations:  # fmt: skip
    """Correlate metrics with people.

    Parameters
    ----------
    dimension : str
    systems : sequence of str
    people : tuple of (ndarray of shape (system,), ndarray of shape (segment, system))
        Higher is better; NaN where not judged.
    values : sequence of MetricValues
    settings : Settings
    """
    human, by_segment = people
    against = tuple(
        metric_against_people(v.label, v.means, human, systems, settings, higher_is_better=v.higher_is_better)
        for v in values
    )
    labels, directions = [v.label for v in values], [v.higher_is_better for v in values]
    compared = compare_metrics(human, labels, np.stack([v.means for v in values]), directions, settings)
    spreads = tuple(
        replica_spread(v.label, v.replicas, human, settings, higher_is_better=v.higher_is_better) for v in values
    )
    rows = np.isfinite(by_segment).any(axis=1)
    scored = [
        (v.label, v.segments[rows]) for v in values if v.segments is not None and np.isfinite(v.segments[rows]).any()
    ]
    if not scored:
        return Correlations(dimension, against, compared, spreads, None, (), 0)
    stacked = np.stack([own for _, own in scored])
    accuracies = pair_accuracies(by_segment[rows], [label for label, _ in scored], stacked, systems, settings)
    levels = tuple(segment_level(label, by_segment[rows], own, settings) for label, own in scored)
    return Correlations(dimension, against, compared, spreads, accuracies, levels, int(rows.sum()), by_segment[rows],
                        tuple(scored))  # fmt: skip
