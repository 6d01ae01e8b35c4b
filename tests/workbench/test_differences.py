"""Questions about where two systems differ, asked of a workbench."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import choose_metric, get_metric
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.differences import METRIC_FREE, matches, words_of
from tests.conftest import small_experiment


def pair_of(experiment, metric):
    return Workbench(experiment).pair("test", metric, "plain", "better")


@pytest.fixture(scope="module")
def experiment():
    return small_experiment(n_segments=20, dev=False)


def scored(experiment, gap=3):
    """Add scores of an outside metric that one segment lacks."""
    def with_scores(replica):
        values = tuple(None if i == gap else float(len(x)) for i, x in enumerate(replica.outputs["test"]))
        return replace(replica, scores={"test": {"M": values}})

    systems = tuple(System(s.name, tuple(map(with_scores, s.replicas))) for s in experiment.systems)
    return Experiment("scored", experiment.test_sets, systems, baseline="plain")


def test_every_question_has_an_answer(experiment):
    pair = pair_of(experiment, get_metric("bleu"))
    for what in ("length", "frequency", "difficulty", *METRIC_FREE):
        assert len(pair.differences(what).to_frame()) > 0
    with pytest.raises(ValueError, match="length, document, .*; not by 'colour'"):
        pair.differences("colour")
    with pytest.raises(ValueError, match="does not say which segments belong to one document"):
        pair.differences("document")


def test_words_are_counted_once_and_split_as_the_metric_does(experiment):
    pair = pair_of(experiment, get_metric("bleu", tokenize="char", lowercase=True))
    assert words_of(pair) == ("char", True)
    assert matches(pair) is matches(pair)
    assert words_of(pair_of(experiment, get_metric("bleu", tokenize="intl", nfc=True))) == ("intl", False)
    assert words_of(pair_of(experiment, get_metric("chrf")))[0] == "none"  # the text looks tokenized already


def test_edits_add_up_to_ter(experiment):
    pair = pair_of(experiment, get_metric("ter"))
    row = pair.differences("edits").rows[-1].rate
    assert row.a == pytest.approx(pair.statistics().scores_of("plain").mean())
    assert pair.differences("edits").note == ""
    assert "at white space only" in pair_of(experiment, get_metric("bleu", tokenize="zh")).differences("edits").note
    normalised = pair_of(experiment, get_metric("ter", nfc=True))
    assert normalised.differences("edits").rows[-1].rate == row


def test_segments_without_a_score_are_in_no_bucket(experiment):
    whole = scored(experiment)
    pair = pair_of(whole, choose_metric(whole, "M"))
    for by in ("length", "difficulty"):
        found = pair.differences(by)
        assert sum(row.segments for row in found.rows) == 19
        assert all(row.length is not None for row in found.rows)
    kept = np.delete(np.arange(20), 3)
    lengths = [len(experiment.test_set("test").references[0][i].split()) for i in kept]
    groups = pair.differences("length").grouping.bucket_of
    assert all(x <= y for x, gx in zip(lengths, groups, strict=True) for y, gy in zip(lengths, groups, strict=True)
               if gx < gy)  # fmt: skip


def test_chinese_is_counted_in_characters(experiment):
    labels = [pair_of(experiment, get_metric("bleu", tokenize=t)).differences("length").grouping.labels[0]
              for t in ("zh", "13a")]
    assert [label.split()[-1] for label in labels] == ["characters", "words"]


def test_what_is_missing_is_told(experiment):
    systems = tuple(
        System(name, tuple(Replica(f"r{k}", scores={"test": {"M": (1.0, 2.0 + k, 3.0)}}) for k in range(2)))
        for name in ("plain", "better")
    )
    alone = Experiment("scores", (Texts("test", "test", (), size=3),), systems)
    pair = pair_of(alone, choose_metric(alone, "M"))
    assert pair.differences("difficulty").rows[0].length is None
    assert "no references, whose words give the length" in pair.why_no_differences("length")
    for what in METRIC_FREE:
        with pytest.raises(ValueError, match="holds scores and no text on test"):
            pair.differences(what)
    half = Experiment("half", alone.test_sets, (replace(systems[0], replicas=tuple(
        replace(r, outputs={"test": ("a", "b", "c")}) for r in systems[0].replicas)), systems[1]))  # fmt: skip
    with pytest.raises(ValueError, match="better has scores and no text"):
        pair_of(half, choose_metric(half, "M")).differences("words")
    both = Experiment("both", alone.test_sets, tuple(
        replace(s, replicas=tuple(replace(r, outputs={"test": ("a", "b", "c")}) for r in s.replicas)) for s in systems
    ))  # fmt: skip
    with pytest.raises(ValueError, match="has no references, so no word can be called right or wrong"):
        pair_of(both, choose_metric(both, "M")).differences("stability")
