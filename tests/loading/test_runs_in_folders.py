"""Folders of runs as toolkits and people leave them: what is a run, what is a system, what is a test set."""

from __future__ import annotations

import pytest

from mtsig_core.loading import load
from tests.conftest import sentences

WORDS = sentences(5, 12)
REFERENCE = "\n".join(WORDS)
RUNS = [(system, k) for system in ("base", "big") for k in (1, 2)]
TWO = {"base": 2, "big": 2}


def _output(system: str, k: int) -> str:
    return "\n".join(f"{system}{k} {line}" for line in WORDS)


def _load(files: dict[str, str]):
    return load([(path, text.encode()) for path, text in files.items()], name="mine", cache=False)


def _shape(experiment) -> dict[str, int]:
    return {system.name: len(system.replicas) for system in experiment.systems}


@pytest.mark.parametrize(("name", "is_guess"), [
    ("{0}-seed{1}/out.txt", False),
    ("{0}-seed{1}/newstest2014.hyp", False),
    ("{0}.s{1}/newstest.out", True),
    ("{0}_{1}/out.txt", True),
    ("systems/{0}_{1}/out.txt", True),
    ("{0} seed {1}.txt", False),
])  # fmt: skip
def test_names_of_runs(name, is_guess):
    files = {name.format(*run): _output(*run) for run in RUNS}
    experiment, _ = _load({**files, "ref.txt": REFERENCE})
    assert _shape(experiment) == TWO
    assert any(guess.code == "replica-by-number" for guess in experiment.assumptions) is is_guess


def test_files_of_one_run_are_never_its_replicas():
    files = {f"{s}-seed{k}/{kind}.txt": _output(s + kind, k) for s, k in RUNS for kind in ("hyp", "hyp.tok")}
    experiment, report = _load({**files, "ref.txt": REFERENCE})
    assert _shape(experiment) == {"base-hyp": 2, "base-hyp.tok": 2, "big-hyp": 2, "big-hyp.tok": 2}
    assert report.with_code("files-of-a-run")


def _log(system: str, k: int) -> str:
    return "".join(f"T-{i}\t{line}\nD-{i}\t-0.3\t{system}{k} {line}\n" for i, line in enumerate(WORDS))


def test_a_seed_of_hydra_behind_a_group_is_the_replica():
    files = {
        f"multirun/2024-01-02/10-11-12/optimization.lr=[0.{lr},0.1],common.seed={k}/generate-test.txt": _log(str(lr), k)
        for lr in (1, 5) for k in (1, 2)
    }  # fmt: skip
    experiment, _ = _load(files)
    assert _shape(experiment) == {"optimization.lr=[0.1,0.1]": 2, "optimization.lr=[0.5,0.1]": 2}


def test_numbered_folders_of_hydra_are_called_by_their_overrides():
    runs = [(lr, k) for lr in (1, 5) for k in (1, 2)]
    files = {f"{i}/generate-test.txt": _log(str(lr), k) for i, (lr, k) in enumerate(runs)}
    files |= {f"{i}/.hydra/overrides.yaml": f"- lr={lr}\n- seed={k}\n" for i, (lr, k) in enumerate(runs)}
    experiment, _ = _load(files)
    assert _shape(experiment) == {"lr=1": 2, "lr=5": 2}


def test_sources_in_folders_of_language_pairs_are_no_systems():
    files = {f"{pair}/hyp.{s}.en": _output(s, 1) for pair in ("cs-en", "de-en") for s in "AB"}
    for pair in ("cs-en", "de-en"):
        files |= {f"{pair}/ref.en": REFERENCE, f"{pair}/src.{pair[:2]}": _output(pair, 0)}
    experiment, _ = _load(files)
    assert _shape(experiment) == {"hyp.A": 1, "hyp.B": 1}
    assert [test_set.name for test_set in experiment.test_sets] == ["cs-en", "de-en"]
    assert all(test_set.source for test_set in experiment.test_sets)


@pytest.mark.parametrize("side", ["", "a/"])
def test_the_target_of_opennmt_is_the_reference(side):
    files = {f"{s}/pred.txt": _output(s, 1) for s in "ab"} | {f"{side}src-test.txt": _output("s", 0)}
    experiment, report = _load({**files, f"{side}tgt-test.txt": REFERENCE})
    assert _shape(experiment) == {"a": 1, "b": 1}
    assert experiment.test_sets[0].references[0] == tuple(WORDS)
    assert experiment.test_sets[0].source
    assert "reference-by-name" in {guess.code for guess in experiment.assumptions}


