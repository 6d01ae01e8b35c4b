"""Small experiments that several folders of tests use."""

from __future__ import annotations

import gc
import itertools
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Before numpy is imported. Workers share the cores already: threads of products would wait for one another, and a
# process that helps with scoring takes longer to start than what the tests score.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")

from mtsig_core.cli.main import main
from mtsig_core.experiment import Experiment, Replica, System, TestSet

# The same examples each time, and no limit of time for one: what fails now and then helps nobody. `make fuzz` looks for
# new ones.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

WORDS = (
    "river", "bridge", "market", "morning", "train", "quiet", "garden", "teacher", "letter", "window", "story",
    "winter", "music", "harbour", "bread", "green", "narrow", "early", "often", "walks", "reads", "opens", "under",
    "without", "the", "a", "of", "and", ".",
)  # fmt: skip
HOMES = itertools.count()  # folders that exist once something is kept in them
REAL_DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "realdata"


def sentences(seed: int, n: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choice(WORDS) for _ in range(rng.randint(4, 14))) for _ in range(n)]


def noisy(lines: list[str], seed: int, share: float) -> tuple[str, ...]:
    """Replace a share of the words."""
    rng = random.Random(seed)
    return tuple(" ".join(rng.choice(WORDS) if rng.random() < share else w for w in line.split()) for line in lines)


def small_experiment(
    n_segments: int = 40,
    replicas: dict[str, int] | None = None,
    noise: dict[str, float] | None = None,
    dev: bool = True,
) -> Experiment:
    """Two systems of three replicas unless said; `noise` is the share of words that each gets wrong."""
    replicas = replicas or {"plain": 3, "better": 3}
    noise = noise or {"plain": 0.4, "better": 0.15}
    texts = {"test": sentences(1, n_segments)} | ({"dev": sentences(2, n_segments)} if dev else {})
    sets = tuple(TestSet(name, "dev" if name == "dev" else "test", (tuple(t),)) for name, t in texts.items())
    systems = tuple(
        System(name, tuple(
            Replica(f"seed{i}", {s: noisy(t, 1000 * k + 10 * i + (s == "dev"), noise[name]) for s, t in texts.items()})
            for i in range(1, n + 1)
        ))
        for k, (name, n) in enumerate(replicas.items())
    )  # fmt: skip
    return Experiment("small", sets, systems, baseline=next(iter(replicas)))


def write_folder(experiment: Experiment, folder: Path) -> Path:
    """Write the native layout."""
    for test_set in experiment.test_sets:
        base = folder / test_set.name
        (base / "systems").mkdir(parents=True)
        for k, stream in enumerate(test_set.references):
            (base / f"reference.{k}.txt").write_text("".join(f"{line or ''}\n" for line in stream))
        for system in experiment.systems_on(test_set.name):
            (base / "systems" / system.name).mkdir()
            for replica in system.on(test_set.name):
                path = base / "systems" / system.name / f"{replica.name}.txt"
                path.write_text("".join(f"{line}\n" for line in replica.outputs[test_set.name]))
    return folder


def pytest_collection_finish() -> None:
    """Keep what the libraries hold out of every later garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    """No test reads or fills the user's own cache."""
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path_factory.getbasetemp() / f"home-{next(HOMES)}"))


@pytest.fixture
def call(capsys):
    """Run a command in this process; gives its exit code, what it printed, and its messages."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([str(a) for a in arguments])
        return (code, *capsys.readouterr())

    return run


def flat(text: str) -> str:
    """Return text without its line ends, which depend on the width of the terminal."""
    return " ".join(text.split())


def document(result: tuple[int, str, str]) -> Any:
    """Return the JSON document of a command that succeeded."""
    code, out, _ = result
    assert code == 0
    return json.loads(out)


@pytest.fixture
def folder(tmp_path):
    """A run folder of two systems, three replicas each, test and dev set."""
    return write_folder(small_experiment(), tmp_path / "small")


@pytest.fixture
def real_data():
    if not REAL_DATA.is_dir():
        pytest.skip("the real run folders are not here")
    return REAL_DATA
