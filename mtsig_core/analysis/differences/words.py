"""Which words do two systems get right? F1 by how often a word occurs in the references, replicas as the units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.metrics.text.word_matches import WordMatches
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.closed_form.two_means import TwoMeans, difference_columns, two_means

FIRST_OF_BIN = (1, 2, 3, 5, 10, 100, 1000)


@dataclass(frozen=True)
class WordRow:
    """Words of one frequency: how many there are, how often the references have them, and how well they are met."""

    label: str
    words: int
    occurrences: int
    recall: TwoMeans
    precision: TwoMeans
    f1: TwoMeans


@dataclass(frozen=True, eq=False)
class WordTable(OfPair, Result):
    """Word accuracy of two systems by frequency, in percent.

    Attributes
    ----------
    scope : Scope
        Of the two systems; no metric is involved.
    rows : tuple of WordRow
        By rising frequency, then all words.
    unknown : TwoMeans
        Words of the outputs, in percent, that no reference of the test set has.
    n_a, n_b : int
        Replicas.
    alpha : float
    several : bool
        Whether a segment has several references; each word then counts as often as the one that has it most often.
    """

    scope: Scope
    rows: tuple[WordRow, ...]
    unknown: TwoMeans
    n_a: int
    n_b: int
    alpha: float
    several: bool = False

    def to_frame(self) -> pd.DataFrame:
        """Return one row per frequency."""
        columns: dict[str, list] = {
            "occurrences in the references": [r.label for r in self.rows],
            "distinct words": [r.words for r in self.rows],
            "all occurrences": [r.occurrences for r in self.rows],
        }
        for what in ("f1", "precision", "recall"):
            means = [getattr(r, what) for r in self.rows]
            columns |= {f"{what}, {self.a}": [m.a for m in means], f"{what}, {self.b}": [m.b for m in means]}
        f1 = [r.f1 for r in self.rows]
        return pd.DataFrame(columns | difference_columns(f1, "difference in f1"))


def word_table(matches: WordMatches, a: str, b: str, settings: Settings) -> WordTable:
    """Return precision, recall and F1 of words by their frequency in the references.

    A word of an output counts as right as often as its segment's reference has it, whatever the order. A word
    belongs to the bin of its frequency in the references of the whole test set; words that no reference has are
    wrong wherever they stand and belong to no bin.

    Parameters
    ----------
    matches : WordMatches
    a, b, settings
        As of `edit_table`.
    """
    member, used = _bins(matches)
    of_references = member.T @ matches.gram_frequency[: len(matches.words)]
    right, output, unknown = {}, {}, {}
    for x in (a, b):
        chosen = matches.chosen(x)
        right[x] = chosen @ (matches.matched_grams[:, : len(matches.words)] @ member)
        output[x] = chosen @ (matches.unclipped @ member)
        total = matches.word_counts(x).sum(axis=1)
        unknown[x] = _percent(total - output[x][:, -1], total)

    def means(values: dict[str, np.ndarray], k: int) -> TwoMeans:
        return two_means(values[a][:, k], values[b][:, k], alpha=settings.alpha, paired=settings.paired)

    recall = {x: _percent(right[x], of_references) for x in (a, b)}
    precision = {x: _percent(right[x], output[x]) for x in (a, b)}
    f1 = {x: _percent(2 * right[x], of_references + output[x]) for x in (a, b)}
    rows = [
        WordRow(
            label, int(member[:, k].sum()), int(of_references[k]), means(recall, k), means(precision, k), means(f1, k)
        )
        for k, label in enumerate([*map(_label, used), "all words"])
    ]
    of_unknown = two_means(unknown[a], unknown[b], alpha=settings.alpha, paired=settings.paired)
    scope = Scope(systems=(a, b))
    return WordTable(scope, tuple(rows), of_unknown, len(right[a]), len(right[b]), settings.alpha, matches.several)


def _bins(matches: WordMatches) -> tuple[np.ndarray, list[int]]:
    """Return which words belong to each bin and (last) to all, shape (word, bin + 1), and the bins' numbers."""
    n_words = len(matches.words)
    bin_of = np.searchsorted(FIRST_OF_BIN, matches.gram_frequency[:n_words], side="right") - 1
    used = np.unique(bin_of)
    member = np.column_stack([*(bin_of == k for k in used), np.ones(n_words, bool)]).astype(float)
    return member, used.tolist()


def _percent(count: np.ndarray, whole: np.ndarray) -> np.ndarray:
    whole = np.broadcast_to(whole, count.shape)
    return np.divide(100 * count, whole, out=np.full(count.shape, np.nan), where=whole > 0)


def _label(k: int) -> str:
    first = FIRST_OF_BIN[k]
    if k + 1 == len(FIRST_OF_BIN):
        return f"{first} or more"
    last = FIRST_OF_BIN[k + 1] - 1
    return str(first) if first == last else f"{first} to {last}"
