"""The command ``median``: which replica of each system to read."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, Command, metric_options


def run(options: argparse.Namespace) -> int:
    """Print each system's median replica and the ranks of its replicas."""
    from mtsig_core.formatting import format_score, score_decimals
    from mtsig_core.reports.documents import median_document
    from mtsig_core.reports.reading import rank_frame

    bench, metrics = selection.open_bench(options)
    scored = [t.name for t in bench.experiment.test_sets if bench.can_score(t.name, metrics[0])]
    chosen = options.select_on or next(iter(scored), bench.experiment.test_sets[0].name)
    medians = bench.median(chosen, metrics, progress=output.report_progress)
    output.clear_line()
    notes = bench.notes([chosen], metrics, own_segments=True)
    if options.json:
        output.print_json(median_document(dict(medians.systems), chosen, metrics, bench.experiment, notes))
        return DONE
    if not output.is_for_people():
        output.print_frame(medians.to_frame())
    for system, (median, ranks) in medians.systems.items():
        score = f"{metrics[0].label} {format_score(median.score, score_decimals(ranks.scores[:, 0]))} on {chosen}"
        output.say(f"{system}: read {median.replica} ({score}). {median.note}".rstrip())
        if len(metrics) > 1:
            numbers = ranks.to_frame().rename(columns={name: f"rank by {name}" for name in ranks.metrics})
            output.print_frame(rank_frame(ranks, {m.name: m.label for m in metrics}), numbers, {"system": system})
    output.print_origin(bench, *((chosen, metric) for metric in metrics))
    output.print_lines(notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--select-on", metavar="SET", help="the test set that chooses (default: the first)")


COMMAND = Command("median", "which replica of each system to read", run, (metric_options,), _options)
