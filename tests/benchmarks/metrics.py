"""Statistics of outputs against sacrebleu's own, as ratios in one run; nothing is on disk."""

from __future__ import annotations

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from mtsig_core.experiment import Experiment
from mtsig_core.metrics import compute_statistics
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.chrf import ChrF, ChrFPlusPlus
from mtsig_core.metrics.compiled import EDITS, NGRAMS
from mtsig_core.metrics.scoring.sacrebleu_adapter import SacrebleuMetric, _shared, sacrebleus_statistics
from mtsig_core.metrics.ter import TER
from tests.benchmarks._common import Row, best_of
from tests.benchmarks._invented import PAPER, example, pools

TER_SEGMENTS = 10  # of each output that sacreBLEU is timed on
JOBS: list[tuple[str, SacrebleuMetric, float | None]] = [
    ("BLEU, tokenizer none", BLEU(tokenize="none"), 8),
    ("BLEU, tokenizer 13a", BLEU(), 3),
    ("chrF", ChrF(), 20),
    ("chrF++", ChrFPlusPlus(), None),
    ("TER", TER(), 100),
]
SHORT = {"BLEU, tokenizer 13a": "BLEU of nine outputs", "chrF": "chrF of nine outputs", "TER": "TER of nine outputs"}


def forget() -> None:
    """Empty what sacrebleu's tokenizers remember."""
    for tokenizer in (Tokenizer13a, TokenizerRegexp, TercomTokenizer):
        tokenizer.__call__.cache_clear()


def theirs(experiment: Experiment, metric: SacrebleuMetric, most: int, segments: int) -> float:
    """Return the seconds that sacrebleu takes for all outputs, from the first ones and from some segments of each."""
    references = experiment.test_set("test").references[0]
    outputs = [replica.outputs["test"] for system in experiment.systems for replica in system.replicas]
    rows = [(line,) for line in references[:segments]]
    sacrebleus = _shared(metric.sacrebleu_class, tuple(sorted(metric.sacrebleu_options.items())))
    forget()
    taken = best_of(1, lambda: [
        sacrebleus_statistics(sacrebleus, output[:segments], rows) for output in outputs[:most]
    ])  # fmt: skip
    return taken * len(outputs) / min(most, len(outputs)) * len(references) / len(rows)


def ours(experiment: Experiment, metric: SacrebleuMetric, times: int) -> float:
    """Return the seconds here."""

    def work() -> None:
        forget()
        compute_statistics(experiment, "test", metric)

    return best_of(times, work)


def rows() -> list[Row]:
    """Return statistics of nine outputs, and TER of six hundred."""
    for kernels in (NGRAMS, EDITS):
        kernels.wait()
    nine = example()
    segments = len(nine.test_set("test").references[0])
    found = []
    for name, metric, goal in JOBS:
        few = metric.name == "ter"
        peer = theirs(nine, metric, 9, TER_SEGMENTS if few else segments)
        remark = f"extrapolated from {TER_SEGMENTS} segments an output" if few else ""
        job = f"statistics of nine outputs of {segments} segments: {name}"
        taken, short = ours(nine, metric, 2), SHORT.get(name, "")
        found.append(Row(job, "sacreBLEU", peer, taken, goal, times=True, remark=remark, short=short))
    return [*found, _six_hundred()]


def _six_hundred() -> Row:
    many, ter = pools(), TER()
    remark = f"extrapolated from {TER_SEGMENTS} segments of 9 outputs"
    job = f"statistics of 600 outputs of {PAPER} segments, a tenth of them distinct: TER"
    return Row(job, "sacreBLEU", theirs(many, ter, 9, TER_SEGMENTS), ours(many, ter, 1), 180, remark=remark)


def main() -> None:
    """Print the ratios alone."""
    for row in rows():
        print(f"{row.job}: {row.theirs:.2f} s ({row.peer}), {row.ours:.2f} s, x {row.ratio:.1f}", flush=True)


if __name__ == "__main__":
    main()
