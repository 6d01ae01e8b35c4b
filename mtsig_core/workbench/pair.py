"""Questions about pairs of systems that take time, asked of a workbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals, bootstrap_intervals
from mtsig_core.analysis.replicas.lottery import Lottery, lottery
from mtsig_core.analysis.replicas.p_by_n import DRAWS, NS, PByN, PByNDesign, p_by_n
from mtsig_core.analysis.systems.pairwise import Pairwise, Preview, Reuse, pairwise
from mtsig_core.analysis.systems.s_diff import (
    PAgainstDifference,
    SingleDifferences,
    p_against_difference,
    single_differences,
)
from mtsig_core.analysis.systems.three_methods import ThreeMethods, three_methods
from mtsig_core.metrics import Metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import Pair, TestResult, run_on, run_preset
from mtsig_core.workbench.workbench import Workbench

T = TypeVar("T")


@dataclass(frozen=True)
class Where:
    """A pair of systems under one metric on one test set.

    Parameters
    ----------
    bench : Workbench
    test_set : str
    metric : Metric
    a, b : str
        Baseline and system.
    """

    bench: Workbench
    test_set: str
    metric: Metric
    a: str
    b: str

    def statistics(self, progress: Progress = no_progress) -> SegmentStatistics:
        """Return the statistics of all outputs."""
        return self.bench.statistics(self.test_set, self.metric, progress)

    def kept(self, what: tuple, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return what the bench remembers of this pair, else make it; `what` names all that it depends on."""
        key = (*what, self.bench.experiment.digest, self.test_set, self.metric.key, self.a, self.b)
        return self.bench.memo.get(key, make, size)


def ask_lottery(where: Where, settings: Settings, progress: Progress = no_progress) -> Lottery:
    """Return the verdicts of all experiments with one replica of each system."""
    statistics = where.statistics(subprogress(progress, 0, 0.2))
    found = where.kept(
        ("lottery", settings.n_permutations, settings.seed),
        lambda: lottery(statistics, where.a, where.b, settings, progress=subprogress(progress, 0.2, 1)),
        lambda made: made.p.nbytes + made.differences.nbytes,
    )
    return found.at(settings.alpha)


def ask_single_pair(where: Where, replica_a: str, replica_b: str, settings: Settings) -> TestResult:
    """Return approximate randomization of two replicas, as if there were no others."""
    statistics = where.statistics()
    places = [
        statistics.rows(system).start + statistics.names(system).index(name)
        for system, name in ((where.a, replica_a), (where.b, replica_b))
    ]
    single = replace(
        statistics, systems=(where.a, where.b), replicas=((replica_a,), (replica_b,)), values=statistics.values[places]
    )
    return run_preset("ar-segment", single, where.a, where.b, settings)


def ask_replicated_p(
    where: Where,
    settings: Settings,
    *,
    ns: Sequence[int] | None = None,
    draws: int = DRAWS,
    progress: Progress = no_progress,
) -> PByN:
    """Return p against the number of replicas."""
    statistics, wanted = where.statistics(subprogress(progress, 0, 0.1)), tuple(ns) if ns else NS
    found = where.kept(
        ("replicated p", settings.n_permutations, settings.seed, wanted, draws),
        lambda: p_by_n(
            statistics, where.a, where.b, settings, PByNDesign(wanted, draws), subprogress(progress, 0.1, 1)
        ),
        lambda made: 2 * sum(p.nbytes for p in made.p.values()),
    )
    return found.at(settings.alpha)


def ask_bootstrap_intervals(where: Where, settings: Settings, progress: Progress = no_progress) -> BootstrapIntervals:
    """Return the standard bootstrap's intervals of both systems and of their difference."""
    drawn = where.bench.bootstrap(where.test_set, where.metric, settings, subprogress(progress, 0, 0.6))
    return bootstrap_intervals(
        where.statistics(), where.a, where.b, settings, bootstrap=drawn, progress=subprogress(progress, 0.6, 1)
    )


def ask_all_pairs(
    bench: Workbench,
    test_set: str,
    metric: Metric,
    settings: Settings,
    *,
    preset: str | None = None,
    known: Pairwise | None = None,
    publish: Callable[[Pairwise], None] | None = None,
    progress: Progress = no_progress,
) -> Pairwise:
    """Return p and overlap of every pair of systems, and clusters of ranks.

    With a quick answer `known`, what there is is published every few seconds, its rows in place of those to come.
    """
    statistics = bench.statistics(test_set, metric, subprogress(progress, 0, 0.2))
    drawn = bench.bootstrap(test_set, metric, settings, subprogress(progress, 0.2, 0.4))
    reuse = Reuse(drawn, lambda a, b: bench.pair_draws(test_set, metric, a, b, settings))
    preview = None if known is None or publish is None else Preview(known, publish)
    return pairwise(
        statistics, settings, preset=preset, reuse=reuse, preview=preview, progress=subprogress(progress, 0.4, 1)
    )


def ask_three_methods(
    bench: Workbench,
    test_set: str,
    metric: Metric,
    systems: Sequence[str],
    settings: Settings,
    progress: Progress = no_progress,
) -> ThreeMethods:
    """Return Fu's three methods side by side."""
    statistics = bench.statistics(test_set, metric, subprogress(progress, 0, 0.2))
    return three_methods(statistics, settings, systems=systems, progress=subprogress(progress, 0.2, 1))


@dataclass(frozen=True, eq=False)
class ObservedDifference:
    """Variation of the observed difference, and the p that other differences would have."""

    singles: SingleDifferences
    curves: PAgainstDifference


# the tests of Fu's Figure 5 and the valid ones beside them: more curves could not be told apart
CURVES = ("ar-segment", "bootstrap-centred", "ar-replica", "ar-hypothesis", "fu-bootstrap", "fu-ar")


def ask_observed_difference(where: Where, settings: Settings, progress: Progress = no_progress) -> ObservedDifference:
    """Return S_diff over pairs of replicas, and p against S_diff under every test that draws differences."""
    statistics = where.statistics(subprogress(progress, 0, 0.2))
    scores = statistics.scores_of(where.a), statistics.scores_of(where.b)
    pair = Pair(
        statistics, where.a, where.b, settings, where.bench.bootstrap(where.test_set, where.metric, settings),
        draws=where.bench.pair_draws(where.test_set, where.metric, where.a, where.b, settings),
    )
    tests = [
        run_on(pair, name, subprogress(progress, 0.2 + 0.8 * k / len(CURVES), 0.2 + 0.8 * (k + 1) / len(CURVES)))
        for k, name in enumerate(CURVES)
    ]
    return ObservedDifference(
        single_differences(*scores, paired=settings.paired),
        p_against_difference(tests, pair.difference, settings.alpha),
    )
