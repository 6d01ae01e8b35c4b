import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core import loading
from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.formatting import count
from mtsig_core.loading import LoadError, load, overview
from mtsig_core.loading.overview import count_tokens
from mtsig_core.loading.report import Reporter, some


def test_the_worst_comes_first_and_equal_remarks_join():
    reporter = Reporter()
    reporter.add("ignored", "a", "Ignored.")
    for file in ("x", "y", "z", "u", "v"):
        reporter.gather("repaired", "crlf", "Line ends", file)
    reporter.add("warning", "b", "Warned.", ["f"])
    reporter.add("refused", "c", "Refused.")
    report = reporter.report()
    assert [line.kind for line in report.lines] == ["refused", "warning", "repaired", "ignored"]
    assert report.repairs[0].message == "Line ends (5 files: x, y, z and 2 more)"
    assert report.repairs[0].files == ("x", "y", "z", "u", "v")
    assert (len(report.warnings), len(report.refused), len(report.ignored)) == (1, 1, 1)
    assert report.recognised == ()
    frame = report.to_frame()
    assert list(frame.columns[:3]) == ["kind", "message", "files"]
    assert frame["files"].tolist()[1] == "f"
    assert len(frame) == 4


def test_words():
    assert (count(1, "file"), count(0, "file"), count(2, "file")) == ("1 file", "0 files", "2 files")
    assert (some("abc"), some("abc", 2)) == ("a, b, c", "a, b and 1 more")


def test_an_error_is_a_value_error_with_file_and_report():
    with pytest.raises(ValueError, match="holds no files") as caught:
        load([], name="up")
    assert isinstance(caught.value, LoadError)
    assert caught.value.file == "up"
    assert caught.value.report.layout == ""


def test_the_overview_counts_segments_blanks_tokens_and_copies():
    test = TestSet("test", "test", (("r one", "r two", "r three"),))
    texts = {"a": {"1": ("x y", "", "z"), "2": ("x", "y", "z")}, "b": {"1": ("x y", "", "z"), "2": ("u", " ", "\t")}}
    systems = [System(s, tuple(Replica(r, {"test": t}) for r, t in rs.items())) for s, rs in texts.items()]
    frame = overview(Experiment("e", (test,), tuple(systems)))
    assert list(frame.columns) == ["system", "replica", "test set", "segments", "empty", "tokens", "duplicates"]
    assert frame.to_numpy().tolist() == [
        ["a", "1", "test", 3, 1, 3, "b/1"],
        ["a", "2", "test", 3, 0, 3, ""],
        ["b", "1", "test", 3, 1, 3, "a/1"],
        ["b", "2", "test", 3, 2, 1, ""],
    ]


def test_the_report_keeps_the_role_of_each_file(files):
    _, report = load(list(files.items()))
    assert {(r.path, r.kind, r.system, r.replica) for r in report.roles if r.system == "beta"} == {
        ("systems/beta/seed1.txt", "output", "beta", "seed1"),
        ("systems/beta/seed2.txt", "output", "beta", "seed2"),
    }


CHARACTERS = "\t\n\x0b\x0c\r\x1c\x85\xa0\u1680\u2007\u2028\u3000\u3001a\u00e9\U0001f6b2\ud800"


@pytest.mark.slow
@given(st.text(st.sampled_from(CHARACTERS), max_size=12))
def test_tokens_are_counted_as_python_splits_them(text):
    assert count_tokens(text) == len(text.split())


@pytest.mark.slow
def test_all_white_space_is_known():
    assert not any(chr(code).isspace() for code in range(0x3001, 0x110000))


@pytest.mark.slow
def test_every_guess_says_how_to_change_it():
    guesses = []
    for path in Path(loading.__file__).parent.rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            is_line = isinstance(call.func, ast.Attribute) and call.func.attr in ("add", "gather")
            first = call.args[0] if call.args else None
            if is_line and isinstance(first, ast.Constant) and first.value == "assumed":
                guesses.append(f"{path.name}:{call.lineno}")
    assert guesses == []
