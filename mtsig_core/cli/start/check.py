"""The command ``check``: what is recognised in a run folder, and what is wrong with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import BAD_INPUT, DONE, Command

if TYPE_CHECKING:
    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadReport


def run(options: argparse.Namespace) -> int:
    """Print what a path holds; with ``--json`` also when nothing can be analysed."""
    from mtsig_core.loading import LoadError
    from mtsig_core.reports.documents import check_document

    try:
        experiment, report = selection.load_experiment(options)
    except LoadError as error:
        if not options.json:
            raise
        output.print_json(check_document(None, error.report, error=error))
        return BAD_INPUT
    if options.json:
        output.print_json(check_document(experiment, report))
    else:
        _print(experiment, report)
    return DONE


def _print(experiment: Experiment, report: LoadReport) -> None:
    from mtsig_core.formatting import count
    from mtsig_core.loading.layouts.common.words import in_words

    if not output.is_for_people():
        _print_tables(experiment, report)
        return
    lines = [f"{experiment.name}: recognised as {in_words(report.layout)}; digest {experiment.digest[:12]}"]
    for test_set in experiment.test_sets:
        references = count(len(test_set.references), "reference") if test_set.references else "no reference"
        size = f"{count(test_set.n_segments, 'segment')}, {references}"
        lines.append(f"  test set {test_set.name} ({test_set.role}): {size}")
    for system in experiment.systems:
        lines.append(f"  system {system.name}: {count(len(system.replicas), 'replica')}")
    lines += _directions(experiment)
    for line in report.in_few_lines:
        lines.append(f"  {line.kind}: {line.message}")
    for text in lines:
        output.say(text)


def _directions(experiment: Experiment) -> Iterator[str]:
    """Yield a line for each metric whose scores came with the experiment; one for many that are alike."""
    from mtsig_core.experiment.assumptions import MANY_METRICS

    groups: dict[str, list[str]] = {}
    for name, higher in experiment.outside_metrics.items():
        assumed = " (assumed)" if name in experiment.assumed_directions else ""
        groups.setdefault(f"{'higher' if higher else 'lower'} is better{assumed}", []).append(name)
    for said, names in groups.items():
        together = [", ".join(names)] if len(names) >= MANY_METRICS else names
        yield from (f"  scores of {each}: {said}" for each in together)


def _print_tables(experiment: Experiment, report: LoadReport) -> None:
    import pandas as pd

    from mtsig_core.reports.paper.tables import data_tables

    for table in data_tables(experiment):
        output.print_frame(table.shown)
    remarks = [(line.kind, line.message) for line in report.in_few_lines]
    output.print_frame(pd.DataFrame(remarks, columns=["kind", "message"]))


COMMAND = Command("check", "say what is recognised in a run folder, and what is wrong with it", run)
