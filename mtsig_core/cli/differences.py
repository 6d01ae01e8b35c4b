"""The command ``differences``: on which segments, in which edits and words two systems differ, over all replicas."""

from __future__ import annotations

import argparse

from mtsig_core.cli.command import DONE, Command, metric_options, pair_options, resampling_options, test_set_option
from mtsig_core.cli.common import (
    chosen_pairs,
    clear_line,
    notes_of_pairs,
    open_bench,
    print_frame,
    print_json,
    print_lines,
    print_origin,
    report_progress,
)

BY = (
    "length", "document", "frequency", "difficulty", "edits", "words", "output-length", "ngrams", "stability",
)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print where two systems differ, for every test set and metric asked for."""
    from mtsig_core.reports.differences import differences_document, display_of
    from mtsig_core.workbench.differences import METRIC_FREE

    bench, metrics = open_bench(options)
    pairs = chosen_pairs(options, bench, metrics)
    if options.by in METRIC_FREE:  # the first metric of each test set serves for all
        pairs = list({pair.test_set: pair for pair in reversed(pairs)}.values())[::-1]
    results = [pair.differences(options.by, progress=report_progress) for pair in pairs]
    clear_line()
    if options.json:
        subjects = [(pair.test_set, pair.metric, result) for pair, result in zip(pairs, results, strict=True)]
        notes = notes_of_pairs(pairs)
        print_json(differences_document(options.by, subjects, bench.settings, bench.experiment, notes))
        return DONE
    for pair, result in zip(pairs, results, strict=True):
        where = pair.test_set if options.by in METRIC_FREE else f"{pair.test_set}, {pair.metric.label}"
        print(f"{where}: {pair.b} against {pair.a}")
        display = display_of(result)
        for title, frame in display.tables:
            if title:
                print(f"{title}:")
            print_frame(frame)
        print_lines((*display.lines, *notes_of_pairs([pair])))
        if options.by not in METRIC_FREE:
            print_origin(pair.bench, pair.test_set, pair.metric)
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
    (metric_options, test_set_option, resampling_options, pair_options), _options,
)
