"""The command ``differ``: on which segments, in which edits and words two systems differ, over all replicas."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mtsig_core.cli.common import (
    clear_line,
    notes_of,
    open_bench,
    pair_asked,
    print_frame,
    print_json,
    questions_asked,
    report_progress,
)

if TYPE_CHECKING:
    from mtsig_core.workbench.differences import Answer

DONE = 0
BY = (
    "length", "document", "frequency", "difficulty", "edits", "words", "output-length", "ngrams", "stability",
)  # fmt: skip


def tell_differences(options: argparse.Namespace) -> int:
    """Print where two systems differ, for every test set and metric asked for."""
    from mtsig_core.reports.differences import differences_document, display_of
    from mtsig_core.workbench.differences import METRIC_FREE, ask
    from mtsig_core.workbench.pair import Where

    bench, settings, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    asked = questions_asked(options, bench, metrics, (baseline, system))
    if options.by in METRIC_FREE:
        asked = list({name: (name, metric) for name, metric in reversed(asked)}.values())[::-1]
    found: list[Answer] = []
    for name, metric in asked:
        where = Where(bench, name, metric, baseline, system)
        found.append(ask(where, options.by, settings, report_progress))
    clear_line()
    if options.json:
        answers = [(name, metric, one) for (name, metric), one in zip(asked, found, strict=True)]
        notes = notes_of(bench, asked)
        print_json(differences_document(options.by, answers, settings, bench.experiment, notes))
        return DONE
    for (name, metric), one in zip(asked, found, strict=True):
        of = name if options.by in METRIC_FREE else f"{name}, {metric.label}"
        print(f"{of}: {system} against {baseline}")
        display = display_of(one)
        for title, frame in display.tables:
            if title:
                print(f"{title}:")
            print_frame(frame)
        for line in display.lines:
            print(f"  {line}")
    return DONE


def add_differ_options(command: argparse.ArgumentParser) -> None:
    """Add the options that only ``differ`` has."""
    told = (
        "segments by length (default), document, frequency of words or difficulty; edits by kind; accuracy of words; "
        "outputs too long or short; n-grams right more often; errors of every replica"
    )
    command.add_argument("--by", choices=BY, default="length", help=told)
