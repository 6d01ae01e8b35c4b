"""Annotators: balance, repeats, damaged copies."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from mtsig_core.analysis.people.annotators import annotator_overview
from mtsig_core.loading.judgements.frame import judgement_frame


def checked(n=12, careless=False, seed=1):
    """One annotator who judges n outputs and a damaged copy of each."""
    rng = np.random.default_rng(seed)
    intact = rng.uniform(60, 100, n)
    damaged = rng.uniform(60, 100, n) if careless else rng.uniform(0, 50, n)
    return judgement_frame(
        {
            "system": ["s"] * (2 * n),
            "segment": [str(i) for i in range(2 * n)],
            "document": [f"d{i % n}" for i in range(2 * n)],
            "annotator": "careless" if careless else "careful",
            "dimension": "score",
            "score": [*intact, *damaged],
            "item_type": ["output"] * n + ["damaged"] * n,
            "seconds": [10.0] * (2 * n),
        },
        2 * n,
    )


def test_damaged_copies_are_held_against_the_outputs_they_were_made_from():
    frame = checked()
    (who,) = annotator_overview(frame, "score").annotators
    assert (who.n, who.n_damaged, who.n_intact, who.seconds) == (12, 12, 12, 10)
    score = frame["score"].to_numpy()
    assert who.damage_p == pytest.approx(mannwhitneyu(score[12:], score[:12], alternative="less").pvalue)
    assert who.damage_p < 1e-4
    assert who.damage_gap == pytest.approx(score[:12].mean() - score[12:].mean())


def test_a_careless_annotator_is_named_and_not_dropped():
    overview = annotator_overview(checked(careless=True), "score")
    assert overview.suspects == ("careless",)
    assert "not scored worse" in overview.annotators[0].note
    assert overview.balance.loc["careless", "s"] == 12


def test_only_outputs_with_a_damaged_copy_are_intact_ones():
    frame = checked(n=4)
    other = frame[frame["item_type"] == "output"].assign(document="elsewhere", score=1.0)
    both = annotator_overview(frame._append(other) if hasattr(frame, "_append") else frame, "score")
    assert both.annotators[0].n_intact == 4


def test_repeats_are_counted_with_their_distance():
    frame = judgement_frame(
        {"system": ["s"] * 4, "segment": ["1", "1", "2", "1"], "annotator": "x", "dimension": "score",
         "score": [10.0, 14.0, 3.0, 4.0]}, 4,
    )  # fmt: skip
    (who,) = annotator_overview(frame, "score").annotators
    assert (who.n_repeats, who.repeat_difference) == (2, 5.0)


def test_balance_and_imbalance(judged):
    overview = annotator_overview(judged, "score")
    assert overview.balance.to_numpy().sum() == len(judged)
    assert overview.imbalance < 0.2
    apart = judged.assign(annotator=judged["system"])
    assert annotator_overview(apart, "score").imbalance == pytest.approx(1)


def test_lower_scores_for_damage_count_as_better_noticed_where_lower_is_better():
    frame = checked()
    turned = frame.assign(score=-frame["score"])
    who = annotator_overview(turned, "score", higher_is_better=False).annotators[0]
    assert who.damage_p == pytest.approx(annotator_overview(frame, "score").annotators[0].damage_p)
    assert who.damage_gap > 0
