"""What does a system get wrong in every replica, and what only in some? Stable and unstable errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from mtsig_core.metrics.text.word_matches import WordMatches
from mtsig_core.significance import Result
from mtsig_core.significance.distributions import gammaln


@dataclass(frozen=True)
class StableErrors:
    """Errors of one system, in n-grams of the references.

    Attributes
    ----------
    system : str
    n : int
        Replicas.
    always, sometimes, never : int
        N-grams that every, some, and no replica has: they add up to all of the references.
    missed : float
        N-grams that a replica misses on average.
    expected_never : float
        N-grams that none of `common` replicas would have, drawn from these n without replacement: what systems with
        unequal numbers of replicas can be compared by.
    common : int
        Replicas of the system with fewer.
    """

    system: str
    n: int
    always: int
    sometimes: int
    never: int
    missed: float
    expected_never: float
    common: int

    @property
    def total(self) -> int:
        """N-grams in the references."""
        return self.always + self.sometimes + self.never

    @property
    def stable_share(self) -> float | None:
        """Share of what a replica misses that `common` replicas all miss; None for one, or where nothing is missed."""
        return self.expected_never / self.missed if self.missed > 0 and self.common > 1 else None


@dataclass(frozen=True, eq=False)
class StabilityTable(Result):
    """Stable and unstable errors of two systems; an *occurrence* is one n-gram at one place of the references.

    Attributes
    ----------
    errors_a, errors_b : StableErrors
    matches : WordMatches
    order : int
        Words of an n-gram.
    segment, gram : ndarray of int of shape (occurrence,)
    right_a, right_b : ndarray of int of shape (occurrence,)
        Replicas of each system that have it.
    """

    errors_a: StableErrors
    errors_b: StableErrors
    matches: WordMatches
    order: int
    segment: np.ndarray
    gram: np.ndarray
    right_a: np.ndarray
    right_b: np.ndarray

    @property
    def note(self) -> str:
        """What few replicas mean; may be empty."""
        notes = ["Only what all references of a segment share is counted."] if self.matches.several else []
        single = [one.system for one in (self.errors_a, self.errors_b) if one.n == 1]
        if single:
            notes.append(f"Whether an error is stable is unknown with one replica ({' and '.join(single)}).")
        elif self.errors_a.n != self.errors_b.n:
            notes.append(
                f"The more replicas, the fewer errors are common to all: shares are of {self.errors_a.common} replicas "
                "drawn from each system."
            )
        return " ".join(notes)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system."""
        both = (self.errors_a, self.errors_b)
        return pd.DataFrame(
            {
                "system": [s.system for s in both],
                "replicas": [s.n for s in both],
                "in the references": [s.total for s in both],
                "right in every replica": [s.always for s in both],
                "right in some": [s.sometimes for s in both],
                "right in none": [s.never for s in both],
                "missed by a replica": [s.missed for s in both],
                f"missed by all of {self.errors_a.common}": [s.expected_never for s in both],
                "stable share": [s.stable_share for s in both],
            }
        )

    @cached_property
    def listing(self) -> pd.DataFrame:
        """One row per n-gram that some replica misses, those that one system misses for good more often first."""
        groups, place = np.unique(self.gram, return_inverse=True)

        def counted(which: np.ndarray) -> np.ndarray:
            return np.bincount(place, weights=which, minlength=len(groups)).astype(int)

        a, b = self.errors_a.system, self.errors_b.system
        frame = pd.DataFrame(
            {
                "word" if self.order == 1 else "n-gram": [self.matches.text(g) for g in groups.tolist()],
                "in the references": np.bincount(place, minlength=len(groups)),
                f"always wrong, {a}": counted(self.right_a == 0),
                f"sometimes wrong, {a}": counted((self.right_a > 0) & (self.right_a < self.errors_a.n)),
                f"always wrong, {b}": counted(self.right_b == 0),
                f"sometimes wrong, {b}": counted((self.right_b > 0) & (self.right_b < self.errors_b.n)),
                "always wrong in both": counted((self.right_a == 0) & (self.right_b == 0)),
            }
        )
        errors = frame.iloc[:, 2:6].sum(axis=1).to_numpy()
        apart = np.abs(frame.iloc[:, 2] - frame.iloc[:, 4]).to_numpy()
        order = np.lexsort((-errors, -apart))
        return frame.iloc[order[errors[order] > 0]].reset_index(drop=True)

    @cached_property
    def by_segment(self) -> pd.DataFrame:
        """One row per segment, numbered from 1: its n-grams, and how many are stably and unstably wrong."""
        n = len(self.matches.reference_words)

        def counted(which: np.ndarray) -> np.ndarray:
            return np.bincount(self.segment, weights=which, minlength=n).astype(int)

        columns = {"segment": np.arange(1, n + 1), "in the references": np.bincount(self.segment, minlength=n)}
        for one, right in ((self.errors_a, self.right_a), (self.errors_b, self.right_b)):
            columns[f"always wrong, {one.system}"] = counted(right == 0)
            columns[f"sometimes wrong, {one.system}"] = counted((right > 0) & (right < one.n))
        return pd.DataFrame(columns)