def test_a_target_beside_a_reference_is_not_pooled():
    experiment, report = _load({"a.txt": _output("a", 1), "ref.txt": REFERENCE, "tgt.tok.txt": REFERENCE.lower()})
    assert len(experiment.test_sets[0].references) == 1
    assert "tgt.tok.txt" in report.with_code("not-used")[0].files


@pytest.mark.parametrize("output", ["news2020.cs-en.{}.txt", "news2020.{}.cs-en"])
def test_text_of_earlier_wmt_tasks(output):
    files = {f"txt/system-outputs/news2020/cs-en/{output.format(s)}": _output(s, 1) for s in ("A.1", "B.2")}
    files |= {
        "txt/references/news2020-csen-ref.en.txt": REFERENCE, "txt/sources/news2020-csen-src.cs.txt": _output("s", 0)
    }  # fmt: skip
    experiment, report = _load(files)
    assert report.layout == "WMT text"
    assert _shape(experiment) == {"A.1": 1, "B.2": 1}
    assert experiment.test_sets[0].name == "news2020.cs-en"
    assert experiment.test_sets[0].source


def test_a_folder_of_sockeye_is_a_run_with_checkpoints():
    files = {f"{s}.seed{k}/decode.output.0000{i}": _output(f"{s}{i}", k) for s, k in RUNS for i in (1, 2)}
    for s, k in RUNS:
        files |= {f"{s}.seed{k}/{name}": "1\tx\n" for name in ("metrics", "log", "version", "args.yaml")}
    experiment, report = _load({**files, "ref.en": REFERENCE})
    assert report.layout == "Sockeye"
    assert _shape(experiment) == TWO
    assert not report.refused
    assert "checkpoint" in " ".join(guess.message for guess in experiment.assumptions)
    first = experiment.systems[0].replicas[0].outputs["test"]
    assert first[0].startswith("base21 ")  # the last checkpoint


def test_a_folder_of_sources_is_no_system():
    experiment, _ = _load({"a.txt": _output("a", 1), "refs/news.en": REFERENCE, "sources/news.cs": _output("s", 0)})
    assert _shape(experiment) == {"a": 1}


def test_numbered_jobs_of_a_sweep_are_called_by_their_overrides():
    jobs = {(lr, k): i for i, (lr, k) in enumerate((lr, k) for lr in (0.1, 0.2) for k in (1, 2))}
    top = "multirun/2024-01-01"
    files = {f"{top}/{i}/preds.txt": _output(str(lr), k) for (lr, k), i in jobs.items()}
    files |= {f"{top}/{i}/.hydra/overrides.yaml": f"- lr={lr}\n- seed={k}\n" for (lr, k), i in jobs.items()}
    experiment, _ = _load({**files, "ref.txt": REFERENCE})
    assert _shape(experiment) == {"lr=0.1": 2, "lr=0.2": 2}


def test_runs_of_wandb_are_replicas_and_that_is_a_guess():
    files = {f"run-20240101_10000{k}-abc{k}/files/out.txt": _output("x", k) for k in (1, 2, 3)}
    experiment, report = _load({**files, "ref.txt": REFERENCE})
    assert _shape(experiment) == {"system": 3}
    assert "Weights & Biases" in report.with_code("replica-by-number")[0].message


def test_systems_within_conditions_are_never_pooled_as_replicas():
    files = {f"{condition}/{system}/hyp.txt": _output(condition + system, 1)
             for condition in ("clean", "noisy") for system in ("rnn", "cnn")}  # fmt: skip
    experiment, _ = _load({**files, "ref.txt": REFERENCE})
    assert _shape(experiment) == dict.fromkeys(("clean-cnn", "clean-rnn", "noisy-cnn", "noisy-rnn"), 1)


@pytest.mark.parametrize(("place", "reference"), [("", "ref.txt"), ("systems/", "refs/ref.txt")])
def test_a_file_per_system_in_folders_of_runs(place, reference):
    files = {f"{place}seed{k}/{s}.txt": _output(s, k) for s in ("base", "big") for k in (1, 2, 3)}
    experiment, report = _load({**files, reference: REFERENCE})
    assert _shape(experiment) == {"base": 3, "big": 3}
    assert "the folder as the replica" in report.with_code("replica-by-number")[0].message
