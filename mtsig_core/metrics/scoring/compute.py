"""Outputs on a test set -> sufficient statistics, each distinct (segment, hypothesis) scored once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from mtsig_core.experiment import Experiment, Replica, TestSet
from mtsig_core.metrics.base import Metric, SegmentStatistics, document_numbers
from mtsig_core.metrics.outside.outside_metric import OutsideMetric, outside_statistics
from mtsig_core.metrics.scoring.cache import StatisticsCache
from mtsig_core.metrics.scoring.chunks import Row, scored_in_chunks
from mtsig_core.metrics.scoring.distinct_pairs import DistinctPairs
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress, while_reporting

# Share of the progress that looking into the cache gets; it takes next to no time.
_LOOKING_UP = 0.02
_OUTPUTS_BETWEEN_REPORTS = 50


@dataclass(frozen=True)
class _Output:
    """One replica of one system on the test set; its text is not read where its statistics are cached."""

    replica: Replica
    test_set: str

    @property
    def hypotheses(self) -> tuple[str, ...]:
        return self.replica.outputs[self.test_set]

    @property
    def digest(self) -> str:
        return self.replica.output_digests[self.test_set]


class _Missing(DistinctPairs):
    """The distinct pairs of outputs whose statistics are missing.

    Attributes
    ----------
    rows : output -> number of the pair of each segment, shape (segment,)
    """

    def __init__(self, n_segments: int) -> None:
        super().__init__(n_segments)
        self.rows: dict[int, np.ndarray] = {}

    def add(self, output: int, hypotheses: Sequence[str]) -> None:
        """Number the pairs of an output that no earlier one had."""
        self.rows[output] = self.number(hypotheses)

    def needed(self, todo: np.ndarray) -> dict[int, int]:
        """Return how many of the pairs still to do, in their order, must be done for each output."""
        place = np.zeros(len(self.pairs), dtype=np.int64)
        place[todo] = np.arange(1, len(todo) + 1)
        return {output: int(place[row].max()) for output, row in self.rows.items()}


def compute_statistics(
    experiment: Experiment, test_set: str, metric: Metric, *, cache: StatisticsCache | None = None,
    progress: Progress = no_progress, n_jobs: int | None = None,
) -> SegmentStatistics:  # fmt: skip
    """Return the sufficient statistics of every output on a test set.

    A hypothesis that outputs share for a segment is scored once. Long work is spread over threads or processes.

    Parameters
    ----------
    experiment : Experiment
    test_set : str
    metric : Metric
    cache : StatisticsCache, optional
    progress : Progress
        Called at least every second or so; when it raises (`Cancelled`), complete outputs stay in the cache.
    n_jobs : int, optional
        Most threads or processes to use; all cores by default.

    Returns
    -------
    SegmentStatistics
        Systems in the experiment's order, without those that have no output for this test set.

    Raises
    ------
    ExperimentError
        When there is no such test set.
    ValueError
        When no system has an output for it.
    """
    if isinstance(metric, OutsideMetric):
        return outside_statistics(experiment, test_set, metric)
    _check_scorable(experiment, test_set, metric)
    return _Scoring(experiment, experiment.test_set(test_set), metric, cache, n_jobs).statistics(progress)


def _check_scorable(experiment: Experiment, test_set: str, metric: Metric) -> None:
    if not experiment.test_set(test_set).references:
        raise ValueError(f"Test set {test_set!r} has no references, so {metric.label} cannot score it; add them.")
    if not experiment.systems_on(test_set):
        raise ValueError(f"No system has an output for test set {test_set!r}; choose another one.")


@dataclass
class _Scoring:
    """The statistics of all outputs on a test set: looked up, else computed and cached."""

    experiment: Experiment
    target: TestSet
    metric: Metric
    cache: StatisticsCache | None
    n_jobs: int | None

    @cached_property
    def references(self) -> list[Row]:
        """The references of each segment."""
        return list(zip(*self.target.references, strict=True))

    @cached_property
    def outputs(self) -> list[_Output]:
        """All outputs, system by system."""
        name = self.target.name
        return [_Output(r, name) for system in self.experiment.systems_on(name) for r in system.on(name)]

    def statistics(self, progress: Progress) -> SegmentStatistics:
        """Return the statistics with the names of systems and replicas."""
        name = self.target.name
        systems = self.experiment.systems_on(name)
        return SegmentStatistics(
            metric=self.metric,
            test_set=name,
            signature=self.metric.signature(self.references),
            systems=tuple(system.name for system in systems),
            replicas=tuple(tuple(replica.name for replica in system.on(name)) for system in systems),
            values=self.run(progress),
            documents=document_numbers(self.target.documents),
        )

    def run(self, progress: Progress) -> np.ndarray:
        """Return statistics, shape (output, segment, statistic)."""
        shape = (self.target.n_segments, self.metric.n_statistics)
        values = np.empty((len(self.outputs), *shape))
        missing = self._look_up(values, subprogress(progress, 0, _LOOKING_UP))
        if missing:
            self._compute(values, missing, subprogress(progress, _LOOKING_UP, 1))
        progress(1.0, self._doing())
        return values

    def _doing(self) -> str:
        return f"{self.metric.label} on {self.target.name}"

    def _address(self, output: int) -> tuple[str, str, str]:
        return self.metric.key, self.target.references_digest, self.outputs[output].digest

    def _look_up(self, values: np.ndarray, progress: Progress) -> list[int]:
        """Fill in what the cache has; return the outputs that it lacks."""
        if self.cache is None:
            return list(range(len(values)))
        missing = []
        for i in range(len(values)):
            if i % _OUTPUTS_BETWEEN_REPORTS == 0:
                progress(i / len(values), f"{self._doing()}: looking up")
            cached = self.cache.get(*self._address(i), values.shape[1:])
            if cached is None:
                missing.append(i)
            else:
                values[i] = cached
        return missing

    def _compute(self, values: np.ndarray, missing: list[int], progress: Progress) -> None:
        """Score the distinct pairs of the missing outputs; an output is cached as soon as it is complete."""
        distinct = _Missing(values.shape[1])
        for i in missing:
            progress(0, self._doing())
            distinct.add(i, self.outputs[i].hypotheses)
        table = np.empty((len(distinct.pairs), values.shape[2]))
        todo = self._reuse(values, distinct, table, progress)
        needed, done = distinct.needed(todo), 0
        for scored in chain([table[:0]], self._chunks(distinct, todo, progress)):
            table[todo[done : done + len(scored)]] = scored
            done += len(scored)
            for i in [i for i, number in needed.items() if number <= done]:
                del needed[i]
                self._finish(i, values, table[distinct.rows[i]])

    def _reuse(self, values: np.ndarray, distinct: _Missing, table: np.ndarray, progress: Progress) -> np.ndarray:
        """Take over pairs that a cached output has as well; return the numbers of the others."""
        reused = np.zeros(len(table), dtype=bool)
        for i in (i for i in range(len(values)) if i not in distinct.rows):
            progress(0, self._doing())
            for segment, (ids, hypothesis) in enumerate(zip(distinct.ids, self.outputs[i].hypotheses, strict=True)):
                number = ids.get(hypothesis)
                if number is not None and not reused[number]:
                    table[number], reused[number] = values[i, segment], True
        return np.flatnonzero(~reused)

    def _chunks(self, distinct: _Missing, todo: np.ndarray, progress: Progress) -> Iterator[np.ndarray]:
        if not todo.size:
            return iter(())
        doing = self._doing()
        metric = while_reporting(lambda: self.metric.prepared(self.references), lambda: progress(0, doing))
        pairs = [distinct.pairs[number] for number in todo]
        hypotheses = [hypothesis for _, hypothesis in pairs]
        references = [self.references[segment] for segment, _ in pairs]
        return scored_in_chunks(metric, hypotheses, references, progress, doing, self.n_jobs)

    def _finish(self, output: int, values: np.ndarray, statistics: np.ndarray) -> None:
        values[output] = statistics
        if self.cache is not None:
            self.cache.put(*self._address(output), statistics)
