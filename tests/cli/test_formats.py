"""Every command prints text of 80 columns, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from mtsig_core.cli import main as commands
from mtsig_core.cli.columns import fitted
from tests.conftest import small_experiment, write_folder

DEMONSTRATION = Path(__file__).resolve().parents[2] / "data/news.tar.xz"
FEW = ("--resamples", "20", "--shuffles", "20")
PAIR = ("--baseline", "plain", "--system", "better")
#: A call of each command on a folder; {out} is a folder that does not exist yet.
CALLS = {
    "check": (), "convert": ("--to", "multeval", "--out", "{out}"), "table": FEW, "compare": (*PAIR, *FEW),
    "by-n": (*PAIR, "--replicas", "2", *FEW), "pairs": FEW, "median": (), "planner": (*PAIR, "--difference", "5", *FEW),
    "calibration": FEW, "differences": PAIR, "segments": (*PAIR, "--limit", "2"),
    "annotate": ("--out", "{out}/sheet.csv", "--key", "{out}/key.csv", "--n", "5"),
    "report": ("--out", "{out}", "--include", "data", "--include", "table1", *FEW),
}  # fmt: skip
#: Commands whose call needs another kind of data, tested elsewhere, and the one that prints nothing in a format.
OTHERS = {"tune", "people", "agreement", "correlations", "comet", "app", "replay", "metrics", "completion"}


def arguments(name: str, folder: Path, out: Path) -> list[str]:
    return [name, str(folder), *(part.replace("{out}", str(out)) for part in CALLS[name])]


def test_every_command_is_tested_here_or_elsewhere():
    assert set(CALLS) | OTHERS == {command.name for command in commands.COMMANDS}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_text_is_at_most_80_columns_wide(call, folder, tmp_path, name):
    code, out, _ = call(*arguments(name, folder, tmp_path / "out"))
    assert code == 0
    assert [line for line in out.split("\n") if len(line) > 80 and " " in line.strip()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_every_command_prints_every_format(call, folder, tmp_path, name):
    printed = {}
    for form in ("markdown", "latex", "csv", "json"):
        code, printed[form], _ = call(*arguments(name, folder, tmp_path / form), "--format", form)
        assert code == 0
    assert any(line.startswith("| ") for line in printed["markdown"].split("\n"))
    assert r"\toprule" in printed["latex"]
    texts = [line for line in printed["latex"].split("\n") if line and not line.startswith(("%", "\\"))]
    assert all(" & " in line or line.endswith(r"\\") for line in texts)
    for table in printed["csv"].split("\n\n"):
        rows = list(csv.reader(table.splitlines()))
        assert len({len(row) for row in rows}) == 1
    assert json.loads(printed["json"])["schema"]


@pytest.mark.slow
def test_csv_holds_numbers_in_full_precision(call, folder):
    _, out, err = call("table", folder, "--test-set", "test", "--format", "csv", *FEW)
    rows = list(csv.DictReader(out.splitlines()))
    told = json.loads(call("table", folder, "--test-set", "test", "--json", *FEW)[1])["rows"]
    assert [float(row["average"]) for row in rows] == [row["avg"] for row in told]
    assert "signature: nrefs:1" in err
    _, out, _ = call("compare", folder, *PAIR, "--format", "csv", *FEW)
    assert {(row["test set"], row["metric"]) for row in csv.DictReader(out.splitlines())} == {("test", "BLEU")}
    _, out, _ = call("differences", folder, *PAIR, "--format", "csv")
    assert all(float(row["difference"]) for row in csv.DictReader(out.splitlines()))


@pytest.mark.slow
def test_a_signature_is_told_once_for_all_test_sets(call, folder):
    _, out, _ = call("table", folder, "--metric", "bleu", "--metric", "ter", *FEW)
    assert (out.count("signature of BLEU"), out.count("signature of TER"), out.count("replicas differ by")) == (1, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["length", "edits", "words", "output-length", "ngrams", "stability"])
def test_differences_in_csv_are_numbers_that_say_what_they_are_about(call, folder, by):
    _, out, _ = call("differences", folder, *PAIR, "--by", by, "--format", "csv")
    rows = [row for table in out.split("\n\n") for row in csv.DictReader(table.splitlines())]
    assert {(row["test set"], row["A"], row["B"]) for row in rows} == {("test", "plain", "better")}
    texts = {name for row in rows for name, cell in row.items() if cell and not _is_number(cell)}
    assert texts <= {"test set", "metric", "A", "B", "length", "note", "edit", "meaning", "output", "n-gram", "test",
                     "right more often in", "system", "word", "occurrences in the references"}  # fmt: skip


@pytest.mark.slow
def test_calibration_in_csv_says_which_system_each_row_is_about(call, tmp_path):
    folder = write_folder(small_experiment(20, {"plain": 4, "better": 4}), tmp_path / "four")
    _, out, _ = call("calibration", folder, "--test-set", "test", "--format", "csv", *FEW)
    tables = [list(csv.DictReader(table.splitlines())) for table in out.split("\n\n")]
    assert [{(row["test set"], row["system"]) for row in table} for table in tables] == [
        {("test", "better")}, {("test", "plain")}, {("test", "better"), ("test", "plain")},
    ]  # fmt: skip


def _is_number(cell: str) -> bool:
    try:
        return float(cell) == float(cell)
    except ValueError:
        return False


@pytest.mark.slow
def test_ranks_in_csv_are_numbers_and_name_the_system(call, folder):
    _, out, _ = call("median", folder, "--metric", "bleu", "--metric", "ter", "--format", "csv")
    tables = [list(csv.DictReader(table.splitlines())) for table in out.split("\n\n")[1:]]
    assert [{row["system"] for row in table} for table in tables] == [{"better"}, {"plain"}]
    assert all(float(row["rank by bleu"]) for table in tables for row in table)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_tables_fit_whatever_they_hold(width):
    frame = pd.DataFrame({
        "a rather long heading of a column": ["one", "two words", "x" * 60], "n": [1, 20, 300],
        "p": [0.01234, None, 12.3456], "text": ["some words that go on and on, and on", "", "—"],
        **{f"column {i}": [i, i, i] for i in range(12)},
    })  # fmt: skip
    text = fitted(frame, width)
    assert max(map(len, text.split("\n"))) <= width
    assert "0.01234" in text
    assert "12.35" in text
    assert all(word in text for word in ("heading", "on,", "300", "11"))


def test_blocks_of_a_wide_table_repeat_what_tells_its_rows_apart():
    keys = {"A": ["one", "one", "two"], "B": ["two", "six", "six"]}
    frame = pd.DataFrame({**keys, **{f"column {i}": 1 for i in range(9)}})
    blocks = fitted(frame, 40).split("\n\n")
    assert len(blocks) > 1
    assert all([line.split()[:2] for line in block.split("\n")[-3:]] == [["one", "two"], ["one", "six"], ["two", "six"]]
               for block in blocks)  # fmt: skip


@pytest.fixture(scope="module")
def home_of_all(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["table", "compare", "by-n", "pairs", "calibration", "differences"])
def test_the_demonstration_is_readable(call, monkeypatch, home_of_all, name):
    monkeypatch.setenv("MTSIG_HOME", str(home_of_all))  # read and scored once
    more = () if name == "differences" else FEW
    code, out, _ = call(name, DEMONSTRATION, "--test-set", "test", *more)
    assert code == 0
    assert max(map(len, out.split("\n"))) <= 80


def test_metrics_in_every_format(call):
    for form, sign in (("text", "bleu: BLEU"), ("markdown", "| bleu"), ("latex", "bleu & BLEU"), ("csv", "bleu,BLEU"),
                       ("json", '"bleu"')):  # fmt: skip
        code, out, _ = call("metrics", "--format", form)
        assert (code, sign in out) == (0, True)
        assert form != "text" or max(map(len, out.split("\n"))) <= 80


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_complete_commands_and_options(call, shell):
    pytest.importorskip("shtab")
    code, out, _ = call("completion", shell)
    assert code == 0
    for word in ("by-n", "--resamples", "mt-metrics-eval"):
        assert word in out
    if shell == "bash":
        done = subprocess.run(["bash", "-n"], input=out, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_completion_without_shtab_says_what_to_install(call, monkeypatch):
    monkeypatch.setattr("mtsig_core.runtime.optional.is_installed", lambda package: False)
    code, out, err = call("completion", "bash")
    assert (code, out) == (2, "")
    assert "mtsig[shell]" in err


@pytest.mark.slow
def test_progress_and_warnings_go_to_stderr(folder, tmp_path):
    command = [sys.executable, "-m", "mtsig_core", "table", str(folder), "--format", "csv", *FEW]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=DEMONSTRATION.parents[1])
    assert done.returncode == 0
    assert done.stdout.startswith("test set,metric,system")
    assert "signature" in done.stderr
