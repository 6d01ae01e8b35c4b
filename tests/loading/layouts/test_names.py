"""What names of files say: systems, replicas, checkpoints, roles; and what they do not say."""

from __future__ import annotations

import pytest

from mtsig_core.loading import load
from mtsig_core.loading.recognition.names import special, split_flat
from mtsig_core.loading.recognition.replicas import split_names

EIGHT = (
    "\n".join(f"the {word} text" for word in ["one", "two", "three", "four", "five", "six", "seven", "eight"]) + "\n"
)


def opened(*paths: str, manifest: str = "", texts: dict[str, str] | None = None):
    files = [(path, (texts or {}).get(path, EIGHT.replace("text", f"text {i % 7}")).encode())
             for i, path in enumerate(paths)]
    return load([*files, ("experiment.toml", manifest.encode())] if manifest else files, cache=False)


def shape(experiment) -> dict[str, list[str]]:
    return {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}


def test_versions_and_sizes_are_no_replicas():
    names = [
        "gpt-3.5",
        "gpt-4",
        "mbart-25",
        "mbart-50",
        "nllb-600",
        "nllb-1300",
        "llama-3.1",
        "llama-3.2",
        "deepseek-r1",
    ]
    experiment, report = opened("ref.txt", *(f"{name}.txt" for name in names))
    assert shape(experiment) == {name: ["1"] for name in names}
    (guess,) = report.with_code("number-in-name")
    assert "mbart-50" in guess.message or "gpt-3.5" in guess.message
    assert "experiment.toml" in guess.remedy


@pytest.mark.parametrize(
    ("names", "references", "expected"),
    [
        ("a.1 a.2 b.1 b.2", "ref", {"a": ["1", "2"], "b": ["1", "2"]}),
        ("a.1 a.2 b.1 b.2 b.3", "ref", {"a.1": ["1"], "a.2": ["1"], "b.1": ["1"], "b.2": ["1"], "b.3": ["1"]}),
        ("a.0 a.1 b.0", "ref0 ref1", {"a": ["0", "1"], "b": ["0"]}),
        ("a-r1 a-r2 b-r1 b-r2", "ref", {"a": ["r1", "r2"], "b": ["r1", "r2"]}),
        ("sys1.1 sys1.2 sys2.1 sys2.2", "ref", {"sys1": ["1", "2"], "sys2": ["1", "2"]}),
        ("model=a,seed=1 model=a,seed=2 model=b,seed=1", "ref",
         {"model=a": ["seed=1", "seed=2"], "model=b": ["seed=1"]}),
        ("a/seed1 a/seed2 a/average", "ref", {"a": ["seed1", "seed2"]}),
        ("seed1.a seed2.a seed1.b seed2.b", "ref", {"a": ["seed1", "seed2"], "b": ["seed1", "seed2"]}),
        ("a.seed1.beam a.seed1.greedy", "ref", {"a.beam": ["seed1"], "a.greedy": ["seed1"]}),
        ("seed1.de seed2.de", "ref.de", {"system": ["seed1", "seed2"]}),
        ("1 2 3", "ref", {"system": ["1", "2", "3"]}),
        ("1 2 base", "ref", {"1": ["1"], "2": ["1"], "base": ["1"]}),
        ("a_lauf1 a_lauf2 b_lauf1", "ref", {"a": ["lauf1", "lauf2"], "b": ["lauf1"]}),
        ("systems/seed=1/a/hyp systems/seed=2/a/hyp systems/seed=1/b/hyp systems/seed=2/b/hyp", "ref",
         {"a": ["seed=1", "seed=2"], "b": ["seed=1", "seed=2"]}),
        ("reference-free.seed1 source-aware.seed1 document-level.seed1 ref-tuned.seed1", "ref",
         {"document-level": ["seed1"], "ref-tuned": ["seed1"], "reference-free": ["seed1"], "source-aware": ["seed1"]}),
        ("reference-free source-aware document-level multi-source", "ref",
         {"document-level": ["1"], "multi-source": ["1"], "reference-free": ["1"], "source-aware": ["1"]}),
    ],
)  # fmt: skip
def test_flat_names_are_read_together(names, references, expected):
    experiment, _ = opened(*(f"{name}.txt" for name in (names + " " + references).split()))
    assert shape(experiment) == expected


@pytest.mark.parametrize("source", ["input.slk", "ted.orig.slk", "ted.source.slk", "ted.slk"])
def test_sources_by_other_names(source):
    experiment, report = opened("ted.sys1.eng", "ted.sys2.eng", "ted.ref.eng", source)
    assert len(experiment.systems) == 2
    assert experiment.test_sets[0].source is not None
    assert len(experiment.test_sets[0].references) == 1
    assert {"source-by-name", "other-language"} & {guess.code for guess in report.guesses}


def test_a_detokenized_output_is_a_system():
    assert special("ted.sys1.detok.eng") is None


def test_different_names_in_folders_are_test_sets_with_systems():
    paths = [f"cond{c}/{s}.run{k}.txt" for c in "AB" for s in ("good", "bad") for k in range(3)]
    experiment, report = opened(*paths, "condA/ref.txt", "condB/ref.txt")
    assert [t.name for t in experiment.test_sets] == ["condA", "condB"]
    assert shape(experiment) == {"bad": ["run0", "run1", "run2"], "good": ["run0", "run1", "run2"]}
    assert report.with_code("folder-of-systems")


