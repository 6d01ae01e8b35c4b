"""Whether a text may be a table is told from few lines, and never wrongly denied."""

from __future__ import annotations

import pytest

from mtsig_core.loading.text.surroundings import LOOKED_AT, may_be_even

WORDS = ["rain fell again", "we wait", "a cat sits here now", "red boats"]


@pytest.mark.parametrize("row", ["a\t{i}\t\tx y", "a,{i},x y", "a  {i}   0.5", "a;b c;{i}", '"a b" {i} "c"'])
@pytest.mark.parametrize("n", [1, 8, 2 * LOOKED_AT])
def test_a_table_may_be_one_whatever_stands_above_it(row, n):
    lines = ["Results of today", "", "system seed", *(row.format(i=i) for i in range(n))]
    assert may_be_even("\n".join([*lines, ""]))


def test_text_is_none():
    assert not may_be_even("\n".join(WORDS * LOOKED_AT))
