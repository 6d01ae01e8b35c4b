import re

import numpy as np
import pytest

from mtsig_core.analysis.comparison import compare
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.reports.pairs.comparator import comparator
from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS, Scope, TestResult, valid_presets

QUICK = Settings(n_bootstrap=200, n_permutations=200)


class Points(Metric):
    n_statistics = 2

    def __init__(self, name, higher):
        self.name, self.label, self.higher_is_better = name, name.upper(), higher

    @property
    def key(self):
        return self.name

    def signature(self, references):
        return self.name

    def statistics(self, hypotheses, references):
        raise NotImplementedError

    def score(self, sums):
        return sums[..., 0] / sums[..., 1]


def comparison(name="gain", higher=True, n=3, shift=1.0, replica=1.0, presets=None):
    rng = np.random.default_rng(3)
    values = [20 + gain + rng.normal(0, replica, (n, 1)) + rng.normal(0, 2, (n, 120)) for gain in (0, shift)]
    y = np.concatenate(values)
    names = tuple(str(i) for i in range(n))
    statistics = SegmentStatistics(
        Points(name, higher), "test", "", ("A", "B"), (names, names), np.stack([y, np.ones_like(y)], -1)
    )
    return compare(statistics, "A", "B", QUICK, presets=presets)


def result(p, difference=1.0):
    return TestResult(PRESETS["crossed"], difference, p)


@pytest.mark.parametrize(
    ("p", "difference", "higher", "word"),
    [(0.01, 1, True, "better"), (0.01, 1, False, "worse"), (0.01, -1, False, "better"), (0.05, 1, True, "undecided"),
     (None, 1, True, "not defined"), (0.01, 0.0, True, "undecided")],
)
def test_words_follow_level_and_direction(p, difference, higher, word):
    scope = Scope(higher_is_better=higher)
    assert scope.outcome(p, difference, 0.05) == word


def test_tests_by_metrics_with_a_word_and_a_symbol_in_every_cell():
    both = [comparison(shift=3.0), comparison("errors", higher=False, shift=3.0)]
    found = comparator(both)
    assert found.labels == ("GAIN", "ERRORS")
    for c in both:
        for test in c.tests:
            word = c.scope.outcome(test.p, test.difference, 0.05)
            assert found.outcomes.loc[test.preset.name, c.label] == word
            told = "inconclusive" if word == "undecided" else word
            assert told in found.cells.loc[test.preset.name, c.label]
    strong = found.outcomes.loc["ar-segment"]
    assert {strong["GAIN"], strong["ERRORS"]} == {"better", "worse"}


def test_every_rule_stands_beside_its_p():
    frame = comparator([comparison()]).to_frame()
    assert frame["how p is computed"].str.endswith(".").all()
    assert frame["measured false alarms at 0.05"].ne("").all()
    published = frame[frame["test"].str.startswith("⚠")]
    assert published["limitation"].ne("").all()
    shown = [t for t in frame["test"] if not t.startswith("⚠")]
    labels = [PRESETS[name].label for name in valid_presets()]
    assert shown == [label for label in labels if label in shown]
    assert "limitation" not in comparator([comparison(presets=valid_presets())]).to_frame()


def test_disagreement_is_said_and_agreement_is_not():
    apart = comparator([comparison(shift=1.0, replica=1.5)])
    said = r"GAIN: \d+ tests? says? (better|worse), \d+ tests? (is|are) inconclusive\. .*"
    assert re.fullmatch(said, apart.disagreements[0])
    assert comparator([comparison(shift=0.0, replica=0.0, presets=("ar-segment", "crossed"))]).disagreements == ()
