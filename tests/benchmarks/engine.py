"""Resampling against its peers, on made text, as ratios in one run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import SegmentStatistics, compute_statistics, get_metric
from mtsig_core.resampling import bootstrap_scores, exchange

SEGMENTS, SHUFFLES, DRAWS = 1000, 10_000, 1000


def seconds(work: Callable[[], object]) -> float:
    """Return the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def pair() -> Experiment:
    """Two systems of one replica on made text."""
    rng = random.Random(0)
    words = [f"w{i}" for i in range(800)]
    reference = [" ".join(rng.choices(words, k=rng.randint(8, 30))) for _ in range(SEGMENTS)]

    def noisy(share: float) -> tuple[str, ...]:
        return tuple(
            " ".join(rng.choice(words) if rng.random() < share else w for w in line.split()) for line in reference
        )

    systems = tuple(System(name, (Replica("1", {"test": noisy(share)}),)) for name, share in (("a", 0.3), ("b", 0.29)))
    return Experiment("bench", (TestSet("test", "test", (tuple(reference),)),), systems)


def rows() -> list[tuple[str, str, float, float]]:
    """Return (job, peer, seconds of the peer, seconds here); both sides score the outputs, too."""
    experiment, bleu = pair(), get_metric("bleu", tokenize="none")
    references = [list(experiment.test_set("test").references[0])]
    named = [(s.name, list(s.replicas[0].outputs["test"])) for s in experiment.systems]

    def peer(kind: str, draws: int) -> float:
        metrics = {"BLEU": BLEU(tokenize="none", force=True)}
        return seconds(lambda: PairedTest(named, metrics, references, kind, draws)())

    def ours(question: Callable[[SegmentStatistics], object]) -> float:
        return seconds(lambda: question(compute_statistics(experiment, "test", bleu)))

    return [
        ("BLEU of two outputs, approximate randomization with 10,000 shuffles", "sacreBLEU", peer("ar", SHUFFLES),
         ours(lambda made: exchange(made, "a", "b", "segment", SHUFFLES, 1))),
        ("BLEU of two outputs, paired bootstrap with 1000 draws", "sacreBLEU", peer("bs", DRAWS),
         ours(lambda made: bootstrap_scores(made, DRAWS, 1))),
    ]  # fmt: skip
