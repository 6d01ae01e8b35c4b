"""Sampling distribution: samples drawn again and again, what a statistic of them does, and what intervals cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mtsig_core.analysis.calibration.arena import exact_interval
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.distributions import stdtrit
from mtsig_core.significance.pair import percentile_interval
from mtsig_core.teaching.populations import Population
from mtsig_core.teaching.run import Run

Statistic = Literal["mean", "median", "sd", "range", "corpus"]
Method = Literal["formula", "bootstrap"]
RESAMPLES = 199  # of each sample, for a bootstrap interval
LEVEL = 0.95
STATISTICS = {
    "mean": "mean", "median": "median", "sd": "standard deviation", "range": "range", "corpus": "corpus score",
}  # fmt: skip

_OF_VALUES: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda x: x.mean(axis=-1),
    "median": lambda x: np.median(x, axis=-1),
    "sd": lambda x: x.std(axis=-1, ddof=1),
    "range": lambda x: np.ptp(x, axis=-1),
}


@dataclass(frozen=True, eq=False)
class RepeatedSamples:
    """Samples of one size, with a statistic of each and an interval around it.

    Parameters
    ----------
    population : Population
    statistic : {"mean", "median", "sd", "range", "corpus"}
        ``corpus`` scores a sample of segments as a whole; the population must be segments of an output.
    size : int
        Members N of a sample, drawn with replacement.
    method : {"formula", "bootstrap"}
        How the interval of the mean is made: Student's t, or percentiles of resamples; other statistics have no
        formula here, so they are always resampled.
    seed : int

    Raises
    ------
    ValueError
        For an unknown statistic, a size below 2, or the score of a corpus where there are no segments.
    """

    population: Population
    statistic: Statistic = "mean"
    size: int = 20
    method: Method = "formula"
    seed: int = 1

    chunk_size = 64
    most = 10_000

    def __post_init__(self) -> None:
        if self.statistic not in STATISTICS:
            raise ValueError(f"statistic must be one of {', '.join(STATISTICS)}; not {self.statistic!r}.")
        if self.size < 2:
            raise ValueError(f"a sample needs at least 2 members; got {self.size}.")
        if self.statistic == "corpus" and self.population.texts is None:
            raise ValueError("only segments of an output have the score of a corpus.")

    @property
    def resampled(self) -> bool:
        """Whether the intervals are percentiles of bootstrap resamples."""
        return self.statistic != "mean" or self.method == "bootstrap"

    @cached_property
    def truth(self) -> float:
        """The statistic of the whole population."""
        if self.statistic == "corpus":
            assert self.population.texts is not None
            return float(self.population.texts.scores[0])
        if self.statistic == "sd":
            return self.population.sd
        return float(_OF_VALUES[self.statistic](self.population.values))

    @property
    def standard_error(self) -> float | None:
        """The standard deviation of the statistic over all possible samples, where there is a formula for it."""
        return self.population.sd / self.size**0.5 if self.statistic == "mean" else None

    def sample(self, number: int) -> np.ndarray:
        """Return the values of one sample, counted from 0; shape (N,)."""
        index = number // self.chunk_size
        return self.population.values[self._places(index)[number - index * self.chunk_size]]

    def _places(self, index: int) -> np.ndarray:
        """Draw which members of the population are in the samples of a chunk, shape (sample, N)."""
        rng = random_streams.generator(self.seed, Stream.LESSON, index)
        return rng.integers(0, self._n_members, size=(self.chunk_size, self.size))

    @property
    def _n_members(self) -> int:
        texts = self.population.texts
        return texts.n_segments if self.statistic == "corpus" and texts is not None else len(self.population.values)

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the estimates of a chunk of samples, and the ends of their intervals."""
        places = self._places(chunk.index)
        if self.statistic == "corpus":
            assert self.population.texts is not None
            members, score = self.population.texts.values[0][places], self.population.texts.metric.score
            estimates, redrawn = score(members.sum(axis=1)), score(self._counts(chunk) @ members)
        else:
            members, statistic = self.population.values[places], _OF_VALUES[self.statistic]
            estimates = statistic(members)
            if not self.resampled:
                half = stdtrit(self.size - 1, (1 + LEVEL) / 2) * members.std(axis=1, ddof=1) / self.size**0.5
                return {"estimate": estimates, "low": estimates - half, "high": estimates + half}
            redrawn = statistic(members[:, self._redrawn_places(chunk)])
        ends = np.array([percentile_interval(of_sample, 1 - LEVEL) for of_sample in redrawn])
        return {"estimate": estimates, "low": ends[:, 0], "high": ends[:, 1]}

    def _counts(self, chunk: Chunk) -> np.ndarray:
        """Draw how often each member of a sample is in each resample, shape (resample, N); shared by a chunk."""
        resamples = Chunk(chunk.index, 0, RESAMPLES)
        return random_streams.bootstrap_counts(self.seed, Stream.BOOTSTRAP_SEGMENT, resamples, self.size)

    def _redrawn_places(self, chunk: Chunk) -> np.ndarray:
        """Return the same as places in a sample, shape (resample, N)."""
        counts = self._counts(chunk)
        return np.repeat(np.tile(np.arange(self.size), RESAMPLES), counts.ravel()).reshape(RESAMPLES, self.size)


@dataclass(frozen=True)
class SamplingSummary:
    """What the samples so far show.

    Attributes
    ----------
    n : int
        Samples.
    mean, sd : float
        Of the statistic over the samples; sd is nan for one sample.
    covered : float
        Share of the intervals that contain the truth.
    covered_interval : tuple of two float
        Exact 95% interval of that share.
    width : float
        Average width of the intervals.
    """

    n: int
    mean: float
    sd: float
    covered: float
    covered_interval: tuple[float, float]
    width: float


def hits(run: Run[RepeatedSamples]) -> np.ndarray:
    """Say of each interval whether it contains the truth, shape (sample,)."""
    truth = run.simulation.truth
    return (run["low"] <= truth) & (truth <= run["high"])


def sampling_summary(run: Run[RepeatedSamples]) -> SamplingSummary:
    """Sum up the samples so far; there must be one.

    Parameters
    ----------
    run : Run of RepeatedSamples
    """
    covered, estimates = hits(run), run["estimate"]
    return SamplingSummary(
        run.n, float(estimates.mean()), float(estimates.std(ddof=1)) if run.n > 1 else float("nan"),
        float(covered.mean()), exact_interval(int(covered.sum()), run.n), float((run["high"] - run["low"]).mean()),
    )  # fmt: skip


def expected_widths(population: Population, sizes: np.ndarray) -> np.ndarray:
    """Return how wide the interval of the mean is, about, for samples of these sizes.

    Parameters
    ----------
    population : Population
    sizes : ndarray of int of shape (size,)

    Returns
    -------
    ndarray of shape (size,)
        2 t sd / sqrt(N), t the quantile of Student's t with N - 1 degrees of freedom.
    """
    return 2 * stdtrit(sizes - 1, (1 + LEVEL) / 2) * population.sd / np.sqrt(sizes)
