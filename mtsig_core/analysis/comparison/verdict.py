"""The answer in plain words. The headline rests on the crossed test; the details say what others add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.analysis.comparison.outlook import MOST_REPLICAS, components_of, outlook
from mtsig_core.analysis.comparison.results import Intervals, Verdict
from mtsig_core.formatting import better_by, count, format_p, format_score, p_phrase, score_decimals
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.significance import CrossedResult, Outcome, Pair, Scope, TestResult


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that a verdict is based on; `tests` holds at least those that its details mention."""

    pair: Pair
    paired: bool
    tests: Mapping[str, TestResult]
    crossed: CrossedResult | None
    intervals: Intervals
    same: bool

    @property
    def statistics(self) -> SegmentStatistics:
        """Statistics of both systems."""
        return self.pair.statistics

    @property
    def settings(self) -> Settings:
        """Settings of the tests."""
        return self.pair.settings

    @property
    def a(self) -> str:
        """The baseline."""
        return self.pair.a

    @property
    def b(self) -> str:
        """The system."""
        return self.pair.b

    @cached_property
    def scope(self) -> Scope:
        """Test set, metric and systems."""
        return Scope.of(self.statistics, self.a, self.b)

    @cached_property
    def difference(self) -> float:
        """D: mean score of b minus mean score of a."""
        return 0.0 if self.same else self.pair.difference  # equal scores in another order: rounding errors

    @property
    def n_a(self) -> int:
        """Number of replicas of a."""
        return self.pair.numbers[0]

    @property
    def n_b(self) -> int:
        """Number of replicas of b."""
        return self.pair.numbers[1]

    @property
    def replicas(self) -> str:
        """How many replicas there are, in words."""
        if self.n_a == self.n_b:
            return f"{count(self.n_a, 'replica')} of each system"
        return f"{count(self.n_a, 'replica')} of {self.a} and {self.n_b} of {self.b}"

    def better_by(self, difference: float, name: str | None = None, other: str | None = None) -> str:
        """Return who is better and by how much: b against a, under other names if given."""
        metric = self.statistics.metric
        names = name or self.b, other or self.a
        direction = metric.higher_is_better if metric.is_quality else None
        return better_by(*names, difference, metric.label, direction, self.decimals)

    @cached_property
    def decimals(self) -> int:
        """Decimals that scores of this size deserve."""
        return score_decimals(np.concatenate(self.pair.scores))

    def size(self, value: float) -> str:
        """Return a difference without its sign, with the metric's name."""
        return f"{format_score(abs(value), self.decimals)} {self.statistics.metric.label}"

    def significant(self, p: float | None) -> bool:
        """Return whether p is below alpha."""
        return p is not None and p < self.settings.alpha


def verdict_of(evidence: Evidence) -> Verdict:
    """Return the verdict on b against a."""
    if evidence.same:
        return _same_outputs(evidence)
    if evidence.crossed is None:
        return _one_replica_each(evidence)
    outcome = evidence.scope.outcome(evidence.crossed.p, evidence.difference, evidence.settings.alpha)
    if min(evidence.n_a, evidence.n_b) == 1:
        headline = _headline_one_side(evidence, evidence.crossed, outcome)
    else:
        headline = _headline(evidence, evidence.crossed, outcome)
    return Verdict(outcome, headline, _details(evidence, evidence.crossed, outcome))


def _same_outputs(e: Evidence) -> Verdict:
    # other words may have the same statistics: two systems without one exact match, or of one length
    label = e.statistics.metric.label
    headline = f"No difference: to {label} the outputs of both systems are identical in every segment (p = 1)."
    return Verdict("same outputs", headline, ("Was a file of one system copied over the other's?",))


def _one_replica_each(e: Evidence) -> Verdict:
    headline = (
        f"No verdict on the systems: with one replica each, the luck of a replica is not controlled and cannot be. "
        f"{_on_these_outputs(e) or ''}"
    )
    return Verdict("not defined", headline.strip(), ("Run more replicas of both systems: 3 at the very least.",))


