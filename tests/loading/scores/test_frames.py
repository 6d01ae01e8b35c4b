"""Scores in memory: tables and arrays become experiments that give the numbers of plain means."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mtsig_core import Workbench, load_scores
from mtsig_core.experiment import ExperimentError

AXES = ("system", "replica", "segment")


def table(values: np.ndarray, **more: object) -> pd.DataFrame:
    """Return one row per cell of an array of shape (system, replica, segment)."""
    cells = [(f"s{i}", f"seed{j}", k, values[i, j, k]) for i, j, k in np.ndindex(values.shape)]
    return pd.DataFrame(cells, columns=["system", "replica", "segment", "score"]).assign(**more)


def test_welch_and_averages_are_those_of_scipy_and_numpy():
    values = np.random.default_rng(4).normal(size=(2, 4, 30))
    bench = Workbench(load_scores(table(values)))
    rows = {row.system: row for row in bench.table(n_bootstrap=50).rows}
    assert [rows[f"s{i}"].avg for i in (0, 1)] == pytest.approx(values.mean(axis=(1, 2)))
    tests = bench.pair().compare(presets=["welch-replicas"], n_bootstrap=50).tests
    oracle = stats.ttest_ind(*(values[i].mean(axis=1) for i in (0, 1)), equal_var=False)
    assert tests[0].p == pytest.approx(oracle.pvalue)


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(st.permutations(range(24)), st.permutations(AXES))
def test_rows_and_axes_in_any_order_are_the_same_experiment(order, axes):
    values = np.random.default_rng(1).normal(size=(2, 3, 4))
    frame = table(values)
    shuffled = load_scores(frame.iloc[list(order)])
    assert shuffled.digest == load_scores(frame).digest
    turned = values.transpose([AXES.index(axis) for axis in axes])
    names = {"system": ["s0", "s1"], "replica": ["seed0", "seed1", "seed2"], "segment": list(range(4))}
    assert load_scores(turned, axes={axis: names[axis] for axis in axes}).digest == shuffled.digest


def test_several_metrics_test_sets_and_missing_scores():
    values = np.random.default_rng(2).normal(size=(2, 2, 5))
    first = table(values, test_set="news").rename(columns={"score": "COMET"}).assign(TER=1.0)
    second = table(values[:, :, :3], test_set="talks").rename(columns={"score": "COMET"}).assign(TER=np.nan)
    first.loc[3, "COMET"] = np.nan
    experiment = load_scores(pd.concat([first, second]), higher_is_better={"TER": False}, baseline="s1")
    assert dict(experiment.outside_metrics) == {"COMET": True, "TER": False}
    assert {t.name: t.n_segments for t in experiment.test_sets} == {"news": 5, "talks": 3}
    assert experiment.baseline == "s1"
    replica = experiment.system("s0").replicas[0]
    assert replica.scores["news"]["COMET"][3] is None
    assert "TER" not in replica.scores["talks"]


def test_an_array_of_several_metrics_with_unequal_replicas():
    values = np.random.default_rng(3).normal(size=(2, 3, 4, 2))
    values[1, 2] = np.nan  # the second system has two replicas
    experiment = load_scores(values, axes={**dict.fromkeys(AXES), "metric": ["COMET", "MQM"]})
    assert [len(s.replicas) for s in experiment.systems] == [3, 2]
    assert list(experiment.outside_metrics) == ["COMET", "MQM"]
    assert experiment.systems[0].replicas[1].scores["test"]["MQM"] == pytest.approx(values[0, 1, :, 1])


def test_a_dev_set_is_not_tested_on():
    frame = pd.concat([table(np.ones((2, 2, 5)), test_set="tuned"), table(np.ones((2, 2, 5)), test_set="news")])
    experiment = load_scores(frame, roles={"tuned": "dev"})
    assert {t.name: t.role for t in experiment.test_sets} == {"tuned": "dev", "news": "test"}
    assert [row.s_dev for row in Workbench(experiment).table(["news"], n_bootstrap=50).rows] == [0, 0]


def test_segments_follow_their_numbers_or_their_first_appearance():
    frame = table(np.arange(6.0).reshape(1, 2, 3))
    frame["segment"] = frame["segment"].map({0: "10", 1: "9", 2: "1"})
    assert load_scores(frame).systems[0].replicas[0].scores["test"]["score"] == (2, 1, 0)
    frame["segment"] = frame["segment"].map({"10": "c", "9": "a", "1": "b"})
    assert load_scores(frame).systems[0].replicas[0].scores["test"]["score"] == (0, 1, 2)


def test_keys_in_the_index_are_as_good_as_columns():
    frame = table(np.arange(8.0).reshape(2, 2, 2))
    indexed = frame.set_index(["system", "replica", "segment"])
    assert load_scores(indexed).digest == load_scores(indexed["score"]).digest == load_scores(frame).digest


def test_numbers_as_names_and_empty_columns_do_no_harm():
    frame = table(np.arange(8.0).reshape(2, 2, 2)).assign(note=None)
    numbered = frame.assign(replica=frame["replica"].map({"seed0": 1.0, "seed1": 2.0}))
    experiment = load_scores(numbered)
    assert [replica.name for replica in experiment.systems[0].replicas] == ["1", "2"]
    assert list(experiment.outside_metrics) == ["score"]


def test_whole_runs_need_no_segments():
    values = np.array([[0.5, 0.6, 0.7], [0.8, 0.9, 0.85]])
    frame = table(values[:, :, None]).drop(columns="segment")
    experiment = load_scores(frame)
    assert not experiment.test_sets[0].has_segments
    names = {"system": ["s0", "s1"], "replica": ["seed0", "seed1", "seed2"]}
    assert load_scores(values, axes=names).digest == experiment.digest
    found = Workbench(experiment).pair().compare()
    assert found.coherent.p == pytest.approx(stats.ttest_ind(*values, equal_var=False).pvalue)


FRAME = table(np.zeros((2, 2, 2)))
WIDE = FRAME.pivot_table(index="segment", columns=["system", "replica"])


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (FRAME.drop(columns="replica"), {}, "No column 'replica'; the columns are 'system', 'segment', 'score'"),
        (WIDE, {}, "The columns have 3 levels. A table has one row for each .* by .melt"),
        (WIDE.droplevel([0, 1], axis=1), {}, "No column 'system'; .* by .rename.* by .melt"),
        ("scores.csv", {}, "not str. For files there is mtsig_core.load"),
        ([{"system": "a", "score": 1}], {}, "for records pandas.DataFrame"),
        ([[[1, 2], [3]]], {"axes": AXES}, "rows are equally long"),
        (FRAME.assign(day=pd.Timestamp("2020-01-01")), {}, "day holds datetime64.*, no scores: .drop"),
        (FRAME, {"higher_is_better": {"scor": False}}, "higher_is_better: no scores in a column 'scor'; .* 'score'"),
        (FRAME.assign(model="bert"), {}, "model is 'bert'; .* .drop\\(columns='model'\\)"),
        (FRAME.drop(columns="segment"), {}, "segment 'whole run' occurs more than once. Tell its rows apart"),
        (FRAME.drop(columns="score"), {}, "No column with scores"),
        (FRAME.iloc[:0], {}, "has no rows"),
        (pd.concat([FRAME, FRAME.iloc[:1]]), {}, "system 's0', replica 'seed0', segment 0 occurs more than once"),
        (FRAME.assign(score=["1", *["x"] * 7]), {}, "Row 2 of the table: score is 'x'"),
        (FRAME.assign(score=[np.inf] * 8), {}, "Row 1 of the table: score is inf"),
        (FRAME.assign(score=np.nan), {}, "Every score is missing"),
        (FRAME.assign(system=[None, *"abcdefg"]), {}, "Row 1 of the table has no system"),
        (FRAME, {"axes": AXES}, "axes describe an array"),
        (FRAME, {"roles": {"dev": "dev"}}, "roles: no test set 'dev'; there are test"),
        (FRAME, {"roles": {"test": "tuning"}}, "role must be one of dev, test, other; not 'tuning'"),
        (FRAME, {"baseline": "third"}, "No system 'third'"),
        (np.zeros((2, 2)), {}, "Name the 2 axes"),
        (np.zeros((2, 2)), {"axes": AXES}, "The array has 2 axes, of shape \\(2, 2\\); 3 are named"),
        (np.zeros((2, 2)), {"axes": ("system", "segment")}, "must name system and replica"),
        (np.zeros((2, 2, 2)), {"axes": {**dict.fromkeys(AXES), "system": ["a"]}}, "1 names for the axis 'system'"),
        (np.zeros((2, 2, 2)), {"axes": ("system", "replica", "colour")}, "must name system and replica"),
    ],
)
def test_errors_name_the_place_and_the_remedy(scores, options, message):
    with pytest.raises(ExperimentError, match=message):
        load_scores(scores, **options)
