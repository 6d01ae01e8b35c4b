"""Significant or noticeable: experiments of one true difference, their p-values, and what people would notice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mtsig_core.analysis.calibration.arena import exact_interval
from mtsig_core.analysis.comparison.effect import HumanTerms, human_terms
from mtsig_core.analysis.planning.components import VarianceComponents
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.simulation.designs import Design, Variation, simulate
from mtsig_core.significance.simulation.mean_squares import MeanSquares
from mtsig_core.teaching.run import Run

ALPHA = 0.05
METRICS = {"bleu": "BLEU", "chrf": "chrF", "comet": "COMET"}
VERDICTS = (
    "significant, at least the margin",
    "significant, size unknown",
    "significant, smaller than the margin",
    "not significant, smaller than the margin",
    "inconclusive",
)
SEGMENTS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
_GRID = 41  # values of a curve
_STREAM = 12  # which random numbers make the experiments
_RESIDUAL_SD, _INTERACTION_SD = 10.0, 12.0  # of the invented systems


@dataclass(frozen=True)
class Scale:
    """The metric under which differences are judged.

    Parameters
    ----------
    name, label : str
    size : float
        Of the scores: about 100, or about 1.
    """

    name: str = "bleu"
    label: str = "BLEU"
    size: float = 100.0

    @property
    def unit(self) -> float:
        """One point: .01 for scores from 0 to 1."""
        return 0.01 if self.size <= 2 else 1.0

    def human(self, difference: float) -> HumanTerms | str:
        """Return how often people agree with a difference, in score units, or why that is not known."""
        return human_terms(self.name, difference, self.size, self.label)


def invented(replica_sd: float) -> Variation:
    """Return how the scores of two invented systems vary.

    Parameters
    ----------
    replica_sd : float
        Of the effect of a whole replica.
    """
    return Variation((replica_sd**2,) * 2, (_RESIDUAL_SD**2,) * 2, _INTERACTION_SD**2)


def of_components(components: VarianceComponents) -> Variation:
    """Return how the scores of an open pair vary.

    Parameters
    ----------
    components : VarianceComponents

    Raises
    ------
    ValueError
        When they are not known of both systems.
    """
    if not components.rows or len(components.replica) < (1 if components.paired else 2):
        raise ValueError("This lesson needs at least 2 replicas of each system, and scores of segments: it draws new "
                         "experiments that vary as much.")  # fmt: skip
    return Variation(components.replica, components.residual, components.interaction)


def scale_of(statistics: SegmentStatistics, a: str, b: str) -> Scale:
    """Return the scale of the scores of two systems.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    """
    scores = np.concatenate([statistics.scores_of(a), statistics.scores_of(b)])
    return Scale(statistics.metric.name, statistics.metric.label, float(np.abs(scores).max()))


@dataclass(frozen=True, eq=False)
class Experiments:
    """Experiments of one design on two systems with one true difference, each with the verdict's own test.

    Parameters
    ----------
    difference, margin : float
        The true difference, and the smallest that matters, in points (see `Scale`).
    design : Design
    variation : Variation
    scale : Scale
    seed : int

    Raises
    ------
    ValueError
        For a margin that is not above 0.
    """

    difference: float = 0.3
    margin: float = 1.0
    design: Design = field(default_factory=lambda: Design((5, 5), 30_000))
    variation: Variation = field(default_factory=lambda: invented(0.1))
    scale: Scale = field(default_factory=Scale)
    seed: int = 1

    chunk_size = 256
    most = 10_000

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise ValueError(f"expected a margin above 0; got {self.margin}.")

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return difference in points, p, and verdict (its place in `VERDICTS`) of a chunk of experiments."""
        rng = random_streams.generator(self.seed, Stream.LESSON, chunk.index, _STREAM)
        unit = self.scale.unit
        squares = simulate(self.design, self.variation, self.chunk_size, rng, difference=self.difference * unit)
        size, half = np.abs(squares.difference) / unit, squares.half_widths(2 * ALPHA) / unit
        p = squares.coherent_p()
        smaller, larger, significant = size + half < self.margin, size - half > self.margin, p < ALPHA
        verdict = np.select([significant & larger, significant & ~smaller, significant, smaller], [0, 1, 2, 3], 4)
        return {"difference": squares.difference / unit, "p": p, "verdict": verdict}

    def typical_p(self, segments: int, replicas: int | None = None) -> float:
        """Return p of the experiment that is as expected: difference and variances are the true ones.

        Parameters
        ----------
        segments : int
        replicas : int, optional
            Of each system; those of the design by default.
        """
        numbers = self.design.numbers if replicas is None else (replicas,) * len(self.design.numbers)
        design, variation = replace(self.design, numbers=numbers, n_segments=segments, text_df=None), self.variation
        parts = zip(design.numbers, variation.replica, variation.residual, strict=True)
        replica, residual = zip(*(((a + e / segments) / n, e / (n * segments)) for n, a, e in parts), strict=True)
        text = (variation.interaction + segments * sum(residual)) / segments
        one = MeanSquares(
            np.array([self.difference * self.scale.unit]), tuple(np.array([x]) for x in replica),
            tuple(np.array([x]) for x in residual), np.array([text]), numbers, segments, segments - 1.0,
        )  # fmt: skip
        return float(one.coherent_p()[0])

    @cached_property
    def p_by_segments(self) -> dict[int, np.ndarray]:
        """Typical p at each number of `SEGMENTS`, by replicas of each system."""
        numbers = sorted({2, min(self.design.numbers), 20})
        return {n: np.array([self.typical_p(length, n) for length in SEGMENTS]) for n in numbers}

    @property
    def reach(self) -> float:
        """The largest difference that a picture shows, in points."""
        return max(2.5, 3 * self.margin, 2 * abs(self.difference))

    @cached_property
    def agreement(self) -> tuple[np.ndarray, np.ndarray] | str:
        """Differences in points from 0, and the share of pairs of systems on which people agree; or why not known."""
        differences = np.linspace(0, self.reach, _GRID)
        shares = []
        for difference in differences:
            human = self.scale.human(float(difference) * self.scale.unit)
            if isinstance(human, str):
                return human
            shares.append(human.share)
        return differences, np.array(shares)


@dataclass(frozen=True)
class Noticed:
    """What the experiments so far say.

    Attributes
    ----------
    significant : float
        Share of them with p below .05.
    smaller, larger : float
        Shares in which the difference was shown to be smaller than the margin, or at least as large.
    verdicts : tuple of float
        Share of each of `VERDICTS`, with exact 95% intervals in `intervals`.
    intervals : tuple of tuple of two float
    mean : float
        Of the differences, in points.
    """

    significant: float
    smaller: float
    larger: float
    verdicts: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    mean: float


def noticed(run: Run[Experiments]) -> Noticed:
    """Sum up the experiments so far; there must be one.

    Parameters
    ----------
    run : Run of Experiments
    """
    counts = np.bincount(run["verdict"], minlength=len(VERDICTS))
    shares = counts / run.n
    return Noticed(
        float(shares[:3].sum()), float(shares[2] + shares[3]), float(shares[0]), tuple(shares.tolist()),
        tuple(exact_interval(int(n), run.n) for n in counts), float(run["difference"].mean()),
    )  # fmt: skip
