"""The statistics and draws of one pair of systems: the same whatever other systems the experiment has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mtsig_core.metrics import OutsideMetric, SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import outside_statistics
from mtsig_core.metrics.pairs import Basis, prepared
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import Pair as TestedPair

if TYPE_CHECKING:
    from mtsig_core.workbench.pair import Pair


def data(
    pair: Pair, settings: Settings | None = None, *, copies: bool = False, progress: Progress = no_progress
) -> tuple[SegmentStatistics, Basis]:
    """Return the statistics of two systems on every segment that both have, and what they rest on.

    Parameters
    ----------
    pair : Pair
    settings : Settings, optional
        Where it declares pairs, replicas without a partner are left out.
    copies : bool
        Count replicas that are copies of one another as one run.
    progress : Progress

    Raises
    ------
    ValueError
        When no segment is common, or fewer than two declared pairs match.
    """
    paired = settings is not None and settings.paired
    return pair.once(
        ("data", paired, copies),
        lambda: prepared(_scored(pair, progress), pair.a, pair.b, paired=paired, copies=copies),
        progress,
    )


def _scored(pair: Pair, progress: Progress) -> SegmentStatistics:
    """Return statistics in which no third system leaves out segments of these two."""
    if isinstance(pair.metric, OutsideMetric):
        return outside_statistics(pair.bench.experiment, pair.test_set, pair.metric, (pair.a, pair.b))
    return pair.bench.statistics(pair.test_set, pair.metric, progress)


def bootstrap(
    pair: Pair, statistics: SegmentStatistics, settings: Settings, progress: Progress = no_progress
) -> np.ndarray:
    """Return the scores, shape (draw, output), of a pair's outputs on bootstrap samples of its segments.

    They are taken from those of all systems where that changes no digit: sums of whole numbers are exact.

    Parameters
    ----------
    pair : Pair
    statistics : SegmentStatistics
        As `data` returns them.
    settings : Settings
    progress : Progress
    """
    if not isinstance(pair.metric, OutsideMetric):
        whole = pair.bench.statistics(pair.test_set, pair.metric)
        if whole is statistics or np.array_equal(statistics.values, np.rint(statistics.values)):
            places = [
                whole.rows(system).start + whole.names(system).index(name)
                for system in statistics.systems
                for name in statistics.names(system)
            ]
            return pair.bench.bootstrap(pair.test_set, pair.metric, settings, progress)[:, places]
    names = tuple(zip(statistics.systems, statistics.replicas, strict=True))
    return pair.once(
        ("pair bootstrap", names, settings.n_bootstrap, settings.seed),
        lambda: bootstrap_scores(statistics, settings.n_bootstrap, settings.seed, progress=progress),
        progress,
    )


def for_tests(pair: Pair, settings: Settings, progress: Progress = no_progress) -> tuple[TestedPair, Basis]:
    """Return a pair for tests, with the draws that the bench has of it, and what it rests on."""
    statistics, basis = data(pair, settings, copies=True, progress=subprogress(progress, 0, 0.6))
    scores = bootstrap(pair, statistics, settings, subprogress(progress, 0.6, 1))
    draws = pair.bench.pair_draws(pair.metric, statistics, settings)
    return TestedPair(statistics, pair.a, pair.b, settings, scores, draws=draws), basis