def test_without_references_of_their_own_folders_are_conditions():
    paths = [f"cond{c}/{s}.run{k}.txt" for c in "AB" for s in ("good", "bad") for k in range(2)]
    experiment, _ = opened(*paths, "ref.txt")
    assert sorted(shape(experiment)) == ["condA-bad", "condA-good", "condB-bad", "condB-good"]
    experiment, _ = opened(*(f"systems/{path}" for path in paths), "refs/ref.txt")
    assert sorted(shape(experiment)) == ["condA-bad", "condA-good", "condB-bad", "condB-good"]


def test_references_that_differ_by_folder_are_several_test_sets():
    texts = {"de/ref.txt": EIGHT, "fr/ref.txt": EIGHT.replace("the", "le")}
    experiment, _ = opened("de/a.txt", "de/b.txt", "de/ref.txt", "fr/a.txt", "fr/b.txt", "fr/ref.txt", texts=texts)
    assert [t.name for t in experiment.test_sets] == ["de", "fr"]
    assert all(len(t.references) == 1 for t in experiment.test_sets)
    assert shape(experiment) == {"a": ["1"], "b": ["1"]}


def test_several_test_sets_in_one_folder():
    names = [f"{t}.{n}.eng" for t in ("ted", "news") for n in ("ref", "sys1", "sys2")]
    experiment, _ = opened(*names)
    assert [t.name for t in experiment.test_sets] == ["news", "ted"]
    assert shape(experiment) == {"sys1": ["1"], "sys2": ["1"]}


@pytest.mark.parametrize(
    "lines",
    [
        "0-0 1-2 2-1\n" * 8, "(S (NP (DT the) (NN cat)) (VP (VBZ sits)))\n" * 8, "the_DT cat_NN sits_VBZ\n" * 8,
        "DT NN VBZ\n" * 8,
    ],
)  # fmt: skip
def test_annotations_of_text_are_not_used(lines):
    texts = {"t.sys1.x": lines, "t.ref.x": lines}
    experiment, report = opened("t.sys1.eng", "t.sys2.eng", "t.ref.eng", "t.sys1.x", "t.ref.x", texts=texts)
    assert len(experiment.systems) == 2
    assert len(experiment.test_sets[0].references) == 1
    assert {"t.sys1.x", "t.ref.x"} <= {file for line in report.ignored for file in line.files}


def test_ordinary_text_is_no_annotation():
    text = "A 10-3 win\n(Applause)\nSee note_1 and note_2\nNATO AND EU\n1-1\nI am\nGo\nNo\n"
    assert len(opened("a.txt", "ref.txt", texts={"a.txt": text})[0].systems) == 1


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("", {"m": ["seed1", "seed2"]}), ("step-1000", {"m": ["seed1", "seed2"]}),
     ("all", {"m": ["seed1-step-1000", "seed1-step-2000", "seed2-step-1000", "seed2-step-2000"]})],
)  # fmt: skip
def test_checkpoints_are_chosen(choice, expected):
    paths = [f"m.step-{k}000.seed{s}.txt" for k in (1, 2) for s in (1, 2)]
    manifest = f'checkpoints = "{choice}"\n' if choice else ""
    experiment, report = opened(*paths, "ref.txt", manifest=manifest)
    assert shape(experiment) == expected
    if choice == "all":
        assert report.with_code("dependent-checkpoints")
        return
    (guess,) = report.with_code("checkpoints")
    assert "checkpoints = " in guess.remedy
    left_out = {file for line in report.ignored for file in line.files}
    assert left_out >= {f"m.step-{1 if not choice else 2}000.seed{s}.txt" for s in (1, 2)}


def test_sweeps_in_folders():
    for run in ("model={m}/seed={s}", "model={m},seed={s}", "multirun/model={m}/seed={s}"):
        paths = [run.format(m=m, s=s) + "/generated_predictions.txt" for m in ("base", "big") for s in (1, 2, 3)]
        experiment, _ = opened(*paths, "ref.txt")
        replicas = [f"seed={s}" for s in (1, 2, 3)]
        assert shape(experiment) == {"model=base": replicas, "model=big": replicas}


def test_splitting_one_name():
    assert split_flat("lr=0.1-seed=2") == ("lr=0.1", "seed=2")
    assert split_flat("gpt-4.txt") is None
    assert split_flat("hyp.gpt-3.5") is None
    names = split_names(["m.step-1.txt", "m.step-2.txt"])
    assert [(n.system, n.checkpoint) for n in names.values()] == [("m", "step-1"), ("m", "step-2")]


REAL = {
    "bugs-2/02-version-number-is-no-replica/in": dict.fromkeys(
        ("gpt-3.5", "gpt-4", "mbart-25", "mbart-50", "nllb-600", "nllb-1300", "nllb-3300"), 1),
    "bugs-2/06-hydra-seed-folders/in": {"model=base": 3, "model=big": 3},
    "bugs-2/06-hydra-seed-folders/in-one-level": {"model=base": 3, "model=big": 3},
    "bugs-2/32-system-called-reference-free/in": {"baseline": 3, "reference-free": 3, "other": 3},
    "bugs-2/32-system-called-reference-free/in-source": {"baseline": 3, "source-aware": 3, "document-level": 3},
    "bugs-3/03-conditions-in-folders/in": {"good": 3, "bad": 3},
    "bugs-3/04-alignments-are-no-text/in": {"t.sys1": 1, "t.sys2": 1},
    "bugs-3/12-source-by-other-names/in": {"ted.sys1": 1, "ted.sys2": 1},
    "multeval-4ref": {"out": 4},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("folder", REAL)
def test_real_folders(real_data, folder):
    experiment, _ = load(real_data / folder, cache=False)
    assert {s.name: len(s.replicas) for s in experiment.systems} == REAL[folder]
