"""Which tokenizers there are, and what the others lack."""

from __future__ import annotations

import pytest
from sacrebleu.metrics import BLEU

from mtsig_core.metrics import TOKENIZERS, get_metric
from mtsig_core.metrics.text import tokenizers


def test_every_tokenizer_of_sacrebleu_is_accounted_for():
    assert {*tokenizers.KNOWN_TOKENIZERS, *tokenizers.DOWNLOADING} == set(BLEU.TOKENIZERS)
    assert {"none", "13a", "intl", "char", "zh"} <= set(TOKENIZERS)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_those_offered_work(name):
    metric = get_metric("bleu", tokenize=name)
    assert metric.score(metric.statistics(["a b c d"], [("a b c d",)])[0]) == pytest.approx(100)


@pytest.mark.parametrize(("name", "remedy"), [("ja-mecab", "sacrebleu[ja]"), ("ko-mecab", "sacrebleu[ko]")])
def test_one_that_is_not_installed_says_what_to_install(name, remedy, monkeypatch):
    monkeypatch.setattr(tokenizers, "find_spec", lambda module: None)
    for metric in ("bleu", "chrf"):
        with pytest.raises(ValueError, match="pip install") as error:
            get_metric(metric, tokenize=name)
        assert remedy in str(error.value)


def test_one_that_would_download_is_refused():
    with pytest.raises(ValueError, match="download"):
        get_metric("bleu", tokenize="flores200")


def test_an_unknown_one_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="'moses'; there are: 13a, intl, none"):
        get_metric("bleu", tokenize="moses")
