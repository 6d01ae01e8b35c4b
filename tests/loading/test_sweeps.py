"""Sweeps of hydra and tables of runs: what varied is not pooled, and what was guessed is listed."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load

JOBS = [(lr, seed) for lr in ("1e-4", "3e-4") for seed in (11, 22, 33)]
TEXT = "".join(f"line {i} of the text\n" for i in range(8))


def shape(experiment) -> dict[str, list[str]]:
    return {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}


def records(job: int) -> str:
    return "".join(json.dumps({"prediction": f"{i} by {job}", "reference": f"{i} by"}) + "\n" for i in range(8))


def log(job: int) -> str:
    return "".join(f"S-{i}\tsource {i}\nT-{i}\ttext {i}\nH-{i}\t-1\ttext {job} {i}\nP-{i}\t-1\n" for i in range(8))


@pytest.mark.parametrize(
    ("name", "content", "more"),
    [
        ("hyps.txt", lambda job: TEXT.replace("text", f"text {job}"), [("ref.txt", TEXT)]),
        ("generated_predictions.txt", lambda job: TEXT.replace("text", f"text {job}"), [("labels.txt", TEXT)]),
        ("predictions.jsonl", records, []),
        ("mine.jsonl", records, []),
        ("mine.csv", lambda job: "id,hypothesis,reference\n" + "".join(f"{i},a b {job},a b c\n" for i in range(8)), []),
        ("generate-test.txt", log, []),
        ("all_results.json", lambda job: json.dumps({"eval_bleu": 20 + job, "eval_loss": 1.5 + job}), []),
    ],
)
def test_numbered_folders_of_a_sweep_are_called_by_what_was_asked_for(name, content, more):
    files = [(path, text.encode()) for path, text in more]
    for job, (lr, seed) in enumerate(JOBS):
        files.append((f"multirun/{job}/{name}", content(job).encode()))
        overrides = f"- optim.lr={lr}\n- trainer.seed={seed}\n"
        files.append((f"multirun/{job}/.hydra/overrides.yaml", overrides.encode()))
    experiment, report = load(files, cache=False)
    replicas = [f"trainer.seed={seed}" for seed in (11, 22, 33)]
    assert shape(experiment) == {"optim.lr=1e-4": replicas, "optim.lr=3e-4": replicas}
    (guess,) = report.with_code("sweep")
    assert "0: optim.lr=1e-4,trainer.seed=11" in guess.message
    assert "experiment.toml" in guess.remedy
    assert any("KEY=VALUE" in m.message for m in report.with_code("replica-by-number"))


def test_numbers_alone_are_replicas_and_listed_as_a_guess():
    experiment, report = load([(f"out/{i}/predictions.jsonl", records(i).encode()) for i in range(3)], cache=False)
    assert shape(experiment) == {"system": ["0", "1", "2"]}
    (guess,) = report.with_code("replica-by-number")
    assert "called by a number alone" in guess.message


def test_the_reference_beside_predictions_of_a_trainer_is_listed():
    files = [(f"model-seed{k}/generated_predictions.txt", TEXT.replace("8", str(k)).encode()) for k in (1, 2)]
    _, report = load([*files, ("data/labels.txt", TEXT.encode())], cache=False)
    (guess,) = report.with_code("reference-by-name")
    assert "data/labels.txt" in guess.message


# Tables of runs


def table(*lines: str, name: str = "runs.csv"):
    return load([(name, "\n".join(lines).encode() + b"\n")], cache=False)


def test_runs_that_crashed_are_left_out_and_named():
    experiment, report = table(
        "Name,State,seed,model,bleu,loss", "a,finished,1,base,28.1,1.2", "b,finished,2,base,28.5,1.2",
        "c,crashed,3,base,3.1,3.4", "d,finished,1,big,29.1,1.1", "e,running,2,big,12.1,2.1",
    )  # fmt: skip
    assert shape(experiment) == {"base": ["1", "2"], "big": ["1"]}
    (guess,) = report.with_code("unfinished-runs")
    assert "lines 4, 6" in guess.message
    assert "'State'" in guess.message


def test_a_state_of_people_leaves_no_run_out():
    experiment, _ = table("run,state,acc", "1,Ohio,0.5", "2,Texas,0.6", "3,Utah,0.7")
    assert shape(experiment) == {"system": ["1", "2", "3"]}


@pytest.mark.parametrize("word", ["Best", "Worst", "best run", "Mittelwert", "Écart-type", "95% CI", "Std. dev."])
def test_rows_of_summary_are_no_runs(word):
    experiment, report = table("run,system,WMT22", "1,a,30", "2,a,31", "1,b,32", "2,b,33", f"{word},,33")
    assert shape(experiment) == {"a": ["1", "2"], "b": ["1", "2"]}
    (guess,) = report.with_code("no-runs")
    assert "line 6" in guess.message


def test_a_row_without_a_system_is_no_run_of_a_system_of_its_own():
    experiment, report = table("run,system,WMT22", "1,a,30", "2,a,31", "1,b,32", "2,b,33", "Δ,,2.0")
    assert shape(experiment) == {"a": ["1", "2"], "b": ["1", "2"]}
    assert report.with_code("no-runs")


def test_percent_signs_are_read_and_told():
    experiment, report = table("Modell;Seed;Accuracy", "A;1;83,4 %", "A;2;84 %", "B;1;85,1%", "B;2;86,0\u00a0%")
    values = [replica.scores["test"]["Accuracy"][0] for system in experiment.systems for replica in system.replicas]
    assert values == [83.4, 84.0, 85.1, 86.0]
    assert report.with_code("percent")


def test_numbers_with_and_without_percent_signs_in_one_column_are_refused():
    with pytest.raises(LoadError, match=r"line 3.*percent"):
        table("model,seed,acc", "A,1,83%", "A,2,0.84", "B,1,85%")


def test_a_table_of_runs_without_numbers_names_what_is_missing():
    with pytest.raises(LoadError, match="none holds numbers"):
        table("Modell,Seed,Urteil", "A,1,gut", "A,2,schlecht")


@pytest.mark.parametrize("segment", ["segment;", ""])
def test_scores_in_any_column_beside_names_of_metrics(segment):
    rows = [f"{s};{k};{'1;' if segment else ''}{m};{v + k / 10}".replace(".", ",")
            for s, v in (("a", 0.5), ("b", 0.6)) for k in (1, 2) for m in ("BLEURT", "TER")]  # fmt: skip
    experiment, report = table(f"système;graine;{segment}métrique;mesuré", *rows)
    assert experiment.outside_metrics == {"BLEURT": True, "TER": False}
    (guess,) = report.with_code("score-column")
    assert "'mesuré'" in guess.message


def test_bits_per_character_are_a_metric_and_a_wall_clock_is_none():
    experiment, report = table("model,seed,bits_per_char,wall_clock", "a,1,1.1,900", "a,2,1.2,901", "b,1,1.3,902")
    assert experiment.outside_metrics == {"bits_per_char": False}
    assert report.with_code("no-metric")
