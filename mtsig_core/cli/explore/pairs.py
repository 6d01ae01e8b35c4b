"""The command ``pairs``: every pair of systems, with corrections, overlap and ranks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, TEST_SET_OPTIONS, Command

if TYPE_CHECKING:
    from mtsig_core.analysis.systems.pairwise import Pairwise


def run(options: argparse.Namespace) -> int:
    """Print all pairs of systems for every test set and metric asked for."""
    from mtsig_core.reports.pairs.documents import pairs_document
    from mtsig_core.reports.pairs.tables import pairs_frame, ranks_frame

    bench, metrics = selection.open_bench(options)
    sets = selection.chosen_sets(options, bench.experiment)
    comparable = [name for name in sets if len(bench.experiment.systems_present_on(name)) > 1] or sets
    chosen = selection.scored_sets(options, bench, metrics, comparable)
    results = [
        bench.pairwise(name, metric, preset=options.preset, progress=output.report_progress) for name, metric in chosen
    ]
    output.clear_line()
    if options.json:
        output.print_json(pairs_document(results, bench.settings, bench.experiment, selection.notes_of(bench, chosen)))
        return DONE
    for result, (name, metric) in zip(results, chosen, strict=True):
        about = {"test set": name, "metric": metric.label, "test": result.preset.name}
        output.say(f"{name}, {metric.label}: {result.preset.label} ({result.preset.question})")
        output.print_frame(pairs_frame(result), result.to_frame(), about)
        output.print_frame(ranks_frame(result), result.rank_frame(), about)
        _print_margin(result)
        output.print_origin(bench, (name, metric))
        notes = bench.notes([name], [metric])
        output.print_lines(f"{note} The systems' scores and intervals use these." for note in notes)
    return DONE


def _print_margin(result: Pairwise) -> None:
    """Print the sets of systems that are equivalent within the margin."""
    if result.margin is None:
        return
    sets = "; ".join(", ".join(members) for members in result.equivalents)
    what = f"Equivalent to one another within a margin of {result.margin:g} (Holm-corrected)"
    output.print_lines([f"{what}: {sets or 'none'}."])


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", metavar="NAME", help="the test (default: the coherent one where replicas allow it)")


COMMAND = Command(
    "pairs", "every pair of systems: p, corrected p, overlap, and clusters of ranks", run, TEST_SET_OPTIONS, _options,
)
