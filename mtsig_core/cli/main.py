"""The command line: each command shows what a page shows, for people or (``--json``) for programs.

Imports that cost time stand in the commands that need them: ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from mtsig_core.cli.app import add_app_command
from mtsig_core.cli.common import (
    clear_line,
    load_experiment,
    notes_of,
    open_bench,
    pair_asked,
    print_frame,
    print_json,
    print_notes,
    questions_asked,
    report_progress,
    sets_asked,
    tell_cluster_problem,
    use_scheduler,
)
from mtsig_core.cli.differences import add_differ_options, tell_differences
from mtsig_core.cli.metrics import add_commands
from mtsig_core.cli.planner import add_plan_options, make_plan
from mtsig_core.cli.segments import add_reading_commands

DONE, FAILED_CHECK, BAD_INPUT = 0, 1, 2
MOST_LOTTERY_SHUFFLES = 1000  # of each pair of replicas: there are many pairs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0 done, 1 a check asked for failed, 2 bad input or usage."""
    options = _parser().parse_args(arguments)
    try:
        told = use_scheduler(options)
        status = options.run(options)
        tell_cluster_problem(told)
        return status
    except BrokenPipeError:  # the reader of our output (head, less) has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, OSError) as error:
        clear_line()
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
    trust = _command(commands, "calibrate", _calibrate, "can the tests be trusted with these replicas?")
    planned = _command(commands, "plan", make_plan, "how many replicas and segments does a difference take?")
    add_plan_options(planned)
    differ = _command(commands, "differ", tell_differences, "where do they differ? by kind of segment and edit")
    add_differ_options(differ)
    add_commands(commands)
    add_app_command(commands)
    for command in (table, compare, more, median, pairs, trust, planned, differ, *add_reading_commands(commands)):
        _metric_options(command)
    for command in (table, compare, more, pairs, trust, planned, differ):
        command.add_argument("--test-set", metavar="NAME", help="only this test set")
        _draw_options(command)
    for command in (compare, more, planned, differ):
        command.add_argument("--baseline", metavar="A", help="the system to compare with (default: the experiment's)")
        command.add_argument("--system", metavar="B", help="the system to compare (default: the only other one)")
    compare.add_argument("--preset", action="append", metavar="NAME", help="only this test (may be repeated)")
    compare.add_argument("--fail-if-worse", action="store_true", help="exit with 1 when the system is found worse")
    more.add_argument("--replicas", type=_positive, action="append", metavar="N", help="look at N replicas; repeatable")
    more.add_argument("--p-values", action="store_true", help="also p of drawn experiments with n replicas (slower)")
    pairs.add_argument("--preset", metavar="NAME", help="the test (default: crossed where replicas allow it)")
    trust.add_argument("--system", metavar="NAME", help="calibrate only this system (default: all)")
    trust.add_argument("--baseline", metavar="A", help="set other systems against this one (default: the experiment's)")
    trust.add_argument("--preset", action="append", metavar="NAME", help="calibrate this test (may be repeated)")
    median.add_argument("--select-on", metavar="SET", help="the test set that chooses (default: the first)")
    return parser


def _command(
    commands: argparse._SubParsersAction, name: str, run: object, help_text: str
) -> argparse.ArgumentParser:
    told = help_text.capitalize() + ("" if help_text.endswith("?") else ".")
    command = commands.add_parser(name, help=help_text, description=told)
    command.add_argument("path", metavar="PATH", help="a run folder, or a zip or tar of one")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--encoding", help="read files that are not UTF-8 as this (latin-1, cp1252)")
    command.set_defaults(run=run)
    return command


def _metric_options(command: argparse.ArgumentParser) -> None:
    told = "bleu (default), chrf, ..., or the name of one whose scores are in files; repeatable"
    command.add_argument("--metric", action="append", metavar="NAME", help=told)
    told = "sacreBLEU's tokenizer for metrics of words (default: what suits the target language, else 13a)"
    command.add_argument("--tokenize", metavar="T", help=told)
    command.add_argument("--lowercase", action="store_true", help="ignore case")
    command.add_argument("--language", metavar="CODE", help="target language, as in zh (default: recognised)")
    command.add_argument("--nfc", action="store_true", help="compare text in Unicode's normal form C")
    told = "let the workers of a Dask scheduler compute (default: MTSIG_SCHEDULER, else this machine alone)"
    command.add_argument("--scheduler", metavar="tcp://HOST:PORT", help=told)


