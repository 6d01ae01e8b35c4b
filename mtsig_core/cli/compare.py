"""The command ``compare``: whether a system is better than the baseline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtsig_core.cli.command import (
    DONE,
    FAILED_CHECK,
    UNDECIDED_CHECK,
    Command,
    metric_options,
    pair_options,
    resampling_options,
    test_set_option,
)
from mtsig_core.cli.common import (
    chosen_pairs,
    clear_line,
    notes_of_pairs,
    open_bench,
    print_frame,
    print_json,
    print_origin,
    report_progress,
)

if TYPE_CHECKING:
    from mtsig_core.analysis.comparison import Comparison, Verdict
    from mtsig_core.analysis.comparison.combined import Combined
    from mtsig_core.analysis.comparison.effect import Effect
    from mtsig_core.workbench.pair import Pair


def run(options: argparse.Namespace) -> int:
    """Print verdict, effect and tests for every test set and metric asked for, and over all test sets."""
    if options.fail_unless_not_worse and options.margin is None:
        raise ValueError("--fail-unless-not-worse needs --margin D, the smallest difference that matters.")
    from mtsig_core.reports.several import across_metrics

    bench, metrics = open_bench(options)
    pairs = chosen_pairs(options, bench, metrics)
    comparisons = [pair.compare(presets=options.preset, progress=report_progress) for pair in pairs]
    effects = [pair.effect() for pair in pairs]
    combined, reasons = _combined(pairs)
    clear_line()
    if options.json:
        print_json(_document(pairs, comparisons, effects, combined, reasons))
    else:
        _print(pairs, comparisons, effects)
        for line in across_metrics(comparisons):
            print(line)
        _print_combined(combined, reasons)
    return _status(options, [comparison.verdict for comparison in comparisons])


def _status(options: argparse.Namespace, verdicts: Sequence[Verdict]) -> int:
    """Return the exit code of the checks that were asked for; of several results the worst counts."""
    if options.fail_if_worse and any(verdict.outcome == "worse" for verdict in verdicts):
        return FAILED_CHECK
    if not options.fail_unless_not_worse:
        return DONE
    if any(verdict.not_worse is False for verdict in verdicts):
        return FAILED_CHECK
    return UNDECIDED_CHECK if any(verdict.not_worse is None for verdict in verdicts) else DONE


def _combined(pairs: Sequence[Pair]) -> tuple[list[Combined], list[str]]:
    """Return the difference over all test sets, by metric where there are several, and why some are missing."""
    combined, reasons = [], []
    for metric in dict.fromkeys(pair.metric for pair in pairs):
        same = [pair for pair in pairs if pair.metric is metric]
        if len(same) < 2:
            continue
        try:
            sets = [pair.test_set for pair in same]
            combined.append(same[0].bench.combined(metric, same[0].a, same[0].b, sets))
        except ValueError as error:
            reasons.append(f"{metric.label}: the test sets are not put together: {error}")
    return combined, reasons


def _document(
    pairs: Sequence[Pair], comparisons: Sequence[Comparison], effects: Sequence[Effect],
    combined: Sequence[Combined], reasons: Sequence[str],
) -> dict:
    from mtsig_core.reports.documents import compare_document
    from mtsig_core.reports.effect import combined_document, effect_document
    from mtsig_core.reports.several import holm_across_metrics

    bench = pairs[0].bench
    document = compare_document(comparisons, bench.settings, bench.experiment, [*notes_of_pairs(pairs), *reasons])
    for result, one in zip(document["results"], effects, strict=True):
        result.update(effect_document(one))
    document["p_holm_across_metrics"] = holm_across_metrics(comparisons)
    document["combined"] = [combined_document(one) for one in combined]
    return document


def _print(pairs: Sequence[Pair], comparisons: Sequence[Comparison], effects: Sequence[Effect]) -> None:
    from mtsig_core.reports.effect import effect_lines
    from mtsig_core.reports.tables import p_value_table

    for pair, comparison, one in zip(pairs, comparisons, effects, strict=True):
        print(f"{comparison.test_set}, {comparison.label}: {comparison.verdict.headline}")
        for line in (*comparison.verdict.details, *effect_lines(one)):
            print(f"  - {line}")
        print_frame(p_value_table([comparison]).drop(columns="note"))
        print_origin(pair.bench, pair.test_set, pair.metric)


def _print_combined(combined: Sequence[Combined], reasons: Sequence[str]) -> None:
    from mtsig_core.reports.effect import combined_lines

    for line in (*combined_lines(combined), *reasons):
        print(line)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", action="append", metavar="NAME", help="use only this test; may be repeated")
    parser.add_argument("--fail-if-worse", action="store_true", help="exit with 1 when the system is worse")
    parser.add_argument(
        "--fail-unless-not-worse", action="store_true",
        help="exit with 1 when the system is worse by more than --margin, with 3 when that is undecided",
    )


COMMAND = Command(
    "compare", "is a system better than the baseline?", run,
    (metric_options, test_set_option, resampling_options, pair_options), _options,
)
