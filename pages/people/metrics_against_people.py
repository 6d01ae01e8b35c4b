"""Metrics against people: correlations, pairs of metrics, agreement of tests, and replicas."""

from __future__ import annotations

from pages.parts.people import correlation, judged, meta, metric_pairs, replicas, tests_agree

judged.draw_page("Metrics against people", "Do metrics and significance tests agree with people?", [
    ("correlation", "Correlation", correlation.draw),
    ("metric-pairs", "Metric pairs", metric_pairs.draw),
    ("tests", "Do the tests agree?", tests_agree.draw),
    ("replicas", "Replicas and points", replicas.draw),
], instead=meta.drawn_for_lack_of_metrics)  # fmt: skip
