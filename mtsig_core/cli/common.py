"""What the commands share: the experiment they are asked about, messages, and output for people or programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadReport
    from mtsig_core.metrics import Metric
    from mtsig_core.workbench.pair import Pair
    from mtsig_core.workbench.workbench import Workbench

SCHEMA = 2  # of every JSON document: raise it when a key changes its meaning or its place
SETTINGS = ("n_bootstrap", "n_permutations", "alpha", "seed", "margin")


def load_experiment(options: argparse.Namespace) -> tuple[Experiment, LoadReport]:
    """Return the experiment of a path, and the report of what was recognised."""
    from mtsig_core.loading import load

    loaded = load(options.path, encoding=options.encoding, progress=report_progress)
    clear_line()
    return loaded


def open_bench(options: argparse.Namespace) -> tuple[Workbench, list[Metric]]:
    """Return a workbench with the settings of a call, and its metrics; warnings go to stderr."""
    from mtsig_core.metrics import default_metrics, metric_problems
    from mtsig_core.resampling import Settings
    from mtsig_core.runtime.optional import optional_hint
    from mtsig_core.workbench.workbench import Workbench

    experiment, report = load_experiment(options)
    for line in (*report.refused, *report.warnings):
        print(f"{line.kind}: {line.message}", file=sys.stderr)
    for problem in metric_problems():
        print(f"warning: {problem}", file=sys.stderr)
    if hint := optional_hint("numba"):
        print(f"note: {hint}", file=sys.stderr)
    settings = Settings(
        **{name: getattr(options, name) for name in SETTINGS if hasattr(options, name)},
        paired=getattr(options, "paired", False) or experiment.paired,
        assume_equal_variation=getattr(options, "assume_equal_variation", False),
        replicas_are=getattr(options, "replicas_are", None) or experiment.replicas_are,
    )
    bench = Workbench(experiment, settings=settings)
    # one default metric keeps the output short: BLEU where there is text
    names = dict.fromkeys(options.metric or default_metrics(experiment)[: 1 if experiment.has_text else None])
    metrics = [
        bench.metric(name, tokenize=options.tokenize, lowercase=options.lowercase, language=options.language,
                     nfc=options.nfc)
        for name in names
    ]
    return bench, metrics


def chosen_sets(options: argparse.Namespace, experiment: Experiment) -> list[str]:
    """Return the test set of a call, else all that have outputs or scores."""
    if options.test_set:
        return [experiment.test_set(options.test_set).name]
    return [t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)]


def without_tuning_sets(
    options: argparse.Namespace, experiment: Experiment, chosen: list[tuple[str, Metric]]
) -> list[tuple[str, Metric]]:
    """Return test sets and metrics without tuning sets, unless a call names one or there is no other."""
    if options.test_set:
        return chosen
    return [(name, m) for name, m in chosen if experiment.test_set(name).role != "dev"] or chosen


def chosen_pairs(options: argparse.Namespace, bench: Workbench, metrics: Sequence[Metric]) -> list[Pair]:
    """Return the two systems of a call on each test set and under each metric that scores both."""
    experiment = bench.experiment
    a, b = chosen_systems(options, experiment)
    if options.test_set:
        sets = [experiment.test_set(options.test_set).name]
    else:
        shared = [
            t.name for t in experiment.test_sets if {a, b} <= {s.name for s in experiment.systems_present_on(t.name)}
        ]
        if not shared:
            raise ValueError(f"No test set has outputs of both {a!r} and {b!r}.")
        sets = [name for name in shared if experiment.test_set(name).role != "dev"] or shared
    pairs = [
        bench.pair(name, metric, a, b) for name in sets for metric in metrics if bench.can_score(name, metric, a, b)
    ]
    if not pairs:
        labels = ", ".join(metric.label for metric in metrics)
        raise ValueError(f"{labels} cannot score both {a!r} and {b!r} on {', '.join(sets)}.")
    return pairs


def chosen_systems(options: argparse.Namespace, experiment: Experiment) -> tuple[str, str]:
    """Return baseline and system, by default the experiment's baseline and the only other system."""
    baseline = experiment.system(options.baseline or experiment.baseline).name
    others = [s.name for s in experiment.systems if s.name != baseline]
    if options.system:
        system = experiment.system(options.system).name
    elif len(others) == 1:
        system = others[0]
    else:
        names = ", ".join(others) or "none"
        raise ValueError(f"Say which system to compare with {baseline!r}: --system, one of {names}.")
    if system == baseline:
        raise ValueError(f"--baseline and --system are both {system!r}; choose two systems.")
    return baseline, system


def notes_of(bench: Workbench, chosen: Sequence[tuple[str, Metric]]) -> list[str]:
    """Return the remarks on the numbers of these test sets and metrics."""
    return [note for name, metric in chosen for note in bench.notes([name], [metric])]


def notes_of_pairs(pairs: Sequence[Pair]) -> list[str]:
    """Return what each pair leaves out, and because of which replica."""
    return [
        f"{pair.metric.label} on {pair.test_set}: {sentence}"
        for pair in pairs
        for sentence in pair.basis(settings=pair.bench.settings).sentences()
    ]


def use_scheduler(options: argparse.Namespace) -> str:
    """Use the scheduler that a call or the environment names; print, and return, why it cannot be used."""
    from mtsig_core.runtime import cluster

    cluster.use(getattr(options, "scheduler", None))
    if hasattr(options, "scheduler"):
        cluster.cluster()
    return print_cluster_problem()


def print_cluster_problem(printed: str = "") -> str:
    """Print why the cluster is not used, unless that was printed already; return it."""
    from mtsig_core.runtime import cluster

    problem = cluster.problem()
    if problem and problem != printed:
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
    """Print a document for programs, the number of its schema first."""
    print(json.dumps({"schema": SCHEMA, **document}, ensure_ascii=False, indent=2, allow_nan=False))


def print_frame(frame: pd.DataFrame) -> None:
    """Print a table for people."""
    print(frame.to_string(index=False, float_format=lambda x: f"{x:.4g}" if abs(x) < 10 else f"{x:.2f}", na_rep="—"))


def print_origin(bench: Workbench, test_set: str, metric: Metric) -> None:
    """Print what a number rests on: the metric's signature, which names tokenizer and case, and what varied."""
    from mtsig_core.experiment.varied import get_varied

    varied = get_varied(bench.settings.replicas_are).label
    print(f"  signature: {bench.signature(test_set, metric)}; replicas differ by: {varied}")


def print_lines(lines: Iterable[str]) -> None:
    """Print remarks, indented; empty ones are left out."""
    for line in filter(None, lines):
        print(f"  {line}")
