"""The command line: each command shows what a page shows, for people or (``--json``) for programs.

Imports that cost time stand in the commands that need them: ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadReport
    from mtsig_core.metrics import Metric
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench import Workbench

DONE, FAILED_CHECK, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0 done, 1 a check asked for failed, 2 bad input or usage."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except BrokenPipeError:  # the reader of our output (head, less) has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, OSError) as error:
        _clear_line()
        print(f"mtsig: {_one_line(error)}", file=sys.stderr)
        return BAD_INPUT


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


# --- options ---------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """Tells what is wrong with a call in one line, as every other error is told."""

    def error(self, message: str) -> NoReturn:
        command = self.prog.replace("mtsig", "python -m mtsig_core", 1)
        self.exit(BAD_INPUT, f"mtsig: {' '.join(message.split())}. For help: {command} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mtsig", description="Is one system really better when every run gives another result?"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _command(commands, "check", _check, "say what is recognised in a run folder, and what is wrong with it")
    table = _command(commands, "table", _table, "Table 1: average, s_sel, s_dev and s_test of every system")
    compare = _command(commands, "compare", _compare, "is a system better than the baseline?")
    more = _command(commands, "replication", _replication, "the difference against the number of replicas")
    median = _command(commands, "median", _median, "which replica to read")
    pairs = _command(commands, "pairs", _pairs, "every pair of systems: p, corrected p, overlap, clusters of ranks")
    for command in (table, compare, more, median, pairs):
        _metric_options(command)
    for command in (table, compare, more, pairs):
        command.add_argument("--test-set", metavar="NAME", help="only this test set")
        _draw_options(command)
    for command in (compare, more):
        command.add_argument("--baseline", metavar="A", help="the system to compare with (default: the experiment's)")
        command.add_argument("--system", metavar="B", help="the system to compare (default: the only other one)")
    compare.add_argument("--preset", action="append", metavar="NAME", help="only this test (may be repeated)")
    compare.add_argument("--fail-if-worse", action="store_true", help="exit with 1 when the system is found worse")
    more.add_argument("--replicas", type=_positive, action="append", metavar="N", help="look at N replicas; repeatable")
    more.add_argument("--p-values", action="store_true", help="also p of drawn experiments with n replicas (slower)")
    pairs.add_argument("--preset", metavar="NAME", help="the test (default: crossed where replicas allow it)")
    median.add_argument("--select-on", metavar="SET", help="the test set that chooses (default: the first)")
    return parser


def _command(
    commands: argparse._SubParsersAction, name: str, run: object, help_text: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
    command.add_argument("path", metavar="PATH", help="a run folder, or a zip or tar of one")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--encoding", help="read files that are not UTF-8 as this (latin-1, cp1252)")
    command.set_defaults(run=run)
    return command


def _metric_options(command: argparse.ArgumentParser) -> None:
    told = "bleu (default), chrf, ..., or the name of one whose scores are in files; repeatable"
    command.add_argument("--metric", action="append", metavar="NAME", help=told)
    command.add_argument("--tokenize", metavar="T", help="sacreBLEU's tokenizer for BLEU (default 13a)")
    command.add_argument("--lowercase", action="store_true", help="ignore case")


def _draw_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_natural, default=12345, help="seed of all draws (default 12345)")
    command.add_argument("--resamples", type=_positive, default=1000, metavar="B", help="bootstrap draws (1000)")
    command.add_argument("--shuffles", type=_positive, default=10000, metavar="R", help="shuffles (default 10000)")
    command.add_argument("--alpha", type=float, default=0.05, help="level of tests (default 0.05)")
    command.add_argument("--paired", action="store_true", help="replicas of equal index share a seed")


def _positive(text: str) -> int:
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more; not {value}")
    return value


def _natural(text: str) -> int:
    value = _whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be 0 or more; not {value}")
    return value


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; not {text!r}") from None


# --- commands --------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    from mtsig_core.loading import LoadError
    from mtsig_core.reports.documents import check_document
    from mtsig_core.words import count

    try:
        experiment, report = _load(options)
    except LoadError as error:
        if not options.json:
            raise
        _print_json(check_document(None, error.report, error=error))
        return BAD_INPUT
    if options.json:
        _print_json(check_document(experiment, report))
        return DONE
    print(f"{experiment.name}: recognised as {report.layout}; digest {experiment.digest[:12]}")
    for test_set in experiment.test_sets:
        references = count(len(test_set.references), "reference") if test_set.references else "no reference"
        size = f"{count(test_set.n_segments, 'segment')}, {references}"
        print(f"  test set {test_set.name} ({test_set.role}): {size}")
    for system in experiment.systems:
        print(f"  system {system.name}: {count(len(system.replicas), 'replica')}")
    for name, higher in experiment.outside_metrics.items():
        print(f"  scores of {name}: {'higher' if higher else 'lower'} is better")
    for line in report.lines:
        print(f"  {line.kind}: {line.message}")
    return DONE


def _table(options: argparse.Namespace) -> int:
    from mtsig_core.reports.documents import table_document
    from mtsig_core.reports.tables import table1_frame

    bench, settings, metrics = _bench(options)
    sets = _sets(options, bench.experiment)
    table = bench.table(sets, metrics, settings, _report_progress)
    _clear_line()
    if options.json:
        _print_json(table_document(table, settings, bench.experiment, bench.notes(sets, metrics)))
    else:
        _print_frame(table1_frame(table))
        for reason in table.reasons:
            print(f"— {reason}")
        _print_notes(bench, sets, metrics)
    return DONE


def _compare(options: argparse.Namespace) -> int:
    from mtsig_core.reports.documents import compare_document
    from mtsig_core.reports.tables import p_value_table

    bench, settings, metrics = _bench(options)
    baseline, system = _pair(options, bench.experiment)
    asked = _questions(options, bench, metrics, (baseline, system))
    found = [
        bench.compare(name, metric, baseline, system, settings, presets=options.preset, progress=_report_progress)
        for name, metric in asked
    ]
    _clear_line()
    if options.json:
        _print_json(compare_document(found, settings, bench.experiment, _notes(bench, asked)))
    else:
        for comparison, (name, metric) in zip(found, asked, strict=True):
            print(f"{comparison.test_set}, {comparison.label}: {comparison.verdict.headline}")
            for detail in comparison.verdict.details:
                print(f"  - {detail}")
            _print_frame(p_value_table([comparison]).drop(columns="note"))
            _print_notes(bench, [name], [metric])
    worse = any(comparison.verdict.level == "worse" for comparison in found)
    return FAILED_CHECK if options.fail_if_worse and worse else DONE


def _pairs(options: argparse.Namespace) -> int:
    from mtsig_core.questions import ask_all_pairs
    from mtsig_core.reports.pair_documents import pairs_document

    bench, settings, metrics = _bench(options)
    sets = _sets(options, bench.experiment)
    comparable = [name for name in sets if len(bench.experiment.systems_present_on(name)) > 1] or sets
    asked = [(name, m) for name in comparable for m in metrics if bench.can_score(name, m)]
    if not options.test_set:
        asked = [(name, m) for name, m in asked if bench.experiment.test_set(name).role != "dev"] or asked
    found = [
        ask_all_pairs(bench, name, metric, settings, preset=options.preset, progress=_report_progress)
        for name, metric in asked
    ]
    _clear_line()
    if options.json:
        _print_json(pairs_document(found, settings, bench.experiment, _notes(bench, asked)))
        return DONE
    for pairs, (name, metric) in zip(found, asked, strict=True):
        print(f"{name}, {metric.label}: {pairs.preset_label} ({pairs.question})")
        _print_frame(pairs.to_frame())
        _print_frame(pairs.rank_frame())
        _print_notes(bench, [name], [metric])
    return DONE


def _replication(options: argparse.Namespace) -> int:
    from mtsig_core.questions import Where, ask_replicated_p
    from mtsig_core.reports.documents import replication_document
    from mtsig_core.reports.pair_documents import p_by_n_rows

    bench, settings, metrics = _bench(options)
    baseline, system = _pair(options, bench.experiment)
    asked = _questions(options, bench, metrics, (baseline, system))
    found = [
        (name, metric, bench.replication(name, metric, baseline, system, settings, ns=options.replicas))
        for name, metric in asked
    ]
    by_n = {}
    if options.p_values:
        by_n = {
            (name, metric.name): ask_replicated_p(
                Where(bench, name, metric, baseline, system), settings, ns=options.replicas, progress=_report_progress
            )
            for name, metric in asked
        }
    _clear_line()
    if options.json:
        results = [(name, metric.name, result) for name, metric, result in found]
        told = replication_document(results, settings, bench.experiment, _notes(bench, asked))
        if options.p_values:
            told["p_by_n"] = [row for where, p in by_n.items() for row in p_by_n_rows(*where, p)]
        _print_json(told)
        return DONE
    for name, metric, result in found:
        print(f"{name}, {metric.label}: {system} against {baseline}")
        _print_frame(result.to_frame())
        if options.p_values:
            _print_frame(by_n[name, metric.name].to_frame())
        if result.note:
            print(f"  {result.note}")
        _print_notes(bench, [name], [metric])
    return DONE


def _median(options: argparse.Namespace) -> int:
    from mtsig_core.reports.documents import median_document
    from mtsig_core.words import format_score, score_decimals

    bench, _, metrics = _bench(options)
    scored = [t.name for t in bench.experiment.test_sets if bench.can_score(t.name, metrics[0])]
    chosen = options.select_on or next(iter(scored), bench.experiment.test_sets[0].name)
    medians = bench.medians(chosen, metrics, progress=_report_progress)
    _clear_line()
    if options.json:
        notes = bench.notes([chosen], metrics)
        _print_json(median_document(medians, chosen, metrics, bench.experiment, notes))
        return DONE
    for system, (median, ranks) in medians.items():
        score = f"{metrics[0].label} {format_score(median.score, score_decimals(ranks.scores[:, 0]))} on {chosen}"
        print(f"{system}: read {median.replica} ({score}). {median.note}".rstrip())
        if len(metrics) > 1:
            _print_frame(ranks.to_frame())
    _print_notes(bench, [chosen], metrics)
    return DONE


# --- shared ----------------------------------------------------------------------------------------------------


def _load(options: argparse.Namespace) -> tuple[Experiment, LoadReport]:
    from mtsig_core.loading import load

    return load(options.path, encoding=options.encoding, progress=_report_progress)


def _bench(options: argparse.Namespace) -> tuple[Workbench, Settings, list[Metric]]:
    from mtsig_core.metrics import choose_metric, default_metrics
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench import Workbench

    experiment, report = _load(options)
    _clear_line()
    for line in (*report.refused, *report.warnings):
        print(f"{line.kind}: {line.message}", file=sys.stderr)
    tokenize = options.tokenize or experiment.tokenizer
    # one default metric keeps the answer short: BLEU where there is text
    names = dict.fromkeys(options.metric or default_metrics(experiment)[: 1 if experiment.has_text else None])
    metrics = [choose_metric(experiment, name, tokenize=tokenize, lowercase=options.lowercase) for name in names]
    draws = {k: getattr(options, k) for k in ("resamples", "shuffles", "alpha", "seed") if hasattr(options, k)}
    settings = Settings(**draws, paired=getattr(options, "paired", False) or experiment.paired)
    return Workbench(experiment), settings, metrics


def _sets(options: argparse.Namespace, experiment: Experiment, both: Sequence[str] = ()) -> list[str]:
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


def _questions(
    options: argparse.Namespace, bench: Workbench, metrics: Sequence[Metric], both: tuple[str, str]
) -> list[tuple[str, Metric]]:
    """Return the test sets and metrics that a comparison can be made on."""
    sets = _sets(options, bench.experiment, both=both)
    possible = [(name, metric) for name in sets for metric in metrics if bench.can_score(name, metric, *both)]
    if not possible:
        labels = ", ".join(metric.label for metric in metrics)
        raise ValueError(f"{labels} cannot score both {both[0]!r} and {both[1]!r} on {', '.join(sets)}.")
    return possible


def _pair(options: argparse.Namespace, experiment: Experiment) -> tuple[str, str]:
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


def _notes(bench: Workbench, asked: Sequence[tuple[str, Metric]]) -> list[str]:
    return [note for name, metric in asked for note in bench.notes([name], [metric])]


def _print_notes(bench: Workbench, sets: Sequence[str], metrics: Sequence[Metric]) -> None:
    for note in bench.notes(sets, metrics):
        print(f"  {note}")


def _report_progress(fraction: float, what: str = "") -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{fraction:4.0%} {what}", end="", file=sys.stderr, flush=True)


def _clear_line() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _print_json(document: dict) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def _print_frame(frame: pd.DataFrame) -> None:
    print(frame.to_string(index=False, float_format=lambda x: f"{x:.4g}" if abs(x) < 10 else f"{x:.2f}", na_rep="—"))
