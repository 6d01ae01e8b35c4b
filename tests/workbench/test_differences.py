"""Questions about where two systems differ, asked of a workbench."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import choose_metric, get_metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench.differences import (
    METRIC_FREE,
    ask,
    ask_buckets,
    ask_edits,
    ask_words,
    why_no_buckets,
    words_of,
)
from mtsig_core.workbench.pair import Where
from mtsig_core.workbench.workbench import Workbench
from tests.conftest import small_experiment

SETTINGS = Settings()


def where_of(experiment, metric):
    return Where(Workbench(experiment), "test", metric, "plain", "better")


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
    where = where_of(experiment, get_metric("bleu"))
    for what in ("length", "frequency", "difficulty", *METRIC_FREE):
        assert len(ask(where, what, SETTINGS).to_frame()) > 0
    with pytest.raises(ValueError, match="length, document, .*; not by 'colour'"):
        ask(where, "colour", SETTINGS)
    with pytest.raises(ValueError, match="does not say which segments belong to one document"):
        ask(where, "document", SETTINGS)


def test_words_are_counted_once_and_split_as_the_metric_does(experiment):
    where = where_of(experiment, get_metric("bleu", tokenize="char", lowercase=True))
    assert words_of(where.metric, where) == ("char", True)
    assert ask_words(where) is ask_words(where)
    assert words_of(get_metric("bleu", tokenize="intl", nfc=True), where) == ("intl", False)
    assert words_of(get_metric("chrf"), where)[0] == "none"  # the text looks tokenized already


def test_edits_add_up_to_ter(experiment):
    where = where_of(experiment, get_metric("ter"))
    row = ask_edits(where, SETTINGS).rows[-1].rate
    assert row.a == pytest.approx(where.statistics().scores_of("plain").mean())
    assert ask_edits(where, SETTINGS).note == ""
    assert "at white space only" in ask_edits(where_of(experiment, get_metric("bleu", tokenize="zh")), SETTINGS).note
    normalised = where_of(experiment, get_metric("ter", nfc=True))
    assert ask_edits(normalised, SETTINGS).rows[-1].rate == row


def test_segments_without_a_score_are_in_no_bucket(experiment):
    whole = scored(experiment)
    where = where_of(whole, choose_metric(whole, "M"))
    for by in ("length", "difficulty"):
        found = ask_buckets(where, by, SETTINGS)
        assert sum(row.segments for row in found.rows) == 19
        assert all(row.length is not None for row in found.rows)
    kept = np.delete(np.arange(20), 3)
    lengths = [len(experiment.test_set("test").references[0][i].split()) for i in kept]
    groups = ask_buckets(where, "length", SETTINGS).grouping.bucket_of
    assert all(x <= y for x, gx in zip(lengths, groups, strict=True) for y, gy in zip(lengths, groups, strict=True)
               if gx < gy)  # fmt: skip


def test_what_is_missing_is_told(experiment):
    systems = tuple(
        System(name, tuple(Replica(f"r{k}", scores={"test": {"M": (1.0, 2.0 + k, 3.0)}}) for k in range(2)))
        for name in ("plain", "better")
    )
    alone = Experiment("scores", (Texts("test", "test", (), size=3),), systems)
    where = where_of(alone, choose_metric(alone, "M"))
    assert ask_buckets(where, "difficulty", SETTINGS).rows[0].length is None
    assert "no references, whose words give the length" in why_no_buckets(where, "length")
    for what in METRIC_FREE:
        with pytest.raises(ValueError, match="holds scores and no text on test"):
            ask(where, what, SETTINGS)
    half = Experiment("half", alone.test_sets, (replace(systems[0], replicas=tuple(
        replace(r, outputs={"test": ("a", "b", "c")}) for r in systems[0].replicas)), systems[1]))  # fmt: skip
    with pytest.raises(ValueError, match="better has scores and no text"):
        ask(where_of(half, choose_metric(half, "M")), "words", SETTINGS)
    both = Experiment("both", alone.test_sets, tuple(
        replace(s, replicas=tuple(replace(r, outputs={"test": ("a", "b", "c")}) for r in s.replicas)) for s in systems
    ))  # fmt: skip
    with pytest.raises(ValueError, match="has no references, so no word can be told right or wrong"):
        ask(where_of(both, choose_metric(both, "M")), "stability", SETTINGS)
