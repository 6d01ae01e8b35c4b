"""Commands about metrics: what there is, and scores by COMET."""

from __future__ import annotations

import argparse
from pathlib import Path

from mtsig_core.cli.common import clear_line, load_experiment, print_json, report_progress, sets_asked

DONE = 0


def list_metrics(options: argparse.Namespace) -> int:
    """Print every metric of text: name, direction, scale, what it measures and what it is bad at."""
    from textwrap import fill

    from mtsig_core.metrics import get_metric, metric_names, metric_problems

    metrics = [get_metric(name) for name in metric_names()]
    if options.json:
        print_json({"metrics": [metric.description() for metric in metrics], "warnings": list(metric_problems())})
        return DONE
    for metric in metrics:
        print(f"{metric.name}: {metric.label}; {metric.direction}; {metric.scale}")
        print(fill(f"{metric.explanation} Bad at: {metric.weakness}", 100, initial_indent="  ", subsequent_indent="  "))
    return DONE


def write_comet(options: argparse.Namespace) -> int:
    """Score all outputs by COMET and write a table that loads beside the text."""
    from mtsig_core.metrics.outside.comet import CometOptions, comet_scores

    experiment, _ = load_experiment(options)
    clear_line()
    how = CometOptions(options.name, options.batch_size, options.gpus)
    frame = comet_scores(experiment, sets_asked(options, experiment), options.model, how, progress=report_progress)
    clear_line()
    output = Path(options.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(output, index=False, encoding="utf-8")
    if options.json:
        means = frame.groupby(["test_set", "system", "replica"], sort=False)["score"].mean().reset_index()
        print_json({"output": str(output), "metric": options.name, "rows": means.to_dict("records")})
    else:
        print(f"{output}: {len(frame):,} scores of {options.name}. Put it into the run folder, or open it alone.")
    return DONE


def add_commands(commands: argparse._SubParsersAction) -> None:
    """Add the commands ``metrics`` and ``comet``."""
    listing = commands.add_parser("metrics", help="what each metric of text measures, and what it is bad at")
    listing.add_argument("--json", action="store_true", help="print one JSON document")
    listing.set_defaults(run=list_metrics)
    told = "write segment scores by unbabel-comet, where it is installed with a model on disk"
    comet = commands.add_parser("comet", help=told, description=f"{told.capitalize()}. Nothing is downloaded.")
    comet.add_argument("path", metavar="PATH", help="a run folder with source text, or a zip or tar of one")
    comet.add_argument("--model", required=True, metavar="PATH", help="the checkpoint, or the folder it is in")
    comet.add_argument("--output", required=True, metavar="FILE.csv", help="the score table to write")
    comet.add_argument("--name", default="COMET", help="what the metric is called (default COMET)")
    comet.add_argument("--test-set", metavar="NAME", help="only this test set")
    comet.add_argument("--batch-size", type=int, default=8, metavar="N", help="segments at a time (default 8)")
    comet.add_argument("--gpus", type=int, default=0, metavar="N", help="graphics processors (default 0)")
    comet.add_argument("--json", action="store_true", help="print one JSON document")
    comet.add_argument("--encoding", help="read files that are not UTF-8 as this (latin-1, cp1252)")
    comet.set_defaults(run=write_comet)
