"""Made text and made statistics of the sizes that the goals name."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

import numpy as np

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import SegmentStatistics, get_metric

EXAMPLE = 2489  # segments of MultEval's example: three systems of three replicas
PAPER = 3003  # segments of a paper-sized case
LETTERS = "etaoinshrdlucmfwypvbgk"


class Words:
    """A vocabulary with usual frequencies, and lines of usual lengths."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        made = ["".join(rng.choices(LETTERS, k=max(1, int(rng.gauss(5, 2))))) for _ in range(4000)]
        self.words = [*made, ",", ".", "1.5"]
        self.shares = list(accumulate(1 / rank for rank in range(1, len(self.words) + 1)))

    def line(self) -> list[str]:
        """Return a new line."""
        return self.rng.choices(self.words, cum_weights=self.shares, k=max(3, int(self.rng.gauss(26, 12))))

    def edited(self, line: list[str], share: float) -> list[str]:
        """Return a line with a share of its words replaced, and a phrase moved."""
        rng = self.rng
        other = rng.choices(self.words, cum_weights=self.shares, k=len(line))
        line = [new if rng.random() < share else word for word, new in zip(line, other, strict=True)]
        at, to = rng.randrange(len(line)), rng.randrange(len(line))
        line[to:to] = [line.pop(at) for _ in range(min(3, len(line) - at))]
        return line


def example(segments: int = EXAMPLE) -> Experiment:
    """Three systems of three replicas that share a third of their output."""
    text = Words(0)
    reference = [text.line() for _ in range(segments)]

    def replica(name: str, base: list[list[str]]) -> Replica:
        lines = (line if text.rng.random() < 0.35 else text.edited(line, 0.2) for line in base)
        return Replica(name, {"test": tuple(map(" ".join, lines))})

    bases = [[text.edited(line, 0.4) for line in reference] for _ in range(3)]
    systems = tuple(System(f"s{k}", tuple(replica(f"r{i}", base) for i in range(3))) for k, base in enumerate(bases))
    return Experiment("made", (TestSet("test", "test", (tuple(map(" ".join, reference)),)),), systems)


def pools(n: int = 300, segments: int = PAPER, variants: int = 30) -> Experiment:
    """Two systems of n replicas, each segment of which is one of some variants, as tuned replicas repeat each other."""
    text = Words(1)
    reference = [text.line() for _ in range(segments)]
    choose = np.random.default_rng(1)

    def system(name: str) -> System:
        bases = [text.edited(line, 0.4) for line in reference]
        forms = [[" ".join(text.edited(base, 0.15)) for _ in range(variants)] for base in bases]
        chosen = choose.integers(0, variants, (n, segments)).tolist()
        outputs = [tuple(of[k] for of, k in zip(forms, row, strict=True)) for row in chosen]
        return System(name, tuple(Replica(f"r{i}", {"test": lines}) for i, lines in enumerate(outputs)))

    test_set = TestSet("test", "test", (tuple(map(" ".join, reference)),))
    return Experiment("made", (test_set,), (system("a"), system("b")))


def counts(n: int, segments: int, systems: str = "ab") -> SegmentStatistics:
    """BLEU statistics of n replicas a system, as of text of usual lengths: few segments are shorter than four words."""
    rng = np.random.default_rng(0)
    total = np.maximum(1, rng.normal(26, 12, (1, segments)) + rng.normal(0, 1.5, (len(systems) * n, segments)))
    length = total.astype(int)
    orders = np.stack([np.maximum(0, length - k) for k in range(4)], axis=2)
    correct = rng.binomial(orders, np.array([0.55, 0.3, 0.18, 0.11]))
    reference = np.broadcast_to(np.maximum(1, rng.normal(26, 12, segments)).astype(int), length.shape)
    values = np.concatenate([length[..., None], reference[..., None], correct, orders], axis=2).astype(float)
    names = (tuple(map(str, range(n))),) * len(systems)
    metric = get_metric("bleu")
    assert values.shape[2] == metric.n_statistics
    return SegmentStatistics(metric, "test", "", tuple(systems), names, values)


def write(experiment: Experiment, folder: Path) -> Path:
    """Write an experiment as a run folder."""
    target = folder / "test"
    for system in experiment.systems:
        (target / "systems" / system.name).mkdir(parents=True)
        for replica in system.replicas:
            path = target / "systems" / system.name / f"{replica.name}.txt"
            path.write_text("\n".join([*replica.outputs["test"], ""]), encoding="utf-8")
    reference = "".join(f"{line}\n" for line in experiment.test_set("test").references[0])
    (target / "reference.txt").write_text(reference, encoding="utf-8")
    return folder
