"""Files that are checkpoints of a training by their own names are never replicas of each other."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import load

STEPS = (1000, 2000, 10000)


def text(seed: int) -> bytes:
    return "".join(f"line {i} of text {seed % 7} {i * i}\n" for i in range(8)).encode()


def opened(pattern: str, *more: str, reference: str = "ref.txt", manifest: str = ""):
    paths = sorted({pattern.format(m=m, k=k, step=step) for m in ("base", "large") for k in (1, 2) for step in STEPS})
    files = [(path, text(i)) for i, path in enumerate((*paths, *more, reference))]
    return load([*files, ("experiment.toml", manifest.encode())] if manifest else files, cache=False)


def shape(experiment) -> dict[str, int]:
    return {system.name: len(system.replicas) for system in experiment.systems}


@pytest.mark.parametrize(
    ("pattern", "reference", "n"),
    [
        ("{m}/step_{step}.hyp", "ref.txt", 1),
        ("systems/{m}/checkpoint-{step}.txt", "refs/ref.txt", 1),
        ("test/systems/{m}/step-{step}.txt", "test/reference.txt", 1),
        ("systems/{m}_seed{k}/checkpoint-{step}.txt", "refs/ref.txt", 2),
        ("systems/{m}/seed{k}/checkpoint-{step}.txt", "refs/ref.txt", 2),
        ("{m}/seed{k}/epoch{step}.de", "ref.de", 2),
        ("{m}_seed{k}/hyp.step_{step}.txt", "ref.txt", 2),
        ("{m}/seed{k}.step{step}.txt", "ref.txt", 2),
        ("out/{m}.step{step}.txt", "ref.txt", 1),
        ("{m}_{k}/step_{step}.txt", "ref.txt", 2),
        ("step_{step}/{m}_seed{k}.txt", "ref.txt", 2),
        ("step_{step}/{m}.txt", "ref.txt", 1),
        ("ckpt-{step}/{m}/seed{k}.txt", "ref.txt", 2),
        ("{m}/ckpt_{step}/seed{k}.txt", "ref.txt", 2),
        ("{m}_step{step}/seed{k}.txt", "ref.txt", 2),
        ("systems/{m}/ckpt_{step}/seed{k}.txt", "refs/ref.txt", 2),
        ("epoch2/step{step}/{m}.seed{k}.txt", "ref.txt", 2),
    ],
)  # fmt: skip
def test_one_checkpoint_of_each_run_is_taken(pattern, reference, n):
    experiment, report = opened(pattern, reference=reference)
    assert shape(experiment) == {"base": n, "large": n}
    (guess,) = report.with_code("checkpoints")
    assert all(str(step) in guess.message for step in STEPS)
    outputs = [message for message in report.ignored if "another checkpoint" in message.message]
    assert outputs, "the other checkpoints are listed"


@pytest.mark.parametrize(
    "pattern",
    [
        "ckpt_1000/{m}_seed{k}.txt", "ckpt_1000/{m}/seed{k}.txt", "{m}/ckpt_1000/seed{k}.txt",
        "{m}/seed{k}/ckpt_1000.txt", "{m}-ckpt_1000.seed{k}.txt", "{m}-ckpt_1000/seed{k}.txt",
    ],
)  # fmt: skip
def test_a_lone_checkpoint_is_no_part_of_the_system_and_is_listed(pattern):
    experiment, report = opened(pattern)
    assert shape(experiment) == {"base": 2, "large": 2}
    (guess,) = report.with_code("lone-checkpoint")
    assert "base: ckpt_1000, large: ckpt_1000" in guess.message
    assert len(guess.files) == 4
    assert set(guess.files) <= {role.path for role in report.roles}


def test_one_file_of_a_checkpoint_is_an_output_of_the_system_that_it_names():
    experiment, report = load([("ckpt_1000/base_seed1.txt", text(1)), ("ref.txt", text(0))], cache=False)
    assert shape(experiment) == {"base": 1}
    assert report.with_code("lone-checkpoint")


@pytest.mark.parametrize("pattern", ["{m}/{step}seed{k}.txt", "{step}{m}.seed{k}.txt"])
def test_an_output_without_a_step_beside_checkpoints_is_the_end_of_the_training(pattern):
    files = [(pattern.format(m="base", k=k, step=step), f"{step or 'end'} {k}\n".encode() * 8)
             for k in (1, 2) for step in ("step500/", "")]  # fmt: skip
    experiment, report = load([*files, ("ref.txt", text(0))], cache=False)
    assert [r.outputs["test"][0] for r in experiment.systems[0].replicas] == ["end 1", "end 2"]
    assert report.with_code("checkpoints")


@pytest.mark.parametrize(("of_each", "sets"), [("the same", ["test"]), ("its own", ["step1", "step2"])])
def test_references_beside_each_checkpoint(of_each, sets):
    names = [f"step{step}/{m}.seed{k}.txt" for step in (1, 2) for m in ("base", "large") for k in (1, 2)]
    files = [(name, text(i)) for i, name in enumerate(names)]
    references = [(f"step{step}/ref.txt", text(step if of_each == "its own" else 0)) for step in (1, 2)]
    experiment, _ = load([*files, *references], cache=False)
    assert shape(experiment) == {"base": 2, "large": 2}
    assert [(s.name, len(s.references)) for s in experiment.test_sets] == [(name, 1) for name in sets]


def test_the_last_is_that_with_the_highest_number_unless_one_is_called_so():
    text_of = {step: f"at {step}\n" * 8 for step in STEPS}
    files = [(f"base/step_{step}.txt", text_of[step].encode()) for step in STEPS]
    experiment, _ = load([*files, ("ref.txt", text(0))], cache=False)
    assert experiment.systems[0].replicas[0].outputs["test"][0] == "at 10000"
    experiment, _ = load([*files, ("base/final.txt", b"at the end\n" * 8), ("ref.txt", text(0))], cache=False)
    assert experiment.systems[0].replicas[0].outputs["test"][0] == "at the end"


def test_all_checkpoints_are_taken_on_request_under_a_warning():
    experiment, report = opened("{m}/step_{step}.hyp", manifest='checkpoints = "all"\n')
    assert shape(experiment) == {"base": 3, "large": 3}
    assert report.with_code("dependent-checkpoints")


def test_a_file_beside_checkpoints_is_no_replica():
    experiment, report = opened("{m}_seed{k}/step_{step}.txt", "base_seed1/greedy.txt")
    assert shape(experiment) == {"base": 2, "large": 2}
    (message,) = [m for m in report.ignored if "base_seed1/greedy.txt" in m.files]
    assert "no checkpoint" in message.message


def test_test_sets_in_folders_have_checkpoints_each():
    files = [
        (f"{name}/{m}.step{step}.de", text(step + len(m))) for name in ("news", "talks") for m in ("base", "large")
        for step in STEPS
    ]  # fmt: skip
    experiment, _ = load([*files, ("news/ref.de", text(1)), ("talks/ref.de", text(2))], cache=False)
    assert shape(experiment) == {"base": 1, "large": 1}
    assert {name for s in experiment.systems for r in s.replicas for name in r.outputs} == {"news", "talks"}


def test_json_lines_of_checkpoints_are_systems_of_their_own():
    files = [
        (f"{m}_seed{k}/step_{step}.jsonl", "".join(
            json.dumps({"prediction": f"{m} {k} {i}", "reference": f"text {i}"}) + "\n" for i in range(8)).encode())
        for m in ("base", "large") for k in (1, 2) for step in (100, 200)
    ]  # fmt: skip
    experiment, _ = load(files, cache=False)
    assert shape(experiment) == {f"{m}-step_{step}": 2 for m in ("base", "large") for step in (100, 200)}
