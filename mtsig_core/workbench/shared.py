"""What all questions about one experiment share: its metrics, statistics and bootstrap samples, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from mtsig_core.experiment import Experiment
from mtsig_core.loading.report import LoadReport
from mtsig_core.metrics import (
    Metric,
    OutsideMetric,
    SegmentStatistics,
    StatisticsCache,
    choose_metric,
    compute_statistics,
    default_cache,
    default_metrics,
    default_tokenizer,
    systems_under,
    target_language,
)
from mtsig_core.metrics.outside.outside_metric import outside_statistics
from mtsig_core.resampling import Sampling, Settings, bootstrap_scores
from mtsig_core.resampling.randomization import EXCHANGE_UNITS
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PairDraws
from mtsig_core.workbench.memo import Memo

T = TypeVar("T")
MOST_NAMED = 5  # systems that a remark lists

#: Metrics or their names; None is the default one.
Metrics = Sequence[str | Metric] | str | Metric | None


class SharedNumbers:
    """The metrics, statistics and bootstrap samples of one experiment; see `Workbench`.

    Parameters
    ----------
    opened : Experiment, or tuple of (Experiment, LoadReport)
    settings : Settings, optional
    cache : StatisticsCache, optional
    memo : Memo, optional
    """

    def __init__(
        self, opened: Experiment | tuple[Experiment, LoadReport], *, settings: Settings | None = None,
        cache: StatisticsCache | None = None, memo: Memo | None = None,
    ) -> None:  # fmt: skip
        experiment = opened[0] if isinstance(opened, tuple) else opened
        if not isinstance(experiment, Experiment):
            raise TypeError(f"Expected what load() or load_scores() returns, or an Experiment; got a "
                            f"{type(experiment).__name__}.")  # fmt: skip
        self.experiment = experiment
        self.settings = settings or Settings(paired=experiment.paired)
        self.cache = cache or default_cache()
        self.memo = memo or Memo()

    def __repr__(self) -> str:
        return f"Workbench({self.experiment.name!r}, {len(self.experiment.systems)} systems)"

    # --- choosing -----------------------------------------------------------------------------------------------

    def metric(
        self, name: str | Metric | None = None, *, tokenize: str | None = None, lowercase: bool = False,
        language: str | None = None, nfc: bool = False,
    ) -> Metric:  # fmt: skip
        """Return a metric by name, with the tokenizer and the language that suit the experiment.

        Parameters
        ----------
        name : str or Metric, optional
            By default BLEU, or the first metric whose scores came with the experiment. A `Metric` is returned as is.
        tokenize, lowercase, language, nfc
            See `mtsig_core.get_metric`.

        Raises
        ------
        ValueError
            For an unknown name; the message lists the metrics there are.
        """
        if isinstance(name, Metric):
            return name
        experiment = self.experiment
        tokenize = tokenize or experiment.tokenizer
        if experiment.has_text:
            tokenize = tokenize or default_tokenizer(experiment, language).value
            language = language or target_language(experiment).value or None
        wanted = name or default_metrics(experiment)[0]
        return choose_metric(experiment, wanted, tokenize=tokenize, lowercase=lowercase, language=language, nfc=nfc)

    def metrics(self, names: Metrics = None) -> list[Metric]:
        """Return several metrics, each as `metric` does; without names its default."""
        if names is None or isinstance(names, str | Metric):
            return [self.metric(names)]
        return [self.metric(name) for name in names] or [self.metric()]

    def test_set(self, name: str | None = None) -> str:
        """Return the name of a test set, by default of the first one that has outputs or scores.

        Raises
        ------
        ValueError
            For a test set that the experiment does not have.
        """
        if name is not None:
            return self.experiment.test_set(name).name
        names = [t.name for t in self.experiment.test_sets if self.experiment.systems_present_on(t.name)]
        return names[0]

    def can_score(self, test_set: str, metric: str | Metric, *systems: str) -> bool:
        """Say whether a metric has outputs or scores of these systems (without names: of any) on a test set."""
        names = {s.name for s in systems_under(self.experiment, test_set, self.metric(metric))}
        return bool(names) and names.issuperset(systems)

    def comparable_sets(self, metric: Metric, a: str, b: str) -> list[str]:
        """Return the test sets, except tuning sets, on which a metric scores both systems."""
        sets = [t.name for t in self.experiment.test_sets if t.role != "dev"]
        return [name for name in sets if self.can_score(name, metric, a, b)]

    def selection_sets(self, test_set: str, metric: Metric, *systems: str) -> list[str]:
        """Return the test sets that can choose the replicas to read on another one, the best choice first.

        Sets other than the one that is read come first, tuning sets after others.
        """
        sets = [t for t in self.experiment.test_sets if self.can_score(t.name, metric, *systems)]
        return [t.name for t in sorted(sets, key=lambda t: (t.name == test_set, t.role == "dev"))]

    # --- what questions share -----------------------------------------------------------------------------------

    def once(self, key: tuple, compute: Callable[[], T], progress: Progress = no_progress) -> T:
        """Return the result of a question about this experiment, computed once.

        Parameters
        ----------
        key : tuple
            The question, and everything but the experiment that its result depends on.
        compute : callable
        progress : Progress
        """
        return self.memo.get((self.experiment.digest, *key), compute, progress=progress)

    def statistics(self, test_set: str, metric: Metric, progress: Progress = no_progress) -> SegmentStatistics:
        """Return the sufficient statistics of all outputs, shape (output, segment, statistic), on a test set."""
        return self.once(
            ("statistics", test_set, metric.key),
            lambda: compute_statistics(self.experiment, test_set, metric, cache=self.cache, progress=progress),
            progress,
        )

    def own_statistics(
        self, test_set: str, metric: Metric, progress: Progress = no_progress
    ) -> tuple[SegmentStatistics, ...]:
        """Return the statistics, each system by itself on its own segments where one lacks some that others have.

        What is asked of one system alone does not depend on what the scores of others lack.
        """
        if not isinstance(metric, OutsideMetric):
            return (self.statistics(test_set, metric, progress),)
        try:
            together = self.statistics(test_set, metric, progress)
        except ValueError:  # no segment has scores of all outputs, but each system may have its own
            if not self.can_score(test_set, metric):
                raise
        else:
            if together.segments is None:
                return (together,)
        systems = systems_under(self.experiment, test_set, metric)
        return tuple(outside_statistics(self.experiment, test_set, metric, (s.name,)) for s in systems)

    def signature(self, test_set: str, metric: str | Metric) -> str:
        """Return what a paper must print of a metric on a test set."""
        metric = self.metric(metric)
        references = self.experiment.test_set(test_set).references
        key = ("signature", test_set, metric.key)
        return self.once(key, lambda: metric.signature(list(zip(*references, strict=True))))

    def notes(
        self, test_sets: Sequence[str], metrics: Sequence[Metric], *, own_segments: bool = False
    ) -> tuple[str, ...]:
        """Return remarks on the numbers: segments left out because an outside metric has no score of them.

        Metrics of text score every segment and cause none. With `own_segments` every system is on all that it has.
        """
        outside = [m for m in metrics if isinstance(m, OutsideMetric)]
        scored = [(name, m) for name in test_sets for m in outside if self.can_score(name, m)]
        note_of = self._own_note if own_segments else self._note
        return tuple(note for name, m in scored if (note := note_of(name, m)))

    def _note(self, test_set: str, metric: Metric) -> str:
        try:
            return self.statistics(test_set, metric).note
        except ValueError as error:  # no segment has scores of all outputs
            return str(error)

    def _own_note(self, test_set: str, metric: OutsideMetric) -> str:
        try:
            own = self.own_statistics(test_set, metric)
        except ValueError as error:  # a replica of one system has scores of no segment that another one has
            return str(error)
        short = [f"{s.systems[0]} has {s.n_segments:,} of {s.n_total:,}" for s in own if s.segments is not None]
        if not short:
            return ""
        more = f"; {len(short) - MOST_NAMED} more lack some" if len(short) > MOST_NAMED else ""
        listed = "; ".join(short[:MOST_NAMED]) + more
        return f"{metric.label} on {test_set}: each system on all segments that all its replicas have; {listed}."

    def bootstrap(
        self, test_set: str, metric: Metric, settings: Settings, progress: Progress = no_progress
    ) -> np.ndarray:
        """Return the scores, shape (n_bootstrap, output), of all outputs on bootstrap samples of segments."""
        statistics = self.statistics(test_set, metric, subprogress(progress, 0, 0.7))

        def draw(stored: np.ndarray | None) -> np.ndarray:
            # fewer samples are the first of more: a full answer continues where the quick one ended
            first = 0 if stored is None else len(stored)
            more = bootstrap_scores(
                statistics, settings.n_bootstrap, settings.seed, sampling=Sampling(first=first),
                progress=subprogress(progress, 0.7, 1),
            )  # fmt: skip
            return more if stored is None else np.concatenate([stored, more])

        key = (self.experiment.digest, "bootstrap", test_set, metric.key, settings.seed)
        scores = self.memo.extend(key, draw, lambda stored: len(stored) >= settings.n_bootstrap, progress=progress)
        return scores[: settings.n_bootstrap]

    def pair_draws(self, metric: Metric, statistics: SegmentStatistics, settings: Settings) -> PairDraws:
        """Return the permutations and samples drawn so far for the two systems of these statistics.

        They depend neither on alpha nor on which of the systems is the baseline.
        """
        draws = settings.n_bootstrap, settings.n_permutations, settings.seed
        names = sorted(zip(statistics.systems, statistics.replicas, strict=True))
        key = (self.experiment.digest, "pair draws", statistics.test_set, metric.key, *names, *draws)
        documents = len(statistics.values) * settings.n_bootstrap if statistics.documents is not None else 0
        largest = 8 * (len(EXCHANGE_UNITS) * settings.n_permutations + documents)
        return self.memo.get(key, PairDraws, size=largest)
