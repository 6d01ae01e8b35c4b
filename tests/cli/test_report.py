"""The commands report, replay and convert."""

from __future__ import annotations

import json

import pytest

from tests.conftest import document, flat

FEW = ["--resamples", "50", "--shuffles", "100"]


@pytest.mark.slow
def test_a_report_is_written_and_computed_again(call, folder, tmp_path):
    out = tmp_path / "report"
    code, printed, _ = call("report", folder, "--out", out, "--metric", "bleu", "--metric", "chrf", *FEW)
    assert code == 0
    assert "report.html" in printed
    written = {path.name for path in out.iterdir()}
    assert written == {"report.html", "report.md", "report.tex", "references.bib", "report.json", "tables"}
    stored = json.loads((out / "report.json").read_text())
    assert "test/systems/plain/seed1.txt" in stored["files"]
    code, printed, _ = call("replay", out / "report.json", folder)
    assert (code, printed.startswith("The same: ")) == (0, True)
    path = folder / "test/systems/plain/seed1.txt"
    path.write_text(path.read_text().replace("the", "a"))
    code, printed, _ = call("replay", out / "report.json", folder)
    assert code == 1
    assert printed.startswith("file: test/systems/plain/seed1.txt: ")
    assert "data: plain/seed1: " in printed
    assert "Not the same: " in printed
    code, printed, _ = call("replay", out / "report.json", folder, "--json")
    told = json.loads(printed)
    assert (code, told["same"]) == (1, False)
    assert told["changes"][0]["kind"] == "file"


@pytest.mark.slow
def test_parts_and_formats_can_be_chosen(call, folder, tmp_path):
    out = tmp_path / "report"
    told = document(call("report", folder, "--out", out, "--include", "table1", "--write", "csv", "--json", *FEW))
    assert told["files"] == ["tables/table1.csv"]
    code, _, err = call("report", folder, "--out", out, *FEW)
    assert code == 2
    assert "is not an empty folder" in err


@pytest.mark.slow
@pytest.mark.parametrize(("text", "said"), [
    ("{", "not a JSON document"), ("[]", "not written by mtsig report"), ("{}", "not written by mtsig report"),
])  # fmt: skip
def test_what_is_no_report_is_bad_input(call, folder, tmp_path, text, said):
    (tmp_path / "report.json").write_text(text)
    code, out, err = call("replay", tmp_path / "report.json", folder)
    assert (code, out) == (2, "")
    assert said in err


def test_a_path_that_is_none_is_named_first(call, folder, tmp_path):
    code, _, err = call("replay", tmp_path / "none.json", folder)
    assert (code, err) == (2, f"mtsig: {tmp_path}/none.json: No such file or directory. Check the path.\n")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["native", "multeval", "sacrebleu-tsv", "mt-metrics-eval"])
def test_a_folder_is_converted(call, folder, tmp_path, target):
    told = document(call("convert", folder, "--to", target, "--out", tmp_path / "out", "--json"))
    assert len(told["outputs"]) == 12
    again = document(call("check", tmp_path / "out", "--json"))
    assert set(again["systems"]) == {"plain", "better"}
    assert again["refused"] == []
    if target == "native":
        assert again["digest"] == told["digest"]
    code, printed, _ = call("convert", folder, "--to", target, "--out", tmp_path / "other")
    assert code == 0
    assert f"of the layout {target} (from mtsig's own run folder" in flat(printed)
