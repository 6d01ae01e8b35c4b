import json

import numpy as np
import pytest

from mtsig_core.loading import load
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.optimizers import (
    get_optimizer,
    moses_ini,
    replica_files,
    system_names,
    to_experiment,
    tune_replicas,
    tuning_problem,
    weights_document,
)
from tests.optimizers.conftest import made_data


@pytest.fixture(scope="module")
def results(problem):
    return [tune_replicas(problem, get_optimizer("mert", restarts=3), 3),
            tune_replicas(problem, get_optimizer("random", samples=30), 2)]  # fmt: skip


@pytest.mark.slow
def test_replicas_become_an_experiment_with_the_scores_of_tuning(results, problem):
    experiment = to_experiment(results, "made")
    assert experiment.replicas_are == "optimizer-run"
    assert [(s.name, len(s.replicas)) for s in experiment.systems] == [("MERT", 3), ("random search", 2)]
    assert (experiment.baseline, experiment.tokenizer) == ("MERT", "none")
    assert {t.name: t.role for t in experiment.test_sets} == {"dev": "dev", "test": "test"}
    metric = get_metric("bleu", tokenize="none")
    for name in ("dev", "test"):
        scores = compute_statistics(experiment, name, metric)
        for system, result in zip(("MERT", "random search"), results, strict=True):
            expected = result.dev_scores if name == "dev" else result.test_scores
            assert scores.scores_of(system) == pytest.approx(expected)


@pytest.mark.slow
def test_files_load_back_to_the_same_experiment(results):
    files = list(replica_files(results, "made"))
    experiment, _ = load(files, name="made")
    assert experiment.digest == to_experiment(results, "made").digest
    paths = [path for path, _ in files]
    assert "weights/MERT/seed3.ini" in paths
    assert "weights/random_search/seed2.ini" in paths


def test_weights_as_moses_reads_them(results):
    result = results[0]
    lines = moses_ini(result, result.replicas[1]).splitlines()
    assert lines[0].startswith("# MERT seed2: BLEU on dev ")
    assert lines[1] == "[weight]"
    values = [float(value) for line in lines[2:] for value in line.split("= ")[1].split()]
    assert np.allclose(values, result.replicas[1].weights, rtol=1e-9)
    assert [line.split("=")[0] for line in lines[2:]] == ["f0", "f1", "f2", "f3"]


def test_weights_as_json_choose_the_same_outputs(results, problem):
    document = json.loads(json.dumps(weights_document(results)))
    assert [r["optimizer"] for r in document["results"]] == ["mert", "random"]
    assert document["results"][0]["options"]["restarts"] == 3
    for result, told in zip(results, document["results"], strict=True):
        weights = problem.scaled([replica["weights"] for replica in told["replicas"]])
        assert np.array_equal(problem.dev.choose(weights), problem.dev.choose(problem.scaled(result.weights)))


def test_names_tell_results_apart(results, problem):
    assert system_names(results) == ("MERT", "random search")
    one = results[0]
    assert system_names([one]) == ("MERT",)
    assert system_names([one, one]) == ("system MERT 1", "system MERT 2")


def test_results_on_other_references_make_no_experiment(results):
    other = tuning_problem(made_data(9), get_metric("bleu", tokenize="none"))
    with pytest.raises(ValueError, match="its references of 'dev' differ"):
        to_experiment([results[0], tune_replicas(other, get_optimizer("random", samples=5), 1)])


def test_the_frame_has_one_row_per_replica(results, problem):
    frame = results[0].to_frame()
    assert list(frame.columns) == ["optimizer", "replica", "dev", "test", "iterations", *problem.feature_names]
    assert frame["replica"].tolist() == ["seed1", "seed2", "seed3"]
