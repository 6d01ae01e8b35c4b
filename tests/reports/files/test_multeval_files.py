"""Files in MultEval's formats, against files written by hand from what is known of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mtsig_core.analysis.reading.segments import segment_table
from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.reports.files.multeval_files import as_java, bleu_parts, rank_file, sentence_file

REFERENCES = (
    ("the cat sat on the mat", "a dog barks at night now", "it rains all day long", "he reads a good book today"),
    ("a cat was on a mat", "dogs bark at night now", None, "today he reads some book"),
)
PLAIN = ("the cat sat on the mat", "a dog barks in night now", "it rains", "he reads a good book")
BETTER = ("the cat sat on a mat", "a dog barks at night now", "it rains all day", "he reads a good book")
# TER by hand: edits to the nearer reference over the mean length of the references: 0/6, 1/5.5, 3/5, 1/5.5 and
# 1/6, 0/5.5, 1/5, 1/5.5. Length: words over those of the reference that is closest in length, the shorter of two
# that are equally close: 6/6, 6/6, 2/5, 5/5 and 6/6, 6/6, 4/5, 5/5.
RANKED_BY_TER = """\
SENT 2\tter: 60.0 -> 20.0 = -40.0\tlength: 40.0 -> 80.0 = 40.0
ter-median-baseline: it rains
ter-median-variant: it rains all day
ref1: it rains all day long

SENT 1\tter: 18.2 -> 0.0 = -18.2\tlength: 100.0 -> 100.0 = 0.0
ter-median-baseline: a dog barks in night now
ter-median-variant: a dog barks at night now
ref1: a dog barks at night now
ref2: dogs bark at night now

SENT 3\tter: 18.2 -> 18.2 = 0.0\tlength: 100.0 -> 100.0 = 0.0
ter-median-baseline: he reads a good book
ter-median-variant: he reads a good book
ref1: he reads a good book today
ref2: today he reads some book

SENT 0\tter: 0.0 -> 16.7 = 16.7\tlength: 100.0 -> 100.0 = 0.0
ter-median-baseline: the cat sat on the mat
ter-median-variant: the cat sat on a mat
ref1: the cat sat on the mat
ref2: a cat was on a mat

"""
# BLEU by hand. Output 0: 6/6, 5/5, 3/4, 1/3 n-grams; (3/4)^.25 = .931, (3/4 * 1/3)^.25 = .7071.
# Output 2: 4/4, 3/3, 2/2, 1/1, brevity exp(1 - 5/4) = .7788
SENTENCES = """\
0 ||| the cat sat on a mat ||| bleu=70.71 ter=16.67 ||| bleu1p=1.00 bleu2p=1.00 bleu3p=0.93 bleu4p=0.71 brevity=1.00
1 ||| a dog barks at night now ||| bleu=100.00 ter=0.00 ||| bleu1p=1.00 bleu2p=1.00 bleu3p=1.00 bleu4p=1.00 brevity=1.00
2 ||| it rains all day ||| bleu=77.88 ter=20.00 ||| bleu1p=0.78 bleu2p=0.78 bleu3p=0.78 bleu4p=0.78 brevity=0.78
3 ||| he reads a good book ||| bleu=100.00 ter=18.18 ||| bleu1p=1.00 bleu2p=1.00 bleu3p=1.00 bleu4p=1.00 brevity=1.00
"""


@pytest.fixture
def small() -> Experiment:
    outputs = {"plain": PLAIN, "better": BETTER}
    systems = tuple(System(name, (Replica("opt0", {"test": lines}),)) for name, lines in outputs.items())
    return Experiment("small", (TestSet("test", "test", REFERENCES),), systems)


def statistics(experiment, *names):
    metrics = [get_metric(n, tokenize="none") if n != "ter" else get_metric(n) for n in names]
    return [compute_statistics(experiment, "test", m) for m in metrics]


def test_segments_are_ranked_as_in_a_file_written_by_hand(small):
    tables = [segment_table(small, "test", s, ("plain", "opt0"), ("better", "opt0"))
              for s in statistics(small, "ter", "length")]  # fmt: skip
    assert rank_file(tables) == RANKED_BY_TER


def test_scores_of_sentences_are_as_in_a_file_written_by_hand(small):
    assert sentence_file(small, statistics(small, "bleu", "ter"), "better", "opt0") == SENTENCES


def test_an_output_that_is_not_there_is_named(small):
    with pytest.raises(ValueError, match="better/opt7 has no output on 'test'"):
        sentence_file(small, statistics(small, "ter"), "better", "opt7")
    tables = [segment_table(small, "test", s, ("plain", "opt0"), (b, "opt0"))
              for s, b in zip(statistics(small, "ter", "length"), ("better", "plain"), strict=True)]  # fmt: skip
    with pytest.raises(ValueError, match="of several"):
        rank_file(tables)


@pytest.mark.parametrize(
    ("value", "decimals", "printed"),
    [(6.25, 1, "6.3"), (-6.25, 1, "-6.3"), (0.125, 2, "0.13"), (1.005, 2, "1.01"), (-0.04, 1, "-0.0"),
     (math.nan, 1, "NaN"), (math.inf, 2, "Infinity"), (-math.inf, 2, "-Infinity")],
)  # fmt: skip
def test_numbers_are_printed_as_java_does(value, decimals, printed):
    assert as_java(value, decimals) == printed


def test_parts_of_bleu_of_no_words_no_match_and_short_outputs():
    parts = bleu_parts(np.array([
        [0, 5, 0, 0, 0, 0, 0, 0, 0, 0],  # empty
        [2, 2, 0, 0, 0, 0, 2, 1, 0, 0],  # two wrong words
        [8, 8, 4, 2, 0, 0, 8, 7, 6, 5],
    ], dtype=float))  # fmt: skip
    assert parts[0].tolist() == [0, 0, 0, 0, 0]
    wrong = [(1 / 4) ** 0.25, (1 / 4 * 1 / 4) ** 0.25]
    assert parts[1] == pytest.approx([wrong[0], wrong[1], wrong[1], wrong[1], 1])
    chain = np.cumprod([4 / 8, 2 / 7, 1 / 12, 1 / 20]) ** 0.25
    assert parts[2] == pytest.approx([*chain, 1])
