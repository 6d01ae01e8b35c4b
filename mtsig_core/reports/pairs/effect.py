"""Differences in human terms, and several test sets together: documents and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.analysis.comparison.effect import ASKED_SHARE, Effect
from mtsig_core.formatting import better_by, count, format_interval, format_percent, format_score, p_phrase
from mtsig_core.reports.documents import Document, plain


def effect_document(result: Effect) -> Document:
    """Return the parts that a result of ``compare`` gains: ``improvement`` and ``human_terms``."""
    chance, human = result.improvement, result.human
    return plain({
        "improvement": None if chance is None else {
            "probability": chance.probability, "interval": [chance.low, chance.high],
        },
        "human_terms": {"reason": result.reason} if human is None else {
            "curve": human.curve, "size": human.size, "share": human.share, "coin_flip": human.coin,
            "needed_for": ASKED_SHARE, "needed": human.needed, "ceiling": human.ceiling, "note": human.note,
        },
    })


def combined_document(result: Combined) -> Document:
    """Return several test sets together."""
    names = ("metric", "higher_is_better", "n_a", "n_b", "difference", "p", "df", "notes")
    return plain({
        **{name: getattr(result, name) for name in names},
        "baseline": result.a,
        "system": result.b,
        "interval": {"text": result.text, "replicas": result.replicas, "both": result.both},
        "sets": [
            {"test_set": s.test_set, "segments": s.segments, "difference": s.difference, "interval": s.interval,
             "p": s.p}
            for s in result.sets
        ],
    })


def effect_lines(result: Effect) -> list[str]:
    """Return what people read of an effect, one sentence each."""
    lines = []
    chance = result.improvement
    if chance is not None:
        share = f"{format_percent(chance.probability)} ({format_percent(chance.low)} to {format_percent(chance.high)})"
        lines.append(
            f"The replica of {result.b} beats its partner of {result.a} in {share} of the pairs." if chance.paired else
            f"One replica of {result.b}, taken at random, beats one of {result.a} with probability {share}."
        )
    human = result.human
    if human is None:
        return [*lines, result.reason] if result.reason else lines
    size = f"{format_score(human.size)} {human.curve}"
    if human.coin:
        phrase = f"A difference of {size} predicts people's preference no better than a coin flip"
    else:
        phrase = f"People agree with a difference of {size} on {format_percent(human.share)} of pairs of systems"
    lines.append(
        f"{phrase}; {format_percent(ASKED_SHARE)} takes a difference of {format_score(human.needed)}, and "
        f"agreement never exceeds {format_percent(human.ceiling)}. {human.note}".strip()
    )
    return lines


def combined_sentence(result: Combined) -> str:
    """Return who is better over all sets, and whether chance could explain it."""
    over = f"Over {count(len(result.sets), 'test set')}, with equal weights"
    seen = _seen(result)
    if result.p is None:
        return f"{over}, {seen}. {result.notes[-1]}"
    if result.p >= result.alpha:
        seen = seen.replace(" is better ", " looks better ", 1).replace(" is worse ", " looks worse ", 1)
        return f"{over}, {seen}, but variation between replicas and segments could explain that ({p_phrase(result.p)})."
    interval = format_interval(result.both, result.decimals)
    excess = "more than variation between replicas and segments explains"
    return f"{over}, {seen}: {excess} ({p_phrase(result.p)}; {interval})."


def _seen(result: Combined) -> str:
    if result.is_quality or result.difference == 0:
        return better_by(result.b, result.a, result.difference, result.label, result.higher_is_better, result.decimals)
    side = "higher" if result.difference > 0 else "lower"
    size = format_score(abs(result.difference), result.decimals)
    return f"{result.b} has {size} {side} {result.label} than {result.a}"


def combined_lines(results: Sequence[Combined]) -> list[str]:
    """Return one sentence per metric, with what was left out."""
    lines = []
    for one in results:
        lines.append(f"{one.label}: {combined_sentence(one)}")
        lines += [f"  {note}" for note in one.notes if one.p is not None]
    return lines
