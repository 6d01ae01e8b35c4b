"""What is tuned: candidates with features and sufficient statistics, and the score that weights reach on them.

Numbers must not depend on the machine's linear algebra, since one bit can decide which candidate wins. So model
scores are summed feature by feature in a fixed order (no matrix product), features are scaled by powers of two (which
is exact), and corpus scores are rounded to 1e-9 before they are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mtsig_core.loading.nbest import NbestData, NbestList
from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.chunks import scored_in_chunks
from mtsig_core.metrics.sentence_bleu import sentence_scores
from mtsig_core.resampling.threads import single_threaded_products
from mtsig_core.runtime.jobs import Progress, no_progress, part_of

DECIMALS = 9  # of corpus scores
_BLOCK = 2**15  # model scores computed at a time: they stay in the processor's cache
_UNIT = 2.0**30  # weights are multiples of 1/_UNIT after `tidy`
_MOST_FITTED = 20_000  # candidates whose totals decide the decoder's weights
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


@dataclass(frozen=True, eq=False)
class TuningProblem:
    """One system's lists on the set that weights are tuned on, and on a test set.

    Weights come in two units: *scaled* ones belong to features divided by `ScoredList.scale`, inside optimizers;
    *plain* ones belong to the features as they are in the list, in results.

    Parameters
    ----------
    system : str
    dev : ScoredList
    test : ScoredList or None
    notes : tuple of str
    """

    system: str
    dev: ScoredList
    test: ScoredList | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def metric(self) -> Metric:
        """The metric that weights are tuned for."""
        return self.dev.metric

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the F features."""
        return self.dev.nbest.feature_names

    @property
    def n_features(self) -> int:
        """Number F of features."""
        return self.dev.nbest.n_features

    def plain(self, weights: np.ndarray) -> np.ndarray:
        """Return plain weights, shape (..., feature), of scaled ones."""
        return weights / self.dev.scale

    def scaled(self, weights: np.ndarray) -> np.ndarray:
        """Return scaled weights, shape (..., feature), of plain ones."""
        return np.asarray(weights, dtype=float) * self.dev.scale

    @cached_property
    def start(self) -> np.ndarray:
        """Scaled weights that the decoder used, shape (feature,): those that explain its totals best.

        Where the list has no totals: one standard deviation of each feature counts the same.
        """
        nbest = self.dev.nbest
        known = np.flatnonzero(np.isfinite(nbest.totals))[:_MOST_FITTED]
        if len(known) <= self.n_features:
            return tidy(np.ones(self.n_features))
        # differences from the mean of each segment: a total may hold more, equal for all candidates of one
        values = np.column_stack([nbest.totals[known], nbest.features[known] / self.dev.scale])
        segment = nbest.segment_of[known]
        starts = np.flatnonzero(np.diff(segment, prepend=-1))
        means = np.add.reduceat(values, starts, axis=0) / np.diff(starts, append=len(known))[:, None]
        values = values - means[np.searchsorted(segment[starts], segment)]
        with single_threaded_products():
            weights = np.linalg.lstsq(values[:, 1:], values[:, 0], rcond=1e-9)[0]
        # far coarser than the rounding errors of the solver and of the list, far finer than what matters
        weights = np.round(weights / max(np.abs(weights).sum(), 1e-300), 5)
        return tidy(weights) if weights.any() else tidy(np.ones(self.n_features))

    def starts(self, rng: np.random.Generator, n: int, low: float, high: float) -> np.ndarray:
        """Return scaled weights to start from, shape (n, feature): the decoder's, then uniform ones in low..high."""
        random = low + (high - low) * rng.random((max(0, n - 1), self.n_features))
        return tidy(np.concatenate([self.start[None], random])[:n])


