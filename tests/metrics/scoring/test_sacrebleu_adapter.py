"""Statistics, scores and signatures are sacrebleu's own, whatever the metric, options and references."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sacrebleu import metrics as sacrebleu

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.scoring import sacrebleu_adapter
from mtsig_core.metrics.scoring.sacrebleu_adapter import sacrebleu_version, word_splitter
from mtsig_core.metrics.scoring.signatures import plain_signature

OPTIONS = [
    *(
        ("bleu", {"tokenize": tokenize, "lowercase": lowercase})
        for tokenize in ("none", "13a", "intl", "zh", "char")
        for lowercase in (False, True)
    ),
    *((name, {"lowercase": low}) for name in ("chrf", "chrf++") for low in (False, True)),
    ("ter", {}),
]


def oracle(name: str, options: dict):
    """Make sacrebleu's own object for a metric of ours."""
    if name == "bleu":
        return sacrebleu.BLEU(**options, force=True)
    if name == "ter":
        return sacrebleu.TER(**options)
    return sacrebleu.CHRF(**options, word_order=2 if name == "chrf++" else 0)


IDS = ["-".join(map(str, (name, *options.values()))) for name, options in OPTIONS]


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=IDS)
@pytest.mark.parametrize(("streams", "gaps"), [(1, False), (3, False), (3, True)])
def test_corpus_score_and_signature_are_sacrebleus(name, options, streams, gaps, made_text):
    hypotheses, references = made_text(7, 10 if name == "ter" else 40, streams, gaps)
    metric, theirs = get_metric(name, **options), oracle(name, options)
    expected = theirs.corpus_score(hypotheses, [list(s) for s in zip(*references, strict=True)])
    statistics = metric.statistics(hypotheses, references)
    assert statistics.shape == (len(hypotheses), metric.n_statistics)
    assert metric.score(statistics.sum(axis=0)) == pytest.approx(expected.score, abs=1e-9)
    assert expected.score > 0
    assert metric.signature(references) == str(theirs.get_signature())


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
def test_sentence_score_is_sacrebleus(name, made_text):
    hypotheses, references = made_text(3, 12 if name == "ter" else 60, 2, True)
    hypotheses[:3] = ["", "cat", "the cat"]
    metric = get_metric(name)
    theirs = sacrebleu.BLEU(effective_order=True) if name == "bleu" else oracle(name, {})
    ours = metric.segment_score(metric.statistics(hypotheses, references))
    for score, hypothesis, row in zip(ours, hypotheses, references, strict=True):
        given_refs = [ref for ref in row if ref is not None]
        expected = theirs.sentence_score(hypothesis, given_refs).score
        assert score == pytest.approx(min(expected, 100.0), abs=1e-9)


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=IDS)
def test_signatures_of_usual_options_need_no_sacrebleu(name, options, monkeypatch):
    def never(kind, options):
        raise AssertionError(f"sacrebleu was asked for {kind} {options}")

    monkeypatch.setattr(sacrebleu_adapter, "_new", never)
    for rows, number in (([("x", "y"), ("z", "u")], "2"), ([("x", "y"), ("z", None)], "var")):
        assert get_metric(name, **options).signature(rows).startswith(f"nrefs:{number}|")


def test_other_signatures_are_left_to_sacrebleu():
    assert plain_signature("BLEU", {"tokenize": "ja-mecab"}, 1, "2.6.0") is None  # says the version of MeCab
    assert plain_signature("BLEU", {"tokenize": "13a", "smooth_method": "floor"}, 1, "2.6.0") is None
    assert plain_signature("CHRF", {"char_order": 4}, 1, "2.6.0") is None
    assert plain_signature("TER", {"normalized": True}, 1, "2.6.0") is None
    assert plain_signature("NEW", {}, 1, "2.6.0") is None


