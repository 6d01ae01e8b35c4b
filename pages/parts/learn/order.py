"""The lessons in the order of the navigation."""

from __future__ import annotations

LESSONS = (
    ("learn/sampling_distribution.py", "Sampling distribution", ":material/ssid_chart:"),
    ("learn/bootstrap.py", "Bootstrap", ":material/cycle:"),
    ("learn/three_tests.py", "Three tests", ":material/casino:"),
    ("learn/luck_of_one_run.py", "Luck of one run", ":material/ifl:"),
    ("learn/three_spreads.py", "Three spreads", ":material/unfold_more:"),
    ("learn/intervals_that_overlap.py", "Intervals that overlap", ":material/join_inner:"),
    ("learn/test_arena.py", "Test arena", ":material/stadium:"),
    ("learn/few_replicas.py", "Few replicas", ":material/stairs:"),
    ("learn/many_comparisons.py", "Many comparisons", ":material/grid_view:"),
    ("learn/correlation.py", "Correlation", ":material/scatter_plot:"),
    ("learn/bleu_from_the_inside.py", "BLEU from the inside", ":material/troubleshoot:"),
    ("learn/significant_or_noticeable.py", "Significant or noticeable?", ":material/visibility:"),
)  # fmt: skip
PRESENT = "present"  # ?present=1: larger type, no sidebar


def neighbours(title: str) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """Return file and title of the lessons before and after one."""
    place = next(i for i, (_, own, _) in enumerate(LESSONS) if own == title)
    before = LESSONS[place - 1][:2] if place else None
    return before, LESSONS[place + 1][:2] if place + 1 < len(LESSONS) else None
