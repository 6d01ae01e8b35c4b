"""A small experiment of words, and counting in plain Python."""

from collections import Counter

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics.text.word_matches import word_matches


def grams(line, order=4):
    words = line.split()
    return Counter(" ".join(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


@pytest.fixture(name="grams")
def grams_fixture():
    return grams


@pytest.fixture
def matches_of():
    """Return the matches of outputs, system -> replicas -> lines, in streams of references."""

    def make(references, outputs):
        systems = tuple(
            System(name, tuple(Replica(f"r{i}", {"t": tuple(lines)}) for i, lines in enumerate(replicas)))
            for name, replicas in outputs.items()
        )
        experiment = Experiment("e", (Texts("t", "test", tuple(map(tuple, references))),), systems)
        return word_matches(experiment, "t", tuple(outputs), tokenize="none")

    return make


@pytest.fixture(scope="session")
def text():
    """References of 12 segments (two streams) and the outputs of two systems, three and four replicas."""
    rng = np.random.default_rng(3)
    words = np.array(["the", "a", "cat", "dog", "sat", "ran", "."])

    def lines():
        return [" ".join(rng.choice(words, rng.integers(0, 9))) for _ in range(12)]

    def noisy(stream, share):
        return [
            " ".join(w if rng.random() > share else str(rng.choice([*words, "zebra"])) for w in line.split())
            for line in stream
        ]

    first, second = lines(), lines()
    outputs = {"A": [noisy(first, 0.5) for _ in range(3)], "B": [noisy(first, 0.3) for _ in range(4)]}
    return (first, second), outputs
