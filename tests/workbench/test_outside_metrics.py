"""Outside metrics from file to answer: the command line and the workbench, without any text."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from scipy import stats as scipy_stats

from mtsig_core.cli.main import main
from mtsig_core.loading import load
from mtsig_core.metrics import StatisticsCache, choose_metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench

FEW = ["--resamples", "200", "--shuffles", "500"]


def scores(segments=80, n=4, shift=0.5):
    """Quality by (system, replica, segment)."""
    rng = np.random.default_rng(3)
    text = rng.normal(size=segments)
    return {s: text + rng.normal(scale=0.5, size=(n, segments)) + shift * (s == "new") for s in ("old", "new")}


def table(found, *, sign=1.0, offset=0.0, metric="Quality", missing=()):
    rows = [f"system,seed,segment,{metric}"]
    for system, values in found.items():
        for k, of_replica in enumerate(values, 1):
            for i, value in enumerate(of_replica, 1):
                cell = "" if (system, k, i) in missing else repr(float(offset + sign * value))
                rows.append(f"{system},{k},{i},{cell}")
    return "\n".join(rows) + "\n"


@pytest.fixture
def call(capsys, tmp_path):
    def run(command, content, *arguments):
        path = tmp_path / "scores.csv"
        path.write_text(content)
        code = main([command, str(path), *arguments, "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else err

    return run


def test_table_is_that_of_plain_means(call):
    found = scores()
    code, told = call("table", table(found), *FEW[:2])
    assert code == 0
    rows = {row["system"]: row for row in told["rows"]}
    for system, values in found.items():
        assert rows[system]["avg"] == pytest.approx(values.mean())
        assert rows[system]["s_test"] == pytest.approx(values.mean(axis=1).std(ddof=1))
        assert rows[system]["s_sel_closed"] == pytest.approx(values.std(axis=1).mean() / np.sqrt(80))
        assert rows[system]["signature"] == "Quality|from file"
    assert told["notes"] == []


def test_a_segment_without_a_score_is_left_out_everywhere_and_told(call):
    found = scores()
    code, told = call("compare", table(found, missing={("old", 2, 5), ("new", 1, 80)}), "--baseline", "old", *FEW)
    kept = [i for i in range(80) if i not in (4, 79)]
    assert code == 0
    (result,) = told["results"]
    assert result["difference"] == pytest.approx(found["new"][:, kept].mean() - found["old"][:, kept].mean())
    assert "78 of 80 segments are used" in told["notes"][0]


def test_welch_and_the_verdict(call):
    found = scores()
    _, told = call("compare", table(found), "--baseline", "old", *FEW)
    (result,) = told["results"]
    p = {test["preset"]: test["p"] for test in result["tests"]}
    oracle = scipy_stats.ttest_ind(found["new"].mean(axis=1), found["old"].mean(axis=1), equal_var=False)
    assert p["welch-replicas"] == pytest.approx(oracle.pvalue)
    assert result["verdict"]["outcome"] == "better"


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "level"), [(0.5, "better"), (-0.5, "worse")])
def test_an_error_measure_turns_every_verdict_and_no_number(call, shift, level):
    content = table(scores(shift=shift), metric="Quality")
    errors = table(scores(shift=shift), metric="HTER", sign=-1.0, offset=10.0)
    errors = errors.replace(",HTER", ",HTER,higher is better", 1)
    errors = "\n".join([errors.split("\n")[0], *(f"{line},no" for line in errors.strip().split("\n")[1:])])
    code, quality = call("compare", content, "--baseline", "old", "--fail-if-worse", *FEW)
    code_of_errors, error = call("compare", errors, "--baseline", "old", "--fail-if-worse", *FEW)
    up, down = quality["results"][0], error["results"][0]
    assert code == code_of_errors == (1 if level == "worse" else 0)
    assert (up["higher_is_better"], down["higher_is_better"]) == (True, False)
    assert up["verdict"]["outcome"] == down["verdict"]["outcome"] == level
    assert down["difference"] == pytest.approx(-up["difference"])
    assert f"new is {level} than old" in down["verdict"]["headline"]
    # sampled shuffles may fall on a tie on one side only, and BCa-like rules mirror to the last draw
    for mine, other in zip(up["tests"], down["tests"], strict=True):
        assert mine["preset"] == other["preset"]
        if mine["p"] is not None:
            assert mine["p"] == pytest.approx(other["p"], abs=0.02), mine["preset"]


@pytest.mark.slow
def test_median_and_replication_follow_the_direction(call):
    found = scores(n=5)
    _, up = call("median", table(found))
    _, down = call("median", table({name: values + 10 for name, values in found.items()}, metric="TER"))
    assert up["systems"]["old"]["order"] == [str(k + 1) for k in np.argsort(found["old"].mean(axis=1))]
    assert up["metric"] == "Quality"
    assert down["metric"] == "TER"
    assert down["systems"]["old"]["order"] == up["systems"]["old"]["order"][::-1]
    code, told = call("by-n", table(found), "--baseline", "old")
    assert code == 0
    assert told["rows"][0]["difference"] == pytest.approx(found["new"].mean() - found["old"].mean())


@pytest.mark.slow
def test_metrics_are_chosen_by_name(call, capsys):
    code, told = call("table", table(scores()), "--metric", "quality", *FEW[:2])
    assert code == 0
    code, error = call("table", table(scores()), "--metric", "bleu", *FEW[:2])
    assert code == 2
    assert "there are: Quality. This experiment has scores only" in error


@pytest.mark.slow
def test_text_and_scores_in_one_folder(folder, capsys):
    for system, values in scores(40, 3).items():
        name = {"old": "plain", "new": "better"}[system]
        for k, of_replica in enumerate(values, 1):
            path = folder / f"test/scores/COMET/{name}/seed{k}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{x}\n" for x in of_replica))
    assert main(["table", str(folder), "--metric", "bleu", "--metric", "comet", *FEW[:2], "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    cells = {(r["test_set"], r["metric"]) for r in rows}
    assert cells == {("test", "bleu"), ("dev", "bleu"), ("test", "COMET")}
    of_comet = next(r for r in rows if r["metric"] == "COMET")
    assert of_comet["s_dev"] is None
    assert main(["compare", str(folder), "--baseline", "plain", "--metric", "comet", "--test-set", "dev"]) == 2
    assert "COMET cannot score both 'plain' and 'better' on dev" in capsys.readouterr().err


@pytest.mark.slow
def test_segments_side_by_side_skip_those_without_a_score(folder, tmp_path):
    experiment, _ = load(folder)
    systems = tuple(
        dataclasses.replace(system, replicas=tuple(
            dataclasses.replace(r, scores={"test": {"C": tuple(None if i == 2 else float(i) for i in range(40))}})
            for r in system.replicas
        ))
        for system in experiment.systems
    )  # fmt: skip
    experiment = dataclasses.replace(experiment, systems=systems)
    bench = Workbench(experiment, cache=StatisticsCache(tmp_path / "cache"))
    shown = bench.pair("test", choose_metric(experiment, "C"), "plain", "better").segments("seed1", "seed1")
    assert shown.index.tolist() == [1, 2, *range(4, 41)]
    assert shown.output_a[shown.row(4)] == experiment.system("plain").replicas[0].outputs["test"][3]
    assert shown.score_a[shown.row(40)] == 39.0
    assert "".join(words for words, kind in shown.diff(4) if kind != "only a") == shown.output_b[2]
    assert len(shown.to_frame()) == 39


@pytest.mark.slow
def test_medians_rank_only_where_the_same_replicas_are_scored(folder, tmp_path):
    experiment, _ = load(folder)
    first, second = experiment.systems
    scored = dataclasses.replace(first, replicas=tuple(
        dataclasses.replace(r, scores={"test": {"C": (1.0,) * 39 + (float(k),)}}) for k, r in enumerate(first.replicas)
    ))  # fmt: skip
    experiment = dataclasses.replace(experiment, systems=(scored, second))
    bench = Workbench(experiment, cache=StatisticsCache(tmp_path / "cache"))
    found = bench.median("test", [choose_metric(experiment, "bleu"), choose_metric(experiment, "C")])
    assert found[first.name][1].metrics == ("bleu", "C")
    assert found[second.name][1].metrics == ("bleu",)
    few = Settings(n_bootstrap=50)
    with pytest.raises(ValueError, match="No output that C can score on dev"):
        bench.table(["dev"], [choose_metric(experiment, "C")], settings=few)
