"""The answer in plain words: one sentence that rests on the coherent test, and what the other tests add.

docs/statistics.md lists every sentence with its condition.
"""

from __future__ import annotations

from mtsig_core.analysis.comparison.details import details_of, on_these_outputs
from mtsig_core.analysis.comparison.evidence import Evidence
from mtsig_core.analysis.comparison.results import Verdict
from mtsig_core.formatting import format_interval, format_percent, p_phrase
from mtsig_core.significance import CoherentResult


def verdict_of(evidence: Evidence) -> Verdict:
    """Return the verdict on b against a."""
    e = evidence
    if e.same:
        return _same_outputs(e)
    if e.coherent is None:
        return _one_replica_each(e)
    headline = _headline_one_side(e, e.coherent) if min(e.n_a, e.n_b) == 1 else _headline(e, e.coherent)
    return Verdict(e.outcome, headline, details_of(e, e.coherent), _not_worse(e))


def _same_outputs(e: Evidence) -> Verdict:
    # other words may have the same statistics: two systems without one exact match, or of one length
    label = e.statistics.metric.label
    headline = f"No difference: to {label} the outputs of both systems are identical in every segment (p = 1)."
    details = ("Was a file of one system copied over the other's?", *(e.basis.sentences() if e.basis else ()))
    return Verdict("same outputs", headline, details, _not_worse(e))


def _one_replica_each(e: Evidence) -> Verdict:
    headline = (
        "No verdict on the systems: with one run of each, it is unknown how much runs vary, and no test can account "
        f"for it. {on_these_outputs(e) or ''}"
    )
    details = ("Run more replicas of both systems: 3 at the very least.", *(e.basis.sentences() if e.basis else ()))
    return Verdict("not defined", headline.strip(), details)


def _not_worse(e: Evidence) -> bool | None:
    """Return whether b is not worse than a by the margin; None where undecided, or no margin was stated."""
    if e.settings.margin is None:
        return None
    if e.same:
        return True
    return e.margin.not_worse if e.margin is not None else None


def _headline(e: Evidence, coherent: CoherentResult) -> str:
    if e.outcome == "not defined":
        return f"No verdict: {_reason(coherent)}."
    p = p_phrase(coherent.p)
    if e.outcome == "equivalent":
        return _equivalent(e)
    if e.difference == 0:
        return f"Inconclusive: {e.better_by(0.0)} on average ({p})."
    if e.outcome == "undecided":
        return f"Inconclusive: {_looks(e.better_by(e.difference))}{_why_undecided(e, p)}"
    return (
        f"{e.better_by(e.difference)}: {e.varied.new} {_where(e)} should point the same way ({p}).{_beside_margin(e)}"
    )


def _where(e: Evidence) -> str:
    """Return what the headline's test generalises to: new text, where there are segments."""
    return "on these test sets" if e.statistics.whole_runs else "on new text"


def _equivalent(e: Evidence) -> str:
    margin = e.margin
    if margin is None or margin.interval is None:
        raise ValueError("equivalence needs a margin and a defined test.")
    level, interval = format_percent(1 - 2 * margin.alpha), format_interval(margin.interval, e.decimals)
    return (
        f"Equivalent within your margin of {e.size(margin.margin)}: the {level} interval of the gain, {interval}, for "
        f"{e.varied.new} {_where(e)}, lies within it ({p_phrase(margin.p_equivalent)})."
    )


def _beside_margin(e: Evidence) -> str:
    """Return how the size of a significant difference compares with the margin."""
    if e.margin is None:
        return ""
    size = e.size(e.margin.margin)
    if e.margin.size == "smaller than the margin":
        return f" The difference is significant but smaller than your margin of {size}."
    if e.margin.size == "at least the margin":
        return f" The difference is larger than your margin of {size}."
    return f" Whether it is as large as your margin of {size} is open."


def _why_undecided(e: Evidence, p: str) -> str:
    """Return why the headline is inconclusive: all tests agree, or which of them finds a difference."""
    outputs, replica = e.tests.get("ar-segment"), e.replica_test
    new = f"{e.varied.new} {_where(e)} ({p})"
    finds: list[str] = []
    misses = [new]
    for test, about in ((outputs, "these outputs on new text"), (replica, f"{e.varied.new} on this text")):
        if test is not None and test.p is not None:
            named = f"{about} ({p_phrase(test.p, test.smallest_p, exact=test.exact)})"
            (finds if e.significant(test.p) else misses).append(named)
    if finds:
        return f". A difference is found for {' and for '.join(finds)}, but not for {' nor for '.join(misses)}."
    if e.statistics.whole_runs:
        return f" on these test sets, but random variation between runs could explain that ({p})."
    return f", but random variation between runs and between texts could explain that ({p})."


def _headline_one_side(e: Evidence, coherent: CoherentResult) -> str:
    """Name the training setup that is judged and the single output that it is judged against."""
    single, other = (e.a, e.b) if e.n_a == 1 else (e.b, e.a)
    if e.settings.assume_equal_variation:
        assumed = f"This assumes that runs of {single}, of which there is one, would vary as those of {other} do."
        return f"{_headline(e, coherent)} {assumed}"
    limit = f"This says nothing about the training setup of {single}: run more replicas of it."
    if e.outcome == "not defined":
        return f"No verdict: {_reason(coherent)}. {limit}"
    if e.outcome == "equivalent":
        return f"{_equivalent(e)} {limit}"
    names = {single: f"the one output of {single}", other: f"the training setup of {other}"}
    seen = e.better_by(e.difference, names[e.b], names[e.a])
    p = p_phrase(coherent.p)
    if e.outcome == "undecided":
        return f"Inconclusive: {_looks(seen)}{_why_undecided(e, p)} {limit}"
    seen = f"{seen[0].upper()}{seen[1:]}"
    return f"{seen}: {e.varied.new} {_where(e)} should point the same way ({p}).{_beside_margin(e)} {limit}"


def _looks(sentence: str) -> str:
    """Turn a finding into an impression: "B is better" becomes "B looks better"."""
    for word in ("better", "worse", "higher", "lower"):
        sentence = sentence.replace(f" is {word} than ", f" looks {word} than ", 1)
    return sentence


def _reason(coherent: CoherentResult) -> str:
    note = coherent.note.removeprefix("Not defined: ").rstrip(".")
    return note or "the variance of the difference is not defined"
