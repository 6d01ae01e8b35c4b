"""The files that MultEval 0.5 writes for reading: segments ranked by improvement, and scores of every segment.

``--rankDir`` holds ``sysN.sortedby.METRIC``, N from 2 (the baseline is system 1): for each segment, the most improved
first, a line ``SENT i`` (from 0) with old score, new score and difference under every metric, the one that sorts first,
to one decimal and separated by tabs; then the baseline's output, the system's and the references, and an empty line.

``--sentLevelDir`` holds ``sysN.optK``: one line per segment, ``i ||| output ||| scores ||| parts of scores``, to two
decimals; parts are those of BLEU: its cumulated orders 1 to 4 and the brevity penalty, as shares of 1.

The format is MultEval's but for one thing: it puts the largest *increase* first under TER, too, where that is
the worst; here the most improved stands first under every metric. Scores are those of this library: of BLEU with
effective order, so that outputs shorter than four words score otherwise than in MultEval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from mtsig_core.analysis.reading.multeval import MultEvalTables
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.experiment import Experiment
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.bleu import COUNTS, HYP_LEN, ORDER, REF_LEN, TOTALS

BLEU_PARTS = ("bleu1p", "bleu2p", "bleu3p", "bleu4p", "brevity")


@dataclass(frozen=True)
class MultEvalFiles:
    """Contents of the files of ``--rankDir`` and ``--sentLevelDir``, by file name."""

    ranked: dict[str, str]
    sentences: dict[str, str]


def multeval_files(tables: MultEvalTables, experiment: Experiment) -> MultEvalFiles:
    """Return the files of MultEval's ``--rankDir`` and ``--sentLevelDir``.

    Raises
    ------
    ValueError
        When an output has no text.
    """
    sentences = {
        f"{number}.opt{k}": sentence_file(experiment, tables.statistics, name, replica)
        for number, name in tables.systems.items()
        for k, replica in enumerate(tables.replicas[name], 1)
    }
    return MultEvalFiles({name: rank_file(each) for name, each in tables.ranked.items()}, sentences)


def rank_file(tables: Sequence[SegmentTable]) -> str:
    """Return one file of ``--rankDir``.

    Parameters
    ----------
    tables : sequence of SegmentTable
        The same two outputs under each metric; the first metric sorts. Segments without a score under it are left
        out; other missing scores are ``NaN``.

    Raises
    ------
    ValueError
        When the tables are of different outputs.
    """
    first = tables[0]
    if any((t.test_set, t.a, t.b) != (first.test_set, first.a, first.b) for t in tables):
        raise ValueError("A file ranks the segments of two outputs; the tables are of several.")
    scores = [_by_segment(table) for table in tables]
    lines = []
    for i in np.argsort(-first.gain, kind="stable").tolist():
        number = int(first.index[i])
        none = (math.nan, math.nan)
        changes = [_change(t.metric, *one.get(number, none)) for t, one in zip(tables, scores, strict=True)]
        lines.append(f"SENT {number - 1}\t" + "\t".join(changes))
        lines.append(f"{first.metric}-median-baseline: {first.output_a[i]}")
        lines.append(f"{first.metric}-median-variant: {first.output_b[i]}")
        lines += [f"ref{k}: {text}" for k, text in enumerate(first.references[i], 1)]
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _by_segment(table: SegmentTable) -> dict[int, tuple[float, float]]:
    pairs = zip(table.score_a.tolist(), table.score_b.tolist(), strict=True)
    return dict(zip(table.index.tolist(), pairs, strict=True))


def _change(metric: str, old: float, new: float) -> str:
    return f"{metric}: {as_java(old, 1)} -> {as_java(new, 1)} = {as_java(new - old, 1)}"


def sentence_file(
    experiment: Experiment, statistics: Sequence[SegmentStatistics], system: str, replica: str
) -> str:
    """Return one file of ``--sentLevelDir``: all scores of one output.

    Parameters
    ----------
    experiment : Experiment
        Whose text is shown.
    statistics : sequence of SegmentStatistics
        Of one test set, one of each metric; a segment without a score has ``NaN``.
    system, replica : str

    Raises
    ------
    ValueError
        When the output is not there.
    """
    test_set = statistics[0].test_set
    outputs = next((r.outputs[test_set] for r in experiment.system(system).on(test_set) if r.name == replica), None)
    if outputs is None:
        raise ValueError(f"{system}/{replica} has no output on {test_set!r} in this experiment.")
    names: list[str] = []
    part_names: list[str] = []
    columns, part_columns = [], []
    for each in statistics:
        own = each.of(system)[each.names(system).index(replica)]
        places = np.arange(len(outputs)) if each.segments is None else each.segments
        names.append(each.metric.name)
        columns.append(_spread_out(each.metric.segment_score(own), places, len(outputs)))
        if each.metric.name == "bleu":
            part_names += BLEU_PARTS
            part_columns += [_spread_out(column, places, len(outputs)) for column in bleu_parts(own).T]
    lines = []
    for i, text in enumerate(outputs):
        scores = "".join(f" {name}={as_java(column[i], 2)}" for name, column in zip(names, columns, strict=True))
        parts = "".join(f" {n}={as_java(c[i], 2)}" for n, c in zip(part_names, part_columns, strict=True))
        lines.append(f"{i} ||| {text} |||{scores} |||{parts}\n")
    return "".join(lines)


def _spread_out(values: np.ndarray, places: np.ndarray, n: int) -> list[float]:
    out = np.full(n, np.nan)
    out[places] = values
    return out.tolist()


def bleu_parts(statistics: np.ndarray) -> np.ndarray:
    """Return BLEU up to each order, and its brevity penalty, as shares of 1.

    Parameters
    ----------
    statistics : ndarray of shape (segment, 10)
        Those of `mtsig_core.metrics.bleu.BLEU`.

    Returns
    -------
    ndarray of shape (segment, 5)
        Each order weighs a quarter however many are taken; the k-th precision of no match is 1 / (2^k n), and one
        without n-grams counts as 1.
    """
    hyp, ref = statistics[:, HYP_LEN], statistics[:, REF_LEN]
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.where(hyp < ref, np.exp(1 - ref / hyp), 1.0)
        counts, totals = statistics[:, COUNTS], statistics[:, TOTALS]
        empty = (counts == 0) & (totals > 0)
        smoothed = np.where(empty, 0.5 ** np.cumsum(empty, axis=1), counts)
        logs = np.where(totals > 0, np.log(smoothed / totals), 0.0)
    up_to = brevity[:, None] * np.exp(np.cumsum(logs, axis=1) / ORDER)
    return np.column_stack([up_to, brevity])


def as_java(value: float, decimals: int) -> str:
    """Return a number as Java's ``%.1f`` prints it: halves away from 0, by the shortest decimal form."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