def _draw_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_natural, default=12345, help="seed of all draws (default 12345)")
    command.add_argument(
        "--resamples", dest="n_bootstrap", type=_positive, default=1000, metavar="B", help="bootstrap draws (1000)"
    )
    command.add_argument(
        "--shuffles", dest="n_permutations", type=_positive, default=10000, metavar="R", help="shuffles (default 10000)"
    )
    command.add_argument("--alpha", type=float, default=0.05, help="level of tests (default 0.05)")
    command.add_argument("--paired", action="store_true", help="replicas of equal index share a seed")
    alike = "where one system has one replica: assume that its replicas vary as the other's (cannot be tested)"
    command.add_argument("--assume-equal-variation", action="store_true", help=alike)


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
    from mtsig_core.formatting import count
    from mtsig_core.loading import LoadError
    from mtsig_core.reports.documents import check_document

    try:
        experiment, report = load_experiment(options)
    except LoadError as error:
        if not options.json:
            raise
        print_json(check_document(None, error.report, error=error))
        return BAD_INPUT
    if options.json:
        print_json(check_document(experiment, report))
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

    bench, settings, metrics = open_bench(options)
    sets = sets_asked(options, bench.experiment)
    table = bench.table(sets, metrics, settings, report_progress)
    clear_line()
    if options.json:
        print_json(table_document(table, settings, bench.experiment, bench.notes(sets, metrics)))
    else:
        print_frame(table1_frame(table))
        for reason in table.reasons:
            print(f"— {reason}")
        print_notes(bench, sets, metrics)
    return DONE


def _compare(options: argparse.Namespace) -> int:
    from mtsig_core.reports.documents import compare_document
    from mtsig_core.reports.effect import combined_document, combined_lines, effect_document, effect_lines
    from mtsig_core.reports.tables import p_value_table
    from mtsig_core.workbench.effects import ask_all_combined, ask_effect
    from mtsig_core.workbench.pair import Where

    bench, settings, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    asked = questions_asked(options, bench, metrics, (baseline, system))
    found = [
        bench.compare(name, metric, baseline, system, settings, presets=options.preset, progress=report_progress)
        for name, metric in asked
    ]
    effects = [ask_effect(Where(bench, name, metric, baseline, system), settings) for name, metric in asked]
    over, reasons = ask_all_combined(bench, asked, baseline, system, settings)
    clear_line()
    if options.json:
        told = compare_document(found, settings, bench.experiment, [*notes_of(bench, asked), *reasons])
        for result, one in zip(told["results"], effects, strict=True):
            result.update(effect_document(one))
        told["combined"] = [combined_document(one) for one in over]
        print_json(told)
    else:
        for comparison, one, (name, metric) in zip(found, effects, asked, strict=True):
            print(f"{comparison.test_set}, {comparison.label}: {comparison.verdict.headline}")
            for detail in comparison.verdict.details:
                print(f"  - {detail}")
            for line in effect_lines(one):
                print(f"  - {line}")
            print_frame(p_value_table([comparison]).drop(columns="note"))
            print_notes(bench, [name], [metric])
        for line in (*combined_lines(over), *reasons):
            print(line)
    worse = any(comparison.verdict.level == "worse" for comparison in found)
    return FAILED_CHECK if options.fail_if_worse and worse else DONE


def _pairs(options: argparse.Namespace) -> int:
    from mtsig_core.reports.pair_documents import pairs_document
    from mtsig_core.workbench.pair import ask_all_pairs

    bench, settings, metrics = open_bench(options)
    sets = sets_asked(options, bench.experiment)
    comparable = [name for name in sets if len(bench.experiment.systems_present_on(name)) > 1] or sets
    asked = [(name, m) for name in comparable for m in metrics if bench.can_score(name, m)]
    if not options.test_set:
        asked = [(name, m) for name, m in asked if bench.experiment.test_set(name).role != "dev"] or asked
    found = [
        ask_all_pairs(bench, name, metric, settings, preset=options.preset, progress=report_progress)
        for name, metric in asked
    ]
    clear_line()
    if options.json:
        print_json(pairs_document(found, settings, bench.experiment, notes_of(bench, asked)))
        return DONE
    for pairs, (name, metric) in zip(found, asked, strict=True):
        print(f"{name}, {metric.label}: {pairs.preset_label} ({pairs.question})")
        print_frame(pairs.to_frame())
        print_frame(pairs.rank_frame())
        print_notes(bench, [name], [metric])
    return DONE


