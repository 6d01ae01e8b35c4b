"""Files of one number each are scores of whole runs, and never outputs."""

from __future__ import annotations

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

RUNS = {("base", 1): 27.1, ("base", 2): 26.8, ("new", 1): 28.1, ("new", 2): 27.9}


@pytest.mark.parametrize(("name", "content"), [
    ("{s}/seed{k}/bleu.txt", "{x}\n"),
    ("{s}_seed{k}/BLEU", "{x}"),
    ("{s}.seed{k}.bleu", "BLEU = {x}, 60.1/33.2/20.1/10.0 (BP=1.000, ratio=1.002)\n"),
    ("{s}_seed{k}/bleu.txt", "BLEU|nrefs:1|case:mixed|tok:13a|version:2.3.1 = {x} 60.1/33.2 (BP = 1.000)\n"),
    ("results/{s}/seed{k}.bleu.txt", "{x}\n"),
])  # fmt: skip
def test_one_score_per_file(name, content):
    files = [(name.format(s=s, k=k), content.format(x=x).encode()) for (s, k), x in RUNS.items()]
    experiment, report = load(files, cache=False)
    (metric,) = experiment.outside_metrics
    assert metric.casefold() == "bleu"
    assert not experiment.test_sets[0].has_segments
    found = {(s.name, int(r.name[-1])): r.scores["test"][metric][0] for s in experiment.systems for r in s.replicas}
    assert found == RUNS
    assert any("scores of whole runs" in line.message for line in report.guesses)


def test_several_metrics_of_a_run():
    files = [(f"{s}/seed{k}/{m}.txt", b"27.5\n") for s, k in RUNS for m in ("bleu", "chrf", "ter")]
    experiment, _ = load(files, cache=False)
    assert experiment.outside_metrics == {"bleu": True, "chrf": True, "ter": False}


def test_one_run_per_system_is_refused_with_the_reason():
    with pytest.raises(LoadError, match="no system has several runs"):
        load([(f"{s}/bleu.txt", b"27.5\n") for s in ("base", "new", "big")], cache=False)


def test_beside_outputs_they_are_left_out():
    lines = ["a cat sat here", "the dog ran off", "we saw one bird"]
    files = {f"{s}/seed{k}/hyp.txt": "".join(f"{line} {s} {k}\n" for line in lines) for s, k in RUNS}
    files |= {f"{s}/seed{k}/bleu.txt": "27.5\n" for s, k in RUNS} | {"ref.txt": "".join(f"{line}\n" for line in lines)}
    experiment, report = load([(path, own.encode()) for path, own in files.items()], cache=False)
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"base": 2, "new": 2}
    assert not report.refused
    assert any("bleu.txt" in str(line.files) for line in report.ignored)
