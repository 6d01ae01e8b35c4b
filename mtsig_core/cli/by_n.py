"""The command ``by-n``: the difference, and p, against the number of replicas."""

from __future__ import annotations

import argparse

from mtsig_core.cli.command import (
    DONE,
    Command,
    metric_options,
    pair_options,
    positive,
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
    print_lines,
    print_origin,
    report_progress,
)

MOST_PERMUTATIONS = 1000  # of each pair of single replicas: there are many pairs


def run(options: argparse.Namespace) -> int:
    """Print the difference by number of replicas for every test set and metric asked for."""
    from mtsig_core.reports.documents import by_n_document
    from mtsig_core.reports.p_by_n import lottery_document, table2_frame
    from mtsig_core.reports.pair_documents import p_by_n_rows
    from mtsig_core.reports.tables import by_n_frame

    bench, metrics = open_bench(options)
    pairs = chosen_pairs(options, bench, metrics)
    results = [pair.by_n(options.replicas) for pair in pairs]
    p_values, lotteries = [], []
    if options.p_values:
        fewer = min(MOST_PERMUTATIONS, bench.settings.n_permutations)
        p_values = [pair.p_by_n(options.replicas, progress=report_progress) for pair in pairs]
        lotteries = [pair.lottery(n_permutations=fewer, progress=report_progress) for pair in pairs]
    clear_line()
    if options.json:
        document = by_n_document(results, bench.settings, bench.experiment, notes_of_pairs(pairs))
        if options.p_values:
            document["p_by_n"] = [row for p in p_values for row in p_by_n_rows(p)]
            document["lottery"] = [lottery_document(one) for one in lotteries]
        print_json(document)
        return DONE
    for k, (pair, result) in enumerate(zip(pairs, results, strict=True)):
        print(f"{pair.test_set}, {pair.metric.label}: {pair.b} against {pair.a}")
        print_frame(by_n_frame(result))
        if options.p_values:
            print_frame(table2_frame(lotteries[k], p_values[k]))
        print_lines((result.model_note, result.note, *notes_of_pairs([pair])))
        print_origin(pair.bench, pair.test_set, pair.metric)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--replicas", type=positive, action="append", metavar="N", help="number of replicas; may be repeated"
    )
    parser.add_argument(
        "--p-values", action="store_true",
        help="also p of experiments drawn with N replicas, and of single replicas (slower)",
    )


COMMAND = Command(
    "by-n", "the difference, and p, against the number of replicas", run,
    (metric_options, test_set_option, resampling_options, pair_options), _options,
)
