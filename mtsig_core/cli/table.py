"""The command ``table``: average, s_sel, s_dev and s_test of every system."""

from __future__ import annotations

import argparse

from mtsig_core.cli.command import DONE, Command, metric_options, resampling_options, test_set_option
from mtsig_core.cli.common import (
    chosen_sets,
    clear_line,
    open_bench,
    print_frame,
    print_json,
    print_lines,
    print_origin,
    report_progress,
)


def run(options: argparse.Namespace) -> int:
    """Print the table of every test set and metric asked for."""
    from mtsig_core.reports.documents import table_document
    from mtsig_core.reports.tables import table1_frame

    bench, metrics = open_bench(options)
    sets = chosen_sets(options, bench.experiment)
    table = bench.table(sets, metrics, own_segments=options.own_segments, progress=report_progress)
    clear_line()
    notes = bench.notes(sets, metrics)
    if options.json:
        print_json(table_document(table, bench.settings, bench.experiment, notes))
        return DONE
    print_frame(table1_frame(table))
    for reason in table.reasons:
        print(f"— {reason}")
    for name in sets:
        for metric in metrics:
            if bench.can_score(name, metric):
                print_origin(bench, name, metric)
    which = "Each system is shown on its own segments instead." if options.own_segments else (
        "All systems are shown on these common segments."
    )
    print_lines(f"{note} {which}" for note in notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own-segments", action="store_true",
        help="show each system on all segments that it has, not on those that all systems have",
    )


COMMAND = Command(
    "table", "average, s_sel, s_dev and s_test of every system (Clark et al. 2011, Table 1)", run,
    (metric_options, test_set_option, resampling_options), _options,
)
