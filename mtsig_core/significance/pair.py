"""Two systems under one metric, with the resamples and permutations that several tests share."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import (
    Exchange,
    ExchangeDesign,
    Sampling,
    Settings,
    SystemSums,
    bootstrap_means,
    bootstrap_scores,
    exchange,
)
from mtsig_core.runtime.jobs import Progress
from mtsig_core.significance.closed_form.coherent import CoherentResult, coherent_test, whole_runs_test

TIE = 1e-12  # of a score's size: values so close are equal but for rounding


def percentile_interval(differences: np.ndarray, alpha: float) -> tuple[float, float]:
    """Return the percentile interval at level 1 - alpha; differences of the opposite sign mirror it exactly."""
    return float(np.quantile(differences, alpha / 2)), -float(np.quantile(-differences, alpha / 2))


@dataclass(eq=False)
class PairDraws:
    """Random draws for two systems; they depend on the seed and the numbers of draws, not on alpha.

    They are kept in the order of the systems' names, whichever of them is the baseline.

    Attributes
    ----------
    exchanges : dict of (unit, exact) to Exchange
    scores : dict of unit to (scores of the first, scores of the second), each of shape (draw, replica)
        On resampled documents.
    """

    exchanges: dict[tuple[str, bool], Exchange] = field(default_factory=dict)
    scores: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)


@dataclass(eq=False)
class Pair:
    """Two systems under one metric, with the draws that several presets share.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and experiment.
    settings : Settings
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs of `statistics` on bootstrap resamples, to reuse.
    pseudo_values : dict of system to ndarray of shape (replica, segment)
        Cache of pseudo-values; pairs that share systems may share it.
    draws : PairDraws
        Cache of draws; the same two systems with the same seed and numbers of draws may share it.
    shared : SystemSums, optional
        Sums of all systems under the permutations of segments, for pairs that share systems.

    Raises
    ------
    ValueError
        When the bootstrap scores do not have one column per output.
    """

    statistics: SegmentStatistics
    a: str
    b: str
    settings: Settings
    bootstrap: np.ndarray | None = None
    pseudo_values: dict[str, np.ndarray] = field(default_factory=dict)
    draws: PairDraws = field(default_factory=PairDraws)
    shared: SystemSums | None = None
    _coherent: dict[bool, CoherentResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.bootstrap is None:
            return
        if self.bootstrap.ndim != 2 or self.bootstrap.shape[1] != len(self.statistics.values):
            raise ValueError(
                f"bootstrap scores have shape {self.bootstrap.shape}; expected (draw, {len(self.statistics.values)}), "
                "one column per output of the statistics."
            )

    @property
    def numbers(self) -> tuple[int, int]:
        """Replicas of A and of B."""
        return len(self.statistics.names(self.a)), len(self.statistics.names(self.b))

    @property
    def scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores of the replicas of A and of B."""
        return self.statistics.scores_of(self.a), self.statistics.scores_of(self.b)

    @property
    def difference(self) -> float:
        """D, the difference of mean scores."""
        of_a, of_b = self.scores
        return float(of_b.mean() - of_a.mean())

    @property
    def tolerance(self) -> float:
        """Size of rounding noise."""
        return TIE * max(1.0, *(abs(float(scores.mean())) for scores in self.scores))

    def pseudo_values_of(self, system: str) -> np.ndarray:
        """Return the pseudo-values of a system, shape (replica, segment)."""
        if system not in self.pseudo_values:
            self.pseudo_values[system] = self.statistics.pseudo_values(system)
        return self.pseudo_values[system]

    @property
    def swapped(self) -> bool:
        """Whether A's name comes after B's: draws are made in the order of names, so that they do not depend on it."""
        return self.a > self.b

    @property
    def paired(self) -> bool:
        """Whether replicas are compared as pairs: declared so, and as many of one system as of the other."""
        return self.settings.paired and self.numbers[0] == self.numbers[1] > 1

    def coherent(self, *, paired: bool) -> CoherentResult:
        """Return the coherent test; computed once for all that use it."""
        if paired not in self._coherent:
            values = self.pseudo_values_of(self.a), self.pseudo_values_of(self.b)
            alpha, equal = self.settings.alpha, self.settings.assume_equal_variation
            if self.statistics.whole_runs:
                result = whole_runs_test(*values, alpha=alpha, paired=paired, assume_equal_variation=equal)
            else:
                result = coherent_test(*values, alpha=alpha, documents=self.statistics.documents, paired=paired,
                                       assume_equal_variation=equal)  # fmt: skip
            self._coherent[paired] = result
        return self._coherent[paired]

    def exchange(self, unit: str, exact: bool, progress: Progress) -> Exchange:
        """Return the differences by permuting a unit; computed once for all presets that use it."""
        permuted = self._exchange(unit, exact, progress)
        if not self.swapped:
            return permuted
        return replace(
            permuted, observed=-permuted.observed, difference=-permuted.difference, values=-permuted.values
        )

    def _exchange(self, unit: str, exact: bool, progress: Progress) -> Exchange:
        cached = self.draws.exchanges
        if (unit, exact) not in cached:
            s, (first, second) = self.settings, sorted((self.a, self.b))
            design = ExchangeDesign(unit, s.n_permutations, s.seed, exact=exact)
            permuted = exchange(self.statistics, first, second, design, shared=self.shared, progress=progress)
            cached[unit, exact] = permuted
            if exact and not permuted.exact:  # too many to enumerate, so random ones serve both
                cached[unit, False] = permuted
        return cached[unit, exact]

    def drawn_scores(self, unit: Literal["segment", "document"], progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of A's and B's replicas on bootstrap resamples, each of shape (draw, replica)."""
        if self.bootstrap is not None and unit == "segment":
            rows = self.statistics.rows(self.a), self.statistics.rows(self.b)
            return self.bootstrap[:, rows[0]], self.bootstrap[:, rows[1]]
        if unit not in self.draws.scores:
            s, names = self.settings, sorted((self.a, self.b))
            n_first = len(self.statistics.names(names[0]))
            both = bootstrap_scores(
                self.statistics, s.n_bootstrap, s.seed, sampling=Sampling(unit), systems=names, progress=progress
            )
            self.draws.scores[unit] = both[:, :n_first], both[:, n_first:]
        first, second = self.draws.scores[unit]
        return (second, first) if self.swapped else (first, second)

    def drawn_differences(self, unit: str, progress: Progress) -> np.ndarray:
        """Return D on each bootstrap resample, shape (draw,)."""
        if unit == "replica":
            scores, n = self.scores, self.settings.n_bootstrap
        else:
            scores = self.drawn_scores("document" if unit == "document" else "segment", progress)
            n = len(scores[0])
        if unit in ("segment", "document"):
            return scores[1].mean(axis=1) - scores[0].mean(axis=1)
        together = self.paired
        of_a, of_b = (
            bootstrap_means(x, n, self.settings.seed, system=0 if together else k)
            for k, x in zip((1, 0) if self.swapped else (0, 1), scores, strict=True)
        )
        return of_b - of_a

    @property
    def n_units(self) -> dict[str, int]:
        """How many segments and documents can be drawn."""
        documents = self.statistics.documents
        return {
            "segment": self.statistics.n_segments,
            "document": 0 if documents is None else len(np.unique(documents)),
        }
