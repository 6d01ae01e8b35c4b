"""The commands ``metrics`` and ``comet``: what metrics there are, and scores by COMET."""

from __future__ import annotations

import argparse
from pathlib import Path

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, Command, test_set_option


def list_metrics(options: argparse.Namespace) -> int:
    """Print every metric of text: name, direction, scale, what it measures and what it is bad at."""
    import pandas as pd

    from mtsig_core.metrics import get_metric, metric_names, metric_problems

    metrics = [get_metric(name) for name in metric_names()]
    if options.json:
        described = [metric.description() for metric in metrics]
        output.print_json({"metrics": described, "warnings": list(metric_problems())})
        return DONE
    if not output.is_for_people():
        output.print_frame(pd.DataFrame([metric.description() for metric in metrics]))
        return DONE
    for metric in metrics:
        output.say(f"{metric.name}: {metric.label}; {metric.direction}; {metric.scale}")
        output.say(f"  {metric.explanation} Bad at: {metric.weakness}")
    return DONE


def write_comet(options: argparse.Namespace) -> int:
    """Score all outputs by COMET and write a table that loads beside the text."""
    from mtsig_core.metrics.outside.comet import CometOptions, comet_scores

    experiment, _ = selection.load_experiment(options)
    how = CometOptions(options.name, options.batch_size, options.gpus)
    sets = selection.chosen_sets(options, experiment)
    frame = comet_scores(experiment, sets, options.model, how, progress=output.report_progress)
    output.clear_line()
    file = Path(options.output)
    file.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(file, index=False, encoding="utf-8")
    if options.json:
        means = frame.groupby(["test_set", "system", "replica"], sort=False)["score"].mean().reset_index()
        output.print_json({"output": str(file), "metric": options.name, "rows": means.to_dict("records")})
    else:
        if not output.is_for_people():
            output.print_list("file", [str(file)])
        output.say(f"{file}: {len(frame):,} scores of {options.name}. Put it into the run folder, or open it alone.")
    return DONE


def _comet_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, metavar="PATH", help="the checkpoint, or the folder that holds it")
    parser.add_argument("--output", required=True, metavar="FILE.csv", help="the score table to write")
    parser.add_argument("--name", default="COMET", help="name of the metric (default COMET)")
    parser.add_argument("--batch-size", type=int, default=8, metavar="N", help="segments at a time (default 8)")
    parser.add_argument("--gpus", type=int, default=0, metavar="N", help="number of graphics processors (default 0)")


LISTING = Command("metrics", "what each metric of text measures, and what it is bad at", list_metrics, path="")
COMET = Command(
    "comet", "write segment scores by unbabel-comet, if it is installed with a model on disk; downloads nothing",
    write_comet, (test_set_option,), _comet_options, path="a run folder with source text, or a zip or tar of one",
)