def _headline(e: Evidence, crossed: CrossedResult, outcome: Outcome) -> str:
    if outcome == "not defined":
        return f"No verdict: {_reason(crossed)}."
    p = p_phrase(crossed.p)
    if e.difference == 0:
        return f"Undecided: {e.better_by(0.0)} on average ({p})."
    if outcome == "undecided":
        seen = _looks(e.better_by(e.difference))
        return f"Undecided: {seen}, but the luck of replicas and of the test set could explain that ({p})."
    return (
        f"{e.better_by(e.difference)}: more than the luck of replicas and of the test set together explains, "
        f"so new replicas on new text should show it too ({p})."
    )


def _headline_one_side(e: Evidence, crossed: CrossedResult, outcome: Outcome) -> str:
    """Name the recipe that is judged and the single output that it is judged against."""
    single, other = (e.a, e.b) if e.n_a == 1 else (e.b, e.a)
    if e.settings.assume_equal_variation:
        assumed = f"This assumes that replicas of {single}, of which there is one, would vary as those of {other} do."
        return f"{_headline(e, crossed, outcome)} {assumed}"
    names = {single: f"the one output of {single}", other: f"the recipe of {other}"}
    seen = e.better_by(e.difference, names[e.b], names[e.a])
    limit = f"This says nothing of the recipe of {single}: run more replicas of it."
    if outcome == "not defined":
        return f"No verdict: {_reason(crossed)}. {limit}"
    p = p_phrase(crossed.p)
    if outcome == "undecided":
        return f"Undecided: {_looks(seen)}, but luck could explain that ({p}). {limit}"
    return f"{seen[0].upper()}{seen[1:]}, on new text too ({p}). {limit}"


def _looks(sentence: str) -> str:
    """Turn a finding into an impression: "B is better" becomes "B looks better"."""
    for word in ("better", "worse", "higher", "lower"):
        sentence = sentence.replace(f" is {word} than ", f" looks {word} than ", 1)
    return sentence


def _reason(crossed: CrossedResult) -> str:
    note = crossed.note.removeprefix("Not defined: ").rstrip(".")
    return note or "the variance of the difference is not defined"


def _details(e: Evidence, crossed: CrossedResult, outcome: Outcome) -> tuple[str, ...]:
    sentences = [
        _unpaired_after_all(e),
        _out_of_step(e),
        _copies(e),
        _on_these_outputs(e),
        _this_recipe(e),
        _detectable(e, crossed),
        _optimizer_luck(e),
        _more_replicas(e, crossed) if outcome == "undecided" else None,
        _unreliable(e, crossed),
    ]
    return tuple(sentence for sentence in sentences if sentence)


def _unpaired_after_all(e: Evidence) -> str | None:
    if not e.settings.paired or e.paired or e.n_a == e.n_b:
        return None
    return f"Replicas were declared as paired, but there are {e.replicas}: they are compared as unpaired."


def _out_of_step(e: Evidence) -> str | None:
    """Warn where paired replicas have different names although the systems share names: some replica is missing."""
    names = e.statistics.names(e.a), e.statistics.names(e.b)
    unequal = [(one, other) for one, other in zip(*names, strict=False) if one != other]
    if not e.paired or not unequal or not set(names[0]) & set(names[1]):
        return None
    one, other = unequal[0]
    return (
        f"Replicas are paired by index, so {one} of {e.a} stands against {other} of {e.b}. If one is missing, leave "
        "out its partner too: wrong pairs lose what pairing gains."
    )


def _copies(e: Evidence) -> str | None:
    """Warn of replicas that are copies: their spread of 0 is taken for a recipe without luck."""
    numbers = {e.a: e.n_a, e.b: e.n_b}
    copied = [name for name, n in numbers.items() if n > 1 and np.ptp(e.statistics.of(name), axis=0).max() == 0]
    if not copied:
        return None
    return (
        f"All replicas of {' and of '.join(copied)} are equal in every segment. If they are copies, nothing is known "
        "of how replicas vary, and the verdict counts that as no luck at all."
    )