def _replication(options: argparse.Namespace) -> int:
    from mtsig_core.reports.documents import replication_document
    from mtsig_core.reports.p_by_n import lottery_document, table2_frame
    from mtsig_core.reports.pair_documents import p_by_n_rows
    from mtsig_core.reports.tables import replication_frame
    from mtsig_core.workbench.pair import Where, ask_lottery, ask_replicated_p

    bench, settings, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    asked = questions_asked(options, bench, metrics, (baseline, system))
    found = [
        (name, metric, bench.replication(name, metric, baseline, system, settings, ns=options.replicas))
        for name, metric in asked
    ]
    by_n, single = {}, {}
    if options.p_values:
        by_n = {
            (name, metric.name): ask_replicated_p(
                Where(bench, name, metric, baseline, system), settings, ns=options.replicas, progress=report_progress
            )
            for name, metric in asked
        }
        fewer = replace(settings, n_permutations=min(MOST_LOTTERY_SHUFFLES, settings.n_permutations))
        single = {
            (name, metric.name): ask_lottery(Where(bench, name, metric, baseline, system), fewer, report_progress)
            for name, metric in asked
        }
    clear_line()
    if options.json:
        results = [(name, metric.name, result) for name, metric, result in found]
        told = replication_document(results, settings, bench.experiment, notes_of(bench, asked))
        if options.p_values:
            told["p_by_n"] = [row for where, p in by_n.items() for row in p_by_n_rows(*where, p)]
            told["lottery"] = [lottery_document(one) for one in single.values()]
        print_json(told)
        return DONE
    for name, metric, result in found:
        print(f"{name}, {metric.label}: {system} against {baseline}")
        print_frame(replication_frame(result))
        if options.p_values:
            print_frame(table2_frame(single[name, metric.name], by_n[name, metric.name]))
        for line in filter(None, (result.model_note, result.note)):
            print(f"  {line}")
        print_notes(bench, [name], [metric])
    return DONE


def _median(options: argparse.Namespace) -> int:
    from mtsig_core.formatting import format_score, score_decimals
    from mtsig_core.reports.documents import median_document

    bench, _, metrics = open_bench(options)
    scored = [t.name for t in bench.experiment.test_sets if bench.can_score(t.name, metrics[0])]
    chosen = options.select_on or next(iter(scored), bench.experiment.test_sets[0].name)
    medians = bench.medians(chosen, metrics, progress=report_progress)
    clear_line()
    if options.json:
        notes = bench.notes([chosen], metrics)
        print_json(median_document(medians, chosen, metrics, bench.experiment, notes))
        return DONE
    for system, (median, ranks) in medians.items():
        score = f"{metrics[0].label} {format_score(median.score, score_decimals(ranks.scores[:, 0]))} on {chosen}"
        print(f"{system}: read {median.replica} ({score}). {median.note}".rstrip())
        if len(metrics) > 1:
            print_frame(ranks.to_frame())
    print_notes(bench, [chosen], metrics)
    return DONE


def _calibrate(options: argparse.Namespace) -> int:
    from mtsig_core.reports.calibration import trust_document, trust_lines
    from mtsig_core.workbench.calibration import ask_trust

    bench, settings, metrics = open_bench(options)
    asked = [(name, m) for name in sets_asked(options, bench.experiment) for m in metrics if bench.can_score(name, m)]
    if not options.test_set:
        asked = [(name, m) for name, m in asked if bench.experiment.test_set(name).role != "dev"] or asked
    found = [
        ask_trust(bench, name, metric, settings, baseline=options.baseline, system=options.system,
                  presets=options.preset, progress=report_progress)
        for name, metric in asked
    ]
    clear_line()
    if options.json:
        print_json(trust_document(found, settings, bench.experiment, notes_of(bench, asked)))
        return DONE
    for one in found:
        for told in trust_lines(one):
            if isinstance(told, str):
                print(told)
            else:
                print_frame(told)
    for name, metric in asked:
        print_notes(bench, [name], [metric])
    return DONE