def stability_table(matches: WordMatches, a: str, b: str, *, order: int = 1) -> StabilityTable:
    """Return which n-grams of the references every, some, and no replica of each system gets right.

    The k-th occurrence of an n-gram in a segment's reference is right in a replica whose output of that segment has
    it k times or more. Of several references only what they all have is asked for: the rest can be put otherwise.

    Parameters
    ----------
    matches : WordMatches
    a, b : str
        Baseline and system.
    order : int
        Words of an n-gram.

    Raises
    ------
    ValueError
        When n-grams of this order were not counted.
    """
    longest = matches.gram_words.shape[1]
    if not 1 <= order <= longest:
        raise ValueError(f"n-grams have 1 to {longest} words; not {order}.")
    entries = np.flatnonzero(matches.gram_order[matches.entry_gram] == order)
    counts = matches.entry_least[entries]
    pair, occurrence = _right_occurrences(matches, entries)
    right, n = {}, {}
    for x in (a, b):
        weight = np.bincount(matches.outputs[x].ravel(), minlength=len(matches.pair_segment))
        right[x] = np.bincount(occurrence, weights=weight[pair], minlength=counts.sum()).astype(np.int64)
        n[x] = len(matches.outputs[x])
    common = min(n.values())
    return StabilityTable(
        _errors(a, right[a], n[a], common), _errors(b, right[b], n[b], common), matches, order,
        np.repeat(matches.entry_segment[entries], counts), np.repeat(matches.entry_gram[entries], counts),
        right[a], right[b],
    )


def _right_occurrences(matches: WordMatches, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which pair of segment and output gets which occurrence right; both of shape (match,)."""
    counts = matches.entry_least[entries]
    first = np.full(len(matches.entry_gram), -1)
    first[entries] = counts.cumsum() - counts
    matched = matches.matched.tocoo()
    wanted = first[matched.coords[1]] >= 0
    pair, start = matched.coords[0][wanted], first[matched.coords[1][wanted]]
    times = np.minimum(matched.data[wanted].astype(np.int64), matches.entry_least[matched.coords[1][wanted]])
    # one occurrence per match: those of a pair are the first ones
    occurrence = np.repeat(start - (times.cumsum() - times), times) + np.arange(times.sum())
    return np.repeat(pair, times), occurrence


def _errors(system: str, right: np.ndarray, n: int, common: int) -> StableErrors:
    wrong = n - right
    return StableErrors(
        system, n, int((right == n).sum()), int(((right > 0) & (right < n)).sum()), int((right == 0).sum()),
        float(wrong.sum() / n), float(_all_of(wrong, n, common).sum()), common,
    )


def _all_of(wrong: np.ndarray, n: int, drawn: int) -> np.ndarray:
    """Return the probability that all of `drawn` replicas are among the `wrong` ones of n: C(wrong, d) / C(n, d)."""
    if drawn == n:
        return (wrong == n).astype(float)
    enough = wrong >= drawn
    w = np.where(enough, wrong, drawn).astype(float)
    logs = gammaln(w + 1) - gammaln(w - drawn + 1) - gammaln(n + 1) + gammaln(n - drawn + 1)
    return np.where(enough, np.exp(logs), 0.0)
