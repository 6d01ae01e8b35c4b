"""Differences in human terms, and several test sets together: documents and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.analysis.comparison.effect import ASKED_SHARE, Effect
from mtsig_core.formatting import better_by, count, format_interval, format_percent, format_score, p_phrase
from mtsig_core.reports.documents import Document, plain


def effect_document(found: Effect) -> Document:
    """Return the parts that a result of ``compare`` gains: ``improvement`` and ``human_terms``."""
    chance, human = found.improvement, found.human
    return plain({
        "improvement": None if chance is None else {
            "probability": chance.probability, "interval": [chance.low, chance.high],
        },
        "human_terms": {"reason": found.reason} if human is None else {
            "curve": human.curve, "size": human.size, "share": human.share, "coin_flip": human.coin,
            "needed_for": ASKED_SHARE, "needed": human.needed, "ceiling": human.ceiling, "note": human.note,
        },
    })


def combined_document(found: Combined) -> Document:
    """Return several test sets together."""
    names = ("metric", "higher_is_better", "n_a", "n_b", "difference", "p", "df", "notes")
    return plain({
        **{name: getattr(found, name) for name in names},
        "baseline": found.a,
        "system": found.b,
        "interval": {"text": found.text, "replicas": found.replicas, "both": found.both},
        "sets": [
            {"test_set": s.test_set, "segments": s.segments, "difference": s.difference, "interval": s.interval,
             "p": s.p}
            for s in found.sets
        ],
    })


def effect_lines(found: Effect) -> list[str]:
    """Return what people read of an effect, a sentence each."""
    lines = []
    chance = found.improvement
    if chance is not None:
        lines.append(
            f"One replica of {found.b}, taken at random, beats one of {found.a} with probability "
            f"{format_percent(chance.probability)} ({format_percent(chance.low)} to {format_percent(chance.high)})."
        )
    human = found.human
    if human is None:
        return [*lines, found.reason] if found.reason else lines
    size = f"{format_score(human.size)} {human.curve}"
    if human.coin:
        said = f"A difference of {size} tells people's preference no better than a coin flip"
    else:
        said = f"People agree with a difference of {size} on {format_percent(human.share)} of pairs of systems"
    lines.append(
        f"{said}; {format_percent(ASKED_SHARE)} takes {format_score(human.needed)}, and no difference more than "
        f"{format_percent(human.ceiling)}. {human.note}".strip()
    )
    return lines


def combined_sentence(found: Combined) -> str:
    """Return who is better over all sets, and whether luck could explain it."""
    over = f"Over {count(len(found.sets), 'test set')}, each counted the same"
    seen = _seen(found)
    if found.p is None:
        return f"{over}, {seen}. {found.notes[-1]}"
    if found.p >= found.alpha:
        seen = seen.replace(" is better ", " looks better ", 1).replace(" is worse ", " looks worse ", 1)
        return f"{over}, {seen}, but the luck of replicas and of text could explain that ({p_phrase(found.p)})."
    interval = format_interval(found.both, found.decimals)
    return f"{over}, {seen}: more than the luck of replicas and of text explains ({p_phrase(found.p)}; {interval})."


def _seen(found: Combined) -> str:
    if found.is_quality or found.difference == 0:
        return better_by(found.b, found.a, found.difference, found.label, found.higher_is_better, found.decimals)
    side = "higher" if found.difference > 0 else "lower"
    return f"{found.b} has {format_score(abs(found.difference), found.decimals)} {side} {found.label} than {found.a}"


def combined_lines(found: Sequence[Combined]) -> list[str]:
    """Return a sentence a metric, with what was left out."""
    lines = []
    for one in found:
        lines.append(f"{one.label}: {combined_sentence(one)}")
        lines += [f"  {note}" for note in one.notes if one.p is not None]
    return lines
