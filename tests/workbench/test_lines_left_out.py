"""Judgements count all lines of the files, also those that are no segments for want of a reference."""


import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.people.systems import UNNAMED
from mtsig_core.analysis.reading.sheets import annotation_sheet
from mtsig_core.experiment import ExperimentError, TestSet
from mtsig_core.loading import LoadError, corrections, read
from mtsig_core.loading.cache.form import parts_of, result_of
from mtsig_core.loading.judgements.find import find_judgements, judgements_of
from mtsig_core.loading.judgements.sheets.annotation_key import Asked
from mtsig_core.loading.stored_corrections import manifest_of
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.loading.writing import native_zip
from mtsig_core.metrics import get_metric
from mtsig_core.reports.people import left_out_sentence, lines_left_out_sentence
from mtsig_core.workbench.meta_evaluation.agreement import Judged
from mtsig_core.workbench.people import open_people, outputs_of
from mtsig_core.workbench.saved_experiments import SavedExperiments
from mtsig_core.workbench.workbench import Workbench
from tests.conftest import document, noisy, sentences

N = 14
REFERENCE = sentences(5, N)
OUTPUTS = {name: noisy(REFERENCE, k, share) for k, (name, share) in enumerate((("a", 0.6), ("b", 0.4), ("c", 0.2)))}
DOCUMENTS = [f"d{i // 5}" for i in range(N)]
GIVEN = np.random.default_rng(4).normal(size=(N, len(OUTPUTS))).round(3)
GONE = (1, 4, 10)


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def table(gone=(), way="lines"):
    """Judgements numbered by line, or anew in each document, of the lines that are there."""
    kept = [i for i in range(N) if i not in gone]
    rows = []
    for number, i in enumerate(kept, 1):
        within = sum(DOCUMENTS[j] == DOCUMENTS[i] for j in kept if j <= i)
        place = {"lines": f"{number}", "from 0": f"{number - 1}", "documents": f"{within},{DOCUMENTS[i]}"}[way]
        rows += [f"{name},x,{GIVEN[i, k]},{place}" for k, name in enumerate(OUTPUTS)]
    heading = "system,annotator,score,segment" + (",document" if way == "documents" else "")
    return text([heading, *rows])


def files(gone=(), blank=(), judged=None):
    """A folder without some lines, or with blank references in their place."""
    kept = [i for i in range(N) if i not in gone]
    found = [("test/documents.txt", text([DOCUMENTS[i] for i in kept])),
             ("test/reference.txt", text(["" if i in blank else REFERENCE[i] for i in kept])),
             ]  # fmt: skip
    found += [(f"test/systems/{name}/1.txt", text([own[i] for i in kept])) for name, own in OUTPUTS.items()]
    return [*found, *([("judged.csv", judged)] if judged else [])]


def judged_of(result, judgements):
    people = open_people([("judged.csv", judgements)], list(OUTPUTS), test_set="test")
    return Judged.of(Workbench(result.experiment), "test", people)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["lines", "from 0", "documents"])
@settings(max_examples=5, deadline=None)
@given(gone=st.sets(st.integers(0, N - 1), min_size=1, max_size=6))
def test_what_is_correlated_is_that_of_files_without_these_lines(way, gone):
    with_blanks = judged_of(read(files(blank=gone), cache=False), table(way=way))
    without = judged_of(read(files(gone=gone), cache=False), table(gone, way))
    np.testing.assert_array_equal(with_blanks.human_segments, without.human_segments)
    assert np.isfinite(without.human_segments).all()
    np.testing.assert_allclose(with_blanks.human, without.human)
    assert (with_blanks.n_left_out, without.n_left_out) == (len(gone) * len(OUTPUTS), 0)
    metric = get_metric("exact-match")
    np.testing.assert_array_equal(with_blanks.segment_values(metric), without.segment_values(metric))


