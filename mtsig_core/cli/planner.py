"""The command ``plan``: where the luck comes from, and how many replicas and segments a difference takes."""

from __future__ import annotations

import argparse

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

DONE = 0


def make_plan(options: argparse.Namespace) -> int:
    """Print variance components and a plan for every test set and metric asked for."""
    from mtsig_core.reports.planner import components_frame, plan_frame, planner_document, seeds_sentence
    from mtsig_core.workbench.pair import Where
    from mtsig_core.workbench.planner import ask_components, ask_plan, ask_shared_seeds, default_difference, why_no_plan

    bench, settings, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    asked = questions_asked(options, bench, metrics, (baseline, system))
    if not options.test_set:
        asked = [(name, m) for name, m in asked if bench.experiment.test_set(name).role != "dev"] or asked
    found = []
    for name, metric in asked:
        where = Where(bench, name, metric, baseline, system)
        components, seeds = ask_components(where, settings, report_progress), ask_shared_seeds(where)
        why, made = why_no_plan(components), None
        if not why:
            wanted = default_difference(where) if options.difference is None else options.difference
            made = ask_plan(where, settings, wanted, target=options.power, progress=report_progress)
        found.append((components, seeds, made, why))
    clear_line()
    if options.json:
        print_json(planner_document(found, settings, bench.experiment, notes_of(bench, asked)))
        return DONE
    for (name, metric), (components, seeds, made, why) in zip(asked, found, strict=True):
        print(f"{name}, {metric.label}: {system} against {baseline}")
        if components.rows:
            print_frame(components_frame(components))
        for line in (components.note, seeds_sentence(seeds, settings.paired) if seeds else ""):
            if line:
                print(f"  {line}")
        if made is None:
            print(f"  No plan. {why}")
            continue
        print(made.sentence(metric.label, 2 if made.difference >= 0.05 else 4))
        print_frame(plan_frame(made))
    return DONE


def add_plan_options(command: argparse.ArgumentParser) -> None:
    """Add the options that only ``plan`` has."""
    told = "the smallest difference that matters (default: 0.5 on a scale of 100)"
    command.add_argument("--difference", type=float, metavar="D", help=told)
    command.add_argument("--power", type=float, default=0.8, help="share of experiments that must find it (0.8)")
