"""The command ``compare``: whether a system is better than the baseline."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, FAILED_CHECK, PAIR_OPTIONS, UNDECIDED_CHECK, Command

if TYPE_CHECKING:
    from mtsig_core.analysis.comparison import Comparison
    from mtsig_core.analysis.comparison.combined import Combined
    from mtsig_core.analysis.comparison.effect import Effect
    from mtsig_core.workbench.pair import Pair


def run(options: argparse.Namespace) -> int:
    """Print verdict, effect and tests for every test set and metric asked for, and over all test sets."""
    if options.fail_unless_not_worse and options.margin is None:
        raise ValueError("--fail-unless-not-worse needs --margin D, the smallest difference that matters.")
    from mtsig_core.reports.pairs.several import across_metrics

    pairs = selection.chosen_pairs(options)
    comparisons = [pair.compare(presets=options.preset, progress=output.report_progress) for pair in pairs]
    effects = [pair.effect() for pair in pairs]
    combined, reasons = _combined(pairs)
    output.clear_line()
    if options.json:
        output.print_json(_document(pairs, comparisons, effects, combined, reasons))
    else:
        _print(pairs, comparisons, effects)
        for line in across_metrics(comparisons):
            output.say(line)
        _print_combined(combined, reasons)
    return _status(options, pairs, comparisons)


def _status(options: argparse.Namespace, pairs: Sequence[Pair], comparisons: Sequence[Comparison]) -> int:
    """Return the exit code of the checks that were asked for; of several results the worst counts.

    No exit code of 1 rests on a direction that was assumed: such a check is undecided.
    """
    surely = [c.verdict for pair, c in zip(pairs, comparisons, strict=True) if not pair.direction_note]
    assumed = [pair.metric.label for pair in pairs if pair.direction_note]
    if assumed and (options.fail_if_worse or options.fail_unless_not_worse):
        print(
            f"warning: no check rests on {', '.join(dict.fromkeys(assumed))}, whose direction was assumed: declare it "
            "in experiment.toml ([metrics.NAME] higher_is_better).",
            file=sys.stderr,
        )
    if options.fail_if_worse and any(verdict.outcome == "worse" for verdict in surely):
        return FAILED_CHECK
    if not options.fail_unless_not_worse:
        return DONE
    if any(verdict.not_worse is False for verdict in surely):
        return FAILED_CHECK
    return UNDECIDED_CHECK if assumed or any(verdict.not_worse is None for verdict in surely) else DONE


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
    from mtsig_core.reports.pairs.effect import combined_document, effect_document
    from mtsig_core.reports.pairs.several import holm_across_metrics

    bench = pairs[0].bench
    notes = [*selection.notes_of_pairs(pairs), *reasons]
    document = compare_document(comparisons, bench.settings, bench.experiment, notes)
    for result, one, pair in zip(document["results"], effects, pairs, strict=True):
        result.update(effect_document(one))
        result["direction_assumed"] = bool(pair.direction_note)
    document["p_holm_across_metrics"] = holm_across_metrics(comparisons)
    document["combined"] = [combined_document(one) for one in combined]
    return document


def _print(pairs: Sequence[Pair], comparisons: Sequence[Comparison], effects: Sequence[Effect]) -> None:
    from mtsig_core.reports.pairs.effect import effect_lines
    from mtsig_core.reports.tables import p_value_table

    for pair, comparison, one in zip(pairs, comparisons, effects, strict=True):
        note = f" ({pair.direction_note})" if pair.direction_note else ""
        output.say(f"{comparison.test_set}, {comparison.label}{note}: {comparison.verdict.headline}")
        for line in (*comparison.verdict.details, *effect_lines(one)):
            output.say(f"  - {line}")
        shown = p_value_table([comparison]).drop(columns="note")
        output.print_frame(shown, comparison.to_frame(), selection.about(pair))
        output.print_lines(dict.fromkeys(f"— {test.note}" for test in comparison.tests if test.p is None and test.note))
        output.print_origin(pair.bench, (pair.test_set, pair.metric))


def _print_combined(combined: Sequence[Combined], reasons: Sequence[str]) -> None:
    from mtsig_core.reports.pairs.effect import combined_lines

    for line in (*combined_lines(combined), *reasons):
        output.say(line)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", action="append", metavar="NAME", help="use only this test; may be repeated")
    parser.add_argument(
        "--fail-if-worse", action="store_true",
        help="exit with 1 when the system is worse (under a metric whose direction is not assumed)",
    )
    parser.add_argument(
        "--fail-unless-not-worse", action="store_true",
        help="exit with 1 when the system is worse by more than --margin, with 3 when that is undecided",
    )


COMMAND = Command(
    "compare", "is a system better than the baseline?", run, PAIR_OPTIONS, _options,
)
