"""What reviewers ask about a comparison of systems, answered from the results."""

from __future__ import annotations

from collections.abc import Iterator

from mtsig_core.metrics import OutsideMetric
from mtsig_core.reports.paper.methods import (
    HEADLINES,
    correction_in_words,
    in_points,
    is_random,
    listed,
    replicas_in_words,
    sets_in_words,
    shown_tests,
    signatures_of,
    varied_in_words,
)
from mtsig_core.reports.paper.model import Answers
from mtsig_core.reports.paper.results import Results

NOT_STATED = "Not stated."


def checklist(results: Results) -> Answers:
    """Return the questions with their answers; what nobody stated or did is said as such."""
    return Answers((*_about_data(results), *_about_scores(results), *_about_tests(results)))


def _about_data(results: Results) -> Iterator[tuple[str, str]]:
    yield "How many replicas has each system?", f"{replicas_in_words(results)}."
    yield "What did the replicas differ by?", varied_in_words(results)
    yield "Are replicas paired by seed?", (
        "Yes: replicas of equal name or number." if results.settings.paired else "No pairs were declared."
    )
    yield "Which test sets, and how large?", f"{sets_in_words(results)}."
    yield "Was a tuning set kept apart?", _tuning(results)
    yield "Was anything left out?", " ".join(results.notes) or "No segment and no replica."


def _tuning(results: Results) -> str:
    tuning = [t.name for t in results.experiment.test_sets if t.role == "dev"]
    tested = [name for name in tuning if name in results.request.test_sets]
    if tested:
        return f"No: {listed(tested)} is a tuning set, and results on it flatter the systems."
    return f"Yes: {listed(tuning)}; no verdict here rests on it." if tuning else "No tuning set is part of the data."


def _about_scores(results: Results) -> Iterator[tuple[str, str]]:
    metrics = results.request.metrics
    yield "Which metrics, with which tokenization and signature?", "; ".join(
        f"{m.label}: {listed(signatures_of(results, m.name)) or 'scores nothing here'}" for m in metrics
    ) + "."
    tokenized = [f"{m.label}: {m.tokenize}" for m in metrics if hasattr(m, "tokenize")]
    rest = "; other metrics do not tokenize by choice" if len(tokenized) < len(metrics) else ""
    yield "How was text tokenized for them?", (
        f"{listed(tokenized)}{rest}." if tokenized else
        "The metrics do not tokenize by choice." if not all(isinstance(m, OutsideMetric) for m in metrics) else
        "Scores came with the data; mtsig does not know."
    )


def _about_tests(results: Results) -> Iterator[tuple[str, str]]:
    settings, tests = results.settings, shown_tests(results)
    yield "Which test decides, and what does it answer?", next(
        (f"{tests[name].preset.label}: {tests[name].preset.question}." for name in HEADLINES if name in tests),
        "No test was made." if not results.comparisons else
        "None: no verdict is part of the report." if any(c.coherent for c in results.comparisons) else
        "None: with one run of each system no test can account for the variation between runs.",
    )
    others = [f"{test.label} ({test.preset.question})" for name, test in tests.items() if name not in HEADLINES]
    yield "Which other tests are reported?", f"{listed(others)}." if others else "None."
    is_tested = bool(results.comparisons or results.pairwise)
    yield "Significance level?", f"{settings.alpha:g}." if is_tested else "None: nothing was tested."
    has_segments = any(results.experiment.test_set(name).has_segments for name in results.request.test_sets)
    drawn = [f"{settings.n_bootstrap:,} bootstrap samples" if has_segments else "",
             f"at most {settings.n_permutations:,} permutations" if is_tested else ""]  # fmt: skip
    yield "How many random draws, and which seed?", (
        f"{', '.join(filter(None, drawn))}; seed {settings.seed}."
        if is_random(results) else "None: nothing was drawn at random."
    )
    yield "Were p-values corrected for their number?", (
        correction_in_words(results) if is_tested else "There are none."
    )
    yield "Which difference matters (margin)?", (
        NOT_STATED if settings.margin is None else f"{in_points(settings.margin)} of the metric, as declared."
    )
    yield "Can the numbers be computed again?", (
        "Yes: report.json holds settings, versions and digests; mtsig replay report.json RUNS compares."
    )
