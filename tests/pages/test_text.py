import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.data.check import _listed
from pages.parts.text import keep_together, literal
from tests.pages.session import unmarked


@pytest.mark.slow
@given(st.text())
def test_only_marks_are_added(text):
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", literal(text)).replace("\u2060", "").replace("\u00a0", " ")
    assert shown == text.replace("\n", " ").replace("\u2060", "").replace("\u00a0", " ")


def test_nothing_that_markdown_reads_is_left_bare():
    assert re.search(r"(?<!\\)[*_`$<\[\]|~&#]", literal("*a* _b_ `c` $d$ <e> [f](g) | ~h~ &i; #j")) is None
    assert ":smile:" not in literal(":smile:")


@pytest.mark.parametrize("words", [
    "p = 0.001", "p < 0.001", "α = 0.05", "95% interval", "0.37 to 1.41", "−0.34 to 0.91", "+1.48 BLEU", "12 of 100",
    "300 runs", "Table 2", "segment 17", "1 MB",
])  # fmt: skip
def test_a_number_and_what_belongs_to_it_stay_in_one_line(words):
    for shown in (keep_together(f"So: {words}, then."), literal(f"So: {words}, then.").replace("\\", "")):
        assert words.replace(" ", "\u00a0") in shown


def test_formulas_and_code_keep_their_blanks():
    text = "Where $p = 0.05$ and `p = 0.05` stand, 5 people read."
    assert keep_together(text) == text


def test_a_remedy_of_several_lines_is_said_once():
    one = "Sources by name: a. To change this, say so."
    assert unmarked(_listed([one])) == f"- {one}\n"
    told = unmarked(_listed([one, "References by name: b. To change this, say so.", "Read as c."]))
    assert told == "- Sources by name: a.\n- References by name: b.\n\nTo change this, say so.\n\n- Read as c.\n"
