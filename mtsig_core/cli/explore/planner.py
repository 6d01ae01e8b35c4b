"""The command ``planner``: the components of variance, and how many replicas and segments a difference takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, PAIR_OPTIONS, Command

if TYPE_CHECKING:
    from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
    from mtsig_core.analysis.planning.planner import Plan
    from mtsig_core.workbench.pair import Pair

    Planned = tuple[VarianceComponents, SharedSeeds | None, Plan | None, str]


def run(options: argparse.Namespace) -> int:
    """Print variance components and a plan for every test set and metric asked for."""
    from mtsig_core.reports.pairs.planner import planner_document

    pairs = selection.chosen_pairs(options)
    bench = pairs[0].bench
    results = [_planned(pair, options) for pair in pairs]
    output.clear_line()
    if options.json:
        output.print_json(planner_document(results, bench.settings, bench.experiment, selection.notes_of_pairs(pairs)))
        return DONE
    for pair, result in zip(pairs, results, strict=True):
        _print(pair, result)
    return DONE


def _planned(pair: Pair, options: argparse.Namespace) -> Planned:
    from mtsig_core.workbench.planner import no_difference

    components, seeds = pair.components(progress=output.report_progress), pair.shared_seeds()
    why = pair.why_no_plan()
    if not why and options.difference is None and options.margin is None:
        raise ValueError(f"{no_difference(pair)} Give it as --difference D.")
    plan = None if why else pair.planner(options.difference, power=options.power, progress=output.report_progress)
    return components, seeds, plan, why


def _print(pair: Pair, result: Planned) -> None:
    from mtsig_core.reports.pairs.planner import components_frame, plan_frame, seeds_sentence

    components, seeds, plan, why = result
    output.say(f"{pair.test_set}, {pair.metric.label}: {pair.b} against {pair.a}")
    if components.rows:
        output.print_frame(components_frame(components), components.to_frame(), selection.about(pair))
    output.print_lines((components.note, seeds_sentence(seeds, pair.bench.settings.paired) if seeds else ""))
    output.print_lines(selection.notes_of_pairs([pair]))
    output.print_origin(pair.bench, (pair.test_set, pair.metric))
    if plan is None:
        output.say(f"  No plan. {why}")
        return
    output.say(plan.sentence(pair.metric.label, 2 if plan.difference >= 0.05 else 4))
    output.print_frame(plan_frame(plan), plan.to_frame(), selection.about(pair))


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--difference", type=float, metavar="D",
        help="the smallest difference that matters (default: --margin; there is no other default)",
    )
    parser.add_argument(
        "--power", type=float, default=0.8, help="share of experiments that must find it (default 0.8)"
    )


COMMAND = Command(
    "planner", "how many replicas and segments does a difference take?", run, PAIR_OPTIONS, _options,
)
