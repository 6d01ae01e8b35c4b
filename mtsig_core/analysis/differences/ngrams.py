"""Which words and phrases does one system get right more often? Matches of n-grams, replicas as the units."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations
from math import ceil, comb

import numpy as np
import pandas as pd

from mtsig_core.metrics.text.word_matches import WordMatches
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.corrections import benjamini_hochberg
from mtsig_core.significance.distributions import gammaln, stdtr

MOST_ASSIGNMENTS = 20_000  # of replicas to systems that are enumerated
GRAMS_AT_ONCE = 2048
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class NgramTable(OfPair, Result):
    """Matches of the n-grams of the references in two systems' outputs; one element of an array is an n-gram.

    Only n-grams whose matches vary from replica to replica are here, and none within a longer one with as many
    matches in every replica.

    Attributes
    ----------
    scope : Scope
        Of the two systems; no metric is involved.
    matches : WordMatches
    gram : ndarray of int
        Number of the n-gram there.
    mean_a, mean_b : ndarray
        Matches per replica.
    p, corrected : ndarray
        Raw, not a number with one replica of a system; and corrected by Benjamini and Hochberg over all n-grams that
        were tested, not a number for the others.
    exact : ndarray of bool
        Whether p counts all assignments of replicas to systems; else Welch's t.
    n_a, n_b : int
        Replicas.
    alpha : float
    smallest_p : float or None
        Smallest p that any n-gram could reach; None with one replica of a system.
    """

    scope: Scope
    matches: WordMatches
    gram: np.ndarray
    mean_a: np.ndarray
    mean_b: np.ndarray
    p: np.ndarray
    corrected: np.ndarray
    exact: np.ndarray
    n_a: int
    n_b: int
    alpha: float
    smallest_p: float | None

    @property
    def n_tested(self) -> int:
        """How many n-grams were tested."""
        return int(np.isfinite(self.corrected).sum())

    @cached_property
    def significant(self) -> np.ndarray:
        """Which n-grams are significant at alpha after correction: bool, one per n-gram."""
        return np.nan_to_num(self.corrected, nan=2.0) <= self.alpha

    @cached_property
    def ranked(self) -> np.ndarray:
        """Places of all n-grams, the smallest p first; of equal p, the largest difference, then the longest."""
        order = self.matches.gram_order[self.gram]
        return np.lexsort((-order, -np.abs(self.mean_b - self.mean_a), np.nan_to_num(self.p, nan=2.0)))

    @property
    def note(self) -> str:
        """Why nothing can be tested or found, whatever the outputs; else empty."""
        if self.smallest_p is None:
            single = [name for name, n in ((self.a, self.n_a), (self.b, self.n_b)) if n == 1]
            return (
                f"Not tested: {' and '.join(single)} {'has' if len(single) == 1 else 'each have'} one replica, so "
                "nothing is known about how matches vary between replicas. The counts are what these outputs have."
            )
        if self.smallest_p > self.alpha:
            return (
                f"No test can be significant: with {self.n_a} and {self.n_b} replicas there are so few ways to assign "
                f"them to the systems that no p falls below {self.smallest_p:.2g}. The counts describe these outputs."
            )
        needed = ceil(self.n_tested * self.smallest_p / self.alpha - TOLERANCE)
        if needed > 1 and not self.significant.any():
            return (
                f"Few replicas: with {self.n_a} and {self.n_b} no p falls below {self.smallest_p:.2g}, so {needed:,} "
                f"of the {self.n_tested:,} n-grams tested would have to reach it before any is significant."
            )
        return ""

    def best(self, side: str, limit: int, *, order: int | None = None, only_significant: bool = False) -> np.ndarray:
        """Return the places of the n-grams that side "a" or "b" gets right more often, the clearest first."""
        gain = (self.mean_b - self.mean_a)[self.ranked]
        mask = gain > 0 if side == "b" else gain < 0
        if order is not None:
            mask &= self.matches.gram_order[self.gram[self.ranked]] == order
        if only_significant:
            mask &= self.significant[self.ranked]
        return self.ranked[mask][:limit]

    def to_frame(self, places: np.ndarray | None = None) -> pd.DataFrame:
        """Return one row per n-gram, the smallest p first, or those at some places."""
        places = self.ranked if places is None else places
        gram = self.gram[places]
        return pd.DataFrame(
            {
                "n-gram": [self.matches.text(g) for g in gram.tolist()],
                "words": self.matches.gram_order[gram],
                "in the references": self.matches.gram_frequency[gram],
                f"right per replica, {self.a}": self.mean_a[places],
                f"right per replica, {self.b}": self.mean_b[places],
                f"right in all, {self.a}": np.round(self.mean_a[places] * self.n_a).astype(int),
                f"right in all, {self.b}": np.round(self.mean_b[places] * self.n_b).astype(int),
                "difference": (self.mean_b - self.mean_a)[places],
                "p": self.p[places],
                "corrected p": self.corrected[places],
                "test": np.where(self.exact[places], "exact", "Welch"),
            }
        )


def ngram_table(
    matches: WordMatches, a: str, b: str, settings: Settings, progress: Progress = no_progress
) -> NgramTable:
    """Return which n-grams each system gets right more often, tested over replicas.

    A replica's count of an n-gram is its matches on all segments, clipped in each as in BLEU. Under the null hypothesis
    that both setups are equal, every assignment of the n_a + n_b counts to the systems is equally likely; p is the
    share of assignments whose means differ at least as much. All are counted where they are few (``MOST_ASSIGNMENTS``)
    or the counts take two values only (then their number is hypergeometric: Fisher's exact test); else p is Welch's.

    Not tested are n-grams that no assignment would make significant (Tarone 1990), and n-grams within a longer one
    that has as many matches in every replica: neither depends on whose the counts are, so p stays valid.

    Parameters
    ----------
    matches : WordMatches
    a, b : str
        Baseline and system.
    settings : Settings
        Its alpha.
    progress : Progress
    """
    n_a, n_b = len(matches.outputs[a]), len(matches.outputs[b])
    tested = _tested(matches, a, b, progress)
    tested = tested.only(_maximal(matches, tested.gram, tested.profile))
    corrected = np.full(len(tested.p), np.nan)
    reachable = np.isfinite(tested.p) & (tested.smallest <= settings.alpha)
    corrected[reachable] = benjamini_hochberg(tested.p[reachable])
    smallest = float(_smallest_p(np.array([n_b]), n_a, n_b)[0]) if min(n_a, n_b) > 1 else None
    return NgramTable(
        Scope(systems=(a, b)), matches, tested.gram, tested.mean_a, tested.mean_b, tested.p, corrected,
        tested.exact.astype(bool), n_a, n_b, settings.alpha, smallest,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Tested:
    """N-grams with their tests; every array has shape (gram,)."""

    gram: np.ndarray
    profile: np.ndarray  # equal for n-grams with the same counts in all replicas
    mean_a: np.ndarray
    mean_b: np.ndarray
    p: np.ndarray
    smallest: np.ndarray
    exact: np.ndarray

    def only(self, mask: np.ndarray) -> _Tested:
        return _Tested(*(getattr(self, f.name)[mask] for f in fields(self)))


def _tested(matches: WordMatches, a: str, b: str, progress: Progress) -> _Tested:
    """Return the n-grams whose matches vary between replicas, tested."""
    n_a, n_b = len(matches.outputs[a]), len(matches.outputs[b])
    assignments = _assignments(n_a, n_b) if min(n_a, n_b) > 1 else None
    chosen, by_gram = (matches.chosen(a), matches.chosen(b)), matches.matched_grams
    candidates = np.flatnonzero(np.diff(by_gram.indptr))
    chunks: list[tuple[np.ndarray, ...]] = []
    for start in range(0, len(candidates), GRAMS_AT_ONCE):
        progress(start / len(candidates), "n-grams")
        gram = candidates[start : start + GRAMS_AT_ONCE]
        columns = by_gram[:, gram]
        counts = np.concatenate([(rows @ columns).toarray() for rows in chosen])
        varies = counts.max(axis=0) > counts.min(axis=0)
        gram, counts = gram[varies], counts[:, varies]
        tested = [np.full(len(gram), np.nan), np.ones(len(gram)), np.zeros(len(gram))]
        if min(n_a, n_b) > 1:
            tested = list(_p_values(counts, n_a, assignments))
        profile = np.array([hash(row.tobytes()) for row in np.ascontiguousarray(counts.T)], dtype=np.int64)
        chunks.append((gram, profile, counts[:n_a].mean(axis=0), counts[n_a:].mean(axis=0), *tested))
    return _Tested(*(
        np.concatenate([chunk[k] for chunk in chunks]) if chunks else np.empty(0, int if k < 2 else float)
        for k in range(7)
    ))  # fmt: skip


def _maximal(matches: WordMatches, gram: np.ndarray, profile: np.ndarray) -> np.ndarray:
    """Return which n-grams occur in no longer one with the same profile, bool of shape (gram,)."""
    maximal = np.ones(len(gram), dtype=bool)
    longer: dict[int, str] = {}
    for place in np.argsort(-matches.gram_order[gram], kind="stable").tolist():
        texts, text = longer.get(int(profile[place]), ""), f"\0 {matches.text(int(gram[place]))} "
        if text[1:] in texts:
            maximal[place] = False
        else:
            longer[int(profile[place])] = texts + text
    return maximal


def _assignments(n_a: int, n_b: int) -> np.ndarray | None:
    """Return every way to choose whose counts are b's, shape (assignment, n_a + n_b), or None where there are many."""
    n = n_a + n_b
    if comb(n, n_b) > MOST_ASSIGNMENTS:
        return None
    out = np.zeros((comb(n, n_b), n))
    for row, places in zip(out, combinations(range(n), n_b), strict=True):
        row[list(places)] = 1
    return out


def _p_values(
    counts: np.ndarray, n_a: int, assignments: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return p of each n-gram, the smallest p that any assignment of its counts gives, and whether both are exact.

    Parameters
    ----------
    counts : ndarray of shape (n_a + n_b, gram)
        Those of a first.
    n_a : int
    assignments : ndarray or None
    """
    n, n_b = len(counts), len(counts) - n_a
    low, high = counts.min(axis=0), counts.max(axis=0)
    exact = ((counts == low) | (counts == high)).all(axis=0)
    many, of_b = ((x == high).sum(axis=0) for x in (counts, counts[n_a:]))
    p, least = np.zeros(counts.shape[1]), np.zeros(counts.shape[1])
    p[exact] = _hypergeometric(many[exact], of_b[exact], n_a, n_b)
    least[exact] = _smallest_p(many[exact], n_a, n_b)
    others = np.flatnonzero(~exact)
    if assignments is None:
        p[others] = _welch(counts[:n_a, others], counts[n_a:, others])
        return p, least, exact
    centre = n_b / n * counts[:, others].sum(axis=0)
    sizes = np.abs(assignments @ counts[:, others] - centre)
    size = np.abs(counts[n_a:, others].sum(axis=0) - centre)
    p[others] = (sizes >= size - TOLERANCE).mean(axis=0)
    least[others] = (sizes >= sizes.max(axis=0, initial=0) - TOLERANCE).mean(axis=0)
    return p, least, np.ones_like(exact)


def _hypergeometric(many: np.ndarray, of_b: np.ndarray, n_a: int, n_b: int) -> np.ndarray:
    """Return two-sided p where `many` replicas have the larger of two counts, `of_b` of them b's."""
    n = n_a + n_b
    pairs, place = np.unique(np.stack([many, of_b], axis=1), axis=0, return_inverse=True)
    k, x, all_x = pairs[:, :1], pairs[:, 1:], np.arange(n_b + 1)
    possible = (all_x <= k) & (k - all_x <= n_a)
    y = np.where(possible, all_x, np.minimum(k, n_b))
    logs = _log_binomial(k, y) + _log_binomial(n - k, n_b - y) - _log_binomial(n, n_b)
    extreme = np.abs(all_x - k * n_b / n) >= np.abs(x - k * n_b / n) - TOLERANCE
    p = np.where(possible & extreme, np.exp(logs), 0.0).sum(axis=1)
    return np.minimum(1.0, p)[place.ravel()]


def _log_binomial(n: np.ndarray | int, k: np.ndarray | int) -> np.ndarray:
    return gammaln(np.add(n, 1)) - gammaln(np.add(k, 1)) - gammaln(np.subtract(n, k) + 1)


def _smallest_p(many: np.ndarray, n_a: int, n_b: int) -> np.ndarray:
    """Return the smallest p that any assignment gives where `many` replicas have the larger of two counts."""
    ends = np.maximum(0, many - n_a), np.minimum(many, n_b)
    return np.minimum(*(_hypergeometric(many, end, n_a, n_b) for end in ends))


def _welch(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return p of Welch's t-test of each column."""
    of_a, of_b = (x.var(axis=0, ddof=1) / len(x) for x in (a, b))
    total = of_a + of_b
    df = total**2 / (of_a**2 / (len(a) - 1) + of_b**2 / (len(b) - 1))
    p = 2 * stdtr(df, -np.abs(b.mean(axis=0) - a.mean(axis=0)) / np.sqrt(total))
    return np.maximum(p, np.finfo(float).tiny)
