"""All tests of one pair of systems side by side: verdicts, disagreement, whom each answers, and how p comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.formatting import count, format_p
from mtsig_core.reports.tables import smallest_reachable
from mtsig_core.significance import PRESETS, TestResult

Word = Literal["better", "worse", "higher", "lower", "undecided", "not defined"]
# never by colour alone: a symbol and a word stand beside every p
SYMBOLS: dict[Word, str] = {
    "better": "▲", "worse": "▼", "higher": "↑", "lower": "↓", "undecided": "○", "not defined": "—",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparator:
    """Tests (rows) against metrics (columns).

    Attributes
    ----------
    tests : tuple of str
        Presets, honest ones first.
    labels : tuple of str
        Metrics.
    words : DataFrame
        The verdict of each test under each metric, shape (test, metric): "better", "worse", ... of B against A.
    cells : DataFrame
        The same with p, as text.
    floors : tuple of str
        The smallest p that each test can reach, "none" for a closed form.
    disagreements : tuple of str
        A sentence for each metric on which the tests part ways.
    """

    tests: tuple[str, ...]
    labels: tuple[str, ...]
    words: pd.DataFrame
    cells: pd.DataFrame
    floors: tuple[str, ...]
    disagreements: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return the table as pages show it: a row a test, p and verdict by metric, the rule beside them."""
        presets = [PRESETS[name] for name in self.tests]
        frame = pd.DataFrame({"test": [p.label if p.honest else f"⚠ {p.label}" for p in presets]})
        for label in self.labels:
            frame[label] = self.cells[label].to_list()
        frame["how p comes about"] = [p.rule for p in presets]
        frame["answers for"] = [p.question for p in presets]
        frame["smallest reachable p"] = self.floors
        frame["measured false alarms at .05"] = [p.alarms for p in presets]
        frame["what it overclaims"] = [p.warning for p in presets]
        return frame if frame["what it overclaims"].any() else frame.drop(columns="what it overclaims")


def word_of(result: TestResult, alpha: float, higher_is_better: bool, is_quality: bool = True) -> Word:
    """Return what a test says of B at level alpha."""
    if result.p is None:
        return "not defined"
    if result.p >= alpha or result.difference == 0:
        return "undecided"
    if not is_quality:
        return "higher" if result.difference > 0 else "lower"
    return "better" if (result.difference > 0) == higher_is_better else "worse"


def comparator(comparisons: Sequence[Comparison]) -> Comparator:
    """Set the tests of one pair of systems side by side.

    Parameters
    ----------
    comparisons : sequence of Comparison
        One a metric, of the same two systems and test set.
    """
    labels = tuple(dict.fromkeys(c.label for c in comparisons))
    asked = {t.preset for c in comparisons for t in c.tests}
    tests = tuple(name for name in PRESETS if name in asked)
    words = pd.DataFrame("not defined", index=list(tests), columns=list(labels))
    cells = pd.DataFrame(SYMBOLS["not defined"], index=list(tests), columns=list(labels))
    for comparison in comparisons:
        for result in comparison.tests:
            word = word_of(result, comparison.alpha, comparison.higher_is_better, comparison.is_quality)
            words.loc[result.preset, comparison.label] = word
            cells.loc[result.preset, comparison.label] = _cell(result, word)
    told = tuple(text for c in comparisons if (text := _disagreement(c)))
    floors = tuple(smallest_reachable([t for c in comparisons for t in c.tests if t.preset == name]) for name in tests)
    return Comparator(tests, labels, words, cells, floors, told)


def _cell(result: TestResult, word: Word) -> str:
    if result.p is None:
        return f"{SYMBOLS[word]} {word}"
    return f"{format_p(result.p, result.smallest_p, exact=result.exact)} {SYMBOLS[word]} {word}"


def _disagreement(comparison: Comparison) -> str:
    """Say how the tests of one metric part ways; empty when they agree."""
    direction = comparison.higher_is_better, comparison.is_quality
    words = [word_of(t, comparison.alpha, *direction) for t in comparison.tests if t.p is not None]
    found = [(word, words.count(word)) for word in SYMBOLS if word in words]
    if len(found) < 2:
        return ""
    parts = [f"{count(n, 'test')} {'says' if n == 1 else 'say'} {word}" for word, n in found]
    return f"{comparison.label}: {', '.join(parts)}. They answer different questions, or count differently."
