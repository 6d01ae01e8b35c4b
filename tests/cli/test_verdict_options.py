"""Margin, non-inferiority, what replicas differ by, and segments of one's own, on the command line."""

import numpy as np
import pytest

from tests.conftest import document, flat

FEW = ["--resamples", "100", "--shuffles", "200"]
PAIR = ["--baseline", "a", "--system", "b"]


@pytest.fixture
def scores(tmp_path):
    """Write a table of scores: b is better than a by 1; c lacks segments and the rest decides against it."""
    rng = np.random.default_rng(3)
    text = rng.normal(0, 3, 30)
    rows = ["system\treplica\tsegment\tscore"]
    for name, gain in (("a", 0.0), ("b", 1.0), ("c", -3.0)):
        for replica in range(1, 5):
            y = 20 + gain + text + rng.normal(0, 0.05) + rng.normal(0, 0.5, 30)
            rows += [
                f"{name}\t{replica}\t{k + 1}\t{value:.3f}" for k, value in enumerate(y) if name != "c" or k < 10
            ]
    folder = tmp_path / "scores"
    folder.mkdir()
    (folder / "accuracy.tsv").write_text("\n".join(rows) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("baseline", "system", "margin", "code"), [("a", "b", 0.5, 0), ("b", "a", 0.5, 1), ("b", "a", 1.0, 3)]
)
def test_exit_codes_of_non_inferiority(call, scores, baseline, system, margin, code):
    arguments = ["--baseline", baseline, "--system", system, "--margin", str(margin), "--fail-unless-not-worse"]
    assert call("compare", scores, *arguments, *FEW)[0] == code


def test_non_inferiority_needs_a_margin(call, scores):
    code, _, said = call("compare", scores, *PAIR, "--fail-unless-not-worse", *FEW)
    assert code == 2
    assert "needs --margin" in said


@pytest.mark.parametrize(("margin", "outcome", "not_worse"), [(5, "better", True), (None, "better", None)])
def test_json_has_the_outcome_and_with_a_margin_not_worse(call, scores, margin, outcome, not_worse):
    asked = [] if margin is None else ["--margin", str(margin)]
    told = document(call("compare", scores, *PAIR, "--json", *asked, *FEW))
    (result,) = told["results"]
    assert result["outcome"] == outcome
    assert result.get("not_worse") == not_worse
    assert ("margin" in result) == (margin is not None)
    if margin is not None:
        assert result["margin"]["equivalent"] is True
        assert "smaller than your margin" in result["verdict"]["headline"]
    assert result["basis"]["segments"] == 30
    assert told["schema"] == 2


def test_a_margin_below_zero_is_refused(call, scores):
    code, _, said = call("compare", scores, *PAIR, "--margin", "-1", *FEW)
    assert code == 2
    assert "number above 0" in said


def test_what_varied_is_named_everywhere(call, scores):
    code, out, _ = call("compare", scores, *PAIR, "--replicas-are", "decoding sample", *FEW)
    assert code == 0
    assert "new samples from the same model on new text should point the same way" in flat(out)
    assert "Samples from one model say nothing about a new training." in flat(out)
    assert "replicas differ by: decoding sample" in flat(out)
    code, _, said = call("compare", scores, *PAIR, "--replicas-are", "weather", *FEW)
    assert code == 2
    assert "must be one of unknown, training-seed" in said


def test_the_experiment_can_say_what_varied(call, scores):
    (scores / "experiment.toml").write_text('replicas_are = "prompt"\n')
    told = document(call("compare", scores, *PAIR, "--json", *FEW))
    assert told["settings"]["replicas_are"] == "prompt"
    (scores / "experiment.toml").write_text('replicas_are = "weather"\n')
    code, _, said = call("compare", scores, *PAIR, *FEW)
    assert code == 2
    assert "experiment.toml" in said
    assert "training-seed" in said


def test_pairs_show_what_is_left_out_and_who_is_equivalent(call, scores):
    told = document(call("pairs", scores, "--json", "--margin", "3", *FEW))
    rows = {(row["a"], row["b"]): row for row in told["rows"]}
    assert rows["a", "b"]["basis"]["segments"] == 30
    assert rows["a", "c"]["basis"]["segments_left_out"] == 20
    assert rows["a", "c"]["basis"]["lacking"] == {f"c/{k}": 20 for k in range(1, 5)}
    assert told["clusters"][0]["equivalent"] == [["b", "a"]]
    assert "equivalent" not in document(call("pairs", scores, "--json", *FEW))["clusters"][0]


@pytest.mark.slow
def test_a_table_of_common_or_of_own_segments(call, scores):
    common, own = (document(call("table", scores, "--json", *x, *FEW)) for x in ([], ["--own-segments"]))
    averages = [{row["system"]: row["avg"] for row in told["rows"]} for told in (common, own)]
    assert averages[0]["c"] == pytest.approx(averages[1]["c"])
    assert averages[0]["a"] != pytest.approx(averages[1]["a"])
    compared = document(call("compare", scores, *PAIR, "--json", *FEW))["results"][0]
    assert averages[1]["b"] - averages[1]["a"] == pytest.approx(compared["difference"])


@pytest.mark.slow
def test_several_metrics_are_corrected_across(call, folder):
    arguments = ["--baseline", "plain", "--system", "better", "--metric", "bleu", "--metric", "ter", *FEW]
    told = document(call("compare", folder, *arguments, "--json"))
    raw = {one["metric"]: one["coherent"]["p"] for one in told["results"]}
    corrected = told["p_holm_across_metrics"]["test"]
    assert min(corrected.values()) == pytest.approx(min(1.0, 2 * min(raw.values())))
    assert "Corrected by Holm across these metrics" in flat(call("compare", folder, *arguments)[1])


def test_a_dash_is_explained(call, tmp_path):
    rows = [f"{name},{replica},1,{value}" for name in "ab" for replica, value in ((1, 0.5), (2, 0.6))]
    (tmp_path / "accuracy.csv").write_text("\n".join(["system,replica,segment,score", *rows]) + "\n")
    code, said, _ = call("compare", tmp_path, *PAIR, *FEW)
    assert code == 0
    assert "— Not defined: it takes scores of two or more segments" in said
