"""One experiment, and every question that can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Unpack

from mtsig_core.analysis.calibration.calibration import DEFAULT, MOST_SPLITS, Calibration
from mtsig_core.analysis.calibration.replica_effect import PERMUTATIONS, ReplicaEffects, replica_effects
from mtsig_core.analysis.calibration.report import CalibrationReport
from mtsig_core.analysis.comparison.combined import Combined, combined
from mtsig_core.analysis.reading.multeval import MultEvalTables
from mtsig_core.analysis.replicas.variance import VarianceTable
from mtsig_core.analysis.systems.pairwise import Pairwise, Preview, Reuse, pairwise
from mtsig_core.analysis.systems.three_methods import ThreeMethods, three_methods
from mtsig_core.metrics import Metric
from mtsig_core.runtime.jobs import subprogress
from mtsig_core.workbench import calibration as calibrations
from mtsig_core.workbench import medians
from mtsig_core.workbench import table as tables
from mtsig_core.workbench.options import Options, resolved
from mtsig_core.workbench.pair import Pair
from mtsig_core.workbench.pair_data import data_of_pair, statistics_on
from mtsig_core.workbench.results import Medians
from mtsig_core.workbench.shared import Metrics, SharedNumbers


class Workbench(SharedNumbers):
    """One experiment, and every question that can be asked of it.

    A question about two systems is a method of `Pair`, which `pair` returns. Each question takes the keywords of
    `mtsig_core.workbench.options.Options`: ``settings``, ``progress``, or single settings such as ``alpha``. The same
    question asked again, by whomever, is not computed again.

    Parameters
    ----------
    opened : Experiment, or tuple of (Experiment, LoadReport)
        What `mtsig_core.load` or `mtsig_core.load_scores` returns.
    settings : Settings, optional
        Used where a question brings no others; by default the product's, paired if the experiment declares pairs.
    cache : StatisticsCache, optional
        Where statistics stay on disk between processes.
    memo : Memo, optional
        Where results stay in memory. Workbenches may share one: each key holds the digest of its experiment.

    Attributes
    ----------
    experiment : Experiment
    settings : Settings

    Examples
    --------
    >>> import pandas as pd, mtsig_core
    >>> rows = [(system, seed, i, good + seed / 10 + i)
    ...         for system, good in (("old", 0), ("new", 1)) for seed in (1, 2, 3) for i in range(20)]
    >>> frame = pd.DataFrame(rows, columns=["system", "replica", "segment", "score"])
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(frame))
    >>> [(row.system, row.n, round(row.avg, 2), round(row.s_test, 2)) for row in bench.table(n_bootstrap=100).rows]
    [('new', 3, 10.7, 0.1), ('old', 3, 9.7, 0.1)]
    >>> round(bench.pair(a="old", b="new").compare(n_bootstrap=100, n_permutations=100).difference, 6)
    1.0
    """

    def pair(
        self, test_set: str | None = None, metric: str | Metric | None = None,
        a: str | None = None, b: str | None = None,
    ) -> Pair:
        """Return two systems under one metric on one test set, of which questions can be asked.

        Parameters
        ----------
        test_set : str, optional
            By default the first one.
        metric : str or Metric, optional
            By default as in `metric`.
        a : str, optional
            The baseline; by default the experiment's.
        b : str, optional
            The system that is compared with it; by default the only other one.

        Raises
        ------
        ValueError
            For an unknown name, for ``a`` equal to ``b``, or when the metric cannot score both there.
        """
        names = [system.name for system in self.experiment.systems]
        a = self.experiment.system(a or self.experiment.baseline).name
        others = [name for name in names if name != a]
        if b is None and len(others) != 1:
            raise ValueError(f"Name the system b to compare with {a!r}: one of {', '.join(others) or 'none'}.")
        b = self.experiment.system(b if b is not None else others[0]).name
        if a == b:
            raise ValueError(f"a and b are both {a!r}; choose two systems.")
        on, under = self.test_set(test_set), self.metric(metric)
        if not self.can_score(on, under, a, b):
            raise ValueError(f"{under.label} cannot score both {a!r} and {b!r} on {on}.")
        return Pair(self, on, under, a, b)

    def table(
        self, test_sets: Sequence[str] | str | None = None, metrics: Metrics = None, *,
        own_segments: bool = False,
        **options: Unpack[Options],
    ) -> VarianceTable:
        """Return average, s_sel, s_dev and s_test by test set, metric and system (Clark et al. 2011, Table 1).

        A metric that scores nothing on a test set has no row there.

        Parameters
        ----------
        test_sets : str or sequence of str, optional
            By default all.
        metrics : str, Metric or sequence of them, optional
            By default one, as in `metric`.
        own_segments : bool
            Show each system on all segments that it has, not on those that all systems have.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            When no metric scores any output on these test sets.
        """
        settings, progress = resolved(options, self.settings)
        experiment = self.experiment
        named = [test_sets] if isinstance(test_sets, str) else test_sets or ()
        sets = [self.test_set(name) for name in named] or [
            t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)
        ]
        scoring = self.metrics(metrics)
        key = ("table", tuple(sets), tuple(m.key for m in scoring), settings, own_segments)
        return self.once(key, lambda: tables.table(self, sets, scoring, settings, progress, own_segments), progress)

    def pairwise(
        self, test_set: str | None = None, metric: str | Metric | None = None, *, preset: str | None = None,
        preliminary: Pairwise | None = None, publish: Callable[[Pairwise], None] | None = None,
        **options: Unpack[Options],
    ) -> Pairwise:  # fmt: skip
        """Return p and overlap of every pair of systems, and the clusters of their ranks.

        Parameters
        ----------
        test_set, metric
            See `pair`.
        preset : str, optional
            The test; by default the coherent one where replicas allow it.
        preliminary : Pairwise, optional
            A quick answer: its rows are published in place of those still to come.
        publish : callable, optional
            Called every few seconds with the result so far.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            With fewer than two systems, or for an unknown preset.
        """
        settings, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metric(metric)

        def compute() -> Pairwise:
            statistics = self.statistics(on, under, subprogress(progress, 0, 0.2))
            draws = self.bootstrap(on, under, settings, subprogress(progress, 0.2, 0.4))
            data_of = partial(data_of_pair, self, (on, under), settings)
            reuse = Reuse(draws, lambda own: self.pair_draws(under, own, settings), data_of)
            preview = None if preliminary is None or publish is None else Preview(preliminary, publish)
            rest = subprogress(progress, 0.4, 1)
            return pairwise(statistics, settings, preset=preset, reuse=reuse, preview=preview, progress=rest)

        return self.once(("pairwise", on, under.key, preset, settings), compute, progress)

    def three_methods(
        self, test_set: str | None = None, metric: str | Metric | None = None, systems: Sequence[str] | None = None,
        **options: Unpack[Options],
    ) -> ThreeMethods:  # fmt: skip
        """Return intervals, overlaps and tests of several systems by the methods of Riezler, Clark and Fu.

        Parameters
        ----------
        test_set, metric
            See `pair`.
        systems : sequence of str, optional
            By default all that the metric scores.
        **options
            See `Options`.
        """
        settings, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metric(metric)

        def compute() -> ThreeMethods:
            statistics = self.statistics(on, under, subprogress(progress, 0, 0.2))
            return three_methods(statistics, settings, systems=systems, progress=subprogress(progress, 0.2, 1))

        return self.once(("three methods", on, under.key, tuple(systems or ()), settings), compute, progress)

    def calibration(
        self, test_set: str | None = None, metric: str | Metric | None = None, system: str | None = None, *,
        presets: Sequence[str] = DEFAULT, most_splits: int = MOST_SPLITS, **options: Unpack[Options],
    ) -> Calibration:  # fmt: skip
        """Return how often tests reject between halves of one system's replicas (A/A calibration).

        Parameters
        ----------
        test_set, metric
            See `pair`.
        system : str, optional
            By default the baseline.
        presets : sequence of str
        most_splits : int
            At most so many splits are tested.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            For an unknown system, or a test that cannot be calibrated this way.
        """
        settings, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metric(metric)
        name = self.experiment.system(system or self.experiment.baseline).name
        splits = tuple(presets), most_splits
        compute = partial(calibrations.calibration, self, (on, under, name), settings, splits, progress)
        return self.once(("calibration", on, under.key, name, splits, settings), compute, progress)

    def calibrations(
        self, test_set: str | None = None, metric: str | Metric | None = None, *, baseline: str | None = None,
        system: str | None = None, presets: Sequence[str] | None = None, **options: Unpack[Options],
    ) -> CalibrationReport:  # fmt: skip
        """Return what is known of the tests here: calibration, whole-replica effects, and inflation.

        Parameters
        ----------
        test_set, metric
            See `pair`.
        baseline : str, optional
            Inflation is measured between it and every other system.
        system : str, optional
            Only this system; by default all.
        presets : sequence of str, optional
        **options
            See `Options`.

        Raises
        ------
        ValueError
            As `calibration`, or when the metric has no scores of the system.
        """
        settings, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metric(metric)
        chosen = calibrations.Chosen(baseline, system, tuple(presets or DEFAULT))
        key = ("calibrations", on, under.key, chosen, settings)
        return self.once(key, lambda: calibrations.summary(self, (on, under), chosen, settings, progress), progress)

    def replica_effects(
        self, test_set: str | None = None, metrics: Metrics = None, *,
        systems: Sequence[str] | None = None, n_assignments: int = PERMUTATIONS, **options: Unpack[Options],
    ) -> ReplicaEffects:  # fmt: skip
        """Return whether the replicas of each system differ as a whole, under each metric.

        Parameters
        ----------
        test_set : str, optional
        metrics : str, Metric or sequence of them, optional
        systems : sequence of str, optional
            By default all.
        n_assignments : int
            Random assignments of outputs to replicas; at most ``n_permutations``.
        **options
            See `Options`.
        """
        settings, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metrics(metrics)
        assignments = min(n_assignments, settings.n_permutations)

        def compute() -> ReplicaEffects:
            statistics = medians.own_statistics_of(self, on, under, subprogress(progress, 0, 0.3))
            return replica_effects(
                statistics, systems=systems, alpha=settings.alpha, n_permutations=assignments, seed=settings.seed,
                progress=subprogress(progress, 0.3, 1),
            )

        keys = tuple(m.key for m in under), tuple(systems or ())
        key = ("replica effects", on, *keys, assignments, settings.alpha, settings.seed)
        return self.once(key, compute, progress)

    def median(
        self, test_set: str | None = None, metrics: Metrics = None, **options: Unpack[Options]
    ) -> Medians:
        """Return each system's median replica by the first metric, and the ranks of its replicas under all.

        A metric that does not score the same replicas of a system as the first one does not rank them.

        Parameters
        ----------
        test_set : str, optional
            The one that chooses.
        metrics : str, Metric or sequence of them, optional
        **options
            See `Options`; settings do not matter here.
        """
        _, progress = resolved(options, self.settings)
        on, under = self.test_set(test_set), self.metrics(metrics)
        key = ("median", on, tuple(m.key for m in under))
        return self.once(key, lambda: medians.medians(self, on, under, progress), progress)

    def combined(
        self, metric: str | Metric | None = None, a: str | None = None, b: str | None = None,
        test_sets: Sequence[str] | None = None, **options: Unpack[Options],
    ) -> Combined:  # fmt: skip
        """Return the difference of two systems over several test sets together.

        Parameters
        ----------
        metric, a, b
            See `pair`.
        test_sets : sequence of str, optional
            By default all but tuning sets on which the metric scores both.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            When the test sets cannot be combined.
        """
        settings, progress = resolved(options, self.settings)
        first = self.pair(test_sets[0] if test_sets else None, metric, a, b)
        sets = tuple(test_sets or self.comparable_sets(first.metric, first.a, first.b))

        def compute() -> Combined:
            statistics = statistics_on(first, sets, subprogress(progress, 0, 0.5))
            return combined(statistics, first.a, first.b, settings, progress=subprogress(progress, 0.5, 1))

        return self.once(("combined", sets, first.metric.key, first.a, first.b, settings), compute, progress)

    def multeval_tables(
        self, test_set: str, metrics: Sequence[Metric], systems: Sequence[str], *, select_on: str | None = None,
        **options: Unpack[Options],
    ) -> MultEvalTables:  # fmt: skip
        """Return the content of MultEval's ``--rankDir`` and ``--sentLevelDir``.

        Parameters
        ----------
        test_set : str
        metrics : sequence of Metric
            Those that cannot score all these systems are left out.
        systems : sequence of str
            The baseline first: sys1, sys2, ...
        select_on : str, optional
            Test set that chooses the median replicas; by default the same one, as in MultEval.
        **options
            See `Options`; settings do not matter here.

        Raises
        ------
        ValueError
            When no metric scores all systems, or there is no text.
        """
        _, progress = resolved(options, self.settings)
        return medians.multeval_tables(self, test_set, metrics, systems, select_on=select_on, progress=progress)
