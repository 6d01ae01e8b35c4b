"""The questions about the outputs of a pair: where they differ, and segments side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack, cast

from mtsig_core.analysis.reading.segments import SegmentTable, segment_table
from mtsig_core.workbench.options import Options, resolved

if TYPE_CHECKING:
    from mtsig_core.workbench.differences import Answer
    from mtsig_core.workbench.pair import Pair


class PairReading:
    """The part of `Pair` that reads outputs."""

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

        pair = cast("Pair", self)
        settings, progress = resolved(options, pair.bench.settings)
        return pair.once(
            ("differences", by, settings), lambda: differences.differences(pair, by, settings, progress), progress
        )

    def why_no_differences(self, by: str) -> str:
        """Return why the systems cannot be compared by this kind, or nothing."""
        from mtsig_core.workbench.differences import why_not

        pair = cast("Pair", self)
        return why_not(pair, by)

    def segments(
        self, replica_a: str | None = None, replica_b: str | None = None, **options: Unpack[Options]
    ) -> SegmentTable:
        """Return the segments of two replicas side by side, by default of the median ones.

        Raises
        ------
        ValueError
            For an unknown replica, or one without an output here.
        """
        pair = cast("Pair", self)
        _, progress = resolved(options, pair.bench.settings)
        if replica_a is None or replica_b is None:
            chosen = pair.median_segments(progress=progress).table
            replica_a, replica_b = replica_a or chosen.a[1], replica_b or chosen.b[1]
        sides = (pair.a, replica_a), (pair.b, replica_b)
        return pair.once(
            ("segments", *sides),
            lambda: segment_table(pair.bench.experiment, pair.test_set, pair.statistics(progress), *sides),
            progress,
        )
