"""The command ``differences``: on which segments, in which edits and words two systems differ, over all replicas."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, PAIR_OPTIONS, Command

BY = (
    "length", "document", "frequency", "difficulty", "edits", "words", "output-length", "ngrams", "stability",
)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print where two systems differ, for every test set and metric asked for."""
    from mtsig_core.reports.differences.tables import differences_document, display_of
    from mtsig_core.workbench.differences import METRIC_FREE

    pairs = selection.chosen_pairs(options)
    bench = pairs[0].bench
    if options.by in METRIC_FREE:  # the first metric of each test set serves for all
        pairs = list({pair.test_set: pair for pair in reversed(pairs)}.values())[::-1]
    results = [pair.differences(options.by, progress=output.report_progress) for pair in pairs]
    output.clear_line()
    if options.json:
        subjects = [(pair.test_set, pair.metric, result) for pair, result in zip(pairs, results, strict=True)]
        notes = selection.notes_of_pairs(pairs)
        output.print_json(differences_document(options.by, subjects, bench.settings, bench.experiment, notes))
        return DONE
    for pair, result in zip(pairs, results, strict=True):
        where = pair.test_set if options.by in METRIC_FREE else f"{pair.test_set}, {pair.metric.label}"
        output.say(f"{where}: {pair.b} against {pair.a}")
        display = display_of(result)
        about = selection.about(pair)
        if options.by in METRIC_FREE:
            del about["metric"]
        for (title, frame), numbers in zip(display.tables, display.numbers, strict=True):
            if title:
                output.say(f"{title}:")
            output.print_frame(frame, numbers, about)
        output.print_lines((*display.lines, *selection.notes_of_pairs([pair])))
        if options.by not in METRIC_FREE:
            output.print_origin(pair.bench, (pair.test_set, pair.metric))
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by", choices=BY, default="length",
        help="segments by length (default), document, frequency of words or difficulty; edits by kind; accuracy of "
        "words; outputs that are too long or too short; n-grams that one system gets right more often; errors of "
        "every replica",
    )


COMMAND = Command(
    "differences", "where do two systems differ? by kind of segment, in edits and in words", run,
    PAIR_OPTIONS, _options,
)
