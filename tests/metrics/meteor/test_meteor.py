"""METEOR: nltk's own score of a sentence, cases by hand; METEOR 1.5 against the program itself, where it is there."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from nltk.stem import PorterStemmer
from nltk.translate.meteor_score import single_meteor_score

from mtsig_core.metrics import compute_statistics, get_metric, metric_names
from mtsig_core.metrics.meteor import meteor15 as with_jar
from mtsig_core.metrics.meteor.jar import JarScorer, find_jar, missing_programs
from mtsig_core.resampling import bootstrap_scores

needs_jar = pytest.mark.skipif(bool(missing_programs()), reason="needs Java and the jar of METEOR 1.5")


class NoWordNet:
    def synsets(self, word):
        return []


def nltks(hypothesis, references):
    """nltk's score of a sentence, by the best reference, without synonyms."""
    scores = [
        single_meteor_score(ref.split(), hypothesis.split(), stemmer=PorterStemmer(), wordnet=NoWordNet(), alpha=0.9)
        for ref in references
    ]
    return 100 * max(scores)


@pytest.mark.parametrize("streams", [1, 3])
def test_sentences_are_nltks(made_text, streams):
    hypotheses, references = made_text(1, streams=streams)
    kept = [(h, row) for h, row in zip(hypotheses, references, strict=True) if h and all(row)]
    metric = get_metric("meteor", tokenize="none")
    ours = metric.segment_score(metric.statistics([h for h, _ in kept], [row for _, row in kept]))
    np.testing.assert_allclose(ours, [nltks(*pair) for pair in kept], atol=1e-9)


def test_a_corpus_by_hand():
    metric = get_metric("meteor", tokenize="none")
    # "the cats" in one chunk by form and stem, and b a of a b in two; x is not there
    statistics = metric.statistics(["The cats", "b a x", ""], [("the cat",), ("a b", None), ("c",)])
    assert statistics.tolist() == [[2, 1, 2, 2], [2, 2, 3, 2], [0, 0, 0, 1]]
    precision, recall = 4 / 5, 4 / 5
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert metric.score(statistics.sum(axis=0)) == pytest.approx(100 * mean * (1 - 0.5 * (3 / 4) ** 3))
    assert metric.segment_score(statistics)[2] == 0


def test_stems_are_those_of_the_language():
    hypotheses, references = ["Häuser laufen"], [("Haus läuft Häusern",)]
    metrics = {code: get_metric("meteor", language=code) for code in ("en", "de", "zu")}
    matches = {code: metric.statistics(hypotheses, references)[0, 0] for code, metric in metrics.items()}
    assert matches == {"en": 0, "de": 1, "zu": 0}
    assert "match:exact+german" in get_metric("meteor", language="de").signature(references)
    assert "match:exact|" in get_metric("meteor", language="zu").signature(references)


def test_a_setting_that_names_no_jar_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("MTSIG_METEOR_JAR", str(tmp_path / "gone.jar"))
    with pytest.raises(ValueError, match=r"gone\.jar that MTSIG_METEOR_JAR names.* apt-get install"):
        get_metric("meteor-1.5")


def test_a_setting_names_the_jar(monkeypatch, tmp_path):
    jar = tmp_path / "mine.jar"
    jar.write_bytes(b"")
    monkeypatch.setenv("MTSIG_METEOR_JAR", str(jar))
    assert find_jar() == jar


@pytest.mark.skipif(not shutil.which("java"), reason="needs Java")
def test_a_program_that_does_not_answer_is_told(monkeypatch, tmp_path):
    jar = tmp_path / "mine.jar"
    jar.write_bytes(b"not a jar")
    monkeypatch.setenv("MTSIG_METEOR_JAR", str(jar))
    with pytest.raises(ValueError, match="ended without an answer"):
        JarScorer(True).statistics(["a"], [["a"]])


def test_the_weighing_of_matches_by_hand():
    # 4 words, 2 of them function words; one content word by form, one function word by form
    raw = np.zeros((2, 23))
    raw[0, :4], raw[0, 4:8], raw[0, 20:] = (4, 4, 2, 2), (1, 1, 1, 1), (2, 2, 2)
    raw[1, :4], raw[1, 4:8], raw[1, 20:] = (2, 2, 0, 0), (2, 2, 0, 0), (1, 2, 2)  # all match in one chunk
    statistics = with_jar.weighted(raw)
    assert statistics.tolist() == [[1, 1, 2, 2, 2, 4], [1.5, 1.5, 1.5, 1.5, 0, 4]]
    score = with_jar.METEOR15.score
    first, second = (score(with_jar.METEOR15, row) for row in statistics)
    assert first == pytest.approx(100 * 0.5 * (1 - 0.6))
    assert second == 100


@pytest.fixture(scope="module")
def program():
    scorer = with_jar._scorer(True)
    yield scorer
    scorer.close()


@needs_jar
@pytest.mark.slow
class TestTheProgram:
    """One start of the program (some ten seconds) for all of these."""

    def test_scores_of_sums_are_the_programs_on_multevals_example(self, program, real_data, read_lines):
        folder = real_data("multeval-example")
        output = read_lines(sorted((folder / "systems" / "baseline").iterdir())[0])
        references = [[line] for line in read_lines(folder / "refs" / "ref0.txt")]
        raw = program.statistics(output, references)
        metric = get_metric("meteor-1.5")
        statistics = with_jar.weighted(raw)
        sentences, corpus = program.evaluate(raw)
        np.testing.assert_allclose(metric.segment_score(statistics), 100 * sentences, atol=1e-9)
        assert metric.score(statistics.sum(axis=0)) == pytest.approx(100 * corpus, abs=1e-9)
        assert metric.score(statistics.sum(axis=0)) == pytest.approx(29.3, abs=0.05)  # as MultEval printed
        drawn = np.random.default_rng(0).integers(0, len(raw), 500)
        assert metric.score(statistics[drawn].sum(axis=0)) == pytest.approx(100 * program.evaluate(raw[drawn])[1])

    def test_several_references_with_gaps_and_odd_text(self, program):
        metric = get_metric("meteor-1.5")
        hypotheses = ["the cats sat", "a ||| b\u2028c", "", "x"]
        references = [("a dog", "the cats sat"), ("a b c", None), ("x", None), (None, "")]
        assert metric.segment_score(metric.statistics(hypotheses, references)).tolist() == [100, 100, 0, 0]

    def test_it_goes_through_scoring_and_resampling(self, program, make_experiment):
        assert "meteor-1.5" in metric_names()
        statistics = compute_statistics(make_experiment(1, segments=20), "t", get_metric("meteor-1.5"))
        draws = bootstrap_scores(statistics, 100, 1)
        assert abs(draws.mean(axis=0) - statistics.scores).max() < 5
