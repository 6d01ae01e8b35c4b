"""Metrics against people: correlations, pairs of metrics, agreement of tests, and replicas."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.people import correlation, judged, metric_pairs, replicas, tests_agree
from pages.parts.sections import Section, show


def main() -> None:
    """Draw the page."""
    now = view.current(needs_metric=False)
    page.begin(now, "Metrics against people", "Do metrics and significance tests agree with people?")
    open_judgements = judged.opened(now)
    if open_judgements is None:
        return
    show("metrics against people", [
        Section("correlation", "Correlation", lambda: correlation.draw(now, open_judgements)),
        Section("metric-pairs", "Metric pairs", lambda: metric_pairs.draw(now, open_judgements)),
        Section("tests", "Do the tests agree?", lambda: tests_agree.draw(now, open_judgements)),
        Section("replicas", "Replicas and points", lambda: replicas.draw(now, open_judgements)),
    ])  # fmt: skip


main()
