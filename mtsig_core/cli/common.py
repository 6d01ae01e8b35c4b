"""What the commands share: opening what is asked about, and telling people or programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadReport
    from mtsig_core.metrics import Metric
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench.workbench import Workbench


def load_experiment(options: argparse.Namespace) -> tuple[Experiment, LoadReport]:
    """Return what a path holds, and the report of how it was read."""
    from mtsig_core.loading import load

    return load(options.path, encoding=options.encoding, progress=report_progress)


def open_bench(options: argparse.Namespace) -> tuple[Workbench, Settings, list[Metric]]:
    """Return a workbench, the settings and the metrics that a call asks for; warnings go to stderr."""
    from mtsig_core.metrics import choose_metric, default_metrics, default_tokenizer, metric_problems, target_language
    from mtsig_core.resampling import Settings
    from mtsig_core.runtime.optional import optional_hint
    from mtsig_core.workbench.workbench import Workbench

    experiment, report = load_experiment(options)
    clear_line()
    for line in (*report.refused, *report.warnings):
        print(f"{line.kind}: {line.message}", file=sys.stderr)
    for problem in metric_problems():
        print(f"warning: {problem}", file=sys.stderr)
    if hint := optional_hint("numba"):
        print(f"note: {hint}", file=sys.stderr)
    tokenize = options.tokenize or experiment.tokenizer
    language = options.language
    if experiment.has_text:
        language = language or target_language(experiment).value or None
        tokenize = tokenize or default_tokenizer(experiment, options.language).value
    # one default metric keeps the answer short: BLEU where there is text
    names = dict.fromkeys(options.metric or default_metrics(experiment)[: 1 if experiment.has_text else None])
    words = {"tokenize": tokenize, "lowercase": options.lowercase, "language": language, "nfc": options.nfc}
    metrics = [choose_metric(experiment, name, **words) for name in names]
    draws = {k: getattr(options, k) for k in ("n_bootstrap", "n_permutations", "alpha", "seed") if hasattr(options, k)}
    assumed = {
        "paired": getattr(options, "paired", False) or experiment.paired,
        "assume_equal_variation": getattr(options, "assume_equal_variation", False),
    }
    settings = Settings(**draws, **assumed)
    return Workbench(experiment), settings, metrics


def sets_asked(options: argparse.Namespace, experiment: Experiment, both: Sequence[str] = ()) -> list[str]:
    """Return the test set asked for, else all of them; in a comparison those that are not for tuning."""
    if options.test_set:
        return [experiment.test_set(options.test_set).name]
    names = [t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)]
    if not both:
        return names
    shared = [n for n in names if set(both) <= {s.name for s in experiment.systems_present_on(n)}]
    if not shared:
        raise ValueError(f"No test set has outputs of both {both[0]!r} and {both[1]!r}.")
    return [n for n in shared if experiment.test_set(n).role != "dev"] or shared


def questions_asked(
    options: argparse.Namespace, bench: Workbench, metrics: Sequence[Metric], both: tuple[str, str]
) -> list[tuple[str, Metric]]:
    """Return the test sets and metrics that a comparison can be made on."""
    sets = sets_asked(options, bench.experiment, both=both)
    possible = [(name, metric) for name in sets for metric in metrics if bench.can_score(name, metric, *both)]
    if not possible:
        labels = ", ".join(metric.label for metric in metrics)
        raise ValueError(f"{labels} cannot score both {both[0]!r} and {both[1]!r} on {', '.join(sets)}.")
    return possible


def pair_asked(options: argparse.Namespace, experiment: Experiment) -> tuple[str, str]:
    """Return baseline and system, by default the experiment's baseline and the only other system."""
    baseline = experiment.system(options.baseline or experiment.baseline).name
    others = [s.name for s in experiment.systems if s.name != baseline]
    if options.system:
        system = experiment.system(options.system).name
    elif len(others) == 1:
        system = others[0]
    else:
        known = ", ".join(others) or "none"
        raise ValueError(f"Say which system to compare with {baseline!r}: --system, one of {known}.")
    if system == baseline:
        raise ValueError(f"--baseline and --system are both {system!r}; choose two systems.")
    return baseline, system


def notes_of(bench: Workbench, asked: Sequence[tuple[str, Metric]]) -> list[str]:
    """Return what to know of the numbers of these test sets and metrics."""
    return [note for name, metric in asked for note in bench.notes([name], [metric])]


def print_notes(bench: Workbench, sets: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Print what to know of the numbers."""
    for note in bench.notes(sets, metrics):
        print(f"  {note}")


def use_scheduler(options: argparse.Namespace) -> str:
    """Take the scheduler that a call or the environment names; say, and return, why it cannot be used."""
    from mtsig_core.runtime import cluster

    cluster.use(getattr(options, "scheduler", None))
    if hasattr(options, "scheduler"):
        cluster.cluster()
    return tell_cluster_problem()


def tell_cluster_problem(told: str = "") -> str:
    """Say why the cluster is not used, unless that was told already; return it."""
    from mtsig_core.runtime import cluster

    problem = cluster.problem()
    if problem and problem != told:
        clear_line()
        print(f"warning: {problem}", file=sys.stderr)
    return problem


def report_progress(fraction: float, what: str = "") -> None:
    """Show progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{fraction:4.0%} {what}", end="", file=sys.stderr, flush=True)


def clear_line() -> None:
    """Remove the line of progress."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def print_json(document: dict) -> None:
    """Print a document for programs."""
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def print_frame(frame: pd.DataFrame) -> None:
    """Print a table for people."""
    print(frame.to_string(index=False, float_format=lambda x: f"{x:.4g}" if abs(x) < 10 else f"{x:.2f}", na_rep="—"))
