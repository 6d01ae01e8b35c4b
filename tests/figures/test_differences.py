"""Where two systems differ, drawn and told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.differences.buckets import BucketRow, BucketTable, Grouping
from mtsig_core.analysis.differences.edits import EditRow, EditTable
from mtsig_core.analysis.differences.lengths import length_table
from mtsig_core.analysis.differences.ngrams import ngram_table
from mtsig_core.analysis.differences.stability import stability_table
from mtsig_core.analysis.differences.words import word_table
from mtsig_core.figures import differences as figures
from mtsig_core.metrics.text.word_matches import word_matches
from mtsig_core.reports.differences.tables import bucket_frame, display_of, edit_frame
from mtsig_core.reports.pairs.means import caution, notes_of_means
from mtsig_core.resampling import Settings
from mtsig_core.significance import Scope
from mtsig_core.significance.closed_form.two_means import TwoMeans
from tests.conftest import small_experiment

UP, DOWN = TwoMeans(10.0, 12.0, 2.0, (1.0, 3.0)), TwoMeans(10.0, 9.0, -1.0, (-2.0, -0.5))
LUCK, NONE = TwoMeans(10.0, 11.0, 1.0, (-1.0, 3.0)), TwoMeans(10.0, 12.0, 2.0, None, "Not defined: one replica.")
NOTHING = TwoMeans(None, None, None, None, "Not defined: nothing.")


def table(means, *, higher=True, quality=True, name="new", label="<b>x</b>"):
    rows = tuple(BucketRow(f"{label} {k}", 3, m, TwoMeans(90.0, 104.6, 14.6, None)) for k, m in enumerate(means))
    grouping = Grouping("length", np.arange(len(rows)), tuple(r.label for r in rows), "A note.")
    scope = Scope("test", "bleu", "BLEU", higher, quality, ("old", name))
    return BucketTable(scope, grouping, rows, 3, 3, 0.05)


def edits(means):
    kinds = ("insertions", "deletions", "substitutions", "shifts", "all edits")
    return EditTable(Scope(systems=("old", "new")), tuple(map(EditRow, kinds, means)), 3, 3, 0.05)


def test_words_follow_the_direction_of_the_metric():
    means = [UP, DOWN, LUCK, NONE, NOTHING]
    assert bucket_frame(table(means))["verdict"].tolist() == ["new better", "new worse", "inconclusive", "—", "—"]
    assert bucket_frame(table(means, higher=False))["verdict"].tolist()[:2] == ["new worse", "new better"]
    assert bucket_frame(table(means, quality=False))["verdict"].tolist()[:2] == ["new higher", "new lower"]
    assert edit_frame(edits(means))["verdict"].tolist()[:2] == ["more in new", "fewer in new"]
    frame = bucket_frame(table(means))
    assert frame["output length, A / B"].tolist() == ["90 / 105%"] * 5
    assert frame["difference"].tolist() == ["+2.00", "−1.00", "+1.00", "+2.00", "—"]
    assert frame["interval"].tolist()[-2:] == ["—", "—"]


def test_every_answer_comes_with_what_to_know_of_it():
    told = display_of(table([UP, NONE, NONE]))
    assert [len(frame) for _, frame in told.tables] == [3]
    assert told.lines == ("A note.", "Not defined: one replica.")
    assert notes_of_means([NONE, UP, NOTHING, NONE]) == ["Not defined: one replica.", "Not defined: nothing."]
    assert caution(1, 0.05) == ""
    assert "about 5% of such intervals" in caution(5, 0.05)
    assert len(display_of(edits([UP] * 5)).lines) == 1


@pytest.mark.parametrize("draw", [figures.bucket_scores, figures.bucket_differences])
def test_buckets_drawn(draw, check, nasty_name):
    document, texts = check(draw(table([UP, DOWN, LUCK, NONE, NOTHING], name=nasty_name, label=nasty_name)))
    assert nasty_name not in " ".join(texts)
    assert document["layout"]["yaxis"]["tickvals"] == [0, -1, -2, -3, -4]
    points = [t for t in document["data"] if t["mode"] == "markers"]
    drawn = sum(len(t["x"]) for t in points)
    assert drawn == (8 if draw is figures.bucket_scores else 4)


def test_an_interval_over_zero_is_an_open_point(check):
    document, _ = check(figures.edit_differences(edits([UP, DOWN, LUCK, NONE, NOTHING])))
    symbols = [t["marker"]["symbol"] for t in document["data"] if t["mode"] == "markers"]
    assert symbols == ["circle", "circle", "circle-open", "circle-open"]
    assert [t["x"] for t in document["data"] if t["mode"] == "lines"] == [[1.0, 3.0], [-2.0, -0.5], [-1.0, 3.0]]
    low, high = document["layout"]["xaxis"]["range"]
    assert low < -2.0
    assert high > 3.0
    check(figures.edit_rates(edits([UP] * 5)))


def test_what_the_right_side_means_is_said(check):
    cases = (({}, "new is better"), ({"higher": False}, "new is worse"), ({"quality": False}, "new is higher"))
    for options, told in cases:
        assert told in check(figures.bucket_differences(table([UP], **options)))[0]["layout"]["xaxis"]["title"]["text"]


def test_of_many_buckets_those_of_the_largest_differences_are_drawn(check):
    means = [TwoMeans(0.0, float(k), float(k), None) for k in range(40)]
    document, texts = check(figures.bucket_scores(table(means, label="doc")))
    assert len(document["layout"]["yaxis"]["tickvals"]) == figures.MOST_ROWS
    assert "doc 39" in texts
    assert "doc 15" not in texts


def test_nothing_to_draw_is_said():
    for draw in (figures.bucket_scores, figures.bucket_differences):
        assert draw(table([NOTHING])).layout.annotations[0].text


@pytest.fixture
def matches():
    experiment = small_experiment(n_segments=15, dev=False)
    return word_matches(experiment, "test", ("plain", "better"), tokenize="none")


def test_words_and_lengths_drawn_and_told(check, matches):
    found = word_table(matches, "plain", "better", Settings())
    for draw in (figures.word_f1, figures.word_f1_differences):
        check(draw(found))
    told = display_of(found)
    assert told.tables[0][1]["in the references"].tolist()[-1] == "all words"
    assert "In no reference of the test set are" in told.lines[0]
    found = length_table(matches, "plain", "better", Settings())
    for draw in (figures.output_lengths, figures.output_length_differences):
        check(draw(found))
    frame = display_of(found).tables[0][1]
    assert frame["output"].tolist() == ["as long"]  # words were only exchanged
    assert frame["verdict"].tolist() == ["the same"]


def test_ngrams_told(matches):
    found = ngram_table(matches, "plain", "better", Settings(alpha=0.2))
    told = display_of(found)
    assert [title for title, _ in told.tables] == ["Right more often in better", "Right more often in plain"]
    assert "tested" in told.lines[-1]
    assert told.tables[0][1]["p"].tolist()[0] == "0.100"
    single = replace(matches, outputs={name: rows[:1] for name, rows in matches.outputs.items()})
    (line,) = display_of(ngram_table(single, "plain", "better", Settings())).lines
    assert line.startswith("Not tested")


def test_stability_drawn_and_told(check, matches):
    found = stability_table(matches, "plain", "better")
    document, _ = check(figures.stability(found))
    assert [sum(t["x"][k] for t in document["data"]) for k in (0, 1)] == pytest.approx([100, 100])
    told = display_of(found)
    assert told.tables[0][1]["system"].tolist() == ["plain", "better"]
    assert list(told.tables[1][1])[0] == "word"


def test_points_at_the_edge_of_a_chart_are_drawn_whole():
    for draw in (figures.bucket_scores, figures.bucket_differences):
        assert all(trace.cliponaxis is False for trace in draw(table([UP, DOWN])).data if trace.mode == "markers")