def test_the_first_stream_may_lack_a_reference_and_an_empty_one_is_another_thing():
    metric = get_metric("bleu", tokenize="none")
    hypotheses = ["a b c d e", "f g"]
    missing = metric.statistics(hypotheses, [(None, "a b c d e"), ("f g", None)])
    empty = metric.statistics(hypotheses, [("", "a b c d e"), ("f g", "")])
    alone = np.concatenate([metric.statistics([text], [(text,)]) for text in hypotheses])
    np.testing.assert_array_equal(missing, alone)
    assert metric.signature([(None, "x"), ("y", None)]).startswith("nrefs:1|")
    assert metric.signature([("x", "x"), ("y", None)]).startswith("nrefs:var|")
    assert not np.array_equal(
        get_metric("ter").statistics(hypotheses, [("", "a b c d e"), ("f g", "")]),
        get_metric("ter").statistics(hypotheses, [(None, "a b c d e"), ("f g", None)]),
    )
    np.testing.assert_array_equal(empty[:, 2:], missing[:, 2:])


def test_tokenized_looking_output_is_not_logged_about(caplog):
    with caplog.at_level(logging.WARNING):
        get_metric("bleu").statistics(["a b ."] * 150, [("a b .",)] * 150)
    assert not caplog.records


def test_no_segments_give_no_statistics():
    assert get_metric("chrf").statistics([], []).shape == (0, 18)


def test_keys_tell_options_and_versions_apart():
    metrics = [get_metric(name, **options) for name, options in OPTIONS]
    assert len({metric.key for metric in metrics}) == len(metrics)
    assert all(f"sacrebleu={sacrebleu_version()}" in metric.key for metric in metrics)
    assert "regex=" in get_metric("bleu", tokenize="intl").key


VOCABULARY = "the cat sat on a mat . , é 天气 (x)"
TEXT = st.lists(st.sampled_from(VOCABULARY.split()), max_size=12).map(" ".join)


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.tuples(TEXT, TEXT, st.none() | TEXT), min_size=1, max_size=5))
def test_summed_statistics_score_as_the_corpus(name, rows):
    hypotheses, references = [row[0] for row in rows], [row[1:] for row in rows]
    metric = get_metric(name)
    sums = metric.statistics(hypotheses, references).sum(axis=0)
    expected = oracle(name, {}).corpus_score(hypotheses, [list(s) for s in zip(*references, strict=True)]).score
    assert metric.score(sums) == pytest.approx(min(expected, 100.0) if name != "ter" else expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
@settings(max_examples=30, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_sums_score_as_sacrebleu_scores_them(name, data):
    metric = get_metric(name)
    number = st.integers(0, 3) | st.integers(0, 100_000)
    n_rows = 6
    cells = st.lists(number, min_size=metric.n_statistics, max_size=metric.n_statistics)
    sums = np.array(data.draw(st.lists(cells, min_size=n_rows, max_size=n_rows)))
    if name == "bleu":  # more matches than n-grams cannot be
        sums[:, 2:6] = np.minimum(sums[:, 2:6], sums[:, 6:10])
    elif name != "ter":
        sums[:, 2::3] = np.minimum(sums[:, 2::3], np.minimum(sums[:, 0::3], sums[:, 1::3]))
    ours = metric.score(sums.reshape(2, 3, -1))
    score = oracle(name, {})._compute_score_from_stats
    theirs = [score([int(x) for x in row]).score for row in sums]
    assert ours.shape == (2, 3)
    np.testing.assert_allclose(ours.ravel(), theirs, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("tokenize", ["13a", "none", "char", "intl"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_words_are_those_that_bleu_counts(tokenize, lowercase, made_text):
    split = word_splitter(tokenize, lowercase)
    theirs = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    odd = ["It's 3.14, no? &quot;U.S.&quot; 1,000-2", "a\n-b 3.\n4", "  ", "1. 2.", "x-\ty", "İ.5"]
    for text in [*made_text(9)[0], *odd]:
        assert split(text) == theirs._preprocess_segment(text).split()
