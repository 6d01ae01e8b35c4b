"""Small inputs of real people and other tools whose content is not what it seems: what they must come out as."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadError, load
from mtsig_core.metrics import get_metric
from mtsig_core.workbench.workbench import Workbench

BASE = {"alpha": [53.5038, 39.3653, 39.7121], "beta": [56.5242, 54.2062, 48.9367]}


def scores_of(experiment: Experiment, metric: str) -> dict[str, list[float]]:
    """Return the score of each replica, to four digits."""
    bench = Workbench(experiment)
    test_set = experiment.test_sets[0].name
    statistics = bench.statistics(test_set, bench.metric(metric))
    values = statistics.metric.score(statistics.values.sum(axis=1)).round(4).tolist()
    names = [s.name for s in experiment.systems for _ in s.on(test_set)]
    return {name: [v for n, v in zip(names, values, strict=True) if n == name] for name in dict.fromkeys(names)}


def means(experiment: Experiment, metric: str) -> dict[str, float]:
    """Return the mean score of each system."""
    by_set = {s.name: [r.scores[name][metric] for r in s.replicas for name in r.scores] for s in experiment.systems}
    return {name: round(float(np.mean(values)), 6) for name, values in by_set.items()}


@pytest.mark.parametrize(("folder", "expected"), [
    ("in", {"alpha": BASE["alpha"]}), ("in-bars", {"alpha": BASE["alpha"][:2]}),
    ("in-json", {"alpha": BASE["alpha"][:2], "beta": BASE["beta"][:2]}),
])  # fmt: skip
def test_scores_and_json_before_the_text(realdata: Path, folder, expected):
    experiment, _ = load(realdata / "bugs-2/01-score-before-tab" / folder, cache=False)
    assert scores_of(experiment, "bleu") == expected


@pytest.mark.parametrize("folder", ["in", "in-outputs-only"])
def test_pointers(realdata: Path, folder):
    with pytest.raises(LoadError, match="git lfs pull"):
        load(realdata / "bugs-2/03-git-lfs-pointers" / folder, cache=False)


def test_open_quote(realdata: Path):
    experiment, _ = load(realdata / "bugs-2/04-open-quote-in-tsv/in", cache=False)
    assert experiment.test_sets[0].n_segments == 28
    assert means(experiment, "COMET") == pytest.approx({"alpha": 0.592190, "beta": 0.680571}, abs=1e-6)
    assert experiment.system("alpha").replicas[0].scores["test"]["COMET"][19:21] == (0.589, 0.426)


@pytest.mark.parametrize(("folder", "expected"), [
    ("in", {"alpha": 71.9978, "beta": 73.9289}), ("in-right-or-wrong", {"alpha": 0.6667, "beta": 0.6667}),
])  # fmt: skip
def test_ids_within_documents(realdata: Path, folder, expected):
    experiment, _ = load(realdata / "bugs-2/05-segment-ids-within-documents" / folder, cache=False)
    assert experiment.test_sets[0].n_segments == 60
    assert len(set(experiment.test_sets[0].documents or ())) == 12
    assert means(experiment, "score") == pytest.approx(expected, abs=1e-4)


@pytest.mark.slow
def test_leftovers(realdata: Path):
    experiment, report = load(realdata / "bugs-2/08-leftovers-of-decoding/in", cache=False)
    for system in ("bytes", "joiner", "eos", "wordpiece", "gpt2", "lang"):
        assert any(f"{system}/seed1 (" in line.message for line in report.warnings), system
    assert not any("clean/" in line.message for line in report.warnings)
    assert {name: own[0] for name, own in scores_of(experiment, "bleu").items()} == {
        "clean": 56.3799, "bytes": 39.1275, "joiner": 35.1252, "eos": 27.9473, "wordpiece": 11.9116, "gpt2": 0.1533,
        "lang": 33.0429,
    }  # fmt: skip


@pytest.mark.slow
def test_ter_of_chinese(realdata: Path):
    experiment, _ = load(realdata / "bugs-2/09-ter-of-chinese/in", cache=False)
    assert scores_of(experiment, "ter") == {"alpha": [15.1938, 15.6589, 20.4651], "beta": [11.3178, 11.6279, 11.0078]}
    metric = Workbench(experiment).metric("ter")
    rows = list(zip(*experiment.test_sets[0].references, strict=True))
    assert "norm:yes|punct:yes|asian:yes" in metric.signature(rows)
    assert "norm:no|punct:yes|asian:no" in get_metric("ter", language="de").signature(rows)


def test_half_a_character(realdata: Path):
    folder = realdata / "bugs-2/10-cut-character-in-one-line/in"
    experiment, _ = load(folder, encoding="utf-8-replace", cache=False)
    assert scores_of(experiment, "bleu")["beta"] == [56.5242, 53.5844, 48.9367]


def test_samples_of_a_harness(realdata: Path):
    experiment, _ = load(realdata / "bugs-2/13-lm-eval-samples/in", cache=False)
    assert experiment.test_sets[0].n_segments == 20
    strict, flexible = "exact_match,strict-match", "exact_match,flexible-extract"
    values = {
        (s.name, r.name): [float(np.mean(r.scores["coins"][m])) for m in (strict, flexible)]
        for s in experiment.systems for r in s.replicas
    }  # fmt: skip
    assert values == {
        ("llama-base", "seed1"): [0.45, 0.45], ("llama-base", "seed2"): [0.4, 0.5],
        ("llama-tuned", "seed1"): [0.65, 0.75], ("llama-tuned", "seed2"): [0.7, 0.8],
    }  # fmt: skip


def test_predictions_of_a_trainer(realdata: Path):
    experiment, _ = load(realdata / "bugs-2/14-generated-predictions-jsonl/in", cache=False)
    assert scores_of(experiment, "bleu") == {"full": BASE["beta"], "lora": BASE["alpha"]}


def test_right_count_wrong_order(realdata: Path):
    _, report = load(realdata / "bugs-2/15-right-count-wrong-order/in", cache=False)
    (line,) = report.with_code("shifted-alignment")
    assert "beta/seed3" in line.message
    assert "from line 22 to 61" in line.message
    assert "1 line above" in line.message


def test_report_of_comet_compare(realdata: Path):
    experiment, report = load(realdata / "bugs-2/21-comet-compare-json/in", cache=False)
    assert [len(s.scored_on("test", "COMET")) for s in experiment.systems] == [3, 3]
    assert any("a report of comet-compare" in line.message for line in report.ignored)


def test_json_lines_of_wmt(realdata: Path):
    experiment, _ = load(realdata / "bugs-2/25-wmt25-jsonl/in", cache=False)
    assert experiment.test_sets[0].n_segments == 28
    assert scores_of(experiment, "bleu") == {"SysOne": [39.6872], "SysTwo": [64.6299]}


def test_rouge_of_other_scripts(realdata: Path):
    pytest.importorskip("rapidfuzz")
    experiment, _ = load(realdata / "bugs-2/31-rouge-of-other-scripts/in", cache=False)
    assert scores_of(experiment, "rouge-l") == {"half": [63.4524], "same": [100.0]}


def test_control_rows(realdata: Path):
    experiment, report = load(realdata / "bugs-3/06-control-row-in-scores/in", cache=False)
    assert report.with_code("control-rows")
    assert all(0 not in r.scores["test"]["adequacy"] for s in experiment.systems for r in s.replicas)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "words"), [
    ("09-lone-surrogate/in/scores.jsonl", "line 51: .*half of a surrogate pair"),
    ("10-small-files-large-memory/in/longcell.parquet", "the limit is 131,072"),
    ("10-small-files-large-memory/in/toml_dotted.zip", "more than 50 dots, the limit"),
    ("10-small-files-large-memory/in/bomb_gz_member.zip", "more than 200 times its packed size"),
    ("11-overflowing-scores/in/scores.csv", "line 2.*out of range"),
])  # fmt: skip
def test_hostile_files(realdata: Path, file, words):
    try:
        _, report = load(realdata / "bugs-3" / file, cache=False)
        said = " ".join(line.message for line in report.refused)
    except LoadError as error:
        said = str(error)
    assert re.search(words, said)
