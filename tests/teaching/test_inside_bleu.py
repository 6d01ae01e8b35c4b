"""BLEU from the inside: every mark and number against sacreBLEU, nltk, or a count by hand."""

from collections import Counter
from math import log2

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.metrics.edit_kinds import EditKinds
from mtsig_core.metrics.ribes import RIBES
from mtsig_core.teaching import Run
from mtsig_core.teaching.inside_bleu import (
    CLIPPED,
    INVENTED,
    MATCHED,
    SETTINGS,
    InsideBLEU,
    growing,
    precisions,
    states,
)

WORDS = ["the", "cat", "is", "on", "a", "mat", "."]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
ORDER_CHANGED = ("On Monday the council will close the old bridge for repairs.",
                 "The council will close the old bridge for repairs on Monday.")  # fmt: skip


@pytest.mark.slow
@settings(max_examples=25)
@given(SENTENCES, SENTENCES)
def test_the_marks_are_what_sacrebleu_counts(output, reference):
    score = sacrebleu.BLEU(effective_order=True).sentence_score(output, [reference])
    made = InsideBLEU(output, reference)
    marks = [states(*made.words, n) for n in (1, 2, 3, 4)]
    assert [int((mark == MATCHED).sum()) for mark in marks] == list(score.counts)
    assert [len(mark) for mark in marks] == list(score.totals)
    parts = precisions(made.own)
    assert (parts.matched.tolist(), parts.brevity) == (list(score.counts), pytest.approx(score.bp))
    assert made.measures["BLEU"] == pytest.approx(score.score)


def test_seven_times_the_is_clipped_to_two():
    mark = states(["the"] * 7, ["the", "cat", "is", "on", "the", "mat"], 1)
    assert mark.tolist() == [MATCHED] * 2 + [CLIPPED] * 5


def test_a_growing_test_set_scores_as_sacrebleu_says():
    made = Run(InsideBLEU(*ORDER_CHANGED, seed=3)).step(40)
    scores = growing(made)
    keys = [tuple(row) for row in made.simulation.pool]
    drawn = [ORDER_CHANGED, *(INVENTED[keys.index(tuple(row))] for row in made["statistics"][1:])]
    outputs, references = zip(*drawn, strict=True)
    assert scores["BLEU of the corpus"][-1] == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)
    single = [sacrebleu.sentence_bleu(output, [reference]).score for output, reference in drawn]
    assert scores["mean BLEU of the sentences"][-1] == pytest.approx(np.mean(single))
    assert scores["mean BLEU of the sentences"][0] == pytest.approx(scores["BLEU of the corpus"][0])
    assert scores["mean BLEU+1 of the sentences"][0] > scores["mean BLEU of the sentences"][0]


def test_tokenizers_and_case_change_the_score_of_the_same_output():
    made = InsideBLEU(*ORDER_CHANGED)
    outputs, references = zip(*INVENTED, strict=True)
    for name in SETTINGS:
        for lower in (False, True):
            theirs = sacrebleu.BLEU(tokenize=name, lowercase=lower, force=True).corpus_score(outputs, [references])
            assert made.by_setting[name, lower] == pytest.approx(theirs.score)
    assert len({round(score, 6) for score in made.by_setting.values()}) == 2 * len(SETTINGS)


def test_halves_are_scored_by_themselves():
    ordered = sorted(INVENTED, key=lambda pair: len(sacrebleu.BLEU().tokenizer(pair[1]).split()))
    for half, score in zip((ordered[:8], ordered[8:]), InsideBLEU(*ORDER_CHANGED).halves, strict=True):
        outputs, references = zip(*half, strict=True)
        assert score == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)


def test_information_is_the_log_of_how_often_the_beginning_goes_on_so():
    texts = [("x", "the cat sat on the mat"), ("x", "the cat ran")]
    made = InsideBLEU("the cat", "the cat slept", texts)
    words = [text.split() for text in ("the cat slept", "the cat sat on the mat", "the cat ran")]
    single = Counter(word for row in words for word in row)
    pairs = Counter(pair for row in words for pair in zip(row, row[1:], strict=False))
    expected = [(word, log2(sum(single.values()) / single[word]), word != "slept") for word in words[0]]
    expected += [(f"{x} {y}", log2(single[x] / pairs[x, y]), y != "slept") for x, y in (words[0][:2], words[0][1:])]
    assert [(text, pytest.approx(bits), there) for text, bits, there in expected] == made.information
    gained = (expected[0][1] + expected[1][1]) / 2 + expected[3][1]
    assert made.measures["NIST"] == pytest.approx(gained / 2)  # two thirds of the words: half of it


@settings(max_examples=25)
@given(SENTENCES, SENTENCES)
def test_the_steps_of_ter_are_its_edits(output, reference):
    stages, words, trace = InsideBLEU(output, reference).edits
    inserted, deleted, replaced, shifts, length = EditKinds().statistics([output], [[reference]])[0]
    assert (trace.count("i"), trace.count("d"), trace.count("s")) == (inserted, deleted, replaced)
    assert (len(stages) - 1, len(words)) == (shifts, length)
    for before, after in zip(stages, stages[1:], strict=False):
        assert Counter(before) == Counter(after)
    rest, done = iter(stages[-1]), iter(words)
    for edit in trace:
        ours = next(rest) if edit != "i" else None
        theirs = next(done) if edit != "d" else None
        assert (ours == theirs) == (edit == " ")
    assert not [*rest, *done]


def test_ribes_rests_on_the_order_shown():
    made = InsideBLEU(*ORDER_CHANGED)
    order, n = made.order, len(made.order)
    rising = sum(order[i] < order[j] for i in range(n) for j in range(i + 1, n)) / (n * (n - 1) / 2)
    expected = 100 * rising * (n / len(made.words[0])) ** 0.25
    assert made.measures["RIBES"] == pytest.approx(expected)
    assert made.measures["RIBES"] == pytest.approx(RIBES().segment_scores([ORDER_CHANGED[0]], [[ORDER_CHANGED[1]]])[0])


def test_empty_output_scores_nothing_and_an_empty_reference_is_refused():
    made = InsideBLEU("", ORDER_CHANGED[1])
    assert made.measures["BLEU"] == 0
    assert precisions(made.own).brevity == 0
    with pytest.raises(ValueError, match="Write a reference"):
        InsideBLEU("a", "  ")
    with pytest.raises(ValueError, match="at least 2 sentences"):
        InsideBLEU("a", "b", [("a", "b")])
