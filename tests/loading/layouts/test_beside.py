"""What lies beside outputs tells which file is the reference, and folders in folders tell systems from replicas."""

from __future__ import annotations

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird", "rain fell all day", "she reads a book"]
SOURCE = ["eine Katze", "der Hund", "ein Vogel", "Regen", "ein Buch"]


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def tree(sides, outputs):
    """Files of references and sources, and one output for each path."""
    return [*((path, text(lines)) for path, lines in sides.items()),
            *((path, text([f"{line} {i}" for line in REFERENCE])) for i, path in enumerate(outputs))]  # fmt: skip


def loaded(sides, outputs):
    """Return the replicas by system, the references, and the source."""
    experiment, report = load(tree(sides, outputs), cache=False)
    (test_set,) = experiment.test_sets
    systems = {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}
    return systems, test_set.references, test_set.source, report


FLAT = ["base_seed1.{}", "base_seed2.{}", "big_seed1.{}", "big_seed2.{}"]


@pytest.mark.parametrize("folder", ["", "data/"])
@pytest.mark.parametrize(("ending", "target"), [("txt", "en"), ("en", "en"), ("de", "de")])
def test_both_sides_of_a_language_pair(folder, ending, target):
    sides = {f"{folder}test.de-en.{language}": REFERENCE if language == target else SOURCE for language in ("de", "en")}
    systems, references, source, report = loaded(sides, [name.format(ending) for name in FLAT])
    assert systems == {"base": ["seed1", "seed2"], "big": ["seed1", "seed2"]}
    assert (references, source) == ((tuple(REFERENCE),), tuple(SOURCE))
    assert any(f"{folder}test.de-en.{target}" in guess.message for guess in report.guesses)


@pytest.mark.parametrize(("stem", "outputs"), [
    ("tst-COMMON", ["base_seed1.en", "base_seed2.en"]), ("data/newstest2014", ["base/seed1.en", "base/seed2.en"]),
])  # fmt: skip
def test_both_languages_of_a_test_set(stem, outputs):
    systems, references, source, _ = loaded({f"{stem}.en": REFERENCE, f"{stem}.de": SOURCE}, outputs)
    assert systems == {"base": ["seed1", "seed2"]}
    assert (references, source) == ((tuple(REFERENCE),), tuple(SOURCE))


def test_two_languages_of_a_system_are_no_test_set():
    with pytest.raises(LoadError, match="no reference"):
        load(tree({}, ["base.en", "base.de", "big.en"]), cache=False)


@pytest.mark.parametrize("outputs", [
    ["base.fra_Latn", "big.fra_Latn"], ["base/eng-fra.hyp", "big/eng-fra.hyp"],
    ["base/eng_Latn-fra_Latn.txt", "big/eng_Latn-fra_Latn.txt"],
])  # fmt: skip
def test_files_of_flores(outputs):
    sides = {"devtest/eng_Latn.devtest": SOURCE, "devtest/fra_Latn.devtest": REFERENCE}
    systems, references, source, report = loaded(sides, outputs)
    assert list(systems) == ["base", "big"]
    assert (references, source) == ((tuple(REFERENCE),), tuple(SOURCE))
    assert any("fra_Latn.devtest" in guess.message for guess in report.guesses)


def test_a_folder_that_says_hypotheses_is_no_condition():
    systems, _, _, _ = loaded({"ref/ref.txt": REFERENCE}, [f"hyp/{s}.{k}.txt" for s in ("base", "new") for k in (1, 2)])
    assert systems == {"base": ["1", "2"], "new": ["1", "2"]}


@pytest.mark.parametrize("name", [
    "gold.txt", "labels.txt", "test.gold.txt", "ground_truth.txt", "truth/test.txt", "expected/out.txt",
])  # fmt: skip
def test_weaker_words_call_the_one_reference(name):
    systems, references, _, report = loaded({name: REFERENCE}, [name.format("txt") for name in FLAT])
    assert systems == {"base": ["seed1", "seed2"], "big": ["seed1", "seed2"]}
    assert references == (tuple(REFERENCE),)
    assert any(name in guess.message for guess in report.guesses)


