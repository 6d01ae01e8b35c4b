"""The coherent test on many experiments at once, from their mean squares.

All that the crossed and the replica test need of an experiment is D and a handful of mean squares, each of them an
array over experiments here. They come from scores (`of_scores`), from random subsets of one pool of replicas
(`of_subsets`), or from a normal model (`mtsig_core.significance.designs`), so that a planner and a calibration
simulate the very test that the verdict runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance.coherent import capped_df
from mtsig_core.significance.distributions import normal_quantile, stdtr, stdtrit

_GRID = 512  # quantiles that others are interpolated from: to 1e-5 of their size


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """What the tests need of many experiments; every array has the shape (trial,).

    Parameters
    ----------
    difference : ndarray
        D, in score units.
    replica : tuple of ndarray
        MSa/(n L), the variance of a system's mean score: one a system, or one of the paired differences.
    residual : tuple of ndarray
        MSe/(n L), likewise.
    text : ndarray
        MSd/L.
    numbers : tuple of int
        Replicas of each system (unpaired), or number of pairs.
    n_segments : int
    text_df : float
        Degrees of freedom of `text`: segments, or documents, less 1.
    """

    difference: np.ndarray
    replica: tuple[np.ndarray, ...]
    residual: tuple[np.ndarray, ...]
    text: np.ndarray
    numbers: tuple[int, ...]
    n_segments: int
    text_df: float

    def __post_init__(self) -> None:
        if not len(self.replica) == len(self.residual) == len(self.numbers) or min(self.numbers, default=0) < 2:
            raise ValueError(f"expected mean squares of two or more replicas of each system; got {self.numbers}.")

    def crossed(self) -> tuple[np.ndarray, np.ndarray]:
        """Return standard errors and degrees of freedom of the crossed test, each of shape (trial,)."""
        variance = np.maximum(sum(self.replica) - sum(self.residual) + self.text, self.text)
        doubt = self.text**2 / self.text_df
        for replica, residual, n in zip(self.replica, self.residual, self.numbers, strict=True):
            doubt = doubt + replica**2 / (n - 1) + residual**2 / ((n - 1) * (self.n_segments - 1))
        return np.sqrt(variance), np.maximum(1.0, _ratio(variance**2, doubt, 1.0))

    def replicas_alone(self, *, capped: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Return standard errors and degrees of freedom of the replica test, each of shape (trial,).

        Parameters
        ----------
        capped : bool
            Limit the degrees of freedom of few unequal replicas, as the coherent test does (see `capped_df`).
        """
        variance = sum(self.replica, np.zeros_like(self.text))
        doubt = sum((r**2 / (n - 1) for r, n in zip(self.replica, self.numbers, strict=True)), np.zeros_like(variance))
        df = _ratio(variance**2, doubt, self.numbers[0] - 1.0)
        if capped and len(self.numbers) == 2:
            df = np.minimum(df, capped_df(np.inf, *self.numbers))
        return np.sqrt(variance), df

    def crossed_p(self, shift: float = 0.0) -> np.ndarray:
        """Return two-sided p of the crossed test for the hypothesis that the true difference is `shift`."""
        return two_sided(self.difference - shift, *self.crossed())

    def coherent_p(self, shift: float = 0.0) -> np.ndarray:
        """Return two-sided p of the coherent test for the hypothesis that the true difference is `shift`."""
        return np.maximum(self.crossed_p(shift), two_sided(self.difference - shift, *self.replicas_alone()))

    def half_widths(self, alpha: float) -> np.ndarray:
        """Return half the widths of the coherent intervals at level 1 - alpha."""
        tests = self.crossed(), self.replicas_alone()
        return np.maximum(*(_quantiles(df, 1 - alpha / 2) * se for se, df in tests))


def _quantiles(df: np.ndarray, p: float) -> np.ndarray:
    """Return quantiles of Student's t; of many at once by interpolation over 1/df, where they are smooth."""
    if df.size <= 2 * _GRID or df.min() < 1:
        return stdtrit(df, p)
    inverse = np.linspace(0.0, 1.0, _GRID + 1)
    grid = np.concatenate([[normal_quantile(p)], stdtrit(1 / inverse[1:], p)])
    return np.interp(1 / df, inverse, grid)


def _ratio(above: np.ndarray, below: np.ndarray, otherwise: float) -> np.ndarray:
    return np.divide(above, below, out=np.full_like(above, otherwise), where=below > 0)


def two_sided(distance: np.ndarray, se: np.ndarray, df: np.ndarray) -> np.ndarray:
    """Return two-sided p of distances; 1 where nothing varies and there is no distance, 0 where there is one."""
    t = np.divide(np.abs(distance), se, out=np.where(distance == 0, 0.0, np.inf), where=se > 0)
    return 2 * stdtr(df, -t)


