"""Bootstrap: one sample, resampled draw by draw, and how far its interval can be believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.pair import percentile_interval
from mtsig_core.teaching.populations import Population
from mtsig_core.teaching.run import Run

Size = Literal["full", "half"]
STATISTICS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda x: x.mean(axis=-1),
    "median": lambda x: np.median(x, axis=-1),
    "sd": lambda x: x.std(axis=-1, ddof=1),
    "maximum": lambda x: x.max(axis=-1),
}
LEVEL = 0.95
_SAMPLE = 2  # which random numbers choose the sample


@dataclass(frozen=True, eq=False)
class Resamples:
    """Resamples of one sample of a population, with a statistic of each.

    Parameters
    ----------
    population : Population
    statistic : {"mean", "median", "sd", "maximum"}
    size : int
        Members N of the sample.
    draws : {"full", "half"}
        N members with replacement, or half of them without.
    seed : int
        Decides the sample and its resamples.

    Raises
    ------
    ValueError
        For an unknown statistic, or a sample below 4.
    """

    population: Population
    statistic: str = "mean"
    size: int = 20
    draws: Size = "full"
    seed: int = 1

    chunk_size = 256
    most = 10_000

    def __post_init__(self) -> None:
        if self.statistic not in STATISTICS:
            raise ValueError(f"statistic must be one of {', '.join(STATISTICS)}; not {self.statistic!r}.")
        if self.size < 4:
            raise ValueError(f"a sample to be resampled needs at least 4 members; got {self.size}.")

    @cached_property
    def sample(self) -> np.ndarray:
        """The sample, shape (N,), in the order drawn."""
        rng = random_streams.generator(self.seed, Stream.LESSON, 0, _SAMPLE)
        return rng.choice(self.population.values, self.size)

    @property
    def estimate(self) -> float:
        """The statistic of the sample."""
        return float(STATISTICS[self.statistic](self.sample))

    @property
    def truth(self) -> float:
        """The statistic of the population."""
        return self.population.sd if self.statistic == "sd" else float(
            STATISTICS[self.statistic](self.population.values)
        )  # fmt: skip

    def counts(self, chunk: Chunk) -> np.ndarray:
        """Return how often each member of the sample is in each resample of a chunk, shape (draw, N)."""
        if self.draws == "half":
            return random_streams.half_counts(self.seed, chunk, self.size)
        return random_streams.bootstrap_counts(self.seed, Stream.BOOTSTRAP_SEGMENT, chunk, self.size)

    def drawn(self, number: int) -> np.ndarray:
        """Return how often each member is in one resample, counted from 0; shape (N,)."""
        index = number // self.chunk_size
        start = index * self.chunk_size
        return self.counts(Chunk(index, start, start + self.chunk_size))[number - start]

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the statistic of the resamples of a chunk."""
        counts = self.counts(chunk)
        members = np.repeat(np.tile(np.arange(self.size), len(counts)), counts.ravel()).reshape(len(counts), -1)
        return {"statistic": STATISTICS[self.statistic](self.sample[members])}


@dataclass(frozen=True)
class ResampleSummary:
    """What the resamples so far say.

    Attributes
    ----------
    interval : tuple of two float
        The middle 95% of the resamples.
    sd : float
        Their standard deviation (ddof 1); nan for one resample.
    largest_share : float
        Share of the most frequent single value: near 0 for a statistic that the bootstrap suits.
    """

    interval: tuple[float, float]
    sd: float
    largest_share: float


def resample_summary(run: Run[Resamples]) -> ResampleSummary:
    """Sum up the resamples so far; there must be one.

    Parameters
    ----------
    run : Run of Resamples
    """
    values = run["statistic"]
    _, counts = np.unique(values, return_counts=True)
    return ResampleSummary(percentile_interval(values, 1 - LEVEL),
                           float(values.std(ddof=1)) if run.n > 1 else float("nan"), float(counts.max() / run.n))
