"""The command ``planner``: the components of variance, and how many replicas and segments a difference takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mtsig_core.cli.command import DONE, Command, metric_options, pair_options, resampling_options, test_set_option
from mtsig_core.cli.common import (
    chosen_pairs,
    clear_line,
    notes_of_pairs,
    open_bench,
    print_frame,
    print_json,
    print_lines,
    print_origin,
    report_progress,
)

if TYPE_CHECKING:
    from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
    from mtsig_core.analysis.planning.planner import Plan
    from mtsig_core.workbench.pair import Pair

    Planned = tuple[VarianceComponents, SharedSeeds | None, Plan | None, str]


def run(options: argparse.Namespace) -> int:
    """Print variance components and a plan for every test set and metric asked for."""
    from mtsig_core.reports.planner import planner_document

    bench, metrics = open_bench(options)
    pairs = chosen_pairs(options, bench, metrics)
    results = [_planned(pair, options) for pair in pairs]
    clear_line()
    if options.json:
        print_json(planner_document(results, bench.settings, bench.experiment, notes_of_pairs(pairs)))
        return DONE
    for pair, result in zip(pairs, results, strict=True):
        _print(pair, result)
    return DONE


def _planned(pair: Pair, options: argparse.Namespace) -> Planned:
    components, seeds = pair.components(progress=report_progress), pair.shared_seeds()
    why = pair.why_no_plan()
    plan = None if why else pair.planner(options.difference, power=options.power, progress=report_progress)
    return components, seeds, plan, why


def _print(pair: Pair, result: Planned) -> None:
    from mtsig_core.reports.planner import components_frame, plan_frame, seeds_sentence

    components, seeds, plan, why = result
    print(f"{pair.test_set}, {pair.metric.label}: {pair.b} against {pair.a}")
    if components.rows:
        print_frame(components_frame(components))
    print_lines((components.note, seeds_sentence(seeds, pair.bench.settings.paired) if seeds else ""))
    print_lines(notes_of_pairs([pair]))
    print_origin(pair.bench, pair.test_set, pair.metric)
    if plan is None:
        print(f"  No plan. {why}")
        return
    print(plan.sentence(pair.metric.label, 2 if plan.difference >= 0.05 else 4))
    print_frame(plan_frame(plan))


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--difference", type=float, metavar="D",
        help="the smallest difference that matters (default: --margin; there is no other default)",
    )
    parser.add_argument(
        "--power", type=float, default=0.8, help="share of experiments that must find it (default 0.8)"
    )


COMMAND = Command(
    "planner", "how many replicas and segments does a difference take?", run,
    (metric_options, test_set_option, resampling_options, pair_options), _options,
)
