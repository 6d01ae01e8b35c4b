"""n-grams that one system gets right more often: counts, p, and false discoveries."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.differences import ngrams as module
from mtsig_core.analysis.differences.ngrams import ngram_table
from mtsig_core.loading import load
from mtsig_core.metrics.text.word_matches import word_matches
from mtsig_core.resampling import Settings

DATA = Path(__file__).resolve().parents[3] / "data"


def counts_of(text, grams):
    """Return the matches of each n-gram in each replica: A's first."""
    (first, *_), outputs = text
    per_replica = [
        sum((grams(r) & grams(x) for r, x in zip(first, lines, strict=True)), Counter())
        for system in "AB" for lines in outputs[system]
    ]
    known = set().union(*per_replica)
    return {g: np.array([c[g] for c in per_replica]) for g in known}


def exact_p(counts, n_a):
    """Deal the counts in every way."""
    def size(chosen):
        b = counts[list(chosen)]
        return abs(b.mean() - (counts.sum() - b.sum()) / n_a)

    n = len(counts)
    sizes = np.array([size(chosen) for chosen in combinations(range(n), n - n_a)])
    return float((sizes >= size(range(n_a, n)) - 1e-9).mean())


@pytest.mark.parametrize("alpha", [0.9, 0.2])
def test_counts_and_exact_p(matches_of, text, grams, alpha):
    found = ngram_table(matches_of(text[0][:1], text[1]), "A", "B", Settings(alpha=alpha))
    counts = {g: c for g, c in counts_of(text, grams).items() if c.max() > c.min()}
    frame = found.to_frame().set_index("n-gram")
    assert set(frame.index) <= set(counts)
    for gram in set(counts) - set(frame.index):  # a part of a longer one with the same counts
        assert any(f" {gram} " in f" {other} " and (counts[other] == counts[gram]).all() for other in frame.index)
    for gram, row in frame.iterrows():
        own = counts[gram]
        assert (row["right in all, A"], row["right in all, B"]) == (own[:3].sum(), own[3:].sum())
        assert row["difference"] == pytest.approx(own[3:].mean() - own[:3].mean())
        least = min(exact_p(np.sort(own)[list(o)], 3) for o in (range(7), range(6, -1, -1)))
        assert row["p"] == pytest.approx(exact_p(own, 3))
        assert np.isnan(row["corrected p"]) == (least > alpha)
    tested = frame["corrected p"].notna()
    assert found.n_tested == tested.sum()
    corrected = stats.false_discovery_control(frame["p"][tested])
    np.testing.assert_allclose(frame["corrected p"][tested], corrected)
    assert (frame["test"] == "exact").all()


def test_many_deals_two_counts_are_fishers_test():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(10, 60))
        of_a, of_b = rng.integers(0, n + 1, 2)
        p = module._hypergeometric(np.array([of_a + of_b]), np.array([of_b]), n, n)[0]
        assert p == pytest.approx(stats.fisher_exact([[of_a, n - of_a], [of_b, n - of_b]]).pvalue)
    assert module._smallest_p(np.array([0, 1, 5, 9]), 5, 5) == pytest.approx([1, 1, 2 / 252, 1])


def test_more_counts_are_welchs_test(matches_of, monkeypatch):
    monkeypatch.setattr(module, "MOST_ASSIGNMENTS", 5)
    lines = {"A": [["a"], ["a a"], ["a a a"]], "B": [["a a a"], ["a a a a"], ["a a"], ["a a a a"]]}
    found = ngram_table(matches_of([["a x a y a z a"]], lines), "A", "B", Settings(alpha=0.5))
    frame = found.to_frame()
    assert frame["n-gram"].tolist() == ["a"]
    wanted = stats.ttest_ind([1, 2, 3], [3, 4, 2, 4], equal_var=False).pvalue
    assert frame["p"].tolist() == pytest.approx([wanted])
    assert frame["test"].tolist() == ["Welch"]


def test_few_replicas_are_told(matches_of):
    made = matches_of([["a b"]], {"A": [["a"]], "B": [["b"], ["a"], ["a b"]]})
    found = ngram_table(made, "A", "B", Settings())
    assert found.n_tested == 0
    assert "Not tested: A has one replica, so" in found.note
    assert found.mean_b[found.best("b", 5)].tolist() == pytest.approx([2 / 3, 1 / 3])
    made = matches_of([["a b"]], {"A": [["a"]] * 3, "B": [["a b"]] * 3})
    found = ngram_table(made, "A", "B", Settings())
    assert "no p falls below 0.1" in found.note
    assert not found.significant.any()
    five = matches_of([["a b c d", "e f"]], {"A": [["a", ""]] * 5, "B": [["a b", "e"]] * 5})
    found = ngram_table(five, "A", "B", Settings())
    assert found.note == ""
    assert [five.text(g) for g in found.gram[found.best("b", 5)]] == ["a b", "e"]
    assert found.corrected[found.significant].tolist() == pytest.approx([2 / 252] * 2)
    assert len(found.best("b", 5, order=1)) == 1
    assert len(found.best("a", 5, only_significant=True)) == 0
    rng, letters = np.random.default_rng(2), list("abcdefghij")
    lines = {x: [[y if rng.random() < 0.5 else "" for y in letters] for _ in range(5)] for x in "AB"}
    found = ngram_table(matches_of([letters], lines), "A", "B", Settings())
    needed = math.ceil(found.n_tested * 2 / 252 / 0.05)
    assert needed == 2
    assert f"so 2 of the {found.n_tested} n-grams tested would have to reach it" in found.note


def test_equal_outputs_differ_nowhere(matches_of):
    found = ngram_table(matches_of([["a b"]], {"A": [["a"]] * 4, "B": [["a"]] * 4}), "A", "B", Settings())
    assert len(found.gram) == 0
    assert found.to_frame().empty


@pytest.mark.slow
@pytest.mark.parametrize("n", [25, 4])
def test_false_discoveries_among_replicas_of_one_system(n):
    """Splits of the pool of one training setup: something is found in at most 5% of them, up to Monte-Carlo error."""
    experiment, _ = load(DATA / "news.tar.xz")
    made = word_matches(experiment, "test", ("segmented",), tokenize="13a")
    rows, rng, splits = made.outputs["segmented"], np.random.default_rng(7), 60
    alarms, shares = 0, []
    for _ in range(splits):
        order = rng.permutation(len(rows))[: 2 * n]
        split = replace(made, outputs={"A": rows[order[:n]], "B": rows[order[n:]]})
        found = ngram_table(split, "A", "B", Settings())
        alarms += bool(found.significant.any())
        shares.append(np.mean(found.p[np.isfinite(found.corrected)] <= 0.05))
    assert alarms <= stats.binom.ppf(0.999, splits, 0.05)
    assert 0.005 < np.mean(shares) < 0.06  # raw p: discrete, so below the level, yet not idle
