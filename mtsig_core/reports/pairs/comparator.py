"""All tests of one pair of systems side by side: verdicts, disagreement, whom each answers, and how p is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.formatting import count, format_p
from mtsig_core.reports.tables import smallest_reachable
from mtsig_core.significance import PRESETS, Outcome, Preset, Result, TestResult

# never by colour alone: a symbol and a word stand beside every p
SYMBOLS: dict[Outcome, str] = {
    "better": "▲", "worse": "▼", "higher": "↑", "lower": "↓", "undecided": "○", "not defined": "—",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparator(Result):
    """Tests (rows) against metrics (columns).

    Attributes
    ----------
    presets : tuple of Preset
        The tests as they were made, valid ones first.
    labels : tuple of str
        Metrics.
    outcomes : DataFrame
        The outcome of each test under each metric, shape (test, metric): "better", "worse", ... of B against A.
    cells : DataFrame
        The same with p, as text.
    floors : tuple of str
        The smallest p that each test can reach, "none" for a closed form.
    disagreements : tuple of str
        One sentence for each metric on which the tests disagree.
    """

    presets: tuple[Preset, ...]
    labels: tuple[str, ...]
    outcomes: pd.DataFrame
    cells: pd.DataFrame
    floors: tuple[str, ...]
    disagreements: tuple[str, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        """Names of the tests."""
        return tuple(preset.name for preset in self.presets)

    def to_frame(self) -> pd.DataFrame:
        """Return the table as pages show it: one row per test, p and outcome by metric, the question and the rule."""
        presets = self.presets
        frame = pd.DataFrame({"test": [p.label if p.valid else f"⚠ {p.label}" for p in presets]})
        for label in self.labels:
            frame[label] = self.cells[label].to_list()
        frame["question"] = [p.question for p in presets]
        frame["how p is computed"] = [p.rule for p in presets]
        frame["smallest reachable p"] = self.floors
        frame["measured false alarms at 0.05"] = [p.alarms for p in presets]
        frame["limitation"] = [p.warning for p in presets]
        return frame if frame["limitation"].any() else frame.drop(columns="limitation")


def comparator(comparisons: Sequence[Comparison]) -> Comparator:
    """Set the tests of one pair of systems side by side.

    Parameters
    ----------
    comparisons : sequence of Comparison
        One per metric, of the same two systems and test set.
    """
    labels = tuple(dict.fromkeys(c.label for c in comparisons))
    asked = {t.preset.name: t.preset for c in comparisons for t in c.tests}
    tests = tuple(name for name in PRESETS if name in asked)
    outcomes = pd.DataFrame("not defined", index=list(tests), columns=list(labels))
    cells = pd.DataFrame(SYMBOLS["not defined"], index=list(tests), columns=list(labels))
    for comparison in comparisons:
        for result in comparison.tests:
            outcome = comparison.scope.outcome(result.p, result.difference, comparison.alpha)
            outcomes.loc[result.preset.name, comparison.label] = outcome
            cells.loc[result.preset.name, comparison.label] = _cell(result, outcome)
    disagreements = tuple(text for c in comparisons if (text := _disagreement(c)))
    floors = tuple(
        smallest_reachable([t for c in comparisons for t in c.tests if t.preset.name == name]) for name in tests
    )
    return Comparator(tuple(asked[name] for name in tests), labels, outcomes, cells, floors, disagreements)


def comparator_numbers(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return p and outcome of each test under each metric, one row each, numbers as numbers."""
    rows = [
        (t.preset.label, c.label, t.p, outcome_word(c.scope.outcome(t.p, t.difference, c.alpha)), t.smallest_p,
         t.preset.question, t.preset.warning)
        for c in comparisons for t in c.tests
    ]
    columns = ["test", "metric", "p", "outcome", "smallest reachable p", "question", "limitation"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame if frame["limitation"].any() else frame.drop(columns="limitation")


def _cell(result: TestResult, outcome: Outcome) -> str:
    if result.p is None:
        return f"{SYMBOLS[outcome]} {outcome_word(outcome)}"
    return f"{format_p(result.p, result.smallest_p, exact=result.exact)} {SYMBOLS[outcome]} {outcome_word(outcome)}"


def outcome_word(outcome: Outcome) -> str:
    """Return what people are told an outcome is: an undecided one is inconclusive.

    Examples
    --------
    >>> outcome_word("undecided"), outcome_word("better")
    ('inconclusive', 'better')
    """
    return "inconclusive" if outcome == "undecided" else outcome


def _disagreement(comparison: Comparison) -> str:
    """Return how the tests of one metric disagree; empty when they agree."""
    outcomes = [
        comparison.scope.outcome(t.p, t.difference, comparison.alpha) for t in comparison.tests if t.p is not None
    ]
    counts = [(outcome, outcomes.count(outcome)) for outcome in SYMBOLS if outcome in outcomes]
    if len(counts) < 2:
        return ""
    phrases = [_said_by(n, outcome) for outcome, n in counts]
    return f"{comparison.label}: {', '.join(phrases)}. They answer different questions, or count differently."


def _said_by(n: int, outcome: Outcome) -> str:
    verb = ("is" if n == 1 else "are") if outcome == "undecided" else ("says" if n == 1 else "say")
    return f"{count(n, 'test')} {verb} {outcome_word(outcome)}"
