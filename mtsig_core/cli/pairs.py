"""The command ``pairs``: every pair of systems, with corrections, overlap and ranks."""

from __future__ import annotations

import argparse

from mtsig_core.cli.command import DONE, Command, metric_options, resampling_options, test_set_option
from mtsig_core.cli.common import (
    chosen_sets,
    clear_line,
    notes_of,
    open_bench,
    print_frame,
    print_json,
    print_lines,
    report_progress,
    without_tuning_sets,
)


def run(options: argparse.Namespace) -> int:
    """Print all pairs of systems for every test set and metric asked for."""
    from mtsig_core.reports.pair_documents import pairs_document
    from mtsig_core.reports.pair_tables import pairs_frame, ranks_frame

    bench, metrics = open_bench(options)
    sets = chosen_sets(options, bench.experiment)
    comparable = [name for name in sets if len(bench.experiment.systems_present_on(name)) > 1] or sets
    scored = [(name, m) for name in comparable for m in metrics if bench.can_score(name, m)]
    chosen = without_tuning_sets(options, bench.experiment, scored)
    results = [
        bench.pairwise(name, metric, preset=options.preset, progress=report_progress) for name, metric in chosen
    ]
    clear_line()
    if options.json:
        print_json(pairs_document(results, bench.settings, bench.experiment, notes_of(bench, chosen)))
        return DONE
    for result, (name, metric) in zip(results, chosen, strict=True):
        print(f"{name}, {metric.label}: {result.preset.label} ({result.preset.question})")
        print_frame(pairs_frame(result))
        print_frame(ranks_frame(result))
        print_lines(bench.notes([name], [metric]))
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", metavar="NAME", help="the test (default: the crossed one where replicas allow it)")


COMMAND = Command(
    "pairs", "every pair of systems: p, corrected p, overlap, and clusters of ranks", run,
    (metric_options, test_set_option, resampling_options), _options,
)
