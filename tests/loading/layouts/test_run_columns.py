"""Tables of runs however a spreadsheet lays them out: runs, systems or outputs in columns, merged cells, summaries."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load

RUNS = {("base", 1): 27.1, ("base", 2): 26.8, ("new", 1): 28.1, ("new", 2): 27.9}


def loaded(text, name="results.csv"):
    return load([(name, text.encode())], cache=False)


def scores_of(experiment):
    return {(s.name, r.name, metric): own[0] for s in experiment.systems for r in s.replicas
            for metric, own in r.scores["test"].items()}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "metric", "run"), [
    ("results.csv", "seed,base,new\n1,27.1,28.1\n2,26.8,27.9\nmean,26.95,28\n", "score", "{}"),
    ("ergebnisse.csv", "Lauf;base;new\n1;27,1;28,1\n2;26,8;27,9\n", "score", "{}"),
    ("bleu.csv", "seed,base,new\n1,27.1,28.1\n2,26.8,27.9\n", "bleu", "{}"),
    ("results.csv", "system,seed 1,seed 2\nbase,27.1,26.8\nnew,28.1,27.9\n", "score", "seed {}"),
    ("chrf.csv", "system,1,2\nbase,27.1,26.8\nnew,28.1,27.9\n", "chrf", "{}"),
    ("r.csv", "metric,base_1,base_2,new_1,new_2\nBLEU,27.1,26.8,28.1,27.9\n", "BLEU", "{}"),
    ("r.csv", "system,seed,BLEU\nbase,1,27.1\n,2,26.8\nnew,1,28.1\n,2,27.9\n", "BLEU", "{}"),
    ("r.txt", "  system  seed  BLEU\n" + "".join(f"{i}  {s}  {k}  {x}\n" for i, ((s, k), x) in enumerate(RUNS.items())),
     "BLEU", "{}"),
    ("r.csv", "seed,base_bleu,new_bleu\n1,27.1,28.1\n2,26.8,27.9\n", "bleu", "{}"),
    ("r.csv", "run,BLEU\n" + "".join(f"{s}_{k},{x}\n" for (s, k), x in RUNS.items()), "BLEU", "{}"),
    ("r.csv", "system,BLEU\n" + "".join(f"{s}-s{k},{x}\n" for (s, k), x in RUNS.items()), "BLEU", "s{}"),
    ("r.csv", "run,BLEU\n" + "".join(f'"model={s},seed={k}",{x}\n' for (s, k), x in RUNS.items()), "BLEU", "seed={}"),
    ("r.json", json.dumps([{"system": f"{s}.seed{k}.txt", "BLEU": x} for (s, k), x in RUNS.items()]), "BLEU", "seed{}"),
    ("r.md", "| System | Seed | BLEU |\n|---|---|---|\n" + "".join(f"| {s} | {k} | **{x}** |\n" for (s, k), x in
                                                                 RUNS.items()), "BLEU", "{}"),
])  # fmt: skip
def test_one_table_laid_out_in_many_ways(name, text, metric, run):
    experiment, report = loaded(text, name)
    found = {(s.removeprefix("model="), r, m): x for (s, r, m), x in scores_of(experiment).items()}
    assert found == {(s, run.format(k), metric): x for (s, k), x in RUNS.items()}
    guessed = {line.code for line in report.guesses}
    plain = name in ("r.md", "r.txt")
    assert plain or guessed & {"systems-in-columns", "runs-in-columns", "merged-cells", "replica-in-name"}


@pytest.mark.parametrize("header", ["seed,bleu,chrf", "seed,MNLI,HANS", "seed,base,bleu", "seed,bleu_squad,bleu_nq",
                                    "seed,bleu_dev,bleu_test", "seed,rouge_1,rouge_2"])  # fmt: skip
def test_columns_of_metrics_and_tasks_stay_metrics(header):
    experiment, report = loaded(f"{header}\n1,27.1,28.1\n2,26.8,27.9\n")
    assert [s.name for s in experiment.systems] == ["system"]
    assert list(experiment.outside_metrics) == header.split(",")[1:]
    (guess,) = report.with_code("one-system")
    assert ("write one row per score" in guess.message) is ("MNLI" in header)


def test_versions_are_no_runs():
    with pytest.raises(LoadError, match="scores of whole systems"):
        loaded("system,bleu\ngpt-3.5,27\ngpt-4,28\nllama-2,26\n")


@pytest.mark.parametrize("header", ["system,BLEU", "system,run,BLEU", "system,segment,BLEU"])
@pytest.mark.parametrize("cell", ["27.3 ± 0.4", "27.3+-0.4", "27.3 (0.4)", '"27.3 [26.9, 27.7]"'])
def test_means_with_their_spread_are_refused_with_their_place(header, cell):
    names = ["base,1,", "new,1,"] if header.count(",") > 1 else ["base,", "new,"]
    with pytest.raises(LoadError, match=r"line 2, column 'BLEU': '27\.3.*' is a mean with its spread"):
        loaded("\n".join([header, *(name + cell for name in names), ""]))


_RUNS = [(system, seed) for system in ("base", "new") for seed in (1, 2)]


@pytest.mark.parametrize(("heading", "row"), [
    ("run_id,experiment_id,status,params.seed,params.model,metrics.bleu", "r{i},0,FINISHED,{k},{s},{x}"),
    ("Name,State,Runtime,config/seed,config/model,bleu", "fox-{i},finished,12,{k},{s},{x}"),
    ("ID,Name,Runtime,model,seed,bleu", "ab{i}c,fox-{i},12,{s},{k},{x}"),
    ("experimentKey,name,param_seed,param_model,bleu", "k{i},fox,{k},{s},{x}"),
    ("Run,hparams.seed,hparams.model,bleu", "Run {i},{k},{s},{x}"),
])  # fmt: skip
def test_trackers_seed_is_the_replica_beside_their_ids(heading, row):
    rows = [row.format(i=i, s=s, k=k, x=RUNS[s, k]) for i, (s, k) in enumerate(_RUNS)]
    experiment, _ = loaded("\n".join([heading, *rows]))
    assert {(s.name, r.name): next(iter(r.scores["test"].values()))[0] for s in experiment.systems
            for r in s.replicas} == {(s, str(k)): x for (s, k), x in RUNS.items()}  # fmt: skip
    assert not experiment.test_sets[0].has_segments


@pytest.mark.parametrize("name", ["params.lr", "beam", "dropout"])
def test_replicas_that_differ_in_a_setting_are_warned_of(name):
    rows = [f"r{i},{s},{k / 10},{RUNS[s, k]}" for i, (s, k) in enumerate(_RUNS)]
    _, report = loaded("\n".join([f"run_id,model,{name},bleu", *rows]))
    (line,) = report.with_code("unequal-settings")
    assert repr(name) in line.message
    of_systems = [f"{s},{k},{len(s)},{RUNS[s, k]}" for s, k in _RUNS]
    assert not loaded("\n".join([f"model,seed,{name},bleu", *of_systems]))[1].with_code("unequal-settings")
