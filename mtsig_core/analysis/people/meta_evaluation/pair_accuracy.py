"""Pairwise accuracy and soft pairwise accuracy of a metric: how often it orders pairs of systems as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval
from mtsig_core.analysis.people.meta_evaluation.automatic_tests import clopper_pearson
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks, generator
from mtsig_core.significance import holm
from mtsig_core.significance.scope import Result

_CHUNK = 256
#: Exchanges of two metrics' scores by which their soft accuracies are compared.
_EXCHANGES = 200
#: Permutations behind each p of a soft accuracy in that comparison; each exchange needs them anew.
_MOST_PERMUTATIONS = 1000


@dataclass(frozen=True)
class PairAccuracy:
    """How often one metric orders pairs of systems as people do.

    Attributes
    ----------
    metric : str
    n_pairs : int
        Pairs that people order; those on which people are tied are left out.
    accuracy : float or None
        Share of them that the metric orders alike; a tie of the metric is wrong.
    exact : tuple of two float, or None
        Clopper and Pearson's interval, as if pairs were independent.
    bootstrap : tuple of two float, or None
        Percentile interval over segments, people's and the metric's drawn together.
    soft : float or None
        Soft pairwise accuracy: mean over all pairs of 1 - |p of people - p of the metric|.
    n_segments : int
    """

    metric: str
    n_pairs: int
    accuracy: float | None
    exact: tuple[float, float] | None
    bootstrap: tuple[float, float] | None
    soft: float | None
    n_segments: int


@dataclass(frozen=True, eq=False)
class PairAccuracies(Result):
    """Pairwise accuracies of several metrics on the same systems and segments.

    Attributes
    ----------
    alpha : float
    systems : tuple of str
    metrics : tuple of PairAccuracy
    human_p : ndarray of shape (pair,)
        One-sided p by people that the first system of each pair is better, pairs in the order of `combinations`.
    """

    alpha: float
    systems: tuple[str, ...]
    metrics: tuple[PairAccuracy, ...]
    human_p: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """Return one row per metric."""
        rows = [
            (m.metric, m.n_pairs, m.accuracy, *(m.exact or (None, None)), *(m.bootstrap or (None, None)), m.soft)
            for m in self.metrics
        ]
        names = ["metric", "pairs", "accuracy", "exact low", "exact high", "bootstrap low", "bootstrap high",
                 "soft pairwise accuracy"]  # fmt: skip
        return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[2:], float))


def equally_ordered_pairs(human: np.ndarray, metric: np.ndarray) -> tuple[int, int]:
    """Return how many pairs of systems metric and people order alike, and how many people order at all.

    Parameters
    ----------
    human, metric : ndarray of shape (system,)
        Higher is better; systems without both scores are left out.
    """
    used = np.isfinite(human) & np.isfinite(metric)
    by_people, by_metric = (_differences(values[used]) for values in (human, metric))
    decided = by_people != 0
    return int((np.sign(by_people) == np.sign(by_metric))[decided].sum()), int(decided.sum())


def _differences(values: np.ndarray) -> np.ndarray:
    """Return values of the first minus the second system of each pair, over the last axis, shape (..., pair)."""
    first, second = np.triu_indices(values.shape[-1], 1)
    return np.round(values[..., first] - values[..., second], 12)


def pair_accuracies(
    human: np.ndarray, metrics: Sequence[str], scores: np.ndarray, systems: Sequence[str], settings: Settings
) -> PairAccuracies:
    """Measure pairwise and soft pairwise accuracy of metrics with segment scores.

    Parameters
    ----------
    human : ndarray of shape (segment, system)
        Higher is better; NaN where not judged.
    metrics : sequence of str
    scores : ndarray of shape (metric, segment, system)
        Higher is better, and the mean over segments is the score of a system: pseudo-values for a metric of a corpus.
    systems : sequence of str
    settings : Settings

    References
    ----------
    Kocmi et al. 2021, "To ship or not to ship"; Thompson, Mathur, Deutsch and Khayrallah 2024, "Improving statistical
    significance in human evaluation of automatic metrics via soft pairwise accuracy".
    """
    signs = _exchange_signs(len(human), settings)
    human_p = pair_p_values(human, settings, signs)
    rows = []
    for name, own in zip(metrics, scores, strict=True):
        right, n = equally_ordered_pairs(_means(human), _means(own))
        # on the outputs that people judged: a metric that saw more segments would be surer for that reason alone
        soft = soft_accuracy(human_p, pair_p_values(np.where(np.isfinite(human), own, np.nan), settings, signs))
        rows.append(
            PairAccuracy(
                name,
                n,
                right / n if n else None,
                clopper_pearson(right, n, 1 - settings.alpha) if n else None,
                interval(_bootstrap(human, own, settings), settings.alpha) if n and len(human) > 1 else None,
                soft,
                len(human),
            )
        )
    return PairAccuracies(settings.alpha, tuple(systems), tuple(rows), human_p)


def _means(values: np.ndarray) -> np.ndarray:
    n = np.isfinite(values).sum(axis=0)
    return np.divide(np.nansum(values, axis=0), n, out=np.full(values.shape[1], np.nan), where=n > 0)


def _bootstrap(human: np.ndarray, metric: np.ndarray, settings: Settings) -> np.ndarray:
    """Return pairwise accuracy on segments drawn with replacement, shape (draw,); NaN where people are tied."""
    draws = []
    for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(len(human))):
        counts = bootstrap_counts(settings.seed, Stream.BOOTSTRAP_SEGMENT, chunk, len(human)).astype(float)
        people, own = (_differences(_drawn_means(counts, values)) for values in (human, metric))
        decided = np.isfinite(people) & (people != 0)
        right = (decided & (np.sign(people) == np.sign(own))).sum(axis=1)
        n = decided.sum(axis=1)
        draws.append(np.divide(right, n, out=np.full(len(n), np.nan), where=n > 0))
    return np.concatenate(draws)


def _drawn_means(counts: np.ndarray, values: np.ndarray) -> np.ndarray:
    there = np.isfinite(values)
    n = counts @ there.astype(float)
    return np.divide(counts @ np.where(there, values, 0.0), n, out=np.full_like(n, np.nan), where=n > 0)


def _exchange_signs(n_segments: int, settings: Settings) -> np.ndarray:
    """Return the exchanges that all pairs and metrics share, -1 where exchanged; float32 of shape (draw, segment)."""
    blocks = [
        generator(settings.seed, Stream.SWAP, chunk.index).integers(0, 2, size=(chunk.size, n_segments), dtype=np.int8)
        for chunk in chunks(settings.n_permutations, _CHUNK)
    ]
    return 1.0 - 2.0 * np.concatenate(blocks).astype(np.float32)


def pair_p_values(values: np.ndarray, settings: Settings, signs: np.ndarray | None = None) -> np.ndarray:
    """Return the one-sided p, for each pair of systems, that the first is better, by a paired permutation test.

    The scores of both systems are exchanged segment by segment, on the segments that have both; all pairs use the same
    exchanges. Ties count half, the observed order
    among them, so that p of (a, b) and of (b, a) sum to 1.

    Parameters
    ----------
    values : ndarray of shape (segment, system)
        Higher is better; NaN where missing.
    settings : Settings
        Number of permutations and seed.
    signs : ndarray of shape (draw, segment), optional
        Exchanges to use again; -1 where a segment is exchanged.

    Returns
    -------
    ndarray of shape (pair,)
        NaN for pairs without a shared segment.
    """
    first, second = np.triu_indices(values.shape[1], 1)
    there = np.isfinite(values)
    shared = there[:, first] & there[:, second]
    filled = np.where(there, values, 0.0)
    differences = np.where(shared, filled[:, first] - filled[:, second], 0.0)
    scale = np.abs(differences).max(axis=0)
    # in units of the largest difference, so that single precision tells ties from differences
    differences = np.divide(differences, scale, out=np.zeros_like(differences), where=scale > 0).astype(np.float32)
    signs = _exchange_signs(len(values), settings) if signs is None else signs
    observed = differences.sum(axis=0)
    gaps = signs @ differences - observed
    tied = np.abs(gaps) <= 1e-4
    reached = ((gaps > 0) & ~tied).sum(axis=0) + 0.5 * tied.sum(axis=0)
    p = (reached + 0.5) / (len(signs) + 1)
    return np.where(shared.any(axis=0), p, np.nan)


def soft_accuracy(human_p: np.ndarray, metric_p: np.ndarray) -> float | None:
    """Return the mean over pairs of 1 - |p of people - p of the metric|; None without a pair."""
    agreement = 1 - np.abs(human_p - metric_p)
    agreement = agreement[np.isfinite(agreement)]
    return float(agreement.mean()) if agreement.size else None


@dataclass(frozen=True)
class SoftAccuracyTest:
    """Whether one metric has a larger soft pairwise accuracy than another.

    Attributes
    ----------
    a, b : str
    difference : float
        Of a minus of b.
    p, p_two_sided : float
        One-sided that a's is larger, and two-sided; of exchanges of the metrics' scores.
    n_exchanges : int
    """

    a: str
    b: str
    difference: float
    p: float
    p_two_sided: float
    n_exchanges: int


def compare_soft_accuracy(
    human: np.ndarray, a: tuple[str, np.ndarray], b: tuple[str, np.ndarray], settings: Settings,
    *, n_exchanges: int = _EXCHANGES,
) -> SoftAccuracyTest:  # fmt: skip
    """Test a difference of soft pairwise accuracies by exchanging two metrics' scores, output by output.

    Parameters
    ----------
    human : ndarray of shape (segment, system)
    a, b : (name, ndarray of shape (segment, system))
        Both are standardised over the judged outputs that both score, so that they can be exchanged.
    settings : Settings
    n_exchanges : int

    References
    ----------
    Thompson et al. 2024; the exchange of both metrics' scores is PERM-BOTH of Deutsch, Dror and Roth 2021, "A
    statistical analysis of summarization evaluation metrics using resampling methods".
    """
    there = np.isfinite(human) & np.isfinite(a[1]) & np.isfinite(b[1])
    scaled = [_standardised(np.where(there, values, np.nan)) for _, values in (a, b)]
    settings = replace(settings, n_permutations=min(settings.n_permutations, _MOST_PERMUTATIONS))
    signs = _exchange_signs(len(human), settings)
    human_p = pair_p_values(human, settings, signs)

    def difference(first: np.ndarray, second: np.ndarray) -> float:
        one, other = (soft_accuracy(human_p, pair_p_values(own, settings, signs)) for own in (first, second))
        return np.nan if one is None or other is None else one - other

    observed = difference(*scaled)
    larger = both = 0
    rng = generator(settings.seed, Stream.PAIRING)
    for _ in range(n_exchanges):
        swap = rng.random(human.shape) < 0.5
        drawn = difference(np.where(swap, scaled[1], scaled[0]), np.where(swap, scaled[0], scaled[1]))
        larger += drawn >= observed - 1e-12
        both += abs(drawn) >= abs(observed) - 1e-12
    return SoftAccuracyTest(a[0], b[0], observed, (larger + 1) / (n_exchanges + 1), (both + 1) / (n_exchanges + 1),
                            n_exchanges)  # fmt: skip


def compare_soft_accuracies(
    human: np.ndarray, metrics: Sequence[tuple[str, np.ndarray]], settings: Settings, *, n_exchanges: int = _EXCHANGES
) -> pd.DataFrame:
    """Return the test of every pair of metrics, one row per pair, with p corrected by Holm.

    Parameters
    ----------
    human : ndarray of shape (segment, system)
    metrics : sequence of (name, ndarray of shape (segment, system))
    settings : Settings
    n_exchanges : int
    """
    tests = [compare_soft_accuracy(human, a, b, settings, n_exchanges=n_exchanges)
             for a, b in combinations(metrics, 2)]  # fmt: skip
    tested = [test for test in tests if np.isfinite(test.difference)]
    corrected = holm([test.p_two_sided for test in tested])
    rows = [(t.a, t.b, t.difference, t.p, t.p_two_sided, p) for t, p in zip(tested, corrected, strict=True)]
    names = ["metric A", "metric B", "soft accuracy A − B", "p, A larger", "p, two-sided", "p, two-sided, Holm"]
    return pd.DataFrame(rows, columns=names)


def _standardised(values: np.ndarray) -> np.ndarray:
    spread = np.nanstd(values)
    return (values - np.nanmean(values)) / (spread if spread > 0 else 1.0)
