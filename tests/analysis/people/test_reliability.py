"""Krippendorff's alpha and Cohen's kappa against libraries and published numbers."""

import tracemalloc

import krippendorff
import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from mtsig_core.analysis.people.reliability import (
    _alpha_of_counts,
    cohen_kappa,
    default_scale,
    krippendorff_alpha,
    reliability,
)
from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.resampling import Settings

NONE = np.nan
# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units
PUBLISHED = np.array([
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
])  # fmt: skip


@pytest.mark.parametrize(("scale", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_alpha(scale, value):
    result = krippendorff_alpha(pd.DataFrame(PUBLISHED), Settings(), scale)
    assert result.value == pytest.approx(value, abs=5e-4)
    assert result.n_items == 11
    assert result.interval[0] < result.value <= result.interval[1]


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_alpha_of_resampled_items_is_the_library_s_on_repeated_items(scale):
    rng = np.random.default_rng(3)
    values = rng.integers(1, 6, (4, 25)).astype(float)
    values[rng.random(values.shape) < 0.3] = np.nan
    values = values[:, np.isfinite(values).sum(axis=0) >= 2]
    of_counts = _alpha_of_counts(values, scale)
    for seed in range(5):
        counts = np.bincount(np.random.default_rng(seed).integers(0, values.shape[1], values.shape[1]),
                             minlength=values.shape[1])  # fmt: skip
        repeated = np.repeat(values, counts, axis=1)
        expected = krippendorff.alpha(reliability_data=repeated, level_of_measurement=scale)
        assert of_counts(counts[None].astype(float))[0] == pytest.approx(expected)


def test_kappa_is_that_of_statsmodels():
    rng = np.random.default_rng(4)
    first = rng.integers(0, 3, 50)
    second = np.where(rng.random(50) < 0.6, first, rng.integers(0, 3, 50))
    table = np.zeros((3, 3))
    np.add.at(table, (first, second), 1)
    both = pd.DataFrame([first, second], index=["x", "y"]).astype(float)
    plain = cohen_kappa(both, Settings())
    weighted = cohen_kappa(both, Settings(), "ordinal")
    assert plain.value == pytest.approx(cohens_kappa(table).kappa)
    assert weighted.value == pytest.approx(cohens_kappa(table, wt="quadratic").kappa)
    # the width of the bootstrap interval is about that of the asymptotic one
    asymptotic = cohens_kappa(table)
    width = asymptotic.kappa_upp - asymptotic.kappa_low
    assert plain.interval[1] - plain.interval[0] == pytest.approx(width, rel=0.25)


def test_nothing_shared_and_no_variation_are_said():
    alone = pd.DataFrame([[1.0, np.nan], [np.nan, 2.0]])
    assert "No output was judged by two" in krippendorff_alpha(alone, Settings(), "interval").note
    equal = pd.DataFrame([[3.0, 3.0], [3.0, 3.0]])
    result = krippendorff_alpha(equal, Settings(), "interval")
    assert result.value is None
    assert "equal" in result.note
    assert cohen_kappa(equal, Settings()).value is None


def test_scale_follows_the_values():
    assert default_scale(np.array([1.0, 2, 5])) == "ordinal"
    assert default_scale(np.arange(50.0)) == "interval"
    assert default_scale(np.array([0.5, 1])) == "interval"


def test_reliability_of_a_frame_reports_pairs_for_ratings():
    frame = judgement_frame(
        {"system": ["s"] * 8, "segment": list("11223344"), "annotator": ["x", "y"] * 4, "dimension": "adequacy",
         "score": [1, 1, 2, 2, 3, 3, 4, 5]}, 8,
    )  # fmt: skip
    result = reliability(frame, "adequacy", Settings())
    assert [c.name for c in result.pairs] == ["Cohen's kappa"]
    assert result.overall.n_items == 4
    assert list(result.to_frame()["annotators"]) == ["x and y", "x and y"]


def test_standardised_scores_take_little_memory():
    """400 outputs with 800 distinct scores took gigabytes when every pair of values was counted for every output."""
    values = np.random.default_rng(5).normal(size=(2, 400))
    tracemalloc.start()
    try:
        result = krippendorff_alpha(pd.DataFrame(values), Settings(n_bootstrap=10), "interval")
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
    assert abs(result.value) < 0.2