def of_scores(
    a: np.ndarray, b: np.ndarray, *, paired: bool = False, documents: np.ndarray | None = None
) -> MeanSquares:
    """Return mean squares of scores (or pseudo-values) of shape (trial, replica, segment), at least 2 replicas each.

    Parameters
    ----------
    a, b : ndarray of shape (trial, replica, segment)
    paired : bool
        Replicas of equal index belong together.
    documents : ndarray of shape (segment,), optional
        Document of each segment, as in `mtsig_core.significance.crossed.segment_mean_square`.
    """
    length = a.shape[2]
    groups = [b - a] if paired else [a, b]
    replica, residual = [], []
    for y in groups:
        n = y.shape[1]
        means, by_segment = y.mean(axis=2), y.mean(axis=1)
        rest = y - means[:, :, None] - by_segment[:, None, :] + means.mean(axis=1)[:, None, None]
        replica.append(means.var(axis=1, ddof=1) / n)
        residual.append(np.einsum("til,til->t", rest, rest) / ((n - 1) * (length - 1) * n * length))
    d = b.mean(axis=1) - a.mean(axis=1)
    text, df = _text(d, documents)
    numbers = tuple(y.shape[1] for y in groups)
    return MeanSquares(d.mean(axis=1), tuple(replica), tuple(residual), text, numbers, length, df)


def _text(d: np.ndarray, documents: np.ndarray | None) -> tuple[np.ndarray, float]:
    """Return MSd/L and its degrees of freedom, of differences of shape (trial, segment)."""
    length = d.shape[1]
    if documents is None:
        return d.var(axis=1, ddof=1) / length, length - 1.0
    members = _membership(documents)
    sums = (d - d.mean(axis=1, keepdims=True)) @ members
    n = members.shape[1]
    return n / (n - 1) * (sums**2).sum(axis=1) / length**2, n - 1.0


def _membership(documents: np.ndarray) -> np.ndarray:
    """Return 1 where a segment is in a document, shape (segment, document)."""
    _, index = np.unique(documents, return_inverse=True)
    return np.eye(index.max() + 1)[index]


@dataclass(frozen=True, eq=False)
class Pool:
    """Pseudo-values of the replicas of one or more systems, as what mean squares of subsets need.

    Parameters
    ----------
    means : ndarray of shape (replica,)
    products : ndarray of shape (replica, replica)
        Sums over segments of products of values less their replica's mean.
    document_products : ndarray of shape (replica, replica)
        The same over documents, of values summed within them; `products` where there are none.
    n_segments, n_units : int
        Units are documents where these are known.
    """

    means: np.ndarray
    products: np.ndarray
    document_products: np.ndarray
    n_segments: int
    n_units: int

    @classmethod
    def of(cls, y: np.ndarray, documents: np.ndarray | None = None) -> Pool:
        """Return the pool of pseudo-values of shape (replica, segment)."""
        means = y.mean(axis=1)
        centred = y - means[:, None]
        products = centred @ centred.T
        if documents is None:
            return cls(means, products, products, y.shape[1], y.shape[1])
        sums = centred @ _membership(documents)
        return cls(means, products, sums @ sums.T, y.shape[1], sums.shape[1])


def of_subsets(pool: Pool, of_a: np.ndarray, of_b: np.ndarray, *, paired: bool = False) -> MeanSquares:
    """Return mean squares of experiments whose replicas are drawn from a pool; cost does not grow with segments.

    Parameters
    ----------
    pool : Pool
    of_a, of_b : ndarray of int, shape (trial, replica)
        Indices of each experiment's replicas, without repetition.
    paired : bool
        Replicas of equal index belong together.
    """
    trials, length, units = len(of_a), pool.n_segments, pool.n_units
    weights = np.zeros((trials, len(pool.means)))
    rows = np.arange(trials)[:, None]
    weights[rows, of_b] += 1 / of_b.shape[1]
    weights[rows, of_a] -= 1 / of_a.shape[1]
    text = np.einsum("tr,rs,ts->t", weights, pool.document_products, weights, optimize=True)
    text *= units / (units - 1) / length**2
    replica, residual, numbers = [], [], []
    for chosen in [(of_b, of_a)] if paired else [(of_a,), (of_b,)]:
        means, squares, total = _within(pool, *chosen)
        n = means.shape[1]
        replica.append(means.var(axis=1, ddof=1) / n)
        residual.append((squares - total / n) / ((n - 1) * (length - 1) * n * length))
        numbers.append(n)
    difference = pool.means[of_b].mean(axis=1) - pool.means[of_a].mean(axis=1)
    return MeanSquares(
        difference, tuple(replica), tuple(residual), text, tuple(numbers), length, units - 1.0
    )


def _within(pool: Pool, plus: np.ndarray, minus: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the replicas' means, their sums of squares added up, and the sum of squares of their sum."""
    blocks: Sequence[tuple[float, np.ndarray, np.ndarray]] = [(1.0, plus, plus)]
    means = pool.means[plus]
    if minus is not None:
        blocks = [(1.0, plus, plus), (-1.0, plus, minus), (-1.0, minus, plus), (1.0, minus, minus)]
        means = means - pool.means[minus]
    products = sum(sign * pool.products[left[:, :, None], right[:, None, :]] for sign, left, right in blocks)
    return means, np.trace(products, axis1=1, axis2=2), products.sum(axis=(1, 2))
