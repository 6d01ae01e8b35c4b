from dataclasses import replace

import pytest

from mtsig_core.analysis.comparison.combined import Combined, SetDifference
from mtsig_core.analysis.comparison.effect import Effect, human_terms, improvement
from mtsig_core.reports.pairs.effect import (
    combined_document,
    combined_lines,
    combined_sentence,
    effect_document,
    effect_lines,
)
from mtsig_core.significance import Scope

SETS = (SetDifference("one", 30, 0.4, (0.1, 0.7), 0.02), SetDifference("two", 40, 0.2, None, None))
OVER = Combined(
    Scope("", "ter", "TER", False, systems=("A", "B")),
    3,
    3,
    SETS,
    0.3,
    (0.1, 0.5),
    None,
    (0.05, 0.55),
    0.01,
    5.0,
    0.05,
    (),
)


def of(human):
    chance = improvement([1.0, 2.0], [3.0, 4.0])
    said = isinstance(human, str)
    return Effect(
        Scope("t", "bleu", "BLEU", systems=("A", "B")), 1.0, chance, None if said else human, human if said else ""
    )


def test_sentences_of_an_effect():
    first, second = effect_lines(of(human_terms("bleu", 1.0)))
    assert "beats one of A with probability 100%" in first
    assert second.startswith("People agree with a difference of 1.00 BLEU on 64%")
    assert "coin flip" in effect_lines(of(human_terms("bleu", 0.1)))[1]
    assert effect_lines(of("No curve."))[1] == "No curve."


def test_documents_of_an_effect():
    told = effect_document(of(human_terms("bleu", 1.0)))
    assert told["improvement"]["probability"] == 1
    assert told["human_terms"]["needed"] == pytest.approx(2.34, abs=0.01)
    assert effect_document(of("No curve."))["human_terms"] == {"reason": "No curve."}


def test_words_over_all_sets_follow_direction_and_level():
    assert "B is worse than A: 0.30 TER higher: more than variation" in combined_sentence(OVER)
    assert "B looks worse than A" in combined_sentence(replace(OVER, p=0.2))
    small = replace(OVER, difference=0.0123, both=(0.0021, 0.0225), decimals=4)  # on a scale of 1, as on one set
    assert "0.0123 TER higher" in combined_sentence(small)
    assert "0.0021 to 0.0225" in combined_sentence(small)
    neither = combined_sentence(replace(OVER, scope=replace(OVER.scope, is_quality=False, label="Length")))
    assert "B has 0.30 higher Length than A" in neither
    assert "better" not in neither
    undefined = replace(OVER, p=None, both=None, notes=("Not defined with one replica.",))
    assert combined_sentence(undefined).endswith("Not defined with one replica.")
    assert combined_lines([replace(OVER, notes=("Left out.",))])[1].strip() == "Left out."


def test_document_over_all_sets():
    told = combined_document(OVER)
    assert told["interval"] == {"text": [0.1, 0.5], "replicas": None, "both": [0.05, 0.55]}
    assert [row["test_set"] for row in told["sets"]] == ["one", "two"]