def _unreliable(e: Evidence, crossed: CrossedResult) -> str | None:
    """Return the crossed test's warning, which knows the systems as A and B, under their names."""
    if crossed.kind != "one replica" or not crossed.warning:
        return crossed.warning or None
    other = e.b if e.n_a == 1 else e.a
    return crossed.warning.replace(" B has " if e.n_a == 1 else " A has ", f" {other} has ", 1)


def _on_these_outputs(e: Evidence) -> str | None:
    test = e.tests.get("ar-segment")
    if test is None or test.p is None:
        return None
    p = p_phrase(test.p, test.smallest_p, exact=test.exact)
    if e.significant(test.p):
        return f"On these very outputs, {e.better_by(test.difference)}, beyond the luck of the test set ({p})."
    return f"On these very outputs, the luck of the test set alone could explain the difference ({p})."


def _this_recipe(e: Evidence) -> str | None:
    """Say what replica-level tests find: this recipe, on this text."""
    exchange = e.tests.get("ar-replica-paired" if e.paired else "ar-replica")
    welch = e.tests.get("welch-replicas")
    first = next((t for t in (exchange, welch) if t is not None and t.p is not None), None)
    if first is None:
        return None
    second = welch if first is exchange and welch is not None and welch.p is not None else None
    if second is not None and e.significant(first.p) != e.significant(second.p):
        # exchanges are exact for recipes alike in all; where the smaller group varies more they err, and so does t
        finding = "tests of whole replicas disagree on whether the luck of replicas alone could explain the difference"
    elif e.significant(first.p):
        finding = "other replicas of the same recipes should show the difference too"
    else:
        finding = "the luck of replicas alone could explain the difference"
    numbers = p_phrase(first.p, first.smallest_p, exact=first.exact)
    if second is not None:
        numbers += f"; {'paired' if e.paired else 'Welch'} t test {p_phrase(second.p)}"
    sentence = f"On this very text, {finding} ({numbers})."
    if first.smallest_p is not None and first.smallest_p >= e.settings.alpha:
        floor = format_p(first.smallest_p, exact=True)
        sentence += f" With {e.replicas}, exchanging whole replicas can never give a p below {floor}."
    return sentence


def _detectable(e: Evidence, crossed: CrossedResult) -> str | None:
    if crossed.smallest_detectable is None or crossed.p is None:
        return None
    size = e.size(crossed.smallest_detectable)
    return f"With {e.replicas} and this test set, differences below about {size} cannot be told from luck."


def _optimizer_luck(e: Evidence) -> str | None:
    if e.intervals.optimizer is None:
        reason = e.intervals.reasons["optimizer"]
        return f"How much the luck of replicas does is unknown: {reason}{'' if reason.endswith('?') else '.'}"
    half = (e.intervals.optimizer[1] - e.intervals.optimizer[0]) / 2
    return f"With {e.replicas}, the luck of replicas alone could make a difference of {e.size(half)}."


def _more_replicas(e: Evidence, crossed: CrossedResult) -> str | None:
    """Say whether more replicas could settle a difference of the observed size."""
    if min(e.n_a, e.n_b) < 2 or e.difference == 0:
        return None
    documents = e.statistics.documents
    n_units = e.statistics.n_segments if documents is None else int(np.unique(documents).size)
    components = components_of(crossed, e.n_a, e.n_b, e.statistics.n_segments, n_units)
    view = outlook(components, e.difference, e.settings.alpha)
    size = e.size(e.difference)
    if view.floor > abs(e.difference):
        return (
            f"No number of replicas suffices for a difference as small as {size}: on this test set alone, "
            f"anything below {e.size(view.floor)} is hidden. A larger test set is needed."
        )
    if view.needed is None:
        return (
            f"Even {MOST_REPLICAS} replicas of each system would not tell {size} from luck: "
            "a larger test set is needed too."
        )
    if view.needed <= max(e.n_a, e.n_b):
        return None
    # at this n the detectable difference is the observed one, so half of the experiments fall short of it
    return (
        f"With about {view.needed} replicas of each system ({view.needed - min(e.n_a, e.n_b)} more) every second "
        f"experiment would tell {size} from luck, if that is the true difference and new ones vary as these do; "
        f"{e.replicas} show only roughly how much they vary."
    )
