"""The statistics and draws of one pair of systems: the same whatever other systems the experiment has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, Unpack

import numpy as np

from mtsig_core.metrics import Metric, OutsideMetric, SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import outside_statistics
from mtsig_core.metrics.pairs import Basis, prepared
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import Pair as TestedPair
from mtsig_core.significance import Scope
from mtsig_core.workbench.options import Options, resolved

if TYPE_CHECKING:
    from mtsig_core.workbench.workbench import Workbench

T = TypeVar("T")


@dataclass(frozen=True)
class PairData:
    """Two systems under one metric on one test set, with their statistics; see `mtsig_core.workbench.pair.Pair`."""

    bench: Workbench
    test_set: str
    metric: Metric
    a: str
    b: str

    def __repr__(self) -> str:
        return f"Pair({self.test_set!r}, {self.metric.label}, {self.a!r}, {self.b!r})"

    def statistics(
        self, progress: Progress = no_progress, settings: Settings | None = None, *, copies: bool = False
    ) -> SegmentStatistics:
        """Return the sufficient statistics of both systems on every segment that both have.

        Parameters
        ----------
        progress : Progress
        settings : Settings, optional
            Where it declares pairs, replicas without a partner are left out.
        copies : bool
            Count replicas that are copies of one another as one run.
        """
        return self.data(settings, copies=copies, progress=progress)[0]

    def basis(self, **options: Unpack[Options]) -> Basis:
        """Return the segments and replicas that a comparison uses, and those left out and why."""
        settings, progress = resolved(options, self.bench.settings)
        return self.data(settings, copies=True, progress=progress)[1]

    @property
    def scope(self) -> Scope:
        """What the results on this pair are about."""
        return Scope.of(self.statistics(), self.a, self.b)

    def once(self, key: tuple, compute: Callable[[], T], progress: Progress = no_progress) -> T:
        """Return the result of a question about this pair, computed once; see `Workbench.once`."""
        return self.bench.once((*key, self.test_set, self.metric.key, self.a, self.b), compute, progress)

    def data(
        self, settings: Settings | None = None, *, copies: bool = False, progress: Progress = no_progress
    ) -> tuple[SegmentStatistics, Basis]:
        """Return the statistics as `statistics` does, and what they rest on.

        Raises
        ------
        ValueError
            When no segment is common, or fewer than two declared pairs match.
        """
        paired = settings is not None and settings.paired
        return self.once(
            ("data", paired, copies),
            lambda: prepared(self._scored(progress), self.a, self.b, paired=paired, copies=copies),
            progress,
        )

    def _scored(self, progress: Progress) -> SegmentStatistics:
        """Return statistics in which no third system leaves out segments of these two."""
        if isinstance(self.metric, OutsideMetric):
            return outside_statistics(self.bench.experiment, self.test_set, self.metric, (self.a, self.b))
        return self.bench.statistics(self.test_set, self.metric, progress)

    def bootstrap(self, settings: Settings, progress: Progress = no_progress, *, copies: bool = False) -> np.ndarray:
        """Return the scores, shape (n_bootstrap, output), of both systems' outputs on bootstrap samples of segments.

        The outputs are those of `statistics` with these settings. They are taken from those of all systems where that
        changes no digit: sums of whole numbers are exact.
        """
        statistics = self.statistics(settings=settings, copies=copies)
        if not isinstance(self.metric, OutsideMetric):
            whole = self.bench.statistics(self.test_set, self.metric)
            if whole is statistics or np.array_equal(statistics.values, np.rint(statistics.values)):
                places = [
                    whole.rows(system).start + whole.names(system).index(name)
                    for system in statistics.systems
                    for name in statistics.names(system)
                ]
                return self.bench.bootstrap(self.test_set, self.metric, settings, progress)[:, places]
        names = tuple(zip(statistics.systems, statistics.replicas, strict=True))
        return self.once(
            ("pair bootstrap", names, settings.n_bootstrap, settings.seed),
            lambda: bootstrap_scores(statistics, settings.n_bootstrap, settings.seed, progress=progress),
            progress,
        )

    def for_tests(self, settings: Settings, progress: Progress = no_progress) -> tuple[TestedPair, Basis]:
        """Return a pair for tests, with the draws that the bench has of it, and what it rests on."""
        statistics, basis = self.data(settings, copies=True, progress=subprogress(progress, 0, 0.6))
        scores = self.bootstrap(settings, subprogress(progress, 0.6, 1), copies=True)
        draws = self.bench.pair_draws(self.metric, statistics, settings)
        return TestedPair(statistics, self.a, self.b, settings, scores, draws=draws), basis
