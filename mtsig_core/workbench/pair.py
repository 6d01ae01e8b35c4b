"""Two systems under one metric on one test set: one method per question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar, Unpack

from mtsig_core.analysis.calibration.arena import world_like
from mtsig_core.analysis.calibration.inflation import Inflation, inflation
from mtsig_core.analysis.comparison import Comparison, compare_pair
from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals, bootstrap_intervals
from mtsig_core.analysis.comparison.effect import Effect, effect, margin_suggestion
from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
from mtsig_core.analysis.planning.planner import SIMULATIONS, Plan
from mtsig_core.analysis.reading.segments import SegmentTable, segment_table
from mtsig_core.analysis.reading.sheets import AnnotationSheet
from mtsig_core.analysis.replicas.by_n import DEFAULT_NS, ByN, ByNDesign, by_n
from mtsig_core.analysis.replicas.lottery import Lottery, lottery
from mtsig_core.analysis.replicas.p_by_n import DRAWS, NS, PByN, PByNDesign, p_by_n
from mtsig_core.analysis.systems.overlap import Overlap, interval_overlap
from mtsig_core.analysis.systems.three_methods import ThreeMethods
from mtsig_core.loading.judgements.sheets.annotation_key import Asked
from mtsig_core.runtime.jobs import subprogress
from mtsig_core.significance import TestResult
from mtsig_core.significance.simulated import World
from mtsig_core.workbench import medians, planner, singles
from mtsig_core.workbench.medians import SheetChoice
from mtsig_core.workbench.options import Options, resolved
from mtsig_core.workbench.pair_data import PairData
from mtsig_core.workbench.results import MedianSegments, ObservedDifference

if TYPE_CHECKING:
    from mtsig_core.workbench.differences import Answer

T = TypeVar("T")


class Pair(PairData):
    """Two systems under one metric on one test set; `Workbench.pair` returns it.

    Each question takes the keywords of `mtsig_core.workbench.options.Options`: ``settings``, ``progress``, or single
    settings such as ``alpha``. Differences are B minus A, in the metric's units.

    Parameters
    ----------
    bench : Workbench
    test_set : str
    metric : Metric
    a, b : str
        Baseline and system.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()  # 2 systems, 3 replicas, 50 segments
    >>> pair.a, pair.b
    ('system1', 'system2')
    >>> pair.compare(presets=["welch-replicas"], n_bootstrap=100).tests[0].p < 0.05
    True
    >>> pair.lottery(n_permutations=50).p.shape
    (3, 3)
    """

    # --- is B better? -------------------------------------------------------------------------------------------

    def compare(self, *, presets: Sequence[str] | str | None = None, **options: Unpack[Options]) -> Comparison:
        """Return the difference with its intervals, the tests, and the verdict.

        Parameters
        ----------
        presets : sequence of str, optional
            Only these tests; by default all that the replicas allow.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            For an unknown preset, or one that these replicas do not allow.
        """
        settings, progress = resolved(options, self.bench.settings)
        chosen = (presets,) if isinstance(presets, str) else None if presets is None else tuple(presets)

        def compute() -> Comparison:
            tested, basis = self.for_tests(settings, subprogress(progress, 0, 0.5))
            return compare_pair(tested, presets=chosen, basis=basis, progress=subprogress(progress, 0.5, 1))

        return self.once(("compare", chosen, settings), compute, progress)

    def effect(self, **options: Unpack[Options]) -> Effect:
        """Return the size of the difference in human terms, and how often a replica of B beats one of A."""
        settings, progress = resolved(options, self.bench.settings)
        level = 1 - settings.alpha
        return self.once(
            ("effect", level, settings.paired),
            lambda: effect(
                self.statistics(progress, settings, copies=True), self.a, self.b, level=level, paired=settings.paired
            ),
            progress,
        )

    def bootstrap_intervals(self, **options: Unpack[Options]) -> BootstrapIntervals:
        """Return the standard bootstrap's intervals of both systems and of their difference."""
        settings, progress = resolved(options, self.bench.settings)

        def compute() -> BootstrapIntervals:
            draws = self.bootstrap(settings, subprogress(progress, 0, 0.6))
            return bootstrap_intervals(
                self.statistics(settings=settings), self.a, self.b, settings, bootstrap=draws,
                progress=subprogress(progress, 0.6, 1),
            )

        return self.once(("bootstrap intervals", settings), compute, progress)

    def overlap(self, **options: Unpack[Options]) -> Overlap:
        """Return the bootstrap scores of both systems, and the overlap of their intervals (Fu et al., section 4.2)."""
        settings, progress = resolved(options, self.bench.settings)

        def compute() -> Overlap:
            draws, statistics = self.bootstrap(settings, progress), self.statistics(settings=settings)
            of_a, of_b = (draws[:, statistics.rows(name)].mean(axis=1) for name in (self.a, self.b))
            return interval_overlap(of_a, of_b, level=1 - settings.alpha, scope=self.scope)

        key = ("overlap", settings.n_bootstrap, settings.seed, settings.alpha, settings.paired)
        return self.once(key, compute, progress)

    def observed_difference(self, **options: Unpack[Options]) -> ObservedDifference:
        """Return the differences of single replicas, and p against the size of any (Fu et al., section 4.4)."""
        settings, progress = resolved(options, self.bench.settings)
        return self.once(
            ("observed difference", settings), lambda: singles.observed_difference(self, settings, progress), progress
        )

    def three_methods(self, **options: Unpack[Options]) -> ThreeMethods:
        """Return intervals and tests by the methods of Riezler, Clark and Fu; see `Workbench.three_methods`."""
        return self.bench.three_methods(self.test_set, self.metric, (self.a, self.b), **options)

    def inflation(self, **options: Unpack[Options]) -> Inflation:
        """Return by how much tests that exchange single outputs underestimate the variance of the difference."""
        settings, progress = resolved(options, self.bench.settings)
        return self.once(
            ("inflation", settings),
            lambda: inflation(self.statistics(progress, settings), self.a, self.b, settings),
            progress,
        )

    # --- one replica, and several -------------------------------------------------------------------------------

    def lottery(self, **options: Unpack[Options]) -> Lottery:
        """Return the verdicts of all experiments with one replica of each system, shape (replica of A, of B)."""
        settings, progress = resolved(options, self.bench.settings)

        def compute() -> Lottery:
            statistics = self.statistics(subprogress(progress, 0, 0.2))
            return lottery(statistics, self.a, self.b, settings, progress=subprogress(progress, 0.2, 1))

        key = ("lottery", settings.n_permutations, settings.seed)  # p does not depend on alpha
        return self.once(key, compute, progress).at(settings.alpha)

    def single_pair(self, replica_a: str, replica_b: str, **options: Unpack[Options]) -> TestResult:
        """Return approximate randomization of two replicas, as if there were no others.

        Raises
        ------
        ValueError
            For a replica that the metric does not score.
        """
        settings, progress = resolved(options, self.bench.settings)
        key = ("single pair", replica_a, replica_b, settings)
        return self.once(key, lambda: singles.single_pair(self, (replica_a, replica_b), settings, progress), progress)

    def by_n(
        self, ns: Sequence[int] | None = None, *, replace: bool = True, **options: Unpack[Options]
    ) -> ByN:
        """Return the difference against the number of replicas (Clark et al. 2011, Figure 2).

        Parameters
        ----------
        ns : sequence of int, optional
            Numbers of replicas of each system.
        replace : bool
            Draw replicas with replacement.
        **options
            See `Options`.
        """
        settings, progress = resolved(options, self.bench.settings)
        wanted = tuple(ns) if ns else DEFAULT_NS

        def compute() -> ByN:
            statistics = self.statistics(subprogress(progress, 0, 0.5), settings, copies=True)
            return by_n(
                statistics.scores_of(self.a), statistics.scores_of(self.b),
                ByNDesign(ns=wanted, seed=settings.seed, replace=replace), scope=self.scope,
                progress=subprogress(progress, 0.5, 1),
            )  # fmt: skip

        return self.once(("by n", wanted, replace, settings.seed, settings.paired), compute, progress)

    def p_by_n(
        self, ns: Sequence[int] | None = None, *, draws: int = DRAWS, **options: Unpack[Options]
    ) -> PByN:
        """Return p against the number of replicas (Clark et al. 2011, Table 2).

        Parameters
        ----------
        ns : sequence of int, optional
            Numbers of replicas of each system.
        draws : int
            Experiments drawn for each number.
        **options
            See `Options`.
        """
        settings, progress = resolved(options, self.bench.settings)
        wanted = tuple(ns) if ns else NS

        def compute() -> PByN:
            statistics = self.statistics(subprogress(progress, 0, 0.1), copies=True)
            return p_by_n(
                statistics, self.a, self.b, settings, PByNDesign(wanted, draws), subprogress(progress, 0.1, 1)
            )

        key = ("p by n", settings.n_permutations, settings.seed, wanted, draws)  # p does not depend on alpha
        return self.once(key, compute, progress).at(settings.alpha)

    # --- planning -----------------------------------------------------------------------------------------------

    def components(self, **options: Unpack[Options]) -> VarianceComponents:
        """Return the variance components of the difference, with their intervals."""
        settings, progress = resolved(options, self.bench.settings)
        return self.once(("components", settings), lambda: planner.components(self, settings, progress), progress)

    def shared_seeds(self, **options: Unpack[Options]) -> SharedSeeds | None:
        """Return how similar replicas of equal index are; None with one replica or different numbers of them."""
        _, progress = resolved(options, self.bench.settings)
        return self.once(("shared seeds",), lambda: planner.similarity(self, progress), progress)

    def planner(
        self, difference: float | None = None, *, power: float = 0.8, simulations: int = SIMULATIONS,
        **options: Unpack[Options],
    ) -> Plan:
        """Return how many replicas and segments a difference takes, with this experiment as the pilot.

        Parameters
        ----------
        difference : float, optional
            The smallest difference that matters, in the metric's units; by default the margin of the settings.
            It has no other default: it is never the observed one.
        power : float
            Share of experiments that must find it.
        simulations : int
        **options
            See `Options`.

        Raises
        ------
        ValueError
            When the replicas do not allow a plan (see `why_no_plan`), or a number is out of its range.
        """
        settings, progress = resolved(options, self.bench.settings)
        wanted = settings.margin if difference is None else float(difference)
        if wanted is None:
            raise planner.no_difference(self)
        key = ("planner", wanted, power, simulations, settings)
        compute = partial(planner.plan_of, self, settings, (wanted, power), simulations, progress)
        return self.once(key, compute, progress)

    def why_no_plan(self, **options: Unpack[Options]) -> str:
        """Return why these replicas allow no plan, or nothing."""
        return planner.why_no_plan(self.components(**options))

    def default_difference(self) -> float:
        """Return half a point on a scale of 100, less on smaller scales: a step for a field, no plan's default."""
        return planner.default_difference(self)

    def margin_suggestion(self) -> str:
        """Return which differences people notice, to stand beside a field for the smallest that matters."""
        return margin_suggestion(self.statistics(), self.a, self.b)

    def simulated_world(self) -> World | None:
        """Return a simulated world that varies as these systems do; None where a system has one replica."""
        return world_like(self.statistics(), self.a, self.b)

    # --- reading ------------------------------------------------------------------------------------------------

    def differences(self, by: str = "length", **options: Unpack[Options]) -> Answer:
        """Return where the systems differ, over all replicas.

        Parameters
        ----------
        by : str
            Segments by ``length``, ``document``, ``frequency`` or ``difficulty``; or ``edits``, ``words``,
            ``output-length``, ``ngrams``, ``stability``.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            For an unknown kind, or when `why_no_differences` says something.
        """
        from mtsig_core.workbench import differences  # it takes SciPy, which others do not need

        settings, progress = resolved(options, self.bench.settings)
        return self.once(
            ("differences", by, settings), lambda: differences.differences(self, by, settings, progress), progress
        )

    def why_no_differences(self, by: str) -> str:
        """Return why the systems cannot be compared by this kind, or nothing."""
        from mtsig_core.workbench.differences import why_not

        return why_not(self, by)

    def segments(
        self, replica_a: str | None = None, replica_b: str | None = None, **options: Unpack[Options]
    ) -> SegmentTable:
        """Return the segments of two replicas side by side, by default of the median ones.

        Raises
        ------
        ValueError
            For an unknown replica, or one without an output here.
        """
        _, progress = resolved(options, self.bench.settings)
        if replica_a is None or replica_b is None:
            chosen = self.median_segments(progress=progress).table
            replica_a, replica_b = replica_a or chosen.a[1], replica_b or chosen.b[1]
        sides = (self.a, replica_a), (self.b, replica_b)
        return self.once(
            ("segments", *sides),
            lambda: segment_table(self.bench.experiment, self.test_set, self.statistics(progress), *sides),
            progress,
        )

    def median_segments(self, select_on: str | None = None, **options: Unpack[Options]) -> MedianSegments:
        """Return the median replicas side by side, and the test set that chose them.

        Parameters
        ----------
        select_on : str, optional
            Test set that chooses; by default another one than is read, if there is any.
        **options
            See `Options`.

        Raises
        ------
        ValueError
            When the metric cannot score both systems there, or a median replica has no output.
        """
        _, progress = resolved(options, self.bench.settings)
        return medians.median_segments(self, select_on, progress)

    def annotation_sheet(
        self, asked: Asked | None = None, choice: SheetChoice | None = None, *,
        replicas: tuple[str, str] | None = None, **options: Unpack[Options],
    ) -> AnnotationSheet:
        """Return a blind annotation sheet of two replicas, and its key.

        Parameters
        ----------
        asked : Asked, optional
            What annotators are asked; by default everything.
        choice : SheetChoice, optional
            Which segments they get; by default 50, stratified by the difference.
        replicas : tuple of (str, str), optional
            By default the median ones.
        **options
            See `Options`; the seed draws segments and sides.

        Raises
        ------
        ValueError
            When there is nothing to choose from, or a segment is not there.
        """
        settings, progress = resolved(options, self.bench.settings)
        table = self.segments(*(replicas or (None, None)), progress=progress)
        return medians.draw_sheet(table, asked or Asked(), choice or SheetChoice(), settings.seed)
