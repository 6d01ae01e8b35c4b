"""The command ``by-n``: the difference, and p, against the number of replicas."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, PAIR_OPTIONS, Command, positive

MOST_PERMUTATIONS = 1000  # of each pair of single replicas: there are many pairs


def run(options: argparse.Namespace) -> int:
    """Print the difference by number of replicas for every test set and metric asked for."""
    from mtsig_core.reports.documents import by_n_document
    from mtsig_core.reports.pairs.documents import p_by_n_rows
    from mtsig_core.reports.pairs.p_by_n import lottery_document, table2_frame
    from mtsig_core.reports.tables import by_n_frame

    pairs = selection.chosen_pairs(options)
    bench = pairs[0].bench
    results = [pair.by_n(options.replicas) for pair in pairs]
    p_values, lotteries = [], []
    if options.p_values:
        fewer = min(MOST_PERMUTATIONS, bench.settings.n_permutations)
        p_values = [pair.p_by_n(options.replicas, progress=output.report_progress) for pair in pairs]
        lotteries = [pair.lottery(n_permutations=fewer, progress=output.report_progress) for pair in pairs]
    output.clear_line()
    if options.json:
        document = by_n_document(results, bench.settings, bench.experiment, selection.notes_of_pairs(pairs))
        if options.p_values:
            document["p_by_n"] = [row for p in p_values for row in p_by_n_rows(p)]
            document["lottery"] = [lottery_document(one) for one in lotteries]
        output.print_json(document)
        return DONE
    for k, (pair, result) in enumerate(zip(pairs, results, strict=True)):
        output.say(f"{pair.test_set}, {pair.metric.label}: {pair.b} against {pair.a}")
        output.print_frame(by_n_frame(result), result.to_frame(), selection.about(pair))
        if options.p_values:
            output.print_frame(table2_frame(lotteries[k], p_values[k]), p_values[k].to_frame(), selection.about(pair))
            if output.is_for_spreadsheets():
                output.print_frame(lotteries[k].scenario_frame(), about=selection.about(pair))
        output.print_lines((result.model_note, result.note, *selection.notes_of_pairs([pair])))
        output.print_origin(pair.bench, (pair.test_set, pair.metric))
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
    "by-n", "the difference, and p, against the number of replicas", run, PAIR_OPTIONS, _options,
)
