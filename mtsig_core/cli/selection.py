"""What a call asks about: its experiment, and the test sets, metrics and systems that it chooses."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from mtsig_core.cli import output

if TYPE_CHECKING:
    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadReport
    from mtsig_core.metrics import Metric
    from mtsig_core.workbench.pair import Pair
    from mtsig_core.workbench.workbench import Workbench

SETTINGS = ("n_bootstrap", "n_permutations", "alpha", "seed", "margin")


def load_experiment(options: argparse.Namespace) -> tuple[Experiment, LoadReport]:
    """Return the experiment of a path, and the report of what was recognised."""
    from mtsig_core.loading import load

    loaded = load(options.path, encoding=options.encoding, progress=output.report_progress)
    output.clear_line()
    return loaded


def open_bench(options: argparse.Namespace) -> tuple[Workbench, list[Metric]]:
    """Return a workbench with the settings of a call, and its metrics; warnings go to stderr."""
    from mtsig_core.experiment.assumptions import in_few_lines
    from mtsig_core.metrics import default_metrics, metric_problems
    from mtsig_core.resampling import Settings
    from mtsig_core.runtime.optional import optional_hint
    from mtsig_core.workbench.workbench import Workbench

    experiment, report = load_experiment(options)
    for line in (*report.refused, *report.warnings):
        print(output.on_terminal(f"{line.kind}: {line.message}"), file=sys.stderr)
    for guess in in_few_lines(experiment.assumptions):
        print(output.on_terminal(f"assumed: {guess.message}"), file=sys.stderr)
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
    if not options.metric:
        _name_the_others(experiment, names)
    metrics = [
        bench.metric(name, tokenize=options.tokenize, lowercase=options.lowercase, language=options.language,
                     nfc=options.nfc)
        for name in names
    ]
    return bench, metrics


def _name_the_others(experiment: Experiment, shown: Collection[str]) -> None:
    """Name the metrics whose scores came with the experiment and which a call without ``--metric`` does not show."""
    from mtsig_core.loading.report import some
    from mtsig_core.metrics import available_metrics, metric_names

    of_text = metric_names() if experiment.has_text else ()
    others = [name for name in available_metrics(experiment) if name not in shown and name not in of_text]
    if others:
        output.remark(f"note: not shown: {some(others, 12)}. Ask with --metric NAME, once for each.")


def chosen_sets(options: argparse.Namespace, experiment: Experiment) -> list[str]:
    """Return the test set of a call, else all that have outputs or scores."""
    if options.test_set:
        return [experiment.test_set(options.test_set).name]
    return [t.name for t in experiment.test_sets if experiment.systems_present_on(t.name)]


def scored_sets(
    options: argparse.Namespace, bench: Workbench, metrics: Sequence[Metric], sets: Sequence[str]
) -> list[tuple[str, Metric]]:
    """Return the test sets with each metric that scores them; no tuning set, unless a call names it or all are."""
    scored = [(name, metric) for name in sets for metric in metrics if bench.can_score(name, metric)]
    if options.test_set:
        return scored
    return [(name, metric) for name, metric in scored if bench.experiment.test_set(name).role != "dev"] or scored


def chosen_pairs(options: argparse.Namespace) -> list[Pair]:
    """Return the two systems of a call on each test set and under each metric that scores both."""
    bench, metrics = open_bench(options)
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
    elif not others:
        raise ValueError(f"There is one system, {baseline!r}: add another one to PATH to compare them.")
    else:
        raise ValueError(f"Say which system to compare with {baseline!r}: --system, one of {', '.join(others)}.")
    if system == baseline:
        raise ValueError(f"--baseline and --system are both {system!r}; choose two systems.")
    return baseline, system


def about(pair: Pair) -> dict[str, str]:
    """Return what the rows of a pair's tables are about, for CSV."""
    return {"test set": pair.test_set, "metric": pair.metric.label, "A": pair.a, "B": pair.b}


def notes_of(
    bench: Workbench, chosen: Sequence[tuple[str, Metric]], *, own_segments: bool = False
) -> list[str]:
    """Return the remarks on the numbers of these test sets and metrics."""
    return [note for name, m in chosen for note in bench.notes([name], [m], own_segments=own_segments)]


def notes_of_pairs(pairs: Sequence[Pair]) -> list[str]:
    """Return what each pair leaves out, and because of which replica."""
    return [
        f"{pair.metric.label} on {pair.test_set}: {sentence}"
        for pair in pairs
        for sentence in pair.basis(settings=pair.bench.settings).sentences()
    ]
