"""The command line as people and programs call it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from mtsig_core.cli.main import main
from tests.conftest import document, small_experiment, write_folder

ROOT = Path(__file__).resolve().parents[2]
PAIR = ["--baseline", "plain", "--system", "better"]
FEW = ["--resamples", "200", "--shuffles", "500"]


@pytest.mark.slow
def test_check_says_what_is_there(call, folder):
    told = document(call("check", folder, "--json"))
    assert told["ok"] is True
    assert told["systems"] == {"better": ["seed1", "seed2", "seed3"], "plain": ["seed1", "seed2", "seed3"]}
    expected = {"role": "test", "segments": 40, "references": 1, "reference_names": ["reference.0"]}
    assert told["test_sets"]["test"] == expected
    assert told["test_sets"]["dev"]["role"] == "dev"
    assert told["refused"] == []
    assert len(told["digest"]) == 64
    code, out, _ = call("check", folder)
    assert code == 0
    assert "system plain: 3 replicas" in out


def test_check_of_a_partly_bad_folder_names_what_was_refused(call, folder):
    (folder / "test/systems/plain/seed2.txt").write_text("one line only\n")
    told = document(call("check", folder, "--json"))
    assert told["ok"] is True
    assert [r["file"] for r in told["refused"]] == ["test/systems/plain/seed2.txt"]


def test_check_of_nothing_ends_with_2_and_still_prints_the_document(call, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear all,\n")
    code, out, _ = call("check", tmp_path, "--json")
    assert code == 2
    assert json.loads(out)["ok"] is False


@pytest.mark.slow
def test_table_equals_sacrebleu_and_numpy(call, folder):
    rows = document(call("table", folder, "--json", "--metric", "bleu", "--metric", "ter", *FEW))["rows"]
    found = {(r["test_set"], r["metric"], r["system"]): r for r in rows}
    assert set(found) == {(t, m, s) for t in ("test", "dev") for m in ("bleu", "ter") for s in ("plain", "better")}
    reference, *outputs = (
        (folder / "test" / name).read_text().split("\n")[:-1]
        for name in ("reference.0.txt", *(f"systems/plain/seed{i}.txt" for i in (1, 2, 3)))
    )
    scores = [sacrebleu.corpus_bleu(lines, [reference]).score for lines in outputs]
    row = found["test", "bleu", "plain"]
    assert list(row["scores"].values()) == pytest.approx(scores, abs=1e-9)
    assert row["avg"] == pytest.approx(np.mean(scores), abs=1e-9)
    assert row["s_test"] == pytest.approx(np.std(scores, ddof=1), abs=1e-9)
    dev_scores = list(found["dev", "bleu", "plain"]["scores"].values())
    assert row["s_dev"] == pytest.approx(np.std(dev_scores, ddof=1), abs=1e-9)
    assert found["dev", "bleu", "plain"]["s_test"] is None
    assert row["s_sel"] > 0
    assert found["test", "ter", "plain"]["higher_is_better"] is False


@pytest.mark.slow
def test_compare_gives_intervals_and_tests(call, folder):
    told = document(call("compare", folder, *PAIR, "--json", *FEW))
    (result,) = told["results"]
    assert result["test_set"] == "test"
    assert result["difference"] > 0
    assert all(low < high for low, high in result["interval"].values())
    tests = {t["preset"]: t for t in result["tests"]}
    assert {"ar-segment", "ar-hypothesis", "ar-replica", "bootstrap-centred", "bootstrap-paired"} <= set(tests)
    assert {"crossed", "welch-replicas"} <= set(tests)
    assert tests["ar-replica"]["smallest_p"] == pytest.approx(0.1)
    assert all(0 < t["p"] <= 1 for t in tests.values() if t["p"] is not None)
    assert told["settings"]["seed"] == 12345


@pytest.mark.slow
def test_presets_can_be_chosen(call, folder):
    told = document(call("compare", folder, *PAIR, "--json", "--preset", "crossed", "--preset", "ar-replica"))
    assert [t["preset"] for t in told["results"][0]["tests"]] == ["crossed", "ar-replica"]


@pytest.mark.slow
def test_fail_if_worse_is_the_exit_code(call, folder):
    assert call("compare", folder, *PAIR, "--fail-if-worse", *FEW)[0] == 0
    assert call("compare", folder, "--baseline", "better", "--system", "plain", "--fail-if-worse", *FEW)[0] == 1
    assert call("compare", folder, "--baseline", "better", "--system", "plain", *FEW)[0] == 0


@pytest.mark.slow
def test_replication_and_median(call, folder):
    rows = document(call("by-n", folder, *PAIR, "--json", "--replicas", "1", "--replicas", "4"))["rows"]
    assert [r["n"] for r in rows] == [1, 4]
    assert rows[0]["closed_form_sd"] == pytest.approx(2 * rows[1]["closed_form_sd"])
    medians = document(call("median", folder, "--select-on", "dev", "--json"))["systems"]
    scores = document(call("table", folder, "--json", "--test-set", "dev", *FEW))["rows"]
    for row in scores:
        middle = sorted(row["scores"], key=row["scores"].get)[1]
        assert medians[row["system"]]["replica"] == middle
        assert medians[row["system"]]["score"] == pytest.approx(row["scores"][middle])


@pytest.mark.slow
def test_text_for_people_is_the_default(call, folder):
    for command in (["table"], ["compare", *PAIR], ["by-n", *PAIR], ["median"]):
        code, out, _ = call(command[0], folder, *command[1:], "--metric", "bleu")
        assert code == 0
        assert "nan" not in out.lower()
        assert "plain" in out or "better" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["table", "/nowhere/at/all"], "/nowhere/at/all"),
        (["table", "FOLDER", "--metric", "blue"], "blue"),
        (["table", "FOLDER", "--tokenize", "15z"], "15z"),
        (["table", "FOLDER", "--test-set", "devtest"], "devtest"),
        (["compare", "FOLDER", "--system", "third"], "third"),
        (["compare", "FOLDER", "--baseline", "plain", "--system", "plain"], "plain"),
        (["compare", "FOLDER", *PAIR, "--preset", "guess"], "guess"),
        (["compare", "FOLDER", *PAIR, "--alpha", "7"], "7"),
        (["median", "FOLDER", "--select-on", "devtest"], "devtest"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(call, folder, arguments, named):
    code, out, err = call(*[folder if a == "FOLDER" else a for a in arguments])
    assert code == 2
    assert out == ""
    last = err.strip().split("\n")[-1]
    assert last.startswith("mtsig: ")
    assert named in last
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "COMMAND"),
        (["rank"], "rank"),
        (["table"], "PATH"),
        (["table", "FOLDER", "--preset", "crossed"], "--preset"),
        (["compare", "FOLDER", "--seed", "one"], "--seed: must be a whole number; not 'one'"),
        (["compare", "FOLDER", "--seed", "-1"], "--seed: must be 0 or more; not -1"),
        (["compare", "FOLDER", "--resamples", "0"], "--resamples: must be 1 or more; not 0"),
    ],
)
def test_a_wrong_call_ends_with_2_and_one_line(capsys, folder, arguments, named):
    with pytest.raises(SystemExit) as stopped:
        main([str(folder) if a == "FOLDER" else a for a in arguments])
    out, err = capsys.readouterr()
    assert stopped.value.code == 2
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("mtsig: ")
    assert named in line
    assert "--help" in line


@pytest.mark.slow
def test_one_system_alone_is_said_to_be_alone(capsys, tmp_path):
    folder = write_folder(small_experiment(replicas={"plain": 3}), tmp_path / "alone")
    for command in ("planner", "by-n", "compare"):
        assert main([command, str(folder)]) == 2
        assert "There is one system" in capsys.readouterr().err


@pytest.mark.slow
def test_the_module_runs_and_a_second_process_gives_the_same_numbers(folder, tmp_path):
    command = [sys.executable, "-m", "mtsig_core", "compare", str(folder), *PAIR, "--json", *FEW]
    environment = os.environ | {"MTSIG_HOME": str(tmp_path / "home")}
    first, second = (
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first == second
    assert json.loads(first)["results"]


@pytest.mark.slow
def test_pairs(call, folder):
    told = document(call("pairs", folder, "--json", *FEW))
    (row,) = told["rows"]
    assert {row["a"], row["b"]} == {"plain", "better"}
    assert (row["test_set"], row["metric"], row["better"]) == ("test", "bleu", "better")
    compared = document(call("compare", folder, "--baseline", row["a"], "--system", row["b"], "--json", *FEW))
    assert row["p"] == compared["results"][0]["coherent"]["p"]
    assert row["p_holm"] == row["p_bh"] == row["p"]
    assert 0 <= row["overlap_ratio"] <= 1
    (ranks,) = told["clusters"]
    assert [s["system"] for s in ranks["systems"]] == ["better", "plain"]
    assert sorted(name for cluster in ranks["clusters"] for name in cluster) == ["better", "plain"]
    code, out, _ = call("pairs", folder, "--preset", "ar-segment", *FEW)
    assert code == 0
    assert "Approximate randomization, segments" in out
    assert call("pairs", folder, "--preset", "guess")[0] == 2


@pytest.mark.slow
def test_pairs_leave_out_a_test_set_with_one_system(call, folder):
    shutil.copytree(folder / "test", folder / "later")
    shutil.rmtree(folder / "later" / "systems" / "plain")
    told = document(call("pairs", folder, "--json", *FEW))
    assert [row["test_set"] for row in told["rows"]] == ["test"]
    assert call("pairs", folder, "--test-set", "later", *FEW)[0] == 2


@pytest.mark.slow
def test_p_against_the_number_of_replicas_only_when_asked(call, folder):
    arguments = ["by-n", folder, *PAIR, "--json", "--replicas", "1", "--replicas", "3", *FEW]
    assert "p_by_n" not in document(call(*arguments))
    told = document(call(*arguments, "--p-values"))
    assert [len(one["scenarios"]) for one in told["lottery"]] == [3]
    assert 0 <= told["lottery"][0]["significant"] <= 1
    rows = told["p_by_n"]
    assert {(r["unit"], r["n"]) for r in rows} == {(u, n) for u in ("segment", "hypothesis") for n in (1, 3)}
    assert all(0 < r["low"] <= r["median"] <= r["high"] <= 1 and 0 <= r["share"] <= 1 for r in rows)


@pytest.mark.slow
def test_calibrate(call, tmp_path):
    from tests.conftest import small_experiment, write_folder

    path = write_folder(small_experiment(replicas={"plain": 4, "better": 3}, dev=False), tmp_path / "four")
    told = document(call("calibration", path, "--json", *FEW))
    calibrated = {one["system"]: one for one in told["calibration"]}
    assert calibrated["plain"]["splits"] == calibrated["plain"]["possible_splits"] == 3
    assert all(len(test["p"]) == test["defined"] == 3 for test in calibrated["plain"]["tests"])
    assert "at least 4" in calibrated["better"]["note"]
    assert {row["system"] for row in told["replica_effects"]} == {"plain", "better"}
    assert all(0 < row["p"] <= 1 for row in told["replica_effects"])
    assert told["inflation"][0]["ratio"] > 0
    code, out, _ = call("calibration", path, "--system", "plain", "--preset", "crossed", *FEW)
    assert code == 0
    assert "Do replicas differ as a whole?" in out
    code, _, err = call("calibration", path, "--preset", "ar-replica")
    assert code == 2
    assert "not 'ar-replica'" in err


@pytest.mark.slow
def test_compare_tells_the_size_and_all_sets_together(call, tmp_path):
    from tests.conftest import small_experiment, write_folder

    made = small_experiment(20)
    path = write_folder(made, tmp_path / "two")
    (path / "dev").rename(path / "other")
    told = document(call("compare", path, *PAIR, *FEW, "--preset", "crossed", "--json"))
    assert {r["human_terms"]["curve"] for r in told["results"]} == {"BLEU"}
    assert all(r["improvement"]["interval"][1] <= 1 for r in told["results"])
    over = told["combined"][0]
    assert over["difference"] == pytest.approx(np.mean([r["difference"] for r in told["results"]]))
    assert len(over["sets"]) == 2
    code, out, _ = call("compare", path, *PAIR, *FEW, "--preset", "crossed")
    assert code == 0
    assert "Over 2 test sets" in out
    assert "taken at random, beats" in out


@pytest.mark.slow
def test_differ_by_length_and_edits(call, folder):
    rows = document(call("differences", folder, *PAIR, "--json"))["results"][0]["rows"]
    assert sum(row["segments"] for row in rows) == 40
    assert all(row["low"] < row["difference"] < row["high"] for row in rows)
    metrics = ("--metric", "bleu", "--metric", "chrf")
    told = document(call("differences", folder, *PAIR, "--json", "--by", "edits", *metrics))
    (result,) = told["results"]  # the same under every metric
    rows = {row["edit"]: row for row in result["rows"]}
    kinds = ("insertions", "deletions", "substitutions", "shifts")
    assert rows["all edits"]["difference"] == pytest.approx(sum(rows[kind]["difference"] for kind in kinds))
    ter = document(call("table", folder, "--json", "--metric", "ter", *FEW))["rows"]
    wanted = {r["system"]: r["avg"] for r in ter if r["test_set"] == "test"}
    assert rows["all edits"]["per 100 words, plain"] == pytest.approx(wanted["plain"])


@pytest.mark.slow
def test_differ_tells_what_is_missing(call, folder):
    code, out, err = call("differences", folder, *PAIR, "--by", "document")
    assert (code, out) == (2, "")
    assert "does not say which segments belong to one document" in err
    code, out, _ = call("differences", folder, *PAIR, "--by", "difficulty")
    assert code == 0
    assert "egression to the mean" in out


@pytest.mark.slow
@pytest.mark.parametrize("by", ["words", "output-length", "ngrams", "stability"])
def test_differ_by_words(call, folder, by):
    (result,) = document(call("differences", folder, *PAIR, "--json", "--by", by))["results"]
    assert (result["by"], result["replicas"]) == (by, [3, 3])
    assert result["rows"]
    code, out, _ = call("differences", folder, *PAIR, "--by", by)
    assert code == 0
    assert "test: better against plain" in out
    if by == "ngrams":
        assert (result["tested"], result["significant"]) == (0, 0)
        assert "no p falls below 0.1" in result["notes"][0]
    if by == "stability":
        assert len(result["by_segment"]) == 40
