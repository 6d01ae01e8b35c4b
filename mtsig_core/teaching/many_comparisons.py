"""Many comparisons: equal systems compared in all pairs, and several metrics of which one is reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from mtsig_core.analysis.calibration.arena import exact_interval
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance import benjamini_hochberg, holm
from mtsig_core.significance.simulated import p_values_of
from mtsig_core.teaching.run import Run

Question = Literal["pairs", "metrics"]
ALPHA = 0.05
SEGMENTS = 100
RULES: Mapping[str, str] = {"none": "uncorrected", "holm": "Holm", "bh": "Benjamini–Hochberg"}
_CORRECT: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": lambda p: p, "holm": holm, "bh": benjamini_hochberg,
}  # fmt: skip
_TEST, _DRAWS = "ar-segment", 999
_SD = 10.0  # of the scores of invented segments
_STREAM = 9  # which random numbers make the scores


@dataclass(frozen=True, eq=False)
class ManyComparisons:
    """Papers that ask many questions at once, each by approximate randomization over 100 segments.

    Parameters
    ----------
    question : {"pairs", "metrics"}
        All pairs of some systems, or one pair under some metrics.
    number : int
        Systems or metrics.
    better : int
        With "pairs": how many of the systems are better than the others, all by the same gain.
    gain : float
        Of a better system, in standard deviations of a segment's score.
    likeness : float
        With "metrics": correlation of the scores under any two of them.
    scores : ndarray of shape (segment,), optional
        Scores of segments that all systems draw from, in place of normal ones.
    seed : int

    Raises
    ------
    ValueError
        For an unknown question, or numbers out of range.

    Examples
    --------
    >>> ManyComparisons(number=7).comparisons
    21
    """

    question: Question = "pairs"
    number: int = 7
    better: int = 0
    gain: float = 0.3
    likeness: float = 0.5
    scores: np.ndarray | None = None
    seed: int = 1

    chunk_size = 16
    most = 2000

    def __post_init__(self) -> None:
        if self.question not in get_args(Question):
            raise ValueError(f"question must be one of {', '.join(get_args(Question))}; not {self.question!r}.")
        least = 2 if self.question == "pairs" else 1
        if not least <= self.number <= 10 or not 0 <= self.better < self.number:
            raise ValueError(f"expected {least} to 10 {self.question} and fewer better ones; got {self.number} and "
                             f"{self.better}.")  # fmt: skip
        if not 0 <= self.likeness <= 1:
            raise ValueError(f"the correlation of metrics is between 0 and 1 here; got {self.likeness}.")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of the systems of each comparison."""
        return list(combinations(range(self.number), 2))

    @cached_property
    def equal(self) -> np.ndarray:
        """Which comparisons are of equal systems, shape (comparison,): the better systems come last."""
        if self.question == "metrics":
            return np.ones(self.number, dtype=bool)
        first = self.number - self.better
        return np.array([(i < first) == (j < first) for i, j in self.pairs])

    @property
    def comparisons(self) -> int:
        """Number of p-values of a paper."""
        return len(self.equal)

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the p-values of a chunk of papers by rule of correction, each of shape (draw, comparison)."""
        rng = random_streams.generator(self.seed, Stream.LESSON, chunk.index, _STREAM)
        a, b = self._pairs(rng) if self.question == "pairs" else self._metrics(rng)
        shape = (-1, 1, SEGMENTS)
        p = p_values_of([_TEST], a.reshape(shape), b.reshape(shape), _DRAWS, self.seed, chunk.index)[_TEST]
        papers = p.reshape(self.chunk_size, -1)
        return {rule: np.array([correct(paper) for paper in papers]) for rule, correct in _CORRECT.items()}

    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Return scores of segments, all of one distribution."""
        return _SD * rng.standard_normal(shape) if self.scores is None else rng.choice(self.scores, shape)

    def _pairs(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        scores = self._noise(rng, (self.chunk_size, self.number, SEGMENTS))
        sd = _SD if self.scores is None else float(self.scores.std())
        scores[:, self.number - self.better :] += self.gain * sd
        first, second = np.array(self.pairs).T
        return scores[:, first], scores[:, second]

    def _metrics(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return scores under several metrics, each made of a part that all share and one of its own."""
        common = self._noise(rng, (2, self.chunk_size, 1, SEGMENTS))
        own = self._noise(rng, (2, self.chunk_size, self.number, SEGMENTS))
        a, b = self.likeness**0.5 * common + (1 - self.likeness) ** 0.5 * own
        return a, b


@dataclass(frozen=True)
class Errors:
    """What a rule has done in the papers so far.

    Attributes
    ----------
    wrong : float
        Share of the papers with at least one finding between equal systems.
    wrong_interval : tuple of two float
        Its exact 95% interval.
    false_discoveries : float
        Share of the findings that are wrong, averaged over the papers; 0 for a paper without a finding.
    found : float or None
        Share of the true differences that were found; None where there are none.
    """

    wrong: float
    wrong_interval: tuple[float, float]
    false_discoveries: float
    found: float | None


def errors(run: Run[ManyComparisons], rule: str) -> Errors:
    """Count the errors of a rule at .05; there must be one draw.

    Parameters
    ----------
    run : Run of ManyComparisons
    rule : str
        A key of `RULES`.
    """
    findings, equal = run[rule] < ALPHA, run.simulation.equal
    wrong, total = findings[:, equal].sum(axis=1), findings.sum(axis=1)
    bad = int(np.count_nonzero(wrong))
    power = None if equal.all() else float(findings[:, ~equal].mean())
    return Errors(bad / run.n, exact_interval(bad, run.n), float(np.mean(wrong / np.maximum(total, 1))), power)


def wrong_so_far(run: Run[ManyComparisons], rule: str) -> np.ndarray:
    """Return the share of papers with a wrong finding after each of them, shape (draw,); there must be one.

    Parameters
    ----------
    run : Run of ManyComparisons
    rule : str
        A key of `RULES`.
    """
    wrong = (run[rule][:, run.simulation.equal] < ALPHA).any(axis=1)
    return wrong.cumsum() / np.arange(1, run.n + 1)


def limits(comparisons: int) -> dict[str, np.ndarray]:
    """Return the limit that the k-th smallest p-value is compared with, by rule; each of shape (comparison,).

    Parameters
    ----------
    comparisons : int

    Examples
    --------
    >>> [limit.round(4).tolist() for limit in limits(2).values()]
    [[0.05, 0.05], [0.025, 0.05], [0.025, 0.05]]
    """
    k = np.arange(1, comparisons + 1)
    return {"none": np.full(comparisons, ALPHA), "holm": ALPHA / (comparisons - k + 1), "bh": ALPHA * k / comparisons}
