"""Pictures of the lesson on many comparisons."""

import numpy as np
import pytest

from mtsig_core.figures.learn.many_comparisons import papers, rules
from mtsig_core.teaching import Run
from mtsig_core.teaching.many_comparisons import RULES, ManyComparisons, errors, wrong_so_far


def run(n, **options):
    return Run(ManyComparisons(**options)).step(n)


def test_the_newest_paper_and_the_shares_are_shown():
    made = run(20, better=2)
    *_, equal, differing, none, holm, bh = papers(made).data
    assert sorted([*equal.y, *differing.y]) == sorted(made["none"][-1])
    assert len(differing.y) == 2 * 5
    for rule, line in zip(RULES, (none, holm, bh), strict=True):
        assert np.array(line.y) == pytest.approx(wrong_so_far(made, rule))


@pytest.mark.parametrize(("better", "panels"), [(0, 2), (2, 3)])
def test_every_rule_has_its_errors(better, panels):
    made = run(20, better=better)
    marks = rules(made).data
    assert len(marks) == panels * len(RULES)
    assert [mark.x[0] for mark in marks[:3]] == [errors(made, rule).wrong for rule in RULES]


def test_nothing_is_drawn_before_the_first_paper():
    assert not rules(run(0)).data
    assert all(len(line.x) == 0 for line in papers(run(0)).data if line.name)
