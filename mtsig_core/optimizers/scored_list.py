"""An n-best list with sufficient statistics, and the score that weights reach on it.

Numbers must not depend on the machine's linear algebra, since one bit can decide which candidate wins. So model
scores are summed feature by feature in a fixed order (no matrix product), features are scaled by powers of two (which
is exact), and corpus scores are rounded to 1e-9 before they are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.loading.nbest import NbestList
from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.scoring.chunks import scored_in_chunks
from mtsig_core.metrics.sentence_bleu import sentence_scores
from mtsig_core.runtime.jobs import Progress, no_progress

DECIMALS = 9  # of corpus scores
_BLOCK = 2**15  # model scores computed at a time: they stay in the processor's cache
_UNIT = 2.0**30  # weights are multiples of 1/_UNIT after `tidy`
Streams = tuple[tuple[str, ...], ...]


def tidy(weights: np.ndarray) -> np.ndarray:
    """Return weights whose absolute values sum to 1, shape (..., feature), rounded to 2**-30; zeros stay zeros.

    Model scores keep their order when weights are scaled, so this only makes weights comparable.
    """
    size = np.abs(weights).sum(axis=-1, keepdims=True)
    return np.rint(_UNIT * weights / np.where(size > 0, size, 1)) / _UNIT


@dataclass(frozen=True, eq=False)
class ScoredList:
    """An n-best list with references and sufficient statistics.

    Parameters
    ----------
    test_set : str
    nbest : NbestList
        Without empty hypotheses where a segment has another one.
    references : tuple of streams, each a tuple of L segments
    metric : Metric
    statistics : ndarray of float64 of shape (candidate, statistic)
    scale : ndarray of float64 of shape (feature,)
        Powers of two that features are divided by: about their standard deviation within segments of the dev set.
    """

    test_set: str
    nbest: NbestList
    references: Streams
    metric: Metric
    statistics: np.ndarray
    scale: np.ndarray

    @property
    def n_segments(self) -> int:
        """Number of segments L."""
        return self.nbest.n_segments

    @cached_property
    def rows(self) -> np.ndarray:
        """Numbers of candidates, shape (segment, place); places beyond a list's end repeat its first candidate."""
        starts, sizes = self.nbest.offsets[:-1, None], np.diff(self.nbest.offsets)
        places = np.arange(sizes.max())
        return starts + np.where(places < sizes[:, None], places, 0)

    @cached_property
    def is_candidate(self) -> np.ndarray:
        """Whether a place holds a candidate of its own, shape (segment, place)."""
        return np.arange(self.rows.shape[1]) < np.diff(self.nbest.offsets)[:, None]

    @cached_property
    def features(self) -> np.ndarray:
        """Scaled features, shape (feature, segment, place)."""
        scaled = np.empty((self.nbest.n_features, *self.rows.shape))
        for k in range(len(scaled)):
            scaled[k] = (self.nbest.features[:, k] / self.scale[k])[self.rows]
        return scaled

    @cached_property
    def gains(self) -> np.ndarray:
        """Smoothed score of each candidate as a sentence, higher is better, shape (segment, place).

        BLEU+1 for BLEU (Lin and Och 2004), else the metric's own score of a segment.
        """
        plain_bleu = isinstance(self.metric, BLEU) and self.metric.n_statistics == self.statistics.shape[1] == 10
        scores = sentence_scores(self.statistics) if plain_bleu else self.metric.segment_score(self.statistics)
        return self.oriented(np.nan_to_num(np.asarray(scores, dtype=float)))[self.rows]

    def oriented(self, scores: np.ndarray) -> np.ndarray:
        """Return scores, or their negatives where lower is better."""
        return scores if self.metric.higher_is_better else -scores

    def model_scores(self, weights: np.ndarray) -> np.ndarray:
        """Return model scores, shape (point, segment, place), of scaled weights, shape (point, feature)."""
        out = np.empty((len(weights), *self.rows.shape))
        for block in self._blocks(len(weights)):
            self._add_up(weights, block, out[:, block])
        return out

    def choose(self, weights: np.ndarray) -> np.ndarray:
        """Return the place of the first candidate with the highest model score, shape (point, segment)."""
        out = np.empty((len(weights), self.n_segments), dtype=np.int64)
        for block in self._blocks(len(weights)):
            scores = np.empty((len(weights), block.stop - block.start, self.rows.shape[1]))
            self._add_up(weights, block, scores)
            scores.argmax(axis=2, out=out[:, block])
        return out

    def _blocks(self, n_points: int) -> Iterator[slice]:
        step = max(1, _BLOCK // (n_points * self.rows.shape[1]))
        for start in range(0, self.n_segments, step):
            yield slice(start, min(start + step, self.n_segments))

    def _add_up(self, weights: np.ndarray, block: slice, out: np.ndarray) -> None:
        columns = weights.T[:, :, None, None]
        np.multiply(columns[0], self.features[0, block], out=out)
        product = np.empty_like(out)
        for column, values in zip(columns[1:], self.features[1:, block], strict=True):
            np.multiply(column, values, out=product)
            out += product

    def sums(self, places: np.ndarray) -> np.ndarray:
        """Return summed statistics, shape (point, statistic), of chosen places, shape (point, segment)."""
        rows = self.rows[np.arange(self.n_segments), places]
        return self.statistics[rows].sum(axis=1)

    def scores_of(self, sums: np.ndarray) -> np.ndarray:
        """Return corpus scores, shape (...), of summed statistics, shape (..., statistic), rounded."""
        return np.round(self.metric.score(sums), DECIMALS)

    def objective_of(self, sums: np.ndarray) -> np.ndarray:
        """Return what is maximised, shape (...): scores, higher is better; -inf where a score is not defined."""
        return np.nan_to_num(self.oriented(self.scores_of(sums)), nan=-np.inf)

    def objective(self, weights: np.ndarray) -> np.ndarray:
        """Return the objective, shape (point,), of scaled weights, shape (point, feature)."""
        return self.objective_of(self.sums(self.choose(weights)))

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """Return the corpus score, shape (point,), of scaled weights, shape (point, feature)."""
        return self.scores_of(self.sums(self.choose(weights)))

    def output(self, places: np.ndarray) -> tuple[str, ...]:
        """Return the texts of chosen places, shape (segment,)."""
        rows = self.rows[np.arange(self.n_segments), places]
        return tuple(self.nbest.texts[row] for row in rows)


def score_list(
    test_set: str, nbest: NbestList, references: Streams, metric: Metric, *, scale: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> ScoredList:  # fmt: skip
    """Return a list with its statistics; equal texts of a segment are scored once.

    Parameters
    ----------
    test_set : str
    nbest : NbestList
    references : tuple of streams, each a tuple of L segments
    metric : Metric
    scale : ndarray of shape (feature,), optional
        That of the dev set; computed here by default.
    progress : Progress
    """
    nbest = nbest.without_empty()
    by_segment = list(zip(*references, strict=True))
    metric = metric.prepared(by_segment)
    numbers, hypotheses, own_references = _distinct(nbest, by_segment)
    doing = f"{metric.label} of candidates on {test_set}"
    chunks = list(scored_in_chunks(metric, hypotheses, own_references, progress, doing))
    statistics = np.concatenate(chunks)[numbers]
    return ScoredList(test_set, nbest, references, metric, statistics, _scale(nbest) if scale is None else scale)


def _distinct(
    nbest: NbestList, references: Sequence[tuple[str, ...]]
) -> tuple[np.ndarray, list[str], list[tuple[str, ...]]]:
    """Return the distinct texts of all segments, the references of each, and which of them each candidate has."""
    numbers = np.empty(len(nbest.texts), dtype=np.int64)
    texts: list[str] = []
    own_references: list[tuple[str, ...]] = []
    for segment, row in enumerate(references):
        places: dict[str, int] = {}
        for candidate in range(nbest.offsets[segment], nbest.offsets[segment + 1]):
            text = nbest.texts[candidate]
            numbers[candidate] = places.setdefault(text, len(texts) + len(places))
        texts += places
        own_references += [row] * len(places)
    return numbers, texts, own_references


def _scale(nbest: NbestList) -> np.ndarray:
    """Return powers of two near the features' standard deviation within segments, shape (feature,)."""
    sizes = np.diff(nbest.offsets)
    scale = np.ones(nbest.n_features)
    for k in range(nbest.n_features):
        column = nbest.features[:, k]
        means = np.add.reduceat(column, nbest.offsets[:-1]) / sizes
        deviation = float(np.sqrt(np.mean((column - np.repeat(means, sizes)) ** 2)))
        if deviation > 1e-12 * max(1.0, float(np.abs(column).max())):
            scale[k] = 2.0 ** np.rint(np.log2(deviation))
    return scale
