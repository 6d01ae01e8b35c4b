"""Penalties of marked errors; post-edits; judged replicas."""

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from scipy import stats

from mtsig_core.analysis.people.hter import hter_judgements, with_outputs
from mtsig_core.analysis.people.mqm import FREITAG_2021, TWO_SEVERITIES, Weights, mqm_penalties
from mtsig_core.analysis.people.replicas import judged_replicas, replica_pairs
from mtsig_core.loading.judgements.frame import Span, judgement_frame
from mtsig_core.resampling import Settings
from mtsig_core.significance import run_preset


@pytest.mark.parametrize(
    ("span", "penalty"),
    [
        (Span("major", "accuracy/mistranslation"), 5),
        (Span("minor", "style/awkward"), 1),
        (Span("minor", "fluency/punctuation"), 0.1),
        (Span("major", "fluency/punctuation"), 5),
        (Span("major", "non-translation"), 25),
        (Span("Minor", "Non-translation!"), 25),
        (Span("neutral", "accuracy/addition"), 0),
    ],
)
def test_weights_of_freitag(span, penalty):
    assert FREITAG_2021.penalty(span) == penalty


def test_weights_are_data():
    heavy = Weights({"major": 10, "minor": 1}, {("terminology", "*"): 2})
    assert heavy.penalty(Span("major", "terminology/wrong")) == 2
    assert heavy.penalty(Span("major", "accuracy")) == 10
    with pytest.raises(ValueError, match="No weight for the severity 'fatal'"):
        heavy.penalty(Span("fatal"))


def marked():
    spans = [(Span("major"), Span("minor")), (), (Span("minor"),), None]
    return judgement_frame(
        {"system": ["a", "a", "b", "b"], "segment": ["1", "1", "1", "2"], "annotator": ["x", "y", "x", "x"],
         "dimension": "score", "spans": spans}, 4,
    )  # fmt: skip


def test_an_item_is_the_mean_of_its_judgements_and_no_error_counts():
    result = mqm_penalties(marked(), TWO_SEVERITIES)
    assert result.means == {"b": -1.0, "a": -3.0}
    assert result.frame["score"].tolist() == [-6, 0, -1]
    assert not np.signbit(result.frame["score"].to_numpy()[1])
    per_item = result.errors.set_index(["system", "severity"])["penalty per item"]
    assert per_item["a", "major"] == 2.5
    assert per_item["a", "minor"] == 0.5
    # categories and severities add up to the system's penalty
    assert result.errors.groupby("system")["penalty per item"].sum().to_dict() == {"a": 3.0, "b": 1.0}


def test_judgements_without_spans_are_refused():
    with pytest.raises(ValueError, match="marks error spans"):
        mqm_penalties(marked().iloc[3:])


def test_hter_is_sacrebleu_s_ter_against_the_own_post_edit():
    outputs = ["the cat sat on mat", "a dog barks", "same text here"]
    edits = ["the cat sat on the mat", "barks a dog loudly", "same text here"]
    frame = pd.DataFrame({"system": "s", "segment": ["1", "2", "3"], "output": outputs, "post_edit": edits,
                          "annotator": "editor"})  # fmt: skip
    judged = hter_judgements(frame)
    expected = [sacrebleu.TER().sentence_score(o, [e]).score for o, e in zip(outputs, edits, strict=True)]
    np.testing.assert_allclose(judged["score"], expected)
    assert set(judged["dimension"]) == {"hter"}
    with pytest.raises(ValueError, match="post_edit"):
        hter_judgements(frame.drop(columns="post_edit"))


def replicated(n_items=40, n_replicas=3, seed=8):
    rng = np.random.default_rng(seed)
    rows = [
        (system, f"seed{r}", str(i), quality + rng.normal())
        for system, quality in (("plain", 0.0), ("better", 2.0))
        for r in range(n_replicas)
        for i in range(n_items)
    ]
    return judgement_frame(
        {"system": [r[0] for r in rows], "replica": [r[1] for r in rows], "segment": [r[2] for r in rows],
         "annotator": "x", "dimension": "score", "score": [r[3] for r in rows]}, len(rows),
    )  # fmt: skip


