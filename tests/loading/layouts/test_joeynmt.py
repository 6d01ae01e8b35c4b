"""Outputs of joeynmt: steps of a training are its checkpoints, the ending is the test set."""

from __future__ import annotations

import pytest

from mtsig_core import load

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird", "rain fell all day"]
SOURCE = ["eine Katze", "der Hund", "ein Vogel", "Regen"]
CONFIG = b"data:\n    src:\n        lang: en\n    trg:\n        lang: de\n"


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def outputs(pattern="models/{run}/{step:08d}.hyps.{set}", runs=("base_seed1", "base_seed2", "big_seed1"),
            steps=((1000, "dev"), (2000, "dev"), (1000, "test"), (2000, "test"), (3000, "dev"))):  # fmt: skip
    return {pattern.format(run=run, step=step, set=test_set): text([f"{line} {run} {step}" for line in REFERENCE])
            for run in runs for step, test_set in steps}  # fmt: skip


@pytest.mark.parametrize("sides", [
    {"data/{}.en": REFERENCE}, {"{}.en": REFERENCE, "{}.de": SOURCE}, {"refs/{}.txt": REFERENCE},
    {"data/{}.en": REFERENCE, "data/{}.de": SOURCE, "data/{}.bpe.en": REFERENCE},
])  # fmt: skip
def test_steps_are_checkpoints_and_endings_sets(sides):
    files = outputs() | {name.format(s): text(lines) for name, lines in sides.items() for s in ("dev", "test")}
    experiment, report = load(list(files.items()), cache=False)
    assert {t.name: t.role for t in experiment.test_sets} == {"dev": "dev", "test": "test"}
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == {
        "base": ["seed1", "seed2"], "big": ["seed1"]
    }  # fmt: skip
    own = experiment.system("big").replicas[0].outputs
    assert own["test"][0].endswith("big_seed1 2000")
    assert own["dev"][0].endswith("2000")
    assert {"joeynmt", "checkpoints"} <= {line.code for line in report.guesses}
    assert all((t.source is not None) == ("{}.de" in "".join(sides)) for t in experiment.test_sets)


def test_the_settings_say_the_target():
    files = outputs(steps=((1000, "test"),)) | {"models/base_seed1/config.yaml": CONFIG}
    files |= {"test.en": text(REFERENCE), "test.de": text(SOURCE)}
    experiment, _ = load(list(files.items()), cache=False)
    assert experiment.test_sets[0].references == (tuple(SOURCE),)


def test_outputs_of_validation_without_a_set():
    files = outputs("{run}/{step:08d}.hyps", ("base", "big"), ((1000, ""), (2000, ""))) | {"ref.txt": text(REFERENCE)}
    experiment, _ = load(list(files.items()), cache=False)
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"base": 1, "big": 1}
