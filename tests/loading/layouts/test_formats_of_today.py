"""What evaluation tools and people's scripts write today: HELM, the harness, trainers, Optuna, tables of texts."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest

from mtsig_core.loading import LoadError, load
from tests.conftest import sentences

N = 8
REFERENCE = sentences(3, N)
TEXT = "\n".join(REFERENCE)
OUTPUTS = {(s, k): [f"{line} {s}, {k}" for line in REFERENCE] for s in ("base", "new") for k in ("1", "2")}


def _load(files: dict[str, object]):
    data = [(path, (own if isinstance(own, str) else json.dumps(own)).encode()) for path, own in files.items()]
    return load(data, cache=False)


def _csv(rows, delimiter=","):
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    return stream.getvalue()


def _replicas(experiment):
    return {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}


def _replica(experiment, system, replica):
    return next(own for own in experiment.system(system).replicas if own.name == replica)


def _scores(experiment, system, replica, test_set, metric):
    return _replica(experiment, system, replica).scores[test_set][metric]


# HELM


def _stat(name, mean, **more):
    return {"name": {"name": name, "split": "test", **more}, "count": 1, "sum": mean, "mean": mean}


def _instances(trials, mean):
    own = [
        {"instance_id": f"id{i}", "train_trial_index": t, "stats": [_stat("exact_match", mean), _stat("num_tokens", 9)]}
        for t in range(trials) for i in range(N)
    ]  # fmt: skip
    typos = {"name": "typos"}
    return [*own, {"instance_id": "id0", "train_trial_index": 0, "perturbation": typos,
                   "stats": [_stat("exact_match", 0.0, perturbation=typos)]}]  # fmt: skip


def _helm(file, content):
    return {
        f"runs/v1/mmlu:subject=law,model={m}/{name}": own
        for m in ("a_x", "b_y")
        for name, own in ((file, content(m)), ("run_spec.json", {"adapter_spec": {"model": m.replace("_", "/")}}))
    }


def test_helm_by_instance():
    experiment, report = _load(_helm("per_instance_stats.json", lambda model: _instances(3, float(model == "b_y"))))
    assert _replicas(experiment) == {m: ["trial0", "trial1", "trial2"] for m in ("a/x", "b/y")}
    assert experiment.outside_metrics == {"exact_match": True}
    assert _scores(experiment, "b/y", "trial1", "mmlu:subject=law", "exact_match") == (1.0,) * N
    assert report.with_code("helm-runs")[0].kind == "assumed"
    assert "num_tokens" in report.with_code("unused-metrics")[0].message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:-9], "not valid JSON"),
        (lambda text: text[:-1], "end of the list"),
        (lambda text: text + "x", "end of the list"),
        (lambda text: text.replace('"id3"', r'"\ud800"'), "surrogate"),
        (lambda text: text[:-1] + ", 3]", "holds int"),
        (lambda text: text.replace('"count": 1', f'"count": [{"{}, " * 7000}{{}}]', 1), "objects in one entry"),
    ],
)
def test_helm_that_is_damaged_names_what_is_wrong(change, words):
    files = _helm("per_instance_stats.json", lambda model: _instances(2, 0.5))
    files = {path: json.dumps(content) for path, content in files.items()}
    path = next(path for path in files if path.endswith("per_instance_stats.json"))
    with pytest.raises(LoadError, match=words):
        load([(p, (change(own) if p == path else own).encode()) for p, own in files.items()], cache=False)


def test_helm_of_whole_runs():
    def totals(model):
        return [_stat("exact_match", 0.6), _stat("exact_match", 0.1, perturbation={"name": "typos"})]

    experiment, _ = _load(_helm("stats.json", totals))
    assert not experiment.test_sets[0].has_segments
    assert _scores(experiment, "a/x", "1", "mmlu:subject=law", "exact_match") == (0.6,)


def test_helm_without_scores_is_named():
    with pytest.raises(LoadError, match="requests of a run of HELM.*give per_instance_stats.json"):
        _load(_helm("scenario_state.json", lambda model: {"adapter_spec": {"model": model}, "request_states": []}))


# lm-evaluation-harness, without samples


def _results(model, seed, acc):
    return {
        "results": {"lambada": {"alias": "x", "acc,none": acc, "acc_stderr,none": 0.01, "perplexity,none": 9.0}},
        "higher_is_better": {"lambada": {"acc": True, "perplexity": False}},
        "config": {"random_seed": seed}, "model_name": model,
    }  # fmt: skip


@pytest.mark.parametrize("folder", ["{}/", ""])
def test_results_of_whole_tasks(folder):
    files = {
        f"{folder.format(model)}results_2024-06-0{seed}T10-00-0{len(model)}.json": _results(model, seed, seed / 10)
        for model in ("gpt", "other") for seed in (1, 2)
    }  # fmt: skip
    experiment, report = _load(files)
    assert _replicas(experiment) == {"gpt": ["seed1", "seed2"], "other": ["seed1", "seed2"]}
    assert experiment.outside_metrics == {"acc": True, "perplexity": False}
    assert _scores(experiment, "other", "seed2", "lambada", "acc") == (0.2,)
    assert not experiment.assumed_directions
    assert report.with_code("runs-are-replicas")


# Hugging Face's trainer


def _trainer(model, seed):
    folder = f"{model}-seed{seed}"
    own = {"eval_accuracy": seed / 10, "eval_loss": 0.3, "eval_samples": 9, "eval_steps_per_second": 1.0}
    return {f"{folder}/eval_results.json": own, f"{folder}/all_results.json": own | {"train_loss": 0.1},
            f"{folder}/predict_results.json": {"predict_accuracy": 0.7}}  # fmt: skip


def test_results_of_a_trainer():
    experiment, report = _load({p: own for m in ("b", "r") for k in (1, 2) for p, own in _trainer(m, k).items()})
    assert _replicas(experiment) == {"b": ["seed1", "seed2"], "r": ["seed1", "seed2"]}
    assert experiment.outside_metrics == {"accuracy": True, "loss": False}
    assert _scores(experiment, "r", "seed2", "eval", "accuracy") == (0.2,)
    assert _scores(experiment, "r", "seed2", "predict", "accuracy") == (0.7,)
    assert "eval, predict" in report.with_code("sets-by-prefix")[0].message


@pytest.mark.parametrize("folder", ["{}/seed{}", "{}-seed{}"])
def test_all_results_serve_where_no_others_are(folder):
    files = {f"{folder.format(m, k)}/all_results.json": {"eval_f1": k / 10} for m in "ab" for k in (1, 2)}
    assert _replicas(_load(files)[0]) == {"a": ["seed1", "seed2"], "b": ["seed1", "seed2"]}


# Optuna


def _trials(settings, rows):
    header = ["", "number", "value", "datetime_start", *(f"params_{name}" for name in settings), "state"]
    return _csv([header, *([i, i, *own[:1], "2024-01-01", *own[1:], "COMPLETE"] for i, own in enumerate(rows)),
                 [99, 99, "", "", *([0] * len(settings)), "FAIL"]])  # fmt: skip


def test_trials_with_a_seed_among_the_settings():
    rows = [(20 + k + lr, lr, k) for lr in (0.1, 0.2) for k in (1, 2)]
    experiment, report = _load({"t.csv": _trials(["lr", "seed"], rows)})
    assert _replicas(experiment) == {f"lr={lr}": ["seed=1", "seed=2"] for lr in (0.1, 0.2)}
    assert experiment.assumed_directions == {"value"}
    assert "1 trial not used" in report.with_code("unfinished-trials")[0].message


def test_trials_of_different_settings_are_no_replicas():
    with pytest.raises(LoadError, match=r"differ in their settings \(lr\).*params_seed.*'number' 'run'"):
        _load({"t.csv": _trials(["lr"], [(20, 0.1), (21, 0.2)])})


@pytest.mark.parametrize(("path", "content", "words"), [
    ("result.json", json.dumps({"loss": 0.5, "bleu": 27.1, "training_iteration": 1, "trial_id": "a"}) + "\n",
     "results of Ray Tune"),
    ("journal.log", json.dumps({"op_code": 0, "study_name": "x"}) + "\n", "journal of an Optuna study; write"),
    ("study.db", "SQLite format 3\0", "a database, which cannot be read.*study.trials_dataframe"),
])  # fmt: skip
def test_other_files_of_a_study_are_named(path, content, words):
    with pytest.raises(LoadError, match=words):
        _load({path: content})


# Tables of texts


@pytest.mark.parametrize(("name", "delimiter"), [("o.csv", ","), ("o.csv", ";"), ("o.tsv", "\t")])
def test_one_row_per_segment_of_an_output(name, delimiter):
    rows = [[i, s, k, line, REFERENCE[i], 0.5 + i / 100, len(line)]
            for (s, k), own in OUTPUTS.items() for i, line in enumerate(own)]  # fmt: skip
    random.Random(1).shuffle(rows)
    header = ["id", "system", "seed", "hypothesis", "reference", "BLEURT", "length"]
    experiment, report = _load({name: _csv([header, *rows], delimiter)})
    assert _replicas(experiment) == {"base": ["1", "2"], "new": ["1", "2"]}
    order = [rows[i][0] for i in range(len(rows)) if rows[i][0] not in [row[0] for row in rows[:i]]]
    assert experiment.test_sets[0].references[0] == tuple(REFERENCE[i] for i in order)
    assert _replica(experiment, "new", "2").outputs["test"] == tuple(OUTPUTS["new", "2"][i] for i in order)
    assert _scores(experiment, "new", "1", "test", "BLEURT") == tuple(0.5 + i / 100 for i in order)
    assert "seed: replica" in report.with_code("json-keys")[0].message


def test_one_column_per_output():
    rows = [[i, REFERENCE[i], *(own[i] for own in OUTPUTS.values()), i * 2] for i in range(N)]
    header = ["id", "target", *(f"{s}_seed{k}" for s, k in OUTPUTS), "chars"]
    experiment, report = _load({"o.csv": _csv([header, *rows])})
    assert _replicas(experiment) == {"base": ["seed1", "seed2"], "new": ["seed1", "seed2"]}
    assert experiment.test_sets[0].references == (tuple(REFERENCE),)
    assert _replica(experiment, "new", "seed2").outputs["test"] == tuple(OUTPUTS["new", "2"])
    assert "reference: target; outputs: base_seed1" in report.with_code("texts-in-columns")[0].message
    assert "'chars'" in report.with_code("unused-columns")[0].message


def test_a_table_of_labels_is_no_table_of_texts():
    with pytest.raises(LoadError, match="none says whether an answer is right"):
        _load({"o.csv": _csv([["id", "prediction", "label"], *([i, "pos", "neg"] for i in range(N))])})


# References that are not called so


@pytest.mark.parametrize("stem", ["test", "newstest2014", "flores-200"])
def test_a_test_set_beside_outputs_is_the_reference(stem):
    files = {f"{stem}.en": TEXT, f"{stem}.de": TEXT.upper()}
    files |= {f"{name}.en": TEXT for name in ("base.seed1", "base.seed2", "new")}
    experiment, report = _load(files)
    assert _replicas(experiment) == {"base": ["seed1", "seed2"], "new": ["1"]}
    assert experiment.test_sets[0].source == tuple(TEXT.upper().split("\n"))
    assert f"{stem}.en" in report.with_code("reference-by-name")[0].message


def test_two_test_sets_beside_outputs_are_not_guessed():
    with pytest.raises(LoadError, match="there is no reference"):
        _load({"test.en": TEXT, "dev.en": TEXT, "base.en": TEXT})


def test_references_repeated_in_the_folder_of_each_run():
    files = {
        f"{s}/seed{k}/{name}": TEXT + name.replace("hyp.txt", "") for s in ("a", "b") for k in (1, 2)
        for name in ("hyp.txt", "ref0.txt", "ref1.txt")
    }  # fmt: skip
    experiment, _ = _load(files)
    assert _replicas(experiment) == {"a": ["seed1", "seed2"], "b": ["seed1", "seed2"]}
    assert len(experiment.test_sets[0].references) == 2


# Limits


@pytest.mark.slow
def test_numbers_beyond_limits_are_refused_with_the_limit():
    stats = [_stat(f"m{i}", 1.0) for i in range(2001)]
    with pytest.raises(LoadError, match="2,001 numbers of one instance; the limit is 2,000"):
        _load({"gsm:model=a/per_instance_stats.json": [{"instance_id": "a", "stats": stats}]})
    rows = "\n".join(f"{i},s{i},a b,a c" for i in range(5001))
    with pytest.raises(LoadError, match="more than 5,000 outputs"):
        _load({"o.csv": f"id,system,hypothesis,reference\n{rows}\n"})
    with pytest.raises(LoadError, match="50,001 tables; the limit is 50,000"):
        _load({"ref.txt": "a", "x.txt": "a", "experiment.toml": "".join(f"[a{i}]\n" for i in range(50_001))})


def test_a_task_without_a_name_is_the_test_set():
    content = {"results": {" ": {"acc,none": 0.5}}, "config": {"random_seed": 1}}
    files = [(f"{m}/results_2024-01-01T10-00-0{i}.json", json.dumps(content).encode()) for i, m in enumerate("ab")]
    experiment, _ = load(files, cache=False)
    assert [test_set.name for test_set in experiment.test_sets] == ["test"]


@pytest.mark.parametrize(("name", "content", "cause"), [
    ("base.json", '{"test_results": [{"name": "t", "success": true, "metrics_data": []}]}', "results of DeepEval"),
    ("e.json", '{"date": "x", "eval": {"HumanEval/0": [{"base_status": "pass"}]}}', "results of EvalPlus"),
    ("log.jsonl", '{"spec": {"eval_name": "x"}}\n{"run_id": "a", "data": {}}\n', "a log of OpenAI's evals"),
    ("metrics.json", '{"bleu": {"steps": [0, 1], "values": [1.0, 2.0]}}', "curves of Sacred"),
    ("cv.csv", "params,split0_test_score,split1_test_score\na,0.1,0.2\nb,0.2,0.3\n", "a search of scikit-learn"),
    ("s.csv", "dataset,version,metric,mode,a,b\nx,1,acc,gen,1,2\ny,1,acc,gen,3,4\n", "a summary of OpenCompass"),
    ("metrics.csv", "epoch,step,val_bleu\n0,9,1.5\n1,19,2.5\n", "its rows are steps of a training"),
    ("p.csv", "id,annotator,preferred\n1,anna,base\n2,anna,new\n", "'annotator' names people"),
    ("wandb-summary.json", '{"bleu": 27.1, "_runtime": 12.5, "_wandb": {"runtime": 12}}', "Weights & Biases"),
    ("base.jsonl", '{"task_id": "HumanEval/0", "completion": "    return 1\\n"}\n' * 2, "judged by running them"),
    ("wer_test.txt", "%WER 3.12 [ 16 / 526, 1 ins, 2 del, 13 sub ]\n%SER 33.47 [ 8 / 26 ]\n", "of word error rates"),
    ("r.ipynb", '{"cells": []}', "a notebook, which is not read"),
    ("r.yaml", "base:\n  seed1: 27.1\n", "YAML, which is not read"),
])  # fmt: skip
def test_what_is_no_outputs_and_no_scores_is_named(name, content, cause):
    with pytest.raises(LoadError, match=cause):
        load([(name, content.encode())], cache=False)
