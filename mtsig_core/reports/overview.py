"""The answer of the first screen, in words: one sentence per metric, and what single runs would have shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.formatting import count, format_interval, format_percent, number, p_phrase, score_decimals

LOTTERY_PERMUTATIONS = 1000  # of each pair of runs: fewer would find too few of them significant


@dataclass(frozen=True)
class Answer:
    """One metric's answer.

    Parameters
    ----------
    claim : str
        What is claimed, as in ``BLEU: hierarchical is better``.
    evidence : str
        The difference, its interval and p, as in ``+1.48 (95% interval 0.36 to 2.60, p = 0.010)``.
    """

    claim: str
    evidence: str


def overview_answer(comparison: Comparison) -> Answer:
    """Return what the verdict says of B under one metric, in one line."""
    return Answer(f"{comparison.label}: {_claim(comparison)}", _evidence(comparison))


def _claim(comparison: Comparison) -> str:
    claims = {
        "better": f"{comparison.b} is better", "worse": f"{comparison.b} is worse",
        "higher": f"{comparison.b} is higher", "lower": f"{comparison.b} is lower",
        "equivalent": f"{comparison.a} and {comparison.b} are equivalent",
        "undecided": "inconclusive", "same outputs": "the outputs are identical",
        "not defined": "no verdict on the systems",
    }  # fmt: skip
    return claims[comparison.verdict.outcome]


def _evidence(comparison: Comparison) -> str:
    decimals = score_decimals([*comparison.scores_a, *comparison.scores_b])
    difference = number(comparison.difference, decimals, sign=True)
    if comparison.verdict.outcome == "not defined":
        return f"{difference} with one run each; how much runs vary is unknown"
    notes = []
    if comparison.intervals.both is not None:
        level = format_percent(1 - comparison.alpha)
        notes.append(f"{level} interval {format_interval(comparison.intervals.both, decimals)}")
    if comparison.coherent is not None and comparison.coherent.p is not None:
        notes.append(p_phrase(comparison.coherent.p))
    lower = "" if comparison.higher_is_better else "; lower is better"
    return f"{difference} ({', '.join(notes)}{lower})" if notes else f"{difference}{lower}"


def single_run_sentence(lottery: Lottery) -> str:
    """Return what papers with one run of each system would have reported (Clark et al. 2011, Table 2)."""
    share = format_percent(lottery.significant)
    sentence = (
        f"Had each system been run only once, {share} of the pairs of runs would have shown a significant difference "
        f"in {lottery.label}"
    )
    if lottery.wrong:
        sentence += f", and {format_percent(lottery.wrong)} in favour of the system that is worse over all runs"
    return f"{sentence}."


def ranking_size_sentence(systems: Sequence[int], segments: int | None) -> str:
    """Return how large an experiment of many systems is, by their numbers of runs; None: scores of whole runs.

    >>> ranking_size_sentence([3, 3, 2], 2489)
    '3 systems, 8 runs, 2,489 segments'
    """
    return f"{count(len(systems), 'system')}, {count(sum(systems), 'run')}, {_segments(segments)}"


def size_sentence(systems: dict[str, int], segments: int | None) -> str:
    """Return how large an experiment is, by the runs of its systems; None: scores of whole runs.

    >>> size_sentence({"a": 3, "b": 1}, 2489)
    'a (3 runs) against b (1 run), 2,489 segments'
    >>> size_sentence({"a": 100}, None)
    'a (100 runs), scores of whole runs'
    """
    runs = [f"{name} ({count(n, 'run')})" for name, n in systems.items()]
    return f"{' against '.join(runs)}, {_segments(segments)}"


def _segments(n: int | None) -> str:
    return "scores of whole runs" if n is None else count(n, "segment")


