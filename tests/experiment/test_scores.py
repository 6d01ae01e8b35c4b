"""Segment scores in the data model: what is valid, who is present, and what the digest sees."""

from __future__ import annotations

import math

import pytest

from mtsig_core.experiment import Experiment, ExperimentError, Replica, System, TestSet


def scored(values=(0.5, None, 0.7), *, metric="COMET", name="seed1", size=3, directions=None, **more):
    replica = Replica(name, scores={"test": {metric: values}}, **more)
    sets = (TestSet("test", "test", (), size=size),)
    return Experiment("e", sets, (System("a", (replica,)),), outside_metrics=directions or {})


def test_an_experiment_of_scores_alone():
    made = scored()
    assert made.test_set("test").n_segments == 3
    assert made.outside_metrics == {"COMET": True}
    assert not made.has_text
    assert made.systems_on("test") == ()
    assert [s.name for s in made.systems_present_on("test")] == ["a"]
    assert [s.name for s in made.systems_scored_on("test", "COMET")] == ["a"]
    assert made.systems_scored_on("test", "BLEURT") == ()


def test_text_and_scores_are_told_apart():
    sets = (TestSet("test", "test", (("x", "y"),)), TestSet("dev", "dev", (("z",),)))
    text = Replica("1", {"test": ("x", "y"), "dev": ("z",)})
    both = Replica("2", {"test": ("x", "y")}, {"test": {"COMET": (1.0, 2.0)}, "dev": {"COMET": (3.0,)}})
    made = Experiment("e", sets, (System("a", (text, both)),))
    system = made.system("a")
    assert [r.name for r in system.on("dev")] == ["1"]
    assert [r.name for r in system.scored_on("dev", "COMET")] == ["2"]
    assert [r.name for r in system.present_on("dev")] == ["1", "2"]
    assert made.has_text


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (scored(), True),
        (scored((0.5, None, 0.7000000001)), False),
        (scored((0.5, 0.0, 0.7)), False),
        (scored((None, 0.5, 0.7)), False),
        (scored(metric="BLEURT"), False),
        (scored(name="seed2"), False),
        (scored(directions={"COMET": False}), False),
        (scored(directions={"COMET": True}), True),
    ],
)
def test_the_digest_sees_every_score_and_its_direction(other, same):
    assert (scored().digest == other.digest) is same


def test_two_zeros_are_one():
    assert scored((-0.0, 1, 2)).digest == scored((0, 1, 2)).digest


def test_the_size_is_seen_only_where_nothing_else_tells_it():
    with_references = TestSet("t", "test", (("x", "y"),))
    assert TestSet("t", "test", (("x", "y"),), size=2) == with_references
    assert TestSet("t", "test", (("x", "y"),), size=2).digest == with_references.digest
    assert TestSet("t", "test", (), size=2).digest != TestSet("t", "test", (), size=3).digest


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scored((0.5, math.nan, 1)), "finite"),
        (lambda: scored((0.5, math.inf, 1)), "finite"),
        (lambda: scored((None, None, None)), "one at least"),
        (lambda: scored(metric=""), "without a metric's name"),
        (lambda: scored((1.0, 2.0)), "2 scores of COMET, the test set has 3 segments"),
        (lambda: scored(directions={"TER": False}), "'TER'"),
        (lambda: scored(size=None), "no reference; add at least one, or state the number"),
        (lambda: scored(size=0), "no segments"),
        (lambda: Replica("1", scores={"test": {}}), "no output"),
        (lambda: TestSet("t", "test", (("x",),), size=2), "the stated size has 2 lines, ref0 has 1"),
        (lambda: TestSet("t", "test", (), source=("x",), size=2), "source has 1 lines, the test set has 2"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(make, words):
    with pytest.raises(ExperimentError, match=words):
        make()


def test_metrics_keep_the_order_of_their_columns_and_the_digest_ignores_it():
    replica = Replica("seed1", scores={"test": {"z": (0.5,), "a": (0.7,), "m": (0.1,)}})
    sets, systems = (TestSet("test", "test", (), size=1),), (System("a", (replica,)),)
    one, other = (Experiment("e", sets, systems, outside_metrics=dict.fromkeys(names, True)) for names in ("za", "az"))
    assert list(one.outside_metrics) == ["z", "a", "m"]
    assert one.digest == other.digest
