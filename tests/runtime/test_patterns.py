import pytest

from mtsig_core.runtime import patterns
from mtsig_core.runtime.patterns import PatternError, matching

TEXTS = ("a cat", "Cats", "", "猫 and \ud800")


@pytest.mark.slow
def test_finds_what_python_finds():
    assert matching("cat", TEXTS) == (True, True, False, False)
    assert matching("cat", TEXTS, match_case=True) == (True, False, False, False)
    assert matching("^$", TEXTS) == (False, False, True, False)
    assert matching("猫|\\bzzz", TEXTS) == (False, False, False, True)


@pytest.mark.parametrize("pattern", ["(", "*", "[a", "\\", "(?P<x>a)(?P=y)", "a{99999999999999999999}", "(" * 900])
def test_says_what_is_wrong_with_a_pattern(pattern):
    with pytest.raises(PatternError, match="is not a regular expression: .*plain text"):
        matching(pattern, TEXTS)


@pytest.mark.slow
def test_a_pattern_that_never_ends_is_ended():
    with pytest.raises(PatternError, match="takes more than 0.5 seconds"):
        matching("(a+)+$", ("a" * 40 + "!",), seconds=0.5)


def test_a_process_that_dies_is_told_as_too_much(monkeypatch, tmp_path):
    program = tmp_path / "dies.py"
    program.write_text("raise SystemExit(1)")
    monkeypatch.setattr(patterns, "__file__", str(program))
    with pytest.raises(PatternError, match="too much time or memory"):
        matching("died", TEXTS)


def test_too_long_a_pattern_is_refused():
    with pytest.raises(PatternError, match="1,000 is the limit"):
        matching("a" * 1001, TEXTS)
