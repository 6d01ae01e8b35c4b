"""What every question about a pair of systems needs, and the questions about its outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, Unpack

import numpy as np

from mtsig_core.analysis.reading.segments import SegmentTable, segment_table
from mtsig_core.analysis.reading.sheets import AnnotationSheet
from mtsig_core.loading.judgements.annotation_key import Asked
from mtsig_core.metrics import Metric, SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance import Scope
from mtsig_core.workbench import medians
from mtsig_core.workbench.medians import SheetChoice
from mtsig_core.workbench.options import Options, resolved
from mtsig_core.workbench.results import MedianSegments

if TYPE_CHECKING:
    from mtsig_core.workbench.differences import Answer
    from mtsig_core.workbench.workbench import Workbench

T = TypeVar("T")


@dataclass(frozen=True)
class PairReading:
    """Two systems under one metric on one test set, and their outputs; the base of `Pair`."""

    bench: Workbench
    test_set: str
    metric: Metric
    a: str
    b: str

    def __repr__(self) -> str:
        return f"Pair({self.test_set!r}, {self.metric.label}, {self.a!r}, {self.b!r})"

    def statistics(self, progress: Progress = no_progress) -> SegmentStatistics:
        """Return the sufficient statistics of all outputs on the test set."""
        return self.bench.statistics(self.test_set, self.metric, progress)

    @property
    def scope(self) -> Scope:
        """What the results on this pair are about."""
        return Scope.of(self.statistics(), self.a, self.b)

    def once(self, key: tuple, compute: Callable[[], T], progress: Progress = no_progress) -> T:
        """Return the result of a question about this pair, computed once; see `Workbench.once`."""
        return self.bench.once((*key, self.test_set, self.metric.key, self.a, self.b), compute, progress)

    def bootstrap(self, settings: Settings, progress: Progress = no_progress) -> np.ndarray:
        """Return the scores, shape (n_bootstrap, output), of all outputs on bootstrap samples of segments."""
        return self.bench.bootstrap(self.test_set, self.metric, settings, progress)

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
        self,
        asked: Asked | None = None,
        choice: SheetChoice | None = None,
        *,
        replicas: tuple[str, str] | None = None,
        **options: Unpack[Options],
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
