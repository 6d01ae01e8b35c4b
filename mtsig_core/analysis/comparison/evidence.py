"""Everything that a verdict on two systems is based on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.analysis.comparison.results import Intervals
from mtsig_core.experiment.varied import Varied, get_varied
from mtsig_core.formatting import better_by, count, format_score, score_decimals
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.pairs import Basis
from mtsig_core.resampling import Settings
from mtsig_core.significance import CoherentResult, Outcome, Pair, Scope, TestResult
from mtsig_core.significance.equivalence import MarginTest, margin_test


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that a verdict is based on; `tests` holds at least those that its details mention.

    Parameters
    ----------
    pair : Pair
    tests : mapping of str to TestResult
        By preset.
    coherent : CoherentResult or None
        None with one replica of each system.
    intervals : Intervals
    same : bool
        Whether both systems have the same outputs.
    basis : Basis or None
        Segments and replicas used.
    """

    pair: Pair
    tests: Mapping[str, TestResult]
    coherent: CoherentResult | None
    intervals: Intervals
    same: bool
    basis: Basis | None = None

    @property
    def statistics(self) -> SegmentStatistics:
        """Statistics of both systems."""
        return self.pair.statistics

    @property
    def settings(self) -> Settings:
        """Settings of the tests."""
        return self.pair.settings

    @property
    def paired(self) -> bool:
        """Whether replicas are compared as pairs."""
        return self.pair.paired

    @property
    def a(self) -> str:
        """The baseline."""
        return self.pair.a

    @property
    def b(self) -> str:
        """The system."""
        return self.pair.b

    @property
    def n_a(self) -> int:
        """Number of replicas of a."""
        return self.pair.numbers[0]

    @property
    def n_b(self) -> int:
        """Number of replicas of b."""
        return self.pair.numbers[1]

    @property
    def varied(self) -> Varied:
        """What the replicas differ by."""
        return get_varied(self.settings.replicas_are)

    @cached_property
    def scope(self) -> Scope:
        """Test set, metric and systems."""
        return Scope.of(self.statistics, self.a, self.b)

    @cached_property
    def difference(self) -> float:
        """D: mean score of b minus mean score of a."""
        return 0.0 if self.same else self.pair.difference  # equal scores in another order: rounding errors

    @cached_property
    def margin(self) -> MarginTest | None:
        """The difference against the margin; None where none was stated, or the coherent test does not exist."""
        if self.settings.margin is None or self.coherent is None:
            return None
        return margin_test(self.coherent, self.settings.margin, higher_is_better=self.scope.higher_is_better)

    @cached_property
    def outcome(self) -> Outcome:
        """What is said of b against a."""
        if self.same:
            return "same outputs"
        p = None if self.coherent is None else self.coherent.p
        outcome = self.scope.outcome(p, self.difference, self.settings.alpha)
        if outcome == "undecided" and self.margin is not None and self.margin.equivalent:
            return "equivalent"
        return outcome

    @property
    def replicas(self) -> str:
        """How many replicas there are, in words."""
        if self.n_a == self.n_b:
            return f"{count(self.n_a, 'replica')} of each system"
        return f"{count(self.n_a, 'replica')} of {self.a} and {self.n_b} of {self.b}"

    @property
    def n_units(self) -> int:
        """Independent units of the text: documents where they are known, else segments."""
        documents = self.statistics.documents
        return self.statistics.n_segments if documents is None else int(np.unique(documents).size)

    def better_by(self, difference: float, name: str | None = None, other: str | None = None) -> str:
        """Return who is better and by how much: b against a, under other names if given."""
        metric = self.statistics.metric
        names = name or self.b, other or self.a
        direction = metric.higher_is_better if metric.is_quality else None
        return better_by(*names, difference, metric.label, direction, self.decimals)

    @cached_property
    def decimals(self) -> int:
        """Decimals that scores of this size deserve."""
        return score_decimals(np.concatenate(self.pair.scores))

    def size(self, value: float) -> str:
        """Return a difference without its sign, with the metric's name."""
        return f"{format_score(abs(value), self.decimals)} {self.statistics.metric.label}"

    def significant(self, p: float | None) -> bool:
        """Return whether p is below alpha."""
        return p is not None and p < self.settings.alpha

    @property
    def replica_test(self) -> TestResult | None:
        """The permutation of whole replicas; the t-test of their scores where no permutation can be significant.

        None where neither has a p.
        """
        tests = [test for test in (self.permuted_replicas, self.welch) if test is not None and test.p is not None]
        able = [test for test in tests if test.smallest_p is None or test.smallest_p < self.settings.alpha]
        return next(iter([*able, *tests]), None)

    @property
    def permuted_replicas(self) -> TestResult | None:
        """The permutation of whole replicas."""
        return self.tests.get("ar-replica-paired" if self.paired else "ar-replica")

    @property
    def welch(self) -> TestResult | None:
        """The t-test of replica scores."""
        return self.tests.get("welch-replicas")
