"""The command ``pairs``: every pair of systems, with corrections, overlap and ranks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mtsig_core.cli.command import DONE, Command, metric_options, resampling_options, test_set_option
from mtsig_core.cli.common import (
    chosen_sets,
    clear_line,
    notes_of,
    open_bench,
    print_frame,
    print_json,
    print_lines,
    print_origin,
    report_progress,
    without_tuning_sets,
)

if TYPE_CHECKING:
    from mtsig_core.analysis.systems.pairwise import Pairwise


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
        _print_margin(result)
        print_origin(bench, name, metric)
        print_lines(f"{note} The systems' scores and intervals use these." for note in bench.notes([name], [metric]))
    return DONE


def _print_margin(result: Pairwise) -> None:
    """Print the sets of systems that are equivalent within the margin."""
    if result.margin is None:
        return
    sets = "; ".join(", ".join(members) for members in result.equivalents)
    print_lines([f"Equivalent to one another within a margin of {result.margin:g} (Holm-corrected): {sets or 'none'}."])


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", metavar="NAME", help="the test (default: the coherent one where replicas allow it)")


COMMAND = Command(
    "pairs", "every pair of systems: p, corrected p, overlap, and clusters of ranks", run,
    (metric_options, test_set_option, resampling_options), _options,
)
