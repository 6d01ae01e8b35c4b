"""The command ``table``: average, s_sel, s_dev and s_test of every system."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, TEST_SET_OPTIONS, Command


def run(options: argparse.Namespace) -> int:
    """Print the table of every test set and metric asked for."""
    from mtsig_core.reports.documents import table_document
    from mtsig_core.reports.tables import table1_frame

    bench, metrics = selection.open_bench(options)
    sets = selection.chosen_sets(options, bench.experiment)
    table = bench.table(sets, metrics, own_segments=options.own_segments, progress=output.report_progress)
    output.clear_line()
    notes = bench.notes(sets, metrics)
    if options.json:
        output.print_json(table_document(table, bench.settings, bench.experiment, notes))
        return DONE
    output.print_frame(table1_frame(table), table.to_frame())
    for reason, columns in table.reasons.items():
        output.say(f"— in {columns}: {reason}")
    output.print_origin(bench, *((name, m) for name in sets for m in metrics if bench.can_score(name, m)))
    which = "Each system is shown on its own segments instead." if options.own_segments else (
        "All systems are shown on these common segments."
    )
    output.print_lines(f"{note} {which}" for note in notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own-segments", action="store_true",
        help="show each system on all segments that it has, not on those that all systems have",
    )


COMMAND = Command(
    "table", "average, s_sel, s_dev and s_test of every system (Clark et al. 2011, Table 1)", run,
    TEST_SET_OPTIONS, _options,
)
