"""Resampling against sacreBLEU's own functions, statistics in hand on both sides; MultEval's times are quoted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _paired_ar_test, _paired_bs_test

from mtsig_core.analysis.replicas.p_by_n import PByNDesign, p_by_n
from mtsig_core.metrics import SegmentStatistics
from mtsig_core.resampling import ExchangeDesign, Settings, bootstrap_scores, exchange
from mtsig_core.resampling.compiled import SIGNED_SUMS
from tests.benchmarks._common import MULTEVAL, QUOTED, Row, best_of
from tests.benchmarks._invented import EXAMPLE, PAPER, counts

SHUFFLES, DRAWS = 10_000, 1000
FEW_SHUFFLES = 200  # that sacreBLEU is timed on where all of them would take minutes
TABLE_2 = (1, 3, 5, 10, 50)


class InHand:
    """sacreBLEU's BLEU with statistics that are known already."""

    def __init__(self, statistics: np.ndarray) -> None:
        self.statistics, self.bleu = statistics.tolist(), BLEU(force=True)
        self._aggregate_and_compute = self.bleu._aggregate_and_compute
        self._compute_score_from_stats = self.bleu._compute_score_from_stats

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[float]]:
        return self.statistics


def sacrebleus(test: Any, statistics: SegmentStatistics, draws: int, outputs: int | None = None) -> float:
    """Return the seconds of one of sacreBLEU's tests; several outputs a side are taken for one long output."""
    sides = [np.concatenate(statistics.of(name)[:outputs]).astype(int) for name in "ab"]
    baseline, metric = (InHand(side) for side in sides)
    known = {"BLEU": (baseline.statistics, baseline._aggregate_and_compute(baseline.statistics))}
    return best_of(1, lambda: test(known, "b", range(len(sides[0])), None, {"BLEU": metric}, draws, seed=1))


def rows() -> list[Row]:
    """Return exchanges, bootstrap draws, and Table 2."""
    SIGNED_SUMS.wait()
    three, fifty, twelve = counts(3, EXAMPLE), counts(50, PAPER), counts(50, PAPER, "abcdefghijkl")
    return [*_exchanges(three, fifty), _bootstrap(twelve), _table_2(fifty)]


def _exchanges(three: SegmentStatistics, fifty: SegmentStatistics) -> list[Row]:
    def ours(statistics: SegmentStatistics) -> float:
        return best_of(3, lambda: exchange(statistics, "a", "b", ExchangeDesign("hypothesis", SHUFFLES, 1)))

    def job(n: int, segments: int) -> str:
        return f"exchange of hypotheses, BLEU, {SHUFFLES:,} shuffles, {n} replicas, {segments} segments"

    few, many = ours(three), ours(fifty)
    short = f"approximate randomization of single outputs, 50 replicas a side, {SHUFFLES:,} shuffles"
    at_fifty = SHUFFLES / FEW_SHUFFLES * sacrebleus(_paired_ar_test, fifty, FEW_SHUFFLES)
    return [
        Row(job(3, EXAMPLE), "sacreBLEU", sacrebleus(_paired_ar_test, three, SHUFFLES), few, 0.1),
        Row(job(3, EXAMPLE), MULTEVAL, 1.8, few, 0.1, remark=QUOTED),
        Row(job(50, PAPER), "sacreBLEU", at_fifty, many, 0.5, remark=f"extrapolated from {FEW_SHUFFLES} shuffles",
            short=short),
        Row(job(50, PAPER), MULTEVAL, 130, many, 0.5, remark=QUOTED, short=short),
    ]  # fmt: skip


def _bootstrap(statistics: SegmentStatistics) -> Row:
    outputs = len(statistics.values)
    ours = best_of(2, lambda: bootstrap_scores(statistics, DRAWS, 1))
    theirs = outputs / 2 * sacrebleus(_paired_bs_test, statistics, DRAWS, outputs=1)
    job = f"bootstrap of {outputs} outputs, BLEU, {DRAWS} draws, {PAPER} segments"
    return Row(job, "sacreBLEU", theirs, ours, 1, remark="extrapolated from 2 outputs",
               short=f"{DRAWS} bootstrap draws of {outputs} outputs")  # fmt: skip


def _table_2(pools: SegmentStatistics) -> Row:
    settings = Settings(n_permutations=SHUFFLES)
    design = PByNDesign(ns=TABLE_2, draws=250, units=("hypothesis",))
    ours = best_of(1, lambda: p_by_n(pools, "a", "b", settings, design))
    job = f"Table 2: 250 comparisons of n = 1, 3, 5, 10, 50 replicas from pools of 50, {SHUFFLES:,} shuffles each"
    short = "p against 1 to 50 replicas, 1250 tests (Clark's Table 2)"
    return Row(job, MULTEVAL, 12 * 3600, ours, 30, remark=QUOTED, short=short)
