"""The command ``calibration``: whether the tests can be trusted with these replicas."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, TEST_SET_OPTIONS, Command


def run(options: argparse.Namespace) -> int:
    """Print calibration, whole-replica effects and inflation for every test set and metric asked for."""
    from mtsig_core.reports.calibration import calibration_document, calibration_lines

    bench, metrics = selection.open_bench(options)
    chosen = selection.scored_sets(options, bench, metrics, selection.chosen_sets(options, bench.experiment))
    results = [
        bench.calibrations(name, metric, baseline=options.baseline, system=options.system, presets=options.preset,
                           progress=output.report_progress)
        for name, metric in chosen
    ]
    output.clear_line()
    notes = selection.notes_of(bench, chosen, own_segments=True)
    if options.json:
        output.print_json(calibration_document(results, bench.settings, bench.experiment, notes))
        return DONE
    for result in results:
        for line in calibration_lines(result):
            if isinstance(line, str):
                output.say(line)
            else:
                output.print_frame(*line)
    output.print_origin(bench, *chosen)
    output.print_lines(notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system", metavar="NAME", help="calibrate only this system (default: all)")
    parser.add_argument(
        "--baseline", metavar="A",
        help="measure inflation between this system and the others (default: the experiment's)",
    )
    parser.add_argument("--preset", action="append", metavar="NAME", help="calibrate this test; may be repeated")


COMMAND = Command(
    "calibration", "can the tests be trusted with these replicas?", run, TEST_SET_OPTIONS, _options
)
