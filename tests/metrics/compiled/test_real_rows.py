"""Kernels and sacrebleu agree on real text, where it is present: one or more references, gaps, Chinese."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.compiled.rows import compiled_statistics
from mtsig_core.metrics.scoring import sacrebleu_adapter

METRICS = {name: get_metric(name) for name in ("bleu", "chrf", "chrf++", "ter")}
METRICS |= {name: get_metric("bleu", tokenize=name) for name in ("none", "intl", "zh", "char")}
EVERY_ROW = os.environ.get("MTSIG_EVERY_ROW") == "1"  # hours, most of them sacrebleu's TER; else some rows, drawn once


def outputs_of(folder):
    return sorted(p for p in (folder / "systems").rglob("*") if p.is_file())


def rows_of(kind, folder, read_lines):
    """Return (hypothesis, references) of every segment of every output."""
    if kind == "multeval-4ref":
        outputs, references = [folder / f"out.{k}" for k in range(4)], [folder / f"ref{k}" for k in range(4)]
    else:
        outputs, references = outputs_of(folder), sorted(p for p in (folder / "refs").iterdir() if p.is_file())
    gaps = kind.startswith("e2e")
    streams = [[line or (None if gaps else line) for line in read_lines(path)] for path in references]
    given = list(zip(*streams, strict=True))
    return [row for path in outputs for row in zip(read_lines(path), given, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        ("multeval-example", {"none": 1500, "bleu": 800, "intl": 300, "chrf": 400, "chrf++": 200, "ter": 50}),
        ("multeval-4ref", {"none": 500, "bleu": 200, "chrf": 80, "chrf++": 80, "ter": 5}),
        ("e2e-cleaning-train-orig_test-orig", {"bleu": 400, "chrf": 120, "chrf++": 60, "ter": 5}),
        ("wmt22-en-zh-2ref", {"zh": 200, "char": 200, "chrf": 200, "ter": 200}),
    ],
)
def test_rows_of_real_text(kind, sizes, kernels, real_data, read_lines):
    rows = rows_of(kind, real_data(kind), read_lines)
    for name, size in sizes.items():
        chosen = rows if EVERY_ROW else random.Random(name).sample(rows, size)
        hypotheses, references = [h for h, _ in chosen], [r for _, r in chosen]
        metric = METRICS[name]
        theirs = sacrebleu_adapter._shared(metric.sacrebleu_class, metric._options)
        ours = compiled_statistics(
            metric.sacrebleu_class, metric.sacrebleu_options, theirs, hypotheses, references
        )
        np.testing.assert_array_equal(
            ours, sacrebleu_adapter.sacrebleus_statistics(theirs, hypotheses, references), err_msg=name
        )


@pytest.mark.slow
def test_ter_of_a_whole_output(kernels, real_data, read_lines):
    folder = real_data("multeval-example")
    references = [(line,) for line in read_lines(folder / "refs" / "ref0.txt")]
    path = outputs_of(folder)[0]
    sums = METRICS["ter"].statistics(read_lines(path), references).sum(axis=0)
    # What sacrebleu counts; tercom, which MultEval uses, has one edit less: 65.519.
    np.testing.assert_array_equal(sums, [41130, 62774])
    assert METRICS["ter"].score(sums) == pytest.approx(65.519, abs=0.002)
