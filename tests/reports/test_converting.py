"""What is converted loads again: equal digests from the native layout, equal texts from all others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from mtsig_core.experiment import Experiment, ExperimentError, Replica, System, TestSet
from mtsig_core.loading import load
from mtsig_core.reports.converting.convert import convert
from mtsig_core.reports.converting.layouts import TARGETS
from mtsig_core.workbench import Workbench
from tests.conftest import small_experiment

NAMES = {"native": "native", "multeval": "MultEval", "sacrebleu-tsv": "sacreBLEU TSV",
         "mt-metrics-eval": "mt-metrics-eval"}  # fmt: skip


def reloaded(experiment: Experiment, target: str) -> tuple[Experiment, str, dict]:
    converted = convert(experiment, target)
    again, report = load(list(converted.files.items()), cache=False)
    return again, report.layout, converted.outputs


def two_references() -> Experiment:
    """Return an experiment of odd names, documents, a source and a missing reference."""
    lines = [f"the {word} walks home" for word in ("cat", "dog", "bird", "horse")]
    texts = TestSet("news v1.2", "test", (tuple(lines), (None, *lines[1:])), ("human A", "human.B"), tuple(lines),
                    ("d1", "d1", "d2", "d2"))  # fmt: skip
    outputs = {name: tuple(f"{line} {name}"[: 15 + k] for line in lines) for k, name in enumerate("abcd")}
    first, second, third, fourth = (
        Replica(name, {"news v1.2": outputs[key]})
        for name, key in (("first", "a"), ("2nd", "b"), ("seed10", "c"), ("seed9", "d"))
    )
    systems = System("big.model 1", (first, second)), System("big-model-1", (third, fourth))
    return Experiment("odd", (texts,), systems)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("make", [small_experiment, two_references])
def test_outputs_and_scores_are_the_same(target, make):
    experiment = make()
    again, layout, outputs = reloaded(experiment, target)
    assert layout == NAMES[target]
    assert len(outputs) == sum(len(s.on(t.name)) for t in experiment.test_sets for s in experiment.systems)
    if target == "native":
        assert again.digest == experiment.digest
    before, after = Workbench(experiment), Workbench(again)
    rows = {(r.test_set, r.system): list(r.scores.items()) for r in after.table(metrics=[after.metric("bleu")],
                                                                              n_bootstrap=10).rows}  # fmt: skip
    for row in before.table(metrics=[before.metric("bleu")], n_bootstrap=10).rows:
        for replica, score in row.scores.items():
            test_set, system, name = outputs[row.test_set, row.system, replica]
            assert dict(rows[test_set, system])[name] == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"native"}))
def test_what_is_lost_is_said(target):
    notes = " ".join(convert(two_references(), target).notes)
    assert "Renamed systems: " in notes
    assert "Renamed test sets: news v1.2 to " in notes
    assert "Left out: roles of test sets" in notes
    assert ("tail -n +2 TABLE | cut -f1" in notes) == (target == "sacrebleu-tsv")  # the whole table scores wrongly


@pytest.mark.parametrize(
    ("target", "line", "said"),
    [
        ("multeval", "two\nlines", "holds line ends"), ("sacrebleu-tsv", "a\tb", "holds a tab"),
        ("mt-metrics-eval", "a\rb\n", "holds line ends"), ("sacrebleu-tsv", "\n", "holds line ends"),
    ],
)  # fmt: skip
def test_what_a_layout_cannot_hold_is_refused(target, line, said):
    experiment = two_references()
    odd = Replica("first", {"news v1.2": (line, "b", "c", "d")})
    other = replace(experiment, systems=(experiment.systems[0], System("odd", (odd,))))
    with pytest.raises(ExperimentError, match=said):
        convert(other, target)
    assert convert(other, "native").files


def test_scores_alone_need_the_native_layout():
    texts = TestSet("test", "test", (), size=2)
    experiment = Experiment("scores", (texts,), (System("a", (Replica("1", {}, {"test": {"COMET": (0.1, 0.2)}}),)),))
    assert reloaded(experiment, "native")[0].digest == experiment.digest
    with pytest.raises(ExperimentError, match="Convert to native"):
        convert(experiment, "multeval")
    with pytest.raises(ValueError, match="one of native, multeval"):
        convert(experiment, "word")


@cache
def loaded(folder: Path) -> Experiment:
    """Load a folder once for all layouts."""
    return load(folder, cache=False)[0]


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["multeval-4ref", "multeval-example", "wmt22-liv-en", "wmt22-en-zh-2ref"])
def test_real_folders_convert(real_data, name, target):
    experiment = loaded(real_data / name)
    again, layout, outputs = reloaded(experiment, target)
    assert layout == NAMES[target]
    assert len(outputs) == sum(len(s.on(t.name)) for t in experiment.test_sets for s in experiment.systems)
    if target == "native":
        assert again.digest == experiment.digest
