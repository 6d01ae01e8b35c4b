"""The command ``calibration``: whether the tests can be trusted with these replicas."""

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
    print_origin,
    report_progress,
    without_tuning_sets,
)


def run(options: argparse.Namespace) -> int:
    """Print calibration, whole-replica effects and inflation for every test set and metric asked for."""
    from mtsig_core.reports.calibration import calibration_document, calibration_lines

    bench, metrics = open_bench(options)
    scored = [
        (name, m) for name in chosen_sets(options, bench.experiment) for m in metrics if bench.can_score(name, m)
    ]
    chosen = without_tuning_sets(options, bench.experiment, scored)
    results = [
        bench.calibrations(name, metric, baseline=options.baseline, system=options.system, presets=options.preset,
                           progress=report_progress)
        for name, metric in chosen
    ]
    clear_line()
    notes = notes_of(bench, chosen)
    if options.json:
        print_json(calibration_document(results, bench.settings, bench.experiment, notes))
        return DONE
    for result in results:
        for line in calibration_lines(result):
            if isinstance(line, str):
                print(line)
            else:
                print_frame(line)
    for name, metric in chosen:
        print_origin(bench, name, metric)
    print_lines(notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system", metavar="NAME", help="calibrate only this system (default: all)")
    parser.add_argument(
        "--baseline", metavar="A",
        help="measure inflation between this system and the others (default: the experiment's)",
    )
    parser.add_argument("--preset", action="append", metavar="NAME", help="calibrate this test; may be repeated")


COMMAND = Command(
    "calibration", "can the tests be trusted with these replicas?", run,
    (metric_options, test_set_option, resampling_options), _options,
)
