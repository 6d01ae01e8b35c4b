"""Items and standardised scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.people.items import item_scores
from mtsig_core.analysis.people.standardise import standardise
from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.resampling import Settings


def rows(*cells, **columns):
    names = ("system", "segment", "annotator", "score")
    data = {name: [row[i] for row in cells] for i, name in enumerate(names)}
    return judgement_frame({"dimension": "score", **data, **columns}, len(cells))


def test_several_judgements_of_an_item_are_one_item():
    frame = rows(("a", "1", "x", 10), ("a", "1", "y", 20), ("a", "2", "x", 40), ("b", "1", "x", 5))
    scores = item_scores(frame, "score")
    assert scores.systems == ("a", "b")
    np.testing.assert_allclose(scores.of("a"), [15, 40])
    np.testing.assert_allclose(scores.means, [27.5, 5])
    assert scores.n_judgements.tolist() == [3, 1]
    assert np.isnan(scores.values[1, 1])


def test_control_items_and_missing_scores_are_left_out():
    cells = [("a", "1", "x", 10), ("a", "2", "x", 0), ("a", "3", "x", None)]
    frame = rows(*cells, item_type=["output", "damaged", "output"])
    scores = item_scores(frame, "score")
    assert scores.items == ("1",)
    assert scores.means.tolist() == [10]


def test_segments_of_documents_are_apart_though_their_ids_are_alike():
    frame = rows(("a", "1", "x", 1), ("a", "1", "x", 3), document=["d", "e"])
    assert item_scores(frame, "score").items == ("d / 1", "e / 1")


def test_an_unknown_dimension_names_those_there_are():
    with pytest.raises(ValueError, match="No judgement of 'fluency'; the dimensions are: score"):
        item_scores(rows(("a", "1", "x", 1)), "fluency")


def test_documents_as_units_are_drawn_whole(judged):
    by_document = item_scores(judged, "score", unit="document")
    assert len(np.unique(by_document.units)) == 12
    draws = by_document.bootstrap_means(Settings(n_bootstrap=400))
    # each document has five segments of every system: the spread is that of the documents' means
    means = by_document.values.reshape(12, 5, 3).mean(axis=1)
    np.testing.assert_allclose(draws.std(axis=0), means.std(axis=0) / np.sqrt(12), rtol=0.15)


def test_bootstrap_means_agree_with_the_closed_form(judged):
    scores = item_scores(judged, "score")
    draws = scores.bootstrap_means(Settings(n_bootstrap=4000))
    np.testing.assert_allclose(draws.mean(axis=0), scores.means, atol=0.1)
    np.testing.assert_allclose(draws.std(axis=0), scores.values.std(axis=0) / np.sqrt(60), rtol=0.06)


def test_error_counts_are_better_when_lower():
    frame = rows(("a", "1", "x", 3), ("b", "1", "x", 1))
    assert item_scores(frame, "score", higher_is_better=False).best_first == ("b", "a")


def test_standardised_scores_have_mean_0_and_sd_1_by_annotator(judged):
    groups = standardise(judged).frame.groupby("annotator")["score"]
    np.testing.assert_allclose(groups.mean(), 0, atol=1e-12)
    np.testing.assert_allclose(groups.std(ddof=1), 1)


def test_annotators_without_spread_or_with_one_judgement_are_left_out_and_named():
    frame = rows(("a", "1", "flat", 70), ("b", "1", "flat", 70), ("a", "1", "once", 3), ("a", "1", None, 5),
                 ("a", "1", "good", 5), ("b", "1", "good", 9))  # fmt: skip
    result = standardise(frame)
    assert result.left_out == {
        "flat": "all scores are equal", "once": "fewer than two judgements", "": "no annotator is named",
    }  # fmt: skip
    assert result.n_left_out == 4
    np.testing.assert_allclose(result.frame["score"], [-np.sqrt(0.5), np.sqrt(0.5)])


@pytest.mark.slow
@settings(deadline=None)
@given(st.floats(0.1, 50), st.floats(-100, 100))
def test_standardising_undoes_the_scale_of_an_annotator(factor, shift):
    frame = rows(("a", "1", "x", 1), ("b", "1", "x", 2), ("c", "1", "x", 4))
    moved = frame.assign(score=frame["score"] * factor + shift)
    pd.testing.assert_series_equal(standardise(moved).frame["score"], standardise(frame).frame["score"], atol=1e-8)
