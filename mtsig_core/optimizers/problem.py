"""What is tuned: one system's lists on the set that weights are tuned on, and on a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.formatting import count
from mtsig_core.loading.nbest import NbestData, NbestList
from mtsig_core.metrics.base import Metric
from mtsig_core.optimizers.scored_list import ScoredList, Streams, score_list, tidy
from mtsig_core.resampling.threads import single_threaded_products
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

_MOST_FITTED = 20_000  # candidates whose totals decide the decoder's weights

_Part = tuple[str, NbestList, Streams]


@dataclass(frozen=True, eq=False)
class TuningProblem:
    """One system's lists on the set that weights are tuned on, and on a test set.

    Weights come in two units: *scaled* ones belong to features divided by `ScoredList.scale`, inside optimizers;
    *plain* ones, in results, belong to the features as the n-best list gives them.

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
    notes: tuple[str, ...] = ()

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


def tuning_problem(
    data: NbestData, metric: Metric, *, system: str | None = None, dev_segments: Sequence[int] | None = None,
    test_segments: Sequence[int] | None = None, progress: Progress = no_progress,
) -> TuningProblem:  # fmt: skip
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
    dev, test, notes = _parts(data, system, dev_segments, test_segments)
    scored = score_list(*dev, metric, progress=subprogress(progress, 0, 0.5 if test else 1))
    if test is None:
        return TuningProblem(system, scored, None, notes)
    name, nbest, references = test
    aligned = nbest.with_groups(scored.nbest.groups)
    end = subprogress(progress, 0.5, 1)
    tested = score_list(name, aligned, references, metric, scale=scored.scale, progress=end)
    return TuningProblem(system, scored, tested, notes)


def _system(data: NbestData, system: str | None) -> str:
    if system is None and len(data.lists) == 1:
        return data.systems[0]
    if system is None or system not in data.lists:
        known = ", ".join(repr(name) for name in data.systems)
        raise ValueError(f"Choose one of the systems with n-best lists: {known}; not {system!r}.")
    return system


def _parts(
    data: NbestData, system: str, dev_segments: Sequence[int] | None, test_segments: Sequence[int] | None
) -> tuple[_Part, _Part | None, tuple[str, ...]]:
    """Return what is tuned on, what is tested on, and a note where one list was cut into halves for it."""
    lists = data.lists[system]
    dev_name = "dev" if "dev" in lists else next(iter(lists))
    test_name = next((name for name in lists if name != dev_name), None)
    notes: tuple[str, ...] = ()
    if test_name is None and dev_segments is None and test_segments is None:
        size = lists[dev_name].n_segments
        half = -(-size // 2)
        dev_segments, test_segments = range(half), range(half, size)
        tested = f"tested on the other {size - half}" if size > half else "there is nothing to test on"
        notes = (f"One set of {count(size, 'segment')}: tuned on the first {half}, {tested}.",)
    dev = _part(data, system, dev_name, "dev", dev_segments)
    if test_name is not None:
        return dev, _part(data, system, test_name, test_name, test_segments), notes
    if test_segments is None or not len(test_segments):
        return dev, None, notes
    return dev, _part(data, system, dev_name, "test", test_segments), notes


def _part(
    data: NbestData, system: str, source: str, name: str, segments: Sequence[int] | None
) -> _Part:
    """Return the name, the list and the references of some segments."""
    nbest, references = data.lists[system][source], data.references[source]
    if not nbest.n_features:
        raise ValueError(f"{nbest.name}: the candidates have no features, so there is nothing to tune.")
    if segments is None:
        return name, nbest, references
    wrong = [i for i in segments if not 0 <= i < nbest.n_segments]
    if wrong or not len(segments):
        what = f"segment {wrong[0]}" if wrong else "no segment"
        raise ValueError(f"{nbest.name}: {what} asked for; it has segments 0 to {nbest.n_segments - 1}.")
    return name, nbest.selected(segments), tuple(tuple(stream[i] for i in segments) for stream in references)
