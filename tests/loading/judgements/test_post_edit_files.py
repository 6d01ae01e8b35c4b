"""Post-edits as files of lines: which files they are, whose output each is of, and that none is taken for an output."""

import pytest

from mtsig_core.loading import LoadError, read
from mtsig_core.loading.judgements.find import judgements_of
from mtsig_core.loading.judgements.readers.post_edit_files import (
    PostEditFile,
    aligned_post_edits,
    is_post_edit_file,
    of_test_set,
)
from mtsig_core.workbench.people import open_people, outputs_of

OUTPUTS = [("old", "1"), ("new", "seed1"), ("new", "seed2"), ("gpt-4.1", "1"), ("gpt-4", "1")]


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("postedits/old.txt", ("old", "1", None)), ("postedits/old/1.txt", ("old", "1", None)),
        ("post-edits/Old.ann.txt", ("old", "1", "ann")), ("test/post_edits/ann/old.txt", ("old", "1", "ann")),
        ("postedits/new/seed2.txt", ("new", "seed2", None)), ("postedits/new.seed2.bob.txt", ("new", "seed2", "bob")),
        ("postedits/new.txt", None), ("postedits/other.txt", None), ("postedits/gpt-4.1.txt", ("gpt-4.1", "1", None)),
        ("systems/new/seed1.pe", ("new", "seed1", None)), ("systems/new/seed1.ann.pe.gz", ("new", "seed1", "ann")),
        ("systems/old/1.postedit", ("old", "1", None)), ("gpt-4.pe.txt", ("gpt-4", "1", None)),
    ],
)  # fmt: skip
def test_names_say_whose_output_was_edited(path, owner):
    assert is_post_edit_file(path)
    below = path if path.startswith("postedits") or "post" in path else path.removeprefix("systems/")
    assert PostEditFile(below, ["x"]).owner(OUTPUTS) == owner


@pytest.mark.parametrize(
    "path", ["systems/old/1.txt", "postedits/README.md", "postedits/all.tsv", "pe/1.txt", "postediting.txt", "a.json"]
)
def test_other_files_are_no_post_edits(path):
    assert not is_post_edit_file(path)


def test_lines_stand_beside_their_outputs_and_empty_ones_were_not_edited():
    outputs = {("old", "1"): ["a b", "c", "d"]}
    frame = aligned_post_edits([PostEditFile("postedits/old.ann.txt", ["a", "", "d"])], outputs)
    assert frame[["system", "replica", "annotator", "segment", "output", "post_edit"]].to_numpy().tolist() == [
        ["old", "1", "ann", "1", "a b", "a"], ["old", "1", "ann", "3", "d", "d"]]  # fmt: skip
    with pytest.raises(LoadError, match="2 lines, but the output old/1 has 3"):
        aligned_post_edits([PostEditFile("postedits/old.txt", ["a", "b"])], outputs)
    with pytest.raises(LoadError, match="whose name is that of no output"):
        aligned_post_edits([PostEditFile("postedits/mine.txt", ["a", "b"])], outputs)


def test_files_of_another_test_set_are_left_out():
    files = [PostEditFile("news/postedits/old.txt", []), PostEditFile("talks/systems/old/1.pe", [])]
    assert of_test_set(files, "talks") == files[1:]
    assert of_test_set(files, "test") == files


def folder(places):
    reference = "the cat sat\na dog ran\nrain fell\n"
    names = {"reference": "the cat sat\na dog ran\nrain fell\n", "output": "the cat\na dog ran\nsnow fell\n",
             "edit": reference, "half": "\na dog ran\n\n"}  # fmt: skip
    return [(path, names[what].encode()) for path, what in places.items()]


@pytest.mark.parametrize(
    "places",
    [
        {"refs/ref.txt": "reference", "systems/old/1.txt": "output", "systems/new/1.txt": "output",
         "postedits/old.ann.txt": "edit", "postedits/old.bob.txt": "half", "postedits/new.ann.txt": "edit"},
        {"refs/ref.txt": "reference", "systems/old/1.txt": "output", "systems/new/1.txt": "output",
         "systems/old/1.ann.pe": "edit", "systems/old/1.bob.pe": "half", "systems/new/1.ann.pe": "edit"},
        {"ref.txt": "reference", "old.txt": "output", "new.txt": "output",
         "old.ann.pe": "edit", "old.bob.pe": "half", "new.ann.pe": "edit"},
        {"test/reference.txt": "reference", "test/systems/old/1.txt": "output", "test/systems/new/1.txt": "output",
         "test/postedits/old.ann.txt": "edit", "test/postedits/ann/new.txt": "edit",
         "test/postedits/bob/old.txt": "half"},
    ],
)  # fmt: skip
def test_every_layout_keeps_post_edits_apart_from_outputs(places):
    result = read(folder(places))
    assert {(s.name, len(s.replicas)) for s in result.experiment.systems} == {("old", 1), ("new", 1)}
    assert not result.report.refused
    found = judgements_of(result.recognition)
    people = open_people(found, ["old", "new"], edited=outputs_of(result.experiment, "test"), test_set="test")
    hter = people.campaign("hter")
    assert hter.table.annotators == ("ann", "bob")
    assert hter.items.means.round(2).tolist() == pytest.approx([(100 / 3 + 0 + 50) / 3] * 2, abs=0.01)
    assert hter.items.n_judgements.sum() == 7
    assert people.notes == ()


@pytest.mark.slow
def test_people_takes_the_outputs_of_the_folder(call, tmp_path):
    places = {"refs/ref.txt": "reference", "systems/old/1.txt": "output", "systems/new/1.txt": "reference",
              "postedits/old.txt": "edit", "postedits/new.txt": "edit", "postedits/lost.txt": "edit"}  # fmt: skip
    for path, data in folder(places):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    code, out, err = call("people", tmp_path, "--resamples", "20", "--shuffles", "20")
    assert code == 0, err
    assert "hter: systems" in out
    assert "postedits/lost.txt: post-edits whose name is that of no output" in " ".join(out.split())
    for path in ("systems/old/1.txt", "systems/new/1.txt"):
        (tmp_path / path).unlink()
    code, _, err = call("people", tmp_path, "--resamples", "20", "--shuffles", "20")
    assert code == 2
    assert "there is nothing to compare" in err
