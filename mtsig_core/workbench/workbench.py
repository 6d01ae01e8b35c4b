"""One experiment on the bench: statistics and draws made once and shared by every question asked of it."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from mtsig_core.analysis.comparison import Comparison, compare
from mtsig_core.analysis.reading.median import MedianReplica, RankTable, median_system, rank_table
from mtsig_core.analysis.reading.segments import SegmentTable, segment_table
from mtsig_core.analysis.replicas.by_n import DEFAULT_NS, Replication, replication
from mtsig_core.analysis.replicas.variance import VarianceTable, variance_table
from mtsig_core.analysis.systems.overlap import Overlap, interval_overlap
from mtsig_core.experiment import Experiment
from mtsig_core.metrics import (
    Metric,
    OutsideMetric,
    SegmentStatistics,
    StatisticsCache,
    compute_statistics,
    default_cache,
    systems_under,
)
from mtsig_core.resampling import Sampling, Settings, bootstrap_scores
from mtsig_core.resampling.randomization import EXCHANGE_UNITS
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PairDraws

T = TypeVar("T")


@dataclass
class Memo:
    """Arrays kept in memory by key, the least recently used given up first; safe between threads.

    Parameters
    ----------
    limit : int
        Bytes of all arrays together; a single larger one is kept alone.
    """

    limit: int = 2**30
    _items: OrderedDict[tuple, tuple[Any, int]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: tuple, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return what is kept under ``key``, else make it (outside the lock) and keep it."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key][0]
        value = make()
        self.put(key, value, size(value))
        return value

    def peek(self, key: tuple) -> Any:
        """Return what is kept under ``key``, or None."""
        with self._lock:
            if key not in self._items:
                return None
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: tuple, value: Any, size: int) -> None:
        """Keep a value of so many bytes."""
        with self._lock:
            self._items[key] = (value, size)
            self._items.move_to_end(key)
            while len(self._items) > 1 and sum(s for _, s in self._items.values()) > self.limit:
                self._items.popitem(last=False)


@dataclass(frozen=True)
class Workbench:
    """Answers the questions of the pages and the command line about one experiment.

    Parameters
    ----------
    experiment : Experiment
    cache : StatisticsCache
        Where statistics are kept on disk between processes.
    memo : Memo
        Where statistics and draws are kept in memory; may be shared by workbenches, since every key
        holds the content digest of its experiment.
    """

    experiment: Experiment
    cache: StatisticsCache = field(default_factory=default_cache)
    memo: Memo = field(default_factory=Memo)

    def statistics(self, test_set: str, metric: Metric, progress: Progress = no_progress) -> SegmentStatistics:
        """Return the sufficient statistics of all outputs on a test set."""
        key = ("statistics", self.experiment.digest, test_set, metric.key)
        return self.memo.get(
            key,
            lambda: compute_statistics(self.experiment, test_set, metric, cache=self.cache, progress=progress),
            lambda made: made.values.nbytes,
        )

    def can_score(self, test_set: str, metric: Metric, *systems: str) -> bool:
        """Say whether a metric has outputs of these systems (or, without names, of any) on a test set."""
        names = {s.name for s in systems_under(self.experiment, test_set, metric)}
        return bool(names) and names.issuperset(systems)

    def signature(self, test_set: str, metric: Metric) -> str:
        """Return what a paper must print of a metric on a test set."""
        key = ("signature", self.experiment.digest, test_set, metric.key)
        references = self.experiment.test_set(test_set).references
        return self.memo.get(key, lambda: metric.signature(list(zip(*references, strict=True))), len)

    def notes(self, test_sets: Sequence[str], metrics: Sequence[Metric]) -> tuple[str, ...]:
        """Return what to know of the numbers: segments left out because an outside metric lacks a score.

        Quick: metrics of text score every segment, so they are not asked.
        """
        outside = [m for m in metrics if isinstance(m, OutsideMetric)]
        pairs = [(name, m) for name in test_sets for m in outside if self.can_score(name, m)]
        return tuple(note for name, m in pairs if (note := self._note(name, m)))

    def _note(self, test_set: str, metric: Metric) -> str:
        try:
            return self.statistics(test_set, metric).note
        except ValueError as error:  # no segment that all outputs have a score for
            return str(error)

    def bootstrap(
        self, test_set: str, metric: Metric, settings: Settings, progress: Progress = no_progress
    ) -> np.ndarray:
        """Return the scores, shape (draw, output), of all outputs on bootstrap draws of segments."""
        key = ("bootstrap", self.experiment.digest, test_set, metric.key, settings.seed)
        statistics = self.statistics(test_set, metric, subprogress(progress, 0, 0.7))
        known = self.memo.peek(key)
        if known is None or len(known) < settings.n_bootstrap:
            # fewer draws are the first of more, so a full answer goes on where the quick one ended
            first = 0 if known is None else len(known)
            more = bootstrap_scores(
                statistics, settings.n_bootstrap, settings.seed, sampling=Sampling(first=first),
                progress=subprogress(progress, 0.7, 1),
            )  # fmt: skip
            known = more if known is None else np.concatenate([known, more])
            self.memo.put(key, known, known.nbytes)
        return known[: settings.n_bootstrap]

    def pair_draws(self, test_set: str, metric: Metric, a: str, b: str, settings: Settings) -> PairDraws:
        """Return what was drawn for two systems so far; it does not depend on the level."""
        draws = settings.n_bootstrap, settings.n_permutations, settings.seed
        key = ("pair draws", self.experiment.digest, test_set, metric.key, a, b, *draws)
        outputs = sum(len(self.experiment.system(name).replicas) for name in (a, b))
        documents = outputs * settings.n_bootstrap if self.statistics(test_set, metric).documents is not None else 0
        most = 8 * (len(EXCHANGE_UNITS) * settings.n_permutations + documents)
        return self.memo.get(key, PairDraws, lambda made: most)

    def table(
        self,
        test_sets: Sequence[str],
        metrics: Sequence[Metric],
        settings: Settings,
        progress: Progress = no_progress,
    ) -> VarianceTable:
        """Return Table 1: average, s_sel, s_dev and s_test by test set, metric and system.

        A metric that has nothing on a test set (scores that came for another one only) has no row there.
        """
        tuning = self.experiment.dev_set()
        needed = [*test_sets, *([tuning.name] if tuning and tuning.name not in test_sets else [])]
        steps = [(name, metric) for name in needed for metric in metrics if self.can_score(name, metric)]
        if not any(name in test_sets for name, _ in steps):
            labels = ", ".join(metric.label for metric in metrics)
            raise ValueError(f"No output that {labels} can score on {', '.join(test_sets)}; choose another metric.")
        statistics = {}
        for i, (name, metric) in enumerate(steps):
            part = subprogress(progress, 0.7 * i / len(steps), 0.7 * (i + 1) / len(steps))
            statistics[name, metric.name] = self.statistics(name, metric, part)
        draws = self._bootstraps([s for s in steps if s[0] in test_sets], settings, subprogress(progress, 0.7, 1))
        return variance_table(
            [made for (name, _), made in statistics.items() if name in test_sets],
            settings,
            dev={m: made for (name, m), made in statistics.items() if tuning and name == tuning.name},
            roles={t.name: t.role for t in self.experiment.test_sets},
            bootstrap=draws,
        )

    def _bootstraps(
        self, steps: Sequence[tuple[str, Metric]], settings: Settings, progress: Progress
    ) -> dict[tuple[str, str], np.ndarray]:
        """Return the draws of test sets and metrics, by the names of both, made side by side."""
        def made(k: int) -> np.ndarray:
            name, metric = steps[k]
            return self.bootstrap(name, metric, settings, subprogress(progress, k / len(steps), (k + 1) / len(steps)))

        with ThreadPoolExecutor(min(len(steps), os.cpu_count() or 1)) as pool:
            found = list(pool.map(made, range(len(steps))))
        return {(name, metric.name): draws for (name, metric), draws in zip(steps, found, strict=True)}

    def compare(
        self,
        test_set: str,
        metric: Metric,
        baseline: str,
        system: str,
        settings: Settings,
        *,
        presets: Sequence[str] | None = None,
        progress: Progress = no_progress,
    ) -> Comparison:
        """Return the comparison of a system with the baseline under one metric."""
        statistics = self.statistics(test_set, metric, subprogress(progress, 0, 0.3))
        draws = self.bootstrap(test_set, metric, settings, subprogress(progress, 0.3, 0.5))
        return compare(
            statistics,
            baseline,
            system,
            settings,
            presets=presets,
            bootstrap=draws,
            draws=self.pair_draws(test_set, metric, baseline, system, settings),
            progress=subprogress(progress, 0.5, 1),
        )

    def replication(
        self,
        test_set: str,
        metric: Metric,
        baseline: str,
        system: str,
        settings: Settings,
        *,
        ns: Sequence[int] | None = None,
        replace: bool = True,
        progress: Progress = no_progress,
    ) -> Replication:
        """Return the difference of two systems against the number of replicas."""
        statistics = self.statistics(test_set, metric, subprogress(progress, 0, 0.5))
        return replication(
            statistics.scores_of(baseline),
            statistics.scores_of(system),
            higher_is_better=metric.higher_is_better,
            ns=tuple(ns) if ns else DEFAULT_NS,
            seed=settings.seed,
            replace=replace,
            progress=subprogress(progress, 0.5, 1),
        )

    def overlap(
        self,
        test_set: str,
        metric: Metric,
        baseline: str,
        system: str,
        settings: Settings,
        progress: Progress = no_progress,
    ) -> tuple[Overlap, np.ndarray, np.ndarray]:
        """Return the overlap of two systems' intervals, and the resampled scores of each, shape (draw,)."""
        draws = self.bootstrap(test_set, metric, settings, progress)
        statistics = self.statistics(test_set, metric)
        of_a, of_b = (draws[:, statistics.rows(name)].mean(axis=1) for name in (baseline, system))
        return interval_overlap(of_a, of_b, level=1 - settings.alpha), of_a, of_b

    def medians(
        self, test_set: str, metrics: Sequence[Metric], progress: Progress = no_progress
    ) -> dict[str, tuple[MedianReplica, RankTable]]:
        """Return each system's median replica by the first metric, and its replicas' ranks under all.

        A metric that does not score the same replicas of a system as the first one does not rank them.
        """
        found = {}
        usable = [metrics[0], *(m for m in metrics[1:] if self.can_score(test_set, m))]
        made = [
            self.statistics(test_set, m, subprogress(progress, i / len(usable), (i + 1) / len(usable)))
            for i, m in enumerate(usable)
        ]
        for system in made[0].systems:
            names = made[0].names(system)
            scores = {
                s.metric.name: dict(zip(names, map(float, s.scores_of(system)), strict=True))
                for s in made
                if system in s.systems and s.names(system) == names
            }
            found[system] = (
                median_system(scores[metrics[0].name], metrics[0].higher_is_better),
                rank_table(scores, {m.name: m.higher_is_better for m in metrics if m.name in scores}),
            )
        return found

    def segments(
        self,
        test_set: str,
        metric: Metric,
        a: tuple[str, str],
        b: tuple[str, str],
        progress: Progress = no_progress,
    ) -> SegmentTable:
        """Return two replicas' segments side by side; a and b are (system, replica)."""
        return segment_table(self.experiment, test_set, self.statistics(test_set, metric, progress), a, b)
