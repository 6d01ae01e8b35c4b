"""Explanations: formulas that Markdown takes for formulas."""

from __future__ import annotations

import pytest

from pages.parts.explanations import TEXTS


@pytest.mark.parametrize("topic", TEXTS)
def test_a_formula_over_several_lines_stands_between_lines_of_its_own(topic):
    lines = TEXTS[topic].split("\n")
    fences = [line for line in lines if line.count("$$") % 2]
    assert all(line == "$$" for line in fences), fences
    assert len(fences) % 2 == 0
    outside = [line for line in lines if "$$" not in line]
    assert "".join(outside).count("$") % 2 == 0
