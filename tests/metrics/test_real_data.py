"""Published and recomputed scores of real run folders, where those are present."""

from __future__ import annotations

import pytest
from sacrebleu import metrics as sacrebleu

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import compute_statistics, get_metric


def experiment_of(folder, read_lines, references):
    systems = tuple(
        System(d.name, tuple(Replica(f.stem, {"t": tuple(read_lines(f))}) for f in sorted(d.iterdir())))
        for d in sorted((folder / "systems").iterdir())
    )
    return Experiment(folder.name, (TestSet("t", "test", references),), systems)


def single_output(references, output):
    return Experiment("x", (TestSet("t", "test", references),), (System("s", (Replica("0", {"t": output}),)),))


@pytest.mark.slow
def test_scores_of_multevals_example(real_data, read_lines):
    folder = real_data("multeval-example")
    references = (tuple(read_lines(folder / "refs" / "ref0.txt")),)
    experiment = experiment_of(folder, read_lines, references)
    result = compute_statistics(experiment, "t", get_metric("bleu", tokenize="none"))
    assert result.scores_of("baseline") == pytest.approx([18.5389, 18.4645, 18.5771], abs=5e-5)
    assert result.scores_of("sys1") == pytest.approx([18.9869, 18.4740, 18.9795], abs=5e-5)
    assert list(result.scores_of("sys2")) == list(result.scores_of("baseline"))
    output = experiment.system("sys1").replicas[1].outputs["t"]
    expected = sacrebleu.BLEU(tokenize="none", force=True).corpus_score(output, references).score
    assert result.scores_of("sys1")[1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_four_references(real_data, read_lines):
    folder = real_data("multeval-4ref")
    output = tuple(read_lines(folder / "out.0"))
    streams = tuple(tuple(read_lines(folder / f"ref{k}")) for k in range(4))
    for references, published in ((streams, 29.10), (streams[:1], 15.15)):
        experiment = single_output(references, output)
        result = compute_statistics(experiment, "t", get_metric("bleu", tokenize="none"))
        assert result.scores[0] == pytest.approx(published, abs=0.005)
        expected = sacrebleu.BLEU(tokenize="none", force=True).corpus_score(output, references).score
        assert result.scores[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_a_variable_number_of_references(name, real_data, read_lines):
    folder = real_data("e2e-cleaning-train-orig_test-orig")
    n = 4 if name == "ter" else 60
    streams = tuple(
        tuple(line or None for line in read_lines(path)[:n]) for path in sorted((folder / "refs").glob("ref*.txt"))
    )[::-1]  # the last stream has most gaps: put it first
    output = tuple(read_lines(sorted((folder / "systems" / "sclstm").iterdir())[0])[:n])
    assert streams[0].count(None)
    experiment = single_output(streams, output)
    result = compute_statistics(experiment, "t", get_metric(name))
    theirs = {"bleu": sacrebleu.BLEU(force=True), "chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}[name]
    assert result.scores[0] == pytest.approx(theirs.corpus_score(output, streams).score, abs=1e-9)
    assert result.signature == str(theirs.get_signature())
    assert "nrefs:var" in result.signature


@pytest.mark.slow
def test_chinese_with_two_references(real_data, read_lines):
    folder = real_data("wmt22-en-zh-2ref")
    n = 50
    streams = tuple(tuple(read_lines(path)[:n]) for path in sorted((folder / "refs").iterdir()))
    path = sorted(p for p in (folder / "systems").rglob("*") if p.is_file())[0]
    output = tuple(read_lines(path)[:n])
    experiment = single_output(streams, output)
    for tokenize in ("zh", "char"):
        score = compute_statistics(experiment, "t", get_metric("bleu", tokenize=tokenize)).scores[0]
        expected = sacrebleu.BLEU(tokenize=tokenize, force=True).corpus_score(output, streams).score
        assert score == pytest.approx(expected, abs=1e-9)
        assert score > 20


@pytest.mark.slow
def test_lengths_that_multeval_printed(real_data, read_lines):
    folder = real_data("multeval-example")
    experiment = experiment_of(folder, read_lines, (tuple(read_lines(folder / "refs" / "ref0.txt")),))
    result = compute_statistics(experiment, "t", get_metric("length", tokenize="none"))
    assert result.scores_of("baseline").mean() == pytest.approx(107.5, abs=0.05)
    assert result.scores_of("sys1").mean() == pytest.approx(107.7, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nist", "meteor", "ribes", "bleu+1", "rouge-l", "length", "exact-match"])
def test_every_metric_scores_gaps_and_chinese(name, real_data, read_lines):
    n = 30
    folder = real_data("e2e-cleaning-train-orig_test-orig")
    streams = tuple(
        tuple(line or None for line in read_lines(path)[:n]) for path in sorted((folder / "refs").glob("ref*.txt"))
    )
    output = tuple(read_lines(sorted((folder / "systems" / "tgen-std").iterdir())[0])[:n])
    gaps = compute_statistics(single_output(streams, output), "t", get_metric(name))
    assert 0 <= gaps.scores[0] < 130
    assert "nrefs:var" in gaps.signature
    folder = real_data("wmt22-en-zh-2ref")
    streams = tuple(tuple(read_lines(path)[:n]) for path in sorted((folder / "refs").iterdir()))
    chinese = compute_statistics(single_output(streams, streams[1]), "t", get_metric(name, tokenize="zh"))
    perfect = compute_statistics(single_output(streams[1:], streams[1]), "t", get_metric(name, tokenize="zh"))
    assert chinese.scores[0] > 0.6 * perfect.scores[0] > 0
