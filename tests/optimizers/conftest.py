from __future__ import annotations

import random

import numpy as np
import pytest

from mtsig_core.loading.nbest import NbestData, load_nbest
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import TuningProblem, tuning_problem
from mtsig_core.optimizers.compiled import ENVELOPES

WORDS = (
    "the", "a", "river", "bridge", "market", "train", "garden", "letter", "window", "story", "winter", "music", "bread",
    "green", "reads", "opens",
)  # fmt: skip


def made_data(seed: int = 1, n_segments: int = 20, n_candidates: int = 12, n_features: int = 4) -> NbestData:
    """Lists whose candidates are noisy references; the features see the noise, more or less."""
    rng = random.Random(seed)
    files: dict[str, list[str]] = {"dev": [], "test": []}
    references: dict[str, list[str]] = {"dev": [], "test": []}
    for name in files:
        for segment in range(n_segments):
            reference = [rng.choice(WORDS) for _ in range(rng.randint(5, 12))]
            references[name].append(" ".join(reference))
            for _ in range(rng.randint(2, n_candidates)):
                noise = rng.random() * 0.6
                words = [rng.choice(WORDS) if rng.random() < noise else word for word in reference]
                wrong = sum(a != b for a, b in zip(words, reference, strict=True))
                values = [round(-wrong * (k % 2) + rng.gauss(0, 2 + k), 3) for k in range(n_features - 1)]
                features = " ".join(f"f{k}= {v}" for k, v in enumerate([*values, -len(words)]))
                files[name].append(f"{segment} ||| {' '.join(words)} ||| {features} ||| {sum(values):.4f}")
    lines = [(f"nbest.{name}", "".join(f"{line}\n" for line in own).encode()) for name, own in files.items()]
    refs = [(f"ref.{name}", "".join(f"{line}\n" for line in own).encode()) for name, own in references.items()]
    return load_nbest(lines + refs)


@pytest.fixture(scope="session")
def data() -> NbestData:
    return made_data()


@pytest.fixture(scope="session")
def problem(data) -> TuningProblem:
    return tuning_problem(data, get_metric("bleu", tokenize="none"))


@pytest.fixture(scope="session")
def ter_problem(data) -> TuningProblem:
    return tuning_problem(data, get_metric("ter"))


@pytest.fixture
def kernels():
    """The compiled envelopes, or skip."""
    loaded = ENVELOPES.wait(300)
    if loaded is None:
        pytest.skip(ENVELOPES.problem)
    return loaded


@pytest.fixture
def without_kernels(monkeypatch):
    """Make envelopes by numpy, whatever is loaded."""
    monkeypatch.setattr(ENVELOPES, "_loaded", None)
    monkeypatch.setattr(ENVELOPES, "problem", "not wanted here")


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64DXSM(seed))
