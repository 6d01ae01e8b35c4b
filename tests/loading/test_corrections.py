"""Corrections of what was recognised: the same as if the files had been named so from the start."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtsig_core.loading import LoadError, load, read
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.writing import native_zip


def _loaded(files):
    return read(list(files.items()), name="mine")


def _corrected(files, edits, **more):
    reading = _loaded(files)
    first = mapping.recognised(reading.recognition, reading.experiment)
    return mapping.apply(reading.recognition, mapping.edited(first, edits), **more)


def test_correcting_nothing_changes_nothing(files):
    reading = _loaded(files)
    experiment, report = mapping.apply(reading.recognition, mapping.recognised(reading.recognition, reading.experiment))
    assert experiment == reading.experiment
    assert report.roles == reading.report.roles
    assert not report.with_code("corrected")


def test_a_corrected_name_is_as_if_the_file_had_it(files):
    wanted = {path.replace("beta/seed2", "beta/seed7"): data for path, data in files.items()}
    experiment, report = _corrected(files, {"systems/beta/seed2.txt": {"replica": "seed7"}})
    assert experiment == _loaded(wanted).experiment
    (line,) = report.with_code("corrected")
    assert line.files == ("systems/beta/seed2.txt",)


def test_renaming_one_system_to_another_makes_one_of_two(files):
    files = {
        "a.txt": files["systems/alpha/seed1.txt"], "b.txt": files["systems/alpha/seed2.txt"],
        "c.txt": files["systems/beta/seed1.txt"], "ref.txt": files["refs/ref0.txt"],
    }  # fmt: skip
    reading = _loaded(files)
    assert [s.name for s in reading.experiment.systems] == ["a", "b", "c"]
    draft = mapping.edited(mapping.recognised(reading.recognition, reading.experiment), {"b.txt": {"replica": "2"}})
    experiment, _ = mapping.apply(reading.recognition, mapping.rename_systems(draft, {"a": "both", "b": "both"}))
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [("both", ["1", "2"]), ("c", ["1"])]
    assert experiment.baseline == "both"  # a was


def test_a_collision_names_the_row_and_can_be_corrected(files):
    with pytest.raises(LoadError, match="same output as") as caught:
        _corrected(files, {"systems/beta/seed2.txt": {"replica": "seed1"}})
    assert caught.value.file == "systems/beta/seed2.txt"


@pytest.mark.parametrize(
    ("path", "cells", "row", "said"),
    [
        ("refs/ref0.txt", {"kind": "left out"}, "systems/alpha/seed1.txt", "no reference"),
        ("systems/alpha/seed2.txt", {"test set": "other"}, "systems/alpha/seed2.txt", "no reference"),
        ("systems/alpha/seed2.txt", {"test set": ""}, "systems/alpha/seed2.txt", "name of a test set"),
        ("systems/alpha/seed2.txt", {"system": None}, "systems/alpha/seed2.txt", "needs a system"),
        ("systems/alpha/seed2.txt", {"kind": "scores"}, "systems/alpha/seed2.txt", "scores"),
        ("systems/alpha/seed2.txt", {"kind": "nonsense"}, "systems/alpha/seed2.txt", "kind should be"),
    ],
)
def test_what_cannot_be_names_its_row(files, path, cells, row, said):
    reading = _loaded(files)
    first = mapping.recognised(reading.recognition, reading.experiment)
    try:
        _, report = mapping.apply(reading.recognition, mapping.edited(first, {path: cells}))
    except LoadError as error:
        told, where = str(error), [error.file]
    else:
        told, where = report.refused[0].message, list(report.refused[0].files)
    assert said in told
    assert where == [row]
    # nothing was lost
    assert mapping.apply(reading.recognition, first)[0] == reading.experiment


def test_a_file_that_was_left_out_can_be_taken_in_and_one_taken_in_left_out(files, text):
    files["notes.md"] = text("a", "green")
    cells = {"kind": "output", "test set": "test", "system": "gamma"}
    experiment, report = _corrected(files, {"notes.md": cells, "systems/beta/seed1.txt": {"kind": "left out"}})
    assert [(s.name, len(s.replicas)) for s in experiment.systems] == [("alpha", 2), ("beta", 1), ("gamma", 1)]
    assert experiment.system("gamma").replicas[0].outputs["test"] == tuple(text("a", "green").decode().splitlines())
    assert any("left out by hand" in line.message for line in report.ignored)


def test_an_output_can_become_a_second_reference(files):
    experiment, _ = _corrected(files, {"systems/beta/seed2.txt": {"kind": "reference", "reference": "human"}})
    assert experiment.test_set("test").reference_names == ("ref0", "human")
    assert len(experiment.test_set("test").references) == 2
    assert len(experiment.system("beta").replicas) == 1


def test_baseline_pairing_and_roles_are_chosen(files):
    reading = _loaded(files)
    first = mapping.recognised(reading.recognition, reading.experiment)
    draft = mapping.change_sets(first, {"test": "tuned"}, {"test": "dev"})
    draft = mapping.Corrections(draft.roles, "beta", True, draft.set_roles)
    experiment, _ = mapping.apply(reading.recognition, draft)
    assert (experiment.baseline, experiment.paired) == ("beta", True)
    assert [(t.name, t.role) for t in experiment.test_sets] == [("tuned", "dev")]
    assert load(native_zip(experiment), name="x.zip")[0] == experiment


def test_scores_follow_the_names_of_outputs(files):
    for system in ("alpha", "beta"):
        for seed in (1, 2):
            files[f"scores/COMET/{system}/seed{seed}.txt"] = b"".join(b"0.%d\n" % (i + seed) for i in range(12))
    reading = _loaded(files)
    before = reading.experiment.system("beta").replicas[1].scores["test"]["COMET"]
    first = mapping.recognised(reading.recognition, reading.experiment)
    draft = mapping.edited(first, {"systems/beta/seed2.txt": {"replica": "last"}})
    draft = mapping.change_sets(mapping.rename_systems(draft, {"beta": "B"}), {"test": "news"}, {})
    experiment, report = mapping.apply(reading.recognition, draft)
    assert {r.name: r.scores["news"]["COMET"] for r in experiment.system("B").replicas}["last"] == before
    assert [s.name for s in experiment.systems] == ["alpha", "B"]
    assert all(r.scores for s in experiment.systems for r in s.replicas)
    assert not report.with_code("scores-without-output")


def test_remarks_on_the_upload_stay(files):
    files["systems/alpha/seed1.txt"] = files["systems/alpha/seed1.txt"].replace(b"\n", b"\r\n")
    _, report = _corrected(files, {"systems/beta/seed2.txt": {"replica": "seed7"}})
    assert report.with_code("crlf")


def test_documents_are_split_at_tabs_once(files):
    files["docids.tsv"] = b"".join(b"doc%d\tnews\t%d\n" % (i // 3, i) for i in range(12))
    experiment, _ = _corrected(files, {"systems/beta/seed2.txt": {"replica": "seed7"}})
    assert experiment.test_set("test").documents == tuple(f"doc{i // 3}" for i in range(12))


def test_gaps_in_references_stay_gaps(files):
    lines = files["refs/ref0.txt"].split(b"\n")
    files["refs/ref0.txt"] = b"\n".join([b"", *lines[1:]])
    reading = _loaded(files)
    experiment, report = _corrected(files, {"systems/beta/seed2.txt": {"replica": "seed7"}})
    assert experiment.test_sets == reading.experiment.test_sets
    assert experiment.test_sets[0].n_segments == 11
    assert report.with_code("no-reference-text")


def test_the_table_shows_and_filters_every_file(files):
    files["notes.md"] = b"read me\n"
    reading = _loaded(files)
    first = mapping.recognised(reading.recognition, reading.experiment)
    frame = mapping.table(first)
    assert set(frame.index) == set(files)
    assert frame.loc["notes.md", ["kind", "system"]].tolist() == ["left out", ""]
    assert frame.loc["refs/ref0.txt", ["kind", "test set", "role of the set"]].tolist() == ["reference", "test", "test"]
    row = ["output", "test", "test", "alpha", "seed2"]
    columns = ["kind", "test set", "role of the set", "system", "replica"]
    assert frame.loc["systems/alpha/seed2.txt", columns].tolist() == row
    assert mapping.matching(first, systems=["beta"]) == ["systems/beta/seed1.txt", "systems/beta/seed2.txt"]
    assert len(mapping.matching(first, test_sets=["test"])) == 5
    assert mapping.matching(first) == list(frame.index)


def test_lines_are_not_held_twice(files):
    reading = _loaded(files)
    experiment, _ = _corrected(files, {})
    held = {id(line) for lines in reading.recognition.plan.texts.values() for line in lines}
    outputs = (r.outputs["test"] for s in reading.experiment.systems for r in s.replicas)
    assert all(id(line) in held for lines in outputs for line in lines)
    assert list(reading.recognition.files) == []
    assert experiment == reading.experiment


def _applied(reading, draft):
    try:
        return mapping.apply(reading.recognition, draft)[0]
    except LoadError as error:
        return error


CELLS = st.fixed_dictionaries({}, optional={
    "kind": st.sampled_from(mapping.kinds()), "test set": st.sampled_from(["test", "dev", ""]),
    "system": st.sampled_from(["alpha", "beta", "x/y", ""]), "replica": st.sampled_from(["seed1", "seed2", "9", ""]),
})  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_correction_is_applied_or_names_a_row_and_loses_nothing(files, data):
    reading = _loaded(files)
    first = mapping.recognised(reading.recognition, reading.experiment)
    draft = mapping.edited(first, data.draw(st.dictionaries(st.sampled_from(sorted(files)), CELLS, max_size=4)))
    result = _applied(reading, draft)
    if isinstance(result, LoadError):
        assert result.file in files
    else:
        assert load(native_zip(result), name="x.zip")[0] == result
    assert mapping.apply(reading.recognition, first)[0] == reading.experiment


@pytest.mark.slow
def test_real_folders_can_be_corrected(real_data):
    reading = read(real_data / "multeval-4ref")
    first = mapping.recognised(reading.recognition, reading.experiment)
    system = mapping.names_of_systems(first)[0]
    experiment, _ = mapping.apply(reading.recognition, mapping.rename_systems(first, {system: "renamed"}))
    assert {s.name for s in experiment.systems} == {"renamed"} | {s.name for s in reading.experiment.systems[1:]}