def score_list(
    test_set: str,
    nbest: NbestList,
    references: Streams,
    metric: Metric,
    *,
    scale: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> ScoredList:
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
    rows_of: dict[tuple[int, str], int] = {}
    numbers = np.array(
        [rows_of.setdefault(key, len(rows_of)) for key in zip(nbest.segment_of.tolist(), nbest.texts, strict=True)]
    )
    by_segment = list(zip(*references, strict=True))
    metric = metric.prepared(by_segment)
    hypotheses = [text for _, text in rows_of]
    own_references = [by_segment[segment] for segment, _ in rows_of]
    doing = f"{metric.label} of candidates on {test_set}"
    chunks = list(scored_in_chunks(metric, hypotheses, own_references, progress, doing))
    statistics = np.concatenate(chunks)[numbers]
    return ScoredList(test_set, nbest, references, metric, statistics, _scale(nbest) if scale is None else scale)


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


def tuning_problem(
    data: NbestData,
    metric: Metric,
    *,
    system: str | None = None,
    dev_segments: Sequence[int] | None = None,
    test_segments: Sequence[int] | None = None,
    progress: Progress = no_progress,
) -> TuningProblem:
    """Return the tuning problem of one system.

    With lists of one set only, the first half of its segments is tuned on and the second half tested on, unless
    segments are given.

    Parameters
    ----------
    data : NbestData
    metric : Metric
    system : str, optional
        The only one by default.
    dev_segments, test_segments : sequence of int, optional
        Segments counted from 0; of the dev and the test list, or both of the only list.
    progress : Progress

    Raises
    ------
    ValueError
        When the system is unknown, a segment does not exist, or the lists have no features.
    """
    system = _system(data, system)
    lists = data.lists[system]
    names = list(lists)
    dev_name = "dev" if "dev" in lists else names[0]
    test_name = next((name for name in names if name != dev_name), None)
    notes: list[str] = []
    if test_name is None and dev_segments is None and test_segments is None:
        size = lists[dev_name].n_segments
        half = -(-size // 2)
        dev_segments, test_segments = range(half), range(half, size)
        notes.append(f"One set of {size} segments: tuned on the first {half}, tested on the other {size - half}.")
    if not lists[dev_name].n_features:
        raise ValueError(f"{lists[dev_name].name}: the candidates have no features, so there is nothing to tune.")
    dev = _part(data, system, dev_name, "dev", dev_segments)
    test = None
    if test_name is not None:
        test = _part(data, system, test_name, test_name, test_segments)
    elif test_segments is not None and len(test_segments):
        test = _part(data, system, dev_name, "test", test_segments)
    scored = score_list(*dev, metric, progress=part_of(progress, 0, 0.5 if test else 1))
    if test is None:
        return TuningProblem(system, scored, None, tuple(notes))
    name, nbest, references = test
    aligned = nbest.with_groups(dev[1].groups)
    end = part_of(progress, 0.5, 1)
    tested = score_list(name, aligned, references, metric, scale=scored.scale, progress=end)
    return TuningProblem(system, scored, tested, tuple(notes))


def _system(data: NbestData, system: str | None) -> str:
    if system is None and len(data.lists) == 1:
        return data.systems[0]
    if system not in data.lists:
        known = ", ".join(repr(name) for name in data.systems)
        raise ValueError(f"Choose one of the systems with n-best lists: {known}; not {system!r}.")
    return system


def _part(
    data: NbestData, system: str, source: str, name: str, segments: Sequence[int] | None
) -> tuple[str, NbestList, Streams]:
    """Return the name, the list and the references of some segments."""
    nbest, references = data.lists[system][source], data.references[source]
    if segments is None:
        return name, nbest, references
    wrong = [i for i in segments if not 0 <= i < nbest.n_segments]
    if wrong or not len(segments):
        what = f"segment {wrong[0]}" if wrong else "no segment"
        raise ValueError(f"{nbest.name}: {what} asked for; it has segments 0 to {nbest.n_segments - 1}.")
    return name, nbest.selected(segments), tuple(tuple(stream[i] for i in segments) for stream in references)