def test_judged_replicas_go_through_the_tests_of_metrics():
    frame = replicated()
    judged = judged_replicas(frame, "score")
    assert judged.replicas == {"plain": ("seed0", "seed1", "seed2"), "better": ("seed0", "seed1", "seed2")}
    means = frame.groupby("system")["score"].mean()
    assert judged.statistics.scores_of("better").mean() == pytest.approx(means["better"])
    result = run_preset("crossed", judged.statistics, "plain", "better", Settings())
    assert result.difference == pytest.approx(means["better"] - means["plain"])
    assert result.p < 0.05


def test_pairs_of_judged_replicas_are_those_of_closed_forms():
    frame = replicated()
    result = replica_pairs(frame, "score", Settings())
    (row,) = result.rows
    assert (row.a, row.b, row.replicas, row.n_items) == ("better", "plain", (3, 3), 40)
    means = frame.groupby(["system", "replica"])["score"].mean()
    welch = stats.ttest_ind(means["better"], means["plain"], equal_var=False)
    assert row.tests["welch-replicas"].p == pytest.approx(welch.pvalue)
    # of all 20 ways to divide six replicas, two are as extreme as complete separation
    assert row.tests["ar-replica"].p == pytest.approx(2 / 20)
    assert row.p_holm == row.tests["coherent"].p
    shown = result.to_frame().iloc[0]
    assert shown["B − A"] == pytest.approx(means["plain"].mean() - means["better"].mean())
    assert shown["low"] < shown["B − A"] < shown["high"]


@pytest.mark.slow
def test_pairs_of_judged_replicas_use_the_items_that_both_share():
    frame = replicated()
    third = frame[frame["system"] == "plain"].assign(system="third", segment=frame["segment"].map("x{}".format))
    third = pd.concat([third[third["replica"] == "seed0"]], ignore_index=True)
    result = replica_pairs(pd.concat([frame, third], ignore_index=True), "score", Settings())
    notes = {frozenset((row.a, row.b)): (row.n_items, row.note, row.p_holm) for row in result.rows}
    assert notes[frozenset(("better", "plain"))][:2] == (40, "")
    assert notes[frozenset(("better", "third"))] == (
        0, "No item was judged for every replica of both systems.", None)  # fmt: skip
    assert np.isnan(result.to_frame()["p, Holm"]).sum() == 2
    assert replica_pairs(frame[frame["system"] == "plain"], "score", Settings()) is None
    assert replica_pairs(replicated(n_replicas=1), "score", Settings()) is None


def test_one_judged_output_answers_another_question_than_the_recipe():
    frame = replicated(n_replicas=1)
    assert "not whether the training setup is" in judged_replicas(frame, "score").note
    holes = frame.drop(index=[0, 45])
    judged = judged_replicas(holes, "score")
    assert judged.statistics.n_segments == 38
    assert "38 of 40 items" in judged.statistics.note


def test_post_edits_stand_beside_the_outputs_of_the_experiment():
    edited = pd.DataFrame({"system": ["A", "A", "B", "B", "C"], "segment": ["2", "9", "1", "x", "1"],
                           "post_edit": ["a b c", "x", "a b", "x", "x"]})  # fmt: skip
    outputs = {("A", "1"): ("x y", "a b d"), ("B", "1"): ("a b", "c"), ("C", "1"): ("x",), ("C", "2"): ("y",)}
    beside = with_outputs(edited, outputs)
    assert beside[["system", "output"]].to_numpy().tolist() == [["A", "a b d"], ["B", "a b"]]
    assert hter_judgements(beside)["score"].round(3).tolist() == [33.333, 0.0]
    named = with_outputs(edited.assign(replica=[None] * 4 + ["2"]), outputs)
    assert named["output"].tolist()[-1] == "y"
