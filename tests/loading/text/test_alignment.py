import pytest

from mtsig_core.loading.text.alignment import MOST_LINES, describe_mismatch, first_lost

EXPECTED = [f"the {word} went to place{i}" for i, word in enumerate("abcdefghijkl")]
OUTPUT = [line.replace("the", "a") for line in EXPECTED]


@pytest.mark.parametrize("gap", range(11))
def test_a_lost_line_is_found(gap):
    assert first_lost(OUTPUT[:gap] + OUTPUT[gap + 1 :], [EXPECTED]) == gap


@pytest.mark.parametrize("place", range(12))
def test_a_surplus_line_is_found(place):
    assert first_lost([*OUTPUT[:place], "XYZ", *OUTPUT[place:]], [EXPECTED]) == place


@pytest.mark.parametrize("n", [2, 5, 11])
def test_an_early_end_is_told_from_a_gap(n):
    assert describe_mismatch(OUTPUT[:n], [EXPECTED]) == f"Lines 1 to {n} fit; it seems to end early."


def test_several_references_and_missing_ones():
    second = [None if i % 2 else line for i, line in enumerate(OUTPUT)]
    assert first_lost(OUTPUT[:5] + OUTPUT[6:], [EXPECTED, second]) == 5


def test_nothing_is_said_when_nothing_can_be_told():
    assert describe_mismatch(["1", "2", "3"], [EXPECTED]) == ""
    assert first_lost(["x"] * (MOST_LINES + 1), [EXPECTED]) is None


def test_blank_lines():
    assert describe_mismatch([], [EXPECTED]) == "The file is empty."
    assert "a blank last line" in describe_mismatch([*OUTPUT, " "], [EXPECTED])
    assert "2 blank last lines" in describe_mismatch([*OUTPUT, "", ""], [EXPECTED])
    assert describe_mismatch([*OUTPUT[:3], "", *OUTPUT[3:]], [EXPECTED]).startswith("Line 4 is the first blank one.")


def test_text_without_blanks_is_compared_by_character():
    expected = ["我们去学校", "今天天气很好", "猫在桌子上", "他买了一本书"]
    assert first_lost([expected[0], *expected[2:]], [expected]) == 1
