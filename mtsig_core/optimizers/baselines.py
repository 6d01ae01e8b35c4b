"""What stands beside tuned replicas: the decoder's own choice, the oracle, a random choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.optimizers.scored_list import ScoredList

RANDOM_CHOICES = 1000
_TOGETHER = 50


@dataclass(frozen=True)
class Baselines:
    """Corpus scores that need no tuning.

    Parameters
    ----------
    test_set : str
    n_segments : int
    one_best : float
        The candidate with the decoder's highest total (the first candidate where totals are missing).
    oracle : float
        The candidate of each segment with the best score as a sentence (for BLEU: sentence BLEU with effective
        order). Not quite the best that a list allows, since corpus scores are no means of sentences.
    random, random_sd : float
        Mean and standard deviation over `RANDOM_CHOICES` uniform choices.
    """

    test_set: str
    n_segments: int
    one_best: float
    oracle: float
    random: float
    random_sd: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row per baseline: name, score."""
        rows = [("1-best", self.one_best), ("oracle", self.oracle), ("random choice", self.random)]
        return pd.DataFrame(rows, columns=["baseline", self.test_set])


def baselines(*lists: ScoredList, name: str = "", seed: int = 12345) -> Baselines:
    """Return the scores of the 1-best, of the oracle and of random choices.

    Parameters
    ----------
    *lists : ScoredList
        Several lists count as one test set.
    name : str, optional
        Of the test set; that of the first list by default.
    seed : int
        Of the random choices.
    """
    rng = np.random.Generator(np.random.PCG64DXSM(seed))
    drawn = lists[0].scores_of(np.sum([_random_sums(one, rng) for one in lists], axis=0))
    fixed = [one.sums(np.stack([first_best(one), oracle_places(one)])) for one in lists]
    one_best, oracle = lists[0].scores_of(np.sum(fixed, axis=0))
    n_segments = sum(one.n_segments for one in lists)
    mean, sd = float(drawn.mean()), float(drawn.std(ddof=1)) if np.ptp(drawn) else 0.0
    return Baselines(name or lists[0].test_set, n_segments, float(one_best), float(oracle), mean, sd)


def first_best(scored: ScoredList) -> np.ndarray:
    """Return the place of the decoder's choice, shape (segment,)."""
    return scored.nbest.first_best() - scored.nbest.offsets[:-1]


def oracle_places(scored: ScoredList) -> np.ndarray:
    """Return the place of the candidate with the best score as a sentence, the first of equals, shape (segment,)."""
    scores = np.asarray(scored.metric.segment_score(scored.statistics), dtype=float)
    oriented = np.nan_to_num(scored.oriented(scores), nan=-np.inf)
    return oriented[scored.rows].argmax(axis=1)


def _random_sums(scored: ScoredList, rng: np.random.Generator) -> np.ndarray:
    """Return summed statistics of uniform choices, shape (draw, statistic)."""
    sizes = scored.is_candidate.sum(axis=1)
    sums = []
    for _ in range(0, RANDOM_CHOICES, _TOGETHER):
        places = (rng.random((_TOGETHER, scored.n_segments)) * sizes).astype(np.int64)
        sums.append(scored.sums(places))
    return np.concatenate(sums)
