"""Statistics of nine outputs against sacrebleu's own, as ratios in one run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import Metric, compute_statistics, get_metric
from mtsig_core.metrics.compiled import EDITS, NGRAMS
from mtsig_core.metrics.sacrebleu_adapter import _shared, sacrebleus_statistics

SEGMENTS, TER_SEGMENTS, TIMES = 1000, 10, 2
JOBS = [
    ("BLEU, tokenizer none", get_metric("bleu", tokenize="none")),
    ("BLEU, tokenizer 13a", get_metric("bleu")),
    ("chrF", get_metric("chrf")),
    ("chrF++", get_metric("chrf++")),
    ("TER", get_metric("ter")),
]


def nine_outputs() -> Experiment:
    """Three systems of three replicas that share a third of their output, on made text of usual lengths."""
    rng = random.Random(0)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(rng.choices(letters, k=max(1, int(rng.gauss(5, 2))))) for _ in range(4000)] + [",", ".", "1.5"]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    reference = [rng.choices(words, weights, k=max(3, int(rng.gauss(26, 12)))) for _ in range(SEGMENTS)]

    def edited(line: list[str], share: float) -> list[str]:
        line = [rng.choices(words, weights)[0] if rng.random() < share else word for word in line]
        at, to = rng.randrange(len(line)), rng.randrange(len(line))
        line[to:to] = [line.pop(at) for _ in range(min(3, len(line) - at))]
        return line

    def replica(name: str, base: list[list[str]]) -> Replica:
        lines = (line if rng.random() < 0.35 else edited(line, 0.2) for line in base)
        return Replica(name, {"test": tuple(map(" ".join, lines))})

    bases = [[edited(line, 0.4) for line in reference] for _ in range(3)]
    systems = tuple(System(f"s{k}", tuple(replica(f"r{i}", base) for i in range(3))) for k, base in enumerate(bases))
    return Experiment("bench", (TestSet("test", "test", (tuple(map(" ".join, reference)),)),), systems)


def seconds(work: Callable[[], object]) -> float:
    """Return the best of some times, each without what sacrebleu's tokenizers remember."""
    times = []
    for _ in range(TIMES):
        for tokenizer in (Tokenizer13a, TokenizerRegexp, TercomTokenizer):
            tokenizer.__call__.cache_clear()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def theirs(experiment: Experiment, metric: Metric) -> float:
    """Return the seconds that sacrebleu takes for all outputs; for TER, from some segments of each."""
    n = TER_SEGMENTS if metric.name == "ter" else SEGMENTS
    rows = [(line,) for line in experiment.test_set("test").references[0][:n]]
    outputs = [replica.outputs["test"][:n] for system in experiment.systems for replica in system.replicas]
    sacrebleus = _shared(metric.sacrebleu_class, tuple(sorted(metric.sacrebleu_options.items())))
    return SEGMENTS / n * seconds(lambda: [sacrebleus_statistics(sacrebleus, output, rows) for output in outputs])


def rows() -> list[tuple[str, str, float, float]]:
    """Return (job, peer, seconds of the peer, seconds here) of statistics that are not on disk."""
    experiment = nine_outputs()
    for kernels in (NGRAMS, EDITS):
        kernels.wait()
    return [
        (f"statistics of nine outputs of {SEGMENTS} segments: {name}", "sacreBLEU", theirs(experiment, metric),
         seconds(lambda metric=metric: compute_statistics(experiment, "test", metric)))
        for name, metric in JOBS
    ]  # fmt: skip


def main() -> None:
    """Print the ratios alone."""
    for job, peer, peers, ours in rows():
        print(f"{job}: {peers:.2f} s ({peer}), {ours:.2f} s, x {peers / ours:.1f}", flush=True)


if __name__ == "__main__":
    main()