@pytest.mark.slow
def test_what_is_left_out_comes_back_from_files_cache_and_saved_experiments(tmp_path):
    result = read(files(blank=GONE, judged=table()), cache=False)
    (test_set,) = result.experiment.test_sets
    assert test_set.left_out == tuple((i + 1, DOCUMENTS[i]) for i in GONE)
    assert (test_set.n_lines, test_set.line_documents) == (N, tuple(DOCUMENTS))
    archive = tmp_path / "native.zip"
    archive.write_bytes(native_zip(result.experiment))
    written = read(archive.read_bytes(), name="native.zip", cache=False)
    saved = SavedExperiments(tmp_path / "saved")
    entry = saved.save(result.experiment, result.report, recognition=result.recognition)
    _, opened = saved.open(entry.id)
    stored = result_of(memoryview(b"".join(parts_of(written, LineNumbers()))), lambda paths: written.recognition.files)
    for each in (written, opened, stored):
        assert each.experiment.test_sets == (test_set,)
        assert each.experiment.digest == result.experiment.digest
    assert stored.recognition.settings.left_out == {"test": test_set.left_out}
    before, after = (judged_of(each, table()).human_segments for each in (result, written))
    np.testing.assert_array_equal(before, after)
    assert judgements_of(opened.recognition) is not None


def test_lines_left_out_twice_are_numbered_as_in_the_first_files():
    heading = b'[test_sets.test]\nleft_out = [2, 5]\nleft_out_documents = ["d0", "d0"]\n'
    result = read([*files(gone=(1, 4), blank=(10,)), ("experiment.toml", heading)], cache=False)
    assert [line for line, _ in result.experiment.test_set("test").left_out] == [2, 5, 11]
    draft = corrections.change_sets(corrections.recognised(result.recognition, result.experiment), {"test": "news"}, {})
    corrected, _ = corrections.apply(result.recognition, draft)
    assert [line for line, _ in corrected.test_set("news").left_out] == [2, 5, 11]
    assert "left_out = [2, 5]" in manifest_of(result.recognition, draft, corrected)


@pytest.mark.parametrize("value", ["[0]", "[2, 2]", "[true]", '"2"', "[99]", '[2]\nleft_out_documents = ["x", "y"]'])
def test_wrong_lists_of_lines_are_refused(value):
    with pytest.raises(LoadError, match="left_out.*Correct it"):
        read([*files(), ("experiment.toml", f"[test_sets.test]\nleft_out = {value}\n".encode())], cache=False)


def test_lines_of_a_test_set_are_different_ones():
    with pytest.raises(ExperimentError, match="left out twice"):
        TestSet("test", "test", (("a",),), left_out=((2, ""), (2, "")))
    with pytest.raises(ExperimentError, match="line 3 was left out, but there are 2 lines"):
        TestSet("test", "test", (("a",),), left_out=((3, ""),))


def test_post_edits_of_lines_stand_beside_their_outputs():
    result = read(files(blank=GONE), cache=False)
    edited = outputs_of(result.experiment, "test")
    rows = [f"{name},{i + 1},{line}" for name, own in OUTPUTS.items() for i, line in enumerate(own)]
    for source in (
        [("edits.csv", text(["system,segment,post edit", *rows]))],
        [(f"systems/{name}/1.pe", text(own)) for name, own in OUTPUTS.items()],
    ):
        people = open_people(find_judgements(source), list(OUTPUTS), edited=edited, test_set="test")
        frame = people.campaign("hter").frame
        assert len(frame) == (N - len(GONE)) * len(OUTPUTS)
        assert (frame["score"] == 0).all()
        assert not set(frame["segment"]) & {str(i + 1) for i in GONE}


def test_sheets_number_lines_of_the_files():
    bench = Workbench(read(files(blank=GONE), cache=False).experiment)
    pair = bench.pair(metric="exact-match", a="a", b="b")
    shown = pair.segments("1", "1")
    assert shown.index.tolist() == [i + 1 for i in range(N) if i not in GONE]
    assert shown.output_a[shown.row(4)] == OUTPUTS["a"][3]
    sheet = annotation_sheet(shown, [4, 6], Asked(("adequacy",)), seed=1)
    assert [item.segment for item in sheet.key.items] == ["4", "6"]


@pytest.mark.slow
def test_what_is_not_used_is_counted_and_told(call, tmp_path):
    for path, data in files(blank=GONE, judged=table()):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    notes = document(call("agreement", str(tmp_path), "--metric", "exact-match", "--json"))["notes"]
    assert "9 judgements of test are not used here: their lines have no reference, so no metric scores them." in notes
    assert lines_left_out_sentence(0, "test") == ""
    assert "is not used here: its line has" in lines_left_out_sentence(1, "test")


def test_judgements_without_annotators_are_not_said_to_be_equal_or_few():
    said = left_out_sentence((UNNAMED,))
    assert said == "Judgements that name no annotator are not standardised."
    assert left_out_sentence(("bob", UNNAMED)).endswith(f": bob. {said}")
