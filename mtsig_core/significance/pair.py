"""Two systems under one metric, with the resamples and permutations that several tests share."""

from __future__ import annotations

from dataclasses import dataclass, field
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

TIE = 1e-12  # of a score's size: values so close are equal but for rounding


@dataclass(eq=False)
class PairDraws:
    """Random draws for two systems; they depend on the seed and the numbers of draws, not on alpha.

    Attributes
    ----------
    exchanges : dict of (unit, exact) to Exchange
    scores : dict of unit to (scores of A, scores of B), each of shape (draw, replica)
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

    def exchange(self, unit: str, exact: bool, progress: Progress) -> Exchange:
        """Return the differences by permuting a unit; computed once for all presets that use it."""
        cached = self.draws.exchanges
        if (unit, exact) not in cached:
            s = self.settings
            design = ExchangeDesign(unit, s.n_permutations, s.seed, exact=exact)
            permuted = exchange(self.statistics, self.a, self.b, design, shared=self.shared, progress=progress)
            cached[unit, exact] = permuted
            if not permuted.exact:
                cached[unit, False] = cached[unit, True] = permuted
        return cached[unit, exact]

    def drawn_scores(self, unit: Literal["segment", "document"], progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of A's and B's replicas on bootstrap resamples, each of shape (draw, replica)."""
        if self.bootstrap is not None and unit == "segment":
            rows = self.statistics.rows(self.a), self.statistics.rows(self.b)
            return self.bootstrap[:, rows[0]], self.bootstrap[:, rows[1]]
        if unit not in self.draws.scores:
            s, n_a = self.settings, self.numbers[0]
            both = bootstrap_scores(
                self.statistics, s.n_bootstrap, s.seed, sampling=Sampling(unit), systems=(self.a, self.b),
                progress=progress,
            )  # fmt: skip
            self.draws.scores[unit] = both[:, :n_a], both[:, n_a:]
        return self.draws.scores[unit]

    def drawn_differences(self, unit: str, progress: Progress) -> np.ndarray:
        """Return D on each bootstrap resample, shape (draw,)."""
        if unit == "replica":
            scores, n = self.scores, self.settings.n_bootstrap
        else:
            scores = self.drawn_scores("document" if unit == "document" else "segment", progress)
            n = len(scores[0])
        if unit in ("segment", "document"):
            return scores[1].mean(axis=1) - scores[0].mean(axis=1)
        together = self.settings.paired and self.numbers[0] == self.numbers[1]
        of_a, of_b = (
            bootstrap_means(x, n, self.settings.seed, system=0 if together else k) for k, x in enumerate(scores)
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