def test_weaker_words_are_systems_beside_a_reference():
    systems, references, _, _ = loaded({"ref.txt": REFERENCE}, ["gold_seed1.txt", "gold_seed2.txt", "labels.txt"])
    assert systems == {"gold": ["seed1", "seed2"], "labels": ["1"]}
    assert references == (tuple(REFERENCE),)


def test_two_files_of_weaker_words_are_not_chosen_from():
    with pytest.raises(LoadError, match="no reference"):
        load(tree({"gold.txt": REFERENCE, "labels.txt": REFERENCE}, ["base.txt"]), cache=False)


@pytest.mark.parametrize("top", ["preds/", "out/", "results/", "exp1/", "a/b/"])
def test_replicas_in_folders_below_another(top):
    outputs = [f"{top}{system}/seed{k}.txt" for system in ("base", "big") for k in (1, 2)]
    systems, _, _, report = loaded({"refs/ref.txt": REFERENCE}, outputs)
    assert systems == {"base": ["seed1", "seed2"], "big": ["seed1", "seed2"]}
    assert not report.with_code("replica-by-number")


def test_conditions_below_models_are_systems_of_their_own():
    outputs = [f"{model}/{beam}/s{k}.txt" for model in ("A", "B") for beam in ("beam1", "beam5") for k in (1, 2)]
    systems, _, _, report = loaded({"ref.txt": REFERENCE}, outputs)
    assert systems == {f"{model}-{beam}": ["s1", "s2"] for model in ("A", "B") for beam in ("beam1", "beam5")}
    assert "A-beam1: s1" in report.with_code("replica-by-number")[0].message


def test_one_system_below_a_folder_keeps_its_name():
    systems, _, _, _ = loaded({"ref.txt": REFERENCE}, ["preds/base/seed1.txt", "preds/base/seed2.txt"])
    assert systems == {"base": ["seed1", "seed2"]}


def test_the_day_of_a_run_is_no_replica():
    systems, _, _, _ = loaded({"ref.txt": REFERENCE}, [f"run-2024010{k}-{id}/out.txt" for k, id in
                                                            ((5, "abcd12"), (6, "ef3456"))])  # fmt: skip
    assert systems == {"run-20240105-abcd12": ["out"], "run-20240106-ef3456": ["out"]}


def test_an_experiment_in_a_folder_is_none_of_the_systems_beside_it():
    inner = [f"small/test/systems/{system}/seed{k}.txt" for system in ("a", "b") for k in (1, 2)]
    sides = {"ref.txt": REFERENCE, "small/test/reference.txt": REFERENCE}
    systems, _, _, report = loaded(sides, ["one.seed1.txt", *inner])
    assert list(systems) == ["one"]
    assert report.with_code("other-experiment")


def test_the_only_reference_may_lie_in_a_folder_of_data():
    outputs = [f"out/{name}" for name in ("base.seed1.txt", "base.seed2.txt", "big.seed1.txt", "big.seed2.txt")]
    sides = {"data/test/test.ref": REFERENCE, "data/test/test.src": SOURCE}
    systems, references, source, report = loaded(sides, outputs)
    assert systems == {"base": ["seed1", "seed2"], "big": ["seed1", "seed2"]}
    assert (references, source) == ((tuple(REFERENCE),), tuple(SOURCE))
    assert report.with_code("reference-by-name")


@pytest.mark.parametrize("name", ["slurm-1234567.out", "slurm-12_3.err", "requirements.txt", "args.txt"])
def test_what_tools_leave_beside_outputs_is_no_system(name):
    files = [*tree({"ref.txt": REFERENCE}, ["base.seed1.trn", "base.seed2.trn"]), (name, text(REFERENCE))]
    experiment, report = load(files, cache=False)
    assert [system.name for system in experiment.systems] == ["base"]
    assert any(name in line.files for line in report.ignored)
