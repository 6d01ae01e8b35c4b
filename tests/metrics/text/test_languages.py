"""The target language and the tokenizer that suits it; normal forms."""

from __future__ import annotations

import unicodedata

import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import compute_statistics, default_tokenizer, get_metric, target_language
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.text import languages, tokenizers

PLAIN = "Well, this is plain text. Is it not? It is."
TOKENIZED = "Well , this is tokenized text . Is it not ? It is ."


def made(text, *, name="test", output=None, **told):
    test_set = TestSet(name, "test", ((text,) * 5,))
    return Experiment("x", (test_set,), (System("s", (Replica("1", {name: (output or text,) * 5}),)),), **told)


@pytest.mark.parametrize(
    ("text", "code", "tokenizer"),
    [
        ("今天天气很好，我们去公园吧。", "zh", "zh"),
        ("今日はいい天気ですね。ABC", "ja", "char"),
        ("오늘은 날씨가 좋습니다.", "ko", "char"),
        ("วันนี้อากาศดี", "th", "char"),
        ("ມື້ນີ້ອາກາດດີ", "lo", "char"),
        ("ថ្ងៃនេះអាកាសធាតុល្អ", "km", "char"),
        ("ဒီနေ့ ရာသီဥတု ကောင်းတယ်။", "my", "char"),
        ("Σήμερα ο καιρός είναι καλός.", "el", "13a"),
        (PLAIN, "", "13a"),
        ("Straße, déjà vu.", "", "13a"),
    ],
)
def test_writing_tells_the_language_and_the_tokenizer(text, code, tokenizer, monkeypatch):
    monkeypatch.setattr(languages, "TOKENIZERS", ("13a", "intl", "none", "char", "zh"))
    experiment = made(text)
    assert target_language(experiment).value == code
    assert default_tokenizer(experiment).value == tokenizer


def test_the_best_tokenizer_that_is_installed_is_taken(monkeypatch):
    monkeypatch.setattr(languages, "TOKENIZERS", ("13a", "char", "flores200", "ja-mecab", "ko-mecab"))
    chosen = {code: default_tokenizer(made(PLAIN), code).value for code in ("ja", "ko", "th", "zh", "de", "")}
    assert chosen == {"ja": "ja-mecab", "ko": "ko-mecab", "th": "flores200", "zh": "13a", "de": "13a", "": "13a"}


@pytest.mark.parametrize(
    ("told", "name", "code"),
    [
        ("de", "test", "de"), ("German", "test", "de"), ("pt-BR", "test", "pt"), ("xx", "test", "xx"),
        (None, "newstest2019-en-de", "de"), (None, "wmt22.liv-en", "en"), (None, "dev-no", ""), (None, "e2e-test", ""),
    ],
)  # fmt: skip
def test_what_is_told_and_names_tell_the_language(told, name, code):
    assert target_language(made(PLAIN, name=name, target_language=told)).value == code


def test_text_that_is_tokenized_is_left_as_it_is():
    assert default_tokenizer(made(TOKENIZED)).value == "none"
    assert default_tokenizer(made(TOKENIZED, output=PLAIN)).value == "13a"
    assert default_tokenizer(made(PLAIN, tokenizer="intl")).value == "intl"
    assert default_tokenizer(made(PLAIN, tokenizer="moses")).value == "13a"


def test_a_model_fetched_before_is_used_and_none_is_fetched(monkeypatch, tmp_path):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: object())
    with pytest.raises(ValueError, match="would download"):
        tokenizers.check_tokenizer("flores200")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "flores200sacrebleuspm").write_bytes(b"")
    tokenizers.check_tokenizer("flores200")


def test_every_choice_is_in_the_signature():
    rows = [("a", None), ("b", "c")]
    for name in ("bleu", "bleu+1", "nist", "ribes", "rouge-l", "length"):
        signature = get_metric(name, tokenize="char", lowercase=True, nfc=True).signature(rows)
        assert all(part in signature for part in ("nrefs:var", "tok:char", "case:lc", "norm:NFC")), signature


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "nist", "meteor", "ribes", "bleu+1", "rouge-l", "exact-match"])
def test_letters_written_in_two_ways_are_the_same_on_request(name):
    text = "élève naïve à la café crème"
    experiment = made(text, output=unicodedata.normalize("NFD", text))
    plain, nfc = get_metric(name), get_metric(name, nfc=True)
    assert plain.key != nfc.key
    worst, best = (compute_statistics(experiment, "test", metric).scores[0] for metric in (plain, nfc))
    perfect = compute_statistics(made(text), "test", plain).scores[0]
    assert best == perfect != worst


def test_a_normalised_metric_is_the_same_in_all_else():
    plain, nfc = BLEU(), get_metric("bleu", nfc=True)
    for attribute in ("name", "label", "explanation", "weakness", "scale", "n_statistics"):
        assert getattr(nfc, attribute) == getattr(plain, attribute)
    sums = plain.statistics(["a b c d e"], [("a b c d x",)])
    assert nfc.score(sums[0]) == plain.score(sums[0])
    assert (nfc.gradient(sums) == plain.gradient(sums)).all()
    assert (nfc.segment_score(sums) == plain.segment_score(sums)).all()
