"""Outputs on a test set -> sufficient statistics, each distinct (segment, hypothesis) scored once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from mtsig_core.experiment import Experiment, Replica, TestSet
from mtsig_core.metrics.base import Metric, SegmentStatistics, document_numbers
from mtsig_core.metrics.outside.outside_metric import OutsideMetric, outside_statistics
from mtsig_core.metrics.scoring.cache import StatisticsCache
from mtsig_core.metrics.scoring.chunks import Row, scored_in_chunks
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress, while_reporting

# Share of the progress that looking into the cache gets; it takes next to no time.
_LOOKING_UP = 0.02
_OUTPUTS_BETWEEN_REPORTS = 50


@dataclass(frozen=True)
class _Output:
    """One replica of one system on the test set; its text is not read where its statistics are kept."""

    replica: Replica
    test_set: str

    @property
    def hypotheses(self) -> tuple[str, ...]:
        return self.replica.outputs[self.test_set]

    @property
    def digest(self) -> str:
        return self.replica.output_digests[self.test_set]


@dataclass
class _Distinct:
    """The distinct (segment, hypothesis) pairs of outputs without statistics, numbered as they first appear.

    Parameters
    ----------
    ids : one dict a segment, hypothesis -> number of the pair
    rows : output -> number of the pair of each segment, shape (segment,)
    pairs : (segment, hypothesis) by number
    """

    ids: list[dict[str, int]]
    rows: dict[int, np.ndarray] = field(default_factory=dict)
    pairs: list[tuple[int, str]] = field(default_factory=list)

    def add(self, output: int, hypotheses: Sequence[str]) -> None:
        """Number the pairs of an output that no earlier one had."""
        row = np.empty(len(hypotheses), dtype=np.int64)
        for segment, (known, hypothesis) in enumerate(zip(self.ids, hypotheses, strict=True)):
            number = known.setdefault(hypothesis, len(self.pairs))
            if number == len(self.pairs):
                self.pairs.append((segment, hypothesis))
            row[segment] = number
        self.rows[output] = row

    def needed(self, todo: np.ndarray) -> dict[int, int]:
        """Return how many of the pairs still to do, in their order, must be done for each output."""
        place = np.zeros(len(self.pairs), dtype=np.int64)
        place[todo] = np.arange(1, len(todo) + 1)
        return {output: int(place[row].max()) for output, row in self.rows.items()}


def compute_statistics(
    experiment: Experiment,
    test_set: str,
    metric: Metric,
    *,
    cache: StatisticsCache | None = None,
    progress: Progress = no_progress,
    n_jobs: int | None = None,
) -> SegmentStatistics:
    """Return the sufficient statistics of every output that there is for a test set.

    A hypothesis that several outputs share for a segment is scored once: tuned replicas repeat each other
    a lot. Work of more than a few seconds is spread over threads or processes.

    Parameters
    ----------
    experiment : Experiment
    test_set : str
    metric : Metric
    cache : StatisticsCache, optional
        Where statistics are looked up and kept; without it they are computed anew.
    progress : Progress
        Called at least every second or so; when it raises (`Cancelled`), outputs that are complete are kept.
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
    target = experiment.test_set(test_set)
    if not target.references:
        raise ValueError(f"Test set {test_set!r} has no references, so {metric.label} cannot score it; add them.")
    systems = experiment.systems_on(test_set)
    if not systems:
        raise ValueError(f"No system has an output for test set {test_set!r}; choose another one.")
    replicas = [system.on(test_set) for system in systems]
    outputs = [_Output(r, test_set) for rs in replicas for r in rs]
    references = list(zip(*target.references, strict=True))
    return SegmentStatistics(
        metric=metric,
        test_set=test_set,
        signature=metric.signature(references),
        systems=tuple(system.name for system in systems),
        replicas=tuple(tuple(r.name for r in rs) for rs in replicas),
        values=_Scoring(metric, target, references, outputs, cache, n_jobs).run(progress),
        documents=document_numbers(target.documents),
    )


@dataclass
class _Scoring:
    """The statistics of some outputs: looked up, else computed and kept."""

    metric: Metric
    target: TestSet
    references: list[Row]
    outputs: list[_Output]
    cache: StatisticsCache | None
    n_jobs: int | None

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
            found = self.cache.get(*self._address(i), values.shape[1:])
            if found is None:
                missing.append(i)
            else:
                values[i] = found
        return missing

    def _compute(self, values: np.ndarray, missing: list[int], progress: Progress) -> None:
        """Score the distinct pairs of the missing outputs; an output is kept as soon as it is complete."""
        distinct = _Distinct([{} for _ in range(values.shape[1])])
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

    def _reuse(self, values: np.ndarray, distinct: _Distinct, table: np.ndarray, progress: Progress) -> np.ndarray:
        """Take over pairs that an output found in the cache has as well; return the numbers of the others."""
        known = np.zeros(len(table), dtype=bool)
        for i in (i for i in range(len(values)) if i not in distinct.rows):
            progress(0, self._doing())
            for segment, (ids, hypothesis) in enumerate(zip(distinct.ids, self.outputs[i].hypotheses, strict=True)):
                number = ids.get(hypothesis)
                if number is not None and not known[number]:
                    table[number], known[number] = values[i, segment], True
        return np.flatnonzero(~known)

    def _chunks(self, distinct: _Distinct, todo: np.ndarray, progress: Progress) -> Iterator[np.ndarray]:
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
