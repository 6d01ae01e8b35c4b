import re

from hypothesis import given
from hypothesis import strategies as st

from pages.parts.text import literal


@given(st.text())
def test_only_marks_are_added(text):
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", literal(text)).replace("\u2060", "")
    assert shown == text.replace("\n", " ").replace("\u2060", "")


def test_nothing_that_markdown_reads_is_left_bare():
    assert re.search(r"(?<!\\)[*_`$<\[\]|~&#]", literal("*a* _b_ `c` $d$ <e> [f](g) | ~h~ &i; #j")) is None
    assert ":smile:" not in literal(":smile:")
