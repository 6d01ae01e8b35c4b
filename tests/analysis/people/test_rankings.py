"""Comparisons, win rates and the Bradley-Terry fit."""

import numpy as np
import pytest

from mtsig_core.analysis.people.rankings import (
    _win_matrices,
    bradley_terry_strengths,
    comparisons,
    fit_many,
    ranking,
)
from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.resampling import Settings


def preferences(n=300, strengths=(0.0, 0.6, 1.2), ties=0.1, seed=2):
    """Ranked pairs of systems drawn from a Bradley-Terry world."""
    rng = np.random.default_rng(seed)
    rows = []
    for task in range(n):
        a, b = rng.choice(len(strengths), 2, replace=False)
        if rng.random() < ties:
            ranks = (1.0, 1.0)
        else:
            wins = rng.random() < 1 / (1 + np.exp(strengths[b] - strengths[a]))
            ranks = (1.0, 2.0) if wins else (2.0, 1.0)
        rows += [(f"s{a}", str(task), ranks[0]), (f"s{b}", str(task), ranks[1])]
    return judgement_frame(
        {"system": [r[0] for r in rows], "segment": [r[1] for r in rows], "task": [r[1] for r in rows],
         "annotator": "x", "dimension": "rank", "score": [r[2] for r in rows]}, len(rows),
    )  # fmt: skip


def test_ranked_sets_become_all_their_pairs():
    frame = judgement_frame(
        {"system": list("abc"), "segment": "1", "task": "t", "annotator": "x", "dimension": "rank", "score": [1, 2, 2]},
        3,
    )
    made = comparisons(frame, "rank", higher_is_better=False)
    assert [(r.a, r.b, r.outcome) for r in made.itertuples()] == [("a", "b", 1.0), ("a", "c", 1.0), ("b", "c", 0.5)]


def test_outputs_of_different_rankings_are_not_compared():
    frame = judgement_frame(
        {"system": ["a", "b"], "segment": "1", "task": ["t", "u"], "annotator": "x", "dimension": "rank",
         "score": [1, 2]}, 2,
    )  # fmt: skip
    assert comparisons(frame, "rank", higher_is_better=False).empty
    with pytest.raises(ValueError, match="nobody judged two systems"):
        ranking(frame, "rank", Settings(), higher_is_better=False)


@pytest.mark.slow
def test_strengths_of_a_known_world_lie_within_their_intervals():
    result = ranking(preferences(1500, ties=0), "rank", Settings(n_bootstrap=300), higher_is_better=False)
    assert [s.system for s in result.systems] == ["s2", "s1", "s0"]
    for system, truth in zip(result.systems, (0.6, 0.0, -0.6), strict=True):
        assert system.interval[0] < truth < system.interval[1]


def test_many_fits_at_once_agree_with_the_library():
    made = comparisons(preferences(), "rank", higher_is_better=False)
    systems = sorted({*made["a"], *made["b"]})
    wins, _ = _win_matrices(made, systems)
    np.testing.assert_allclose(fit_many(wins[None])[0], bradley_terry_strengths(made, systems), atol=1e-6)


def test_the_fit_solves_its_likelihood_equations():
    # at the maximum each system's expected wins are its wins, ties counted half
    made = comparisons(preferences(), "rank", higher_is_better=False)
    systems = sorted({*made["a"], *made["b"]})
    wins, totals = _win_matrices(made, systems)
    strength = np.exp(fit_many(wins[None])[0])
    expected = (totals * strength[:, None] / (strength[:, None] + strength)).sum(axis=1)
    np.testing.assert_allclose(expected, wins.sum(axis=1), rtol=1e-6)


def test_a_system_that_wins_everything_has_no_finite_strength():
    frame = judgement_frame(
        {"system": ["a", "b"] * 5, "segment": [str(i // 2) for i in range(10)], "annotator": "x", "dimension": "score",
         "score": [2.0, 1.0] * 5}, 10,
    )  # fmt: skip
    result = ranking(frame, "score", Settings())
    assert [s.strength for s in result.systems] == [None, None]
    assert result.systems[0].system == "a"
    assert "no finite value" in result.note
    assert result.win_rates.loc["a", "b"] == 1


def test_win_rates_of_both_sides_sum_to_one():
    rates = ranking(preferences(), "rank", Settings(n_bootstrap=50), higher_is_better=False).win_rates.to_numpy()
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose((rates + rates.T)[off], 1)
