"""Three tests: the differences that chance alone would give, growing draw by draw for three tests at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import ExchangeDesign, Sampling, Settings, bootstrap_scores, exchange, random_streams
from mtsig_core.resampling.random_streams import EXCHANGE_CHUNK, Chunk, Stream
from mtsig_core.significance import TestResult, run_preset
from mtsig_core.teaching.run import Run

A, B = "A", "B"
EXCHANGED, PAIRED, CENTRED = "ar-segment", "bootstrap-paired", "bootstrap-centred"
TESTS = (EXCHANGED, PAIRED, CENTRED)
SD = 10.0  # of the scores of segments, in the invented pair


def invented_pair(segments: int, gain: float, seed: int, *, identical: bool = False) -> SegmentStatistics:
    """Return invented segment scores of two systems, one replica each.

    Parameters
    ----------
    segments : int
    gain : float
        By how much B is better in truth.
    seed : int
    identical : bool
        Give B the outputs of A.
    """
    rng = random_streams.generator(seed, Stream.LESSON, 0, 3)
    shared = 50 + SD * rng.standard_normal(segments)
    a, b = shared + SD / 2 * rng.standard_normal((2, segments))
    scores = np.stack([a, a if identical else b + gain])
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return SegmentStatistics(OutsideMetric("Score"), "invented", "", (A, B), (("1",), ("1",)), values)


@dataclass(frozen=True, eq=False)
class NullDistributions:
    """Draws of approximate randomization and of the bootstrap, for one replica of each of two systems.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    seed : int
    """

    statistics: SegmentStatistics
    a: str
    b: str
    seed: int = 1

    chunk_size = EXCHANGE_CHUNK
    most = 40 * EXCHANGE_CHUNK

    @cached_property
    def pair(self) -> SegmentStatistics:
        """The first replica of each system."""
        values = np.stack([self.statistics.of(name)[0] for name in (self.a, self.b)])
        names = tuple((self.statistics.names(name)[0],) for name in (self.a, self.b))
        return replace(self.statistics, systems=(self.a, self.b), replicas=names, values=values)

    @cached_property
    def difference(self) -> float:
        """The observed difference D = B - A, in score units."""
        return float(self.pair.scores_of(self.b)[0] - self.pair.scores_of(self.a)[0])

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the differences under exchanged segments and on resampled ones, as the tests draw them."""
        design = ExchangeDesign("segment", chunk.stop, self.seed, exact=False)
        swapped = exchange(self.pair, self.a, self.b, design).values[chunk.start : chunk.stop]
        scores = bootstrap_scores(self.pair, chunk.stop, self.seed, sampling=Sampling(first=chunk.start))
        return {"exchanged": swapped, "resampled": scores[:, 1] - scores[:, 0]}

    def coins(self, number: int) -> np.ndarray:
        """Return which segments are exchanged in a draw, shape (segment,), of those in which the outputs differ."""
        index = number // self.chunk_size
        chunk = Chunk(index, index * self.chunk_size, (index + 1) * self.chunk_size)
        differ = np.flatnonzero(np.any(self.pair.values[0] != self.pair.values[1], axis=1))
        bits = random_streams.swap_bits(self.seed, Stream.SWAP, chunk, 0, len(differ))[number - chunk.start]
        swapped = np.zeros(self.pair.n_segments, dtype=bool)
        swapped[differ] = np.unpackbits(bits, count=len(differ), bitorder="little").astype(bool)
        return swapped


def result_of(run: Run[NullDistributions], preset: str) -> TestResult:
    """Return what a test says after the draws so far; there must be one.

    Parameters
    ----------
    run : Run of NullDistributions
    preset : str
        A key of `mtsig_core.significance.PRESETS` that exchanges or resamples segments.
    """
    simulation = run.simulation
    settings = Settings(n_bootstrap=run.n, n_permutations=run.n, seed=simulation.seed)
    return run_preset(preset, simulation.pair, simulation.a, simulation.b, settings)


def counted(run: Run[NullDistributions], preset: str) -> np.ndarray:
    """Return the draws of one of the three tests as it compares them, shape (draw,).

    Parameters
    ----------
    run : Run of NullDistributions
    preset : str
        One of `TESTS`; the paired bootstrap looks at the differences themselves, the centred one less their mean.
    """
    if preset == EXCHANGED:
        return run["exchanged"]
    resampled = run["resampled"]
    return resampled - resampled.mean() if preset == CENTRED else resampled
