"""The command line: each command shows what a page shows, for people or (``--json``) for programs.

A new command is one module with a `Command`, in the folder named as the pages that show the same, and one entry of
`COMMANDS`. Modules import what takes time inside the functions that need it, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from mtsig_core import __version__
from mtsig_core.cli import output
from mtsig_core.cli.command import BAD_INPUT, DONE
from mtsig_core.cli.explore import (
    by_n,
    calibration,
    compare,
    differences,
    median,
    pairs,
    planner,
    segments,
    table,
)  # fmt: skip
from mtsig_core.cli.people import annotate, judgements, meta_evaluation
from mtsig_core.cli.start import app, check, completion, convert
from mtsig_core.cli.tools import metrics, report, tune

COMMANDS = (
    check.COMMAND,
    convert.COMMAND,
    table.COMMAND,
    compare.COMMAND,
    by_n.COMMAND,
    pairs.COMMAND,
    median.COMMAND,
    planner.COMMAND,
    calibration.COMMAND,
    differences.COMMAND,
    segments.COMMAND,
    annotate.COMMAND,
    report.REPORT,
    report.REPLAY,
    tune.COMMAND,
    judgements.COMMAND,
    meta_evaluation.AGREEMENT,
    meta_evaluation.CORRELATIONS,
    metrics.LISTING,
    metrics.COMET,
    app.COMMAND,
    completion.COMMAND,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns
    -------
    int
        0 done, 1 a check that was asked for failed, 2 bad input or usage, 3 that check is undecided.
    """
    options = _parser().parse_args(arguments)
    options.parser = _parser  # the command completion describes it
    options.json = getattr(options, "format", "text") == "json"
    output.use_format(getattr(options, "format", "text"))
    if getattr(options, "experiment", None) and options.path:
        from mtsig_core.loading.sources.source import Part

        options.path = Part(options.path, options.experiment)
    try:
        printed = _use_scheduler(options)
        status: int = options.run(options)
        _print_cluster_problem(printed)
        _print_cache_problems()
        return status
    except BrokenPipeError:  # the reader of our output (head, less) has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, OSError) as error:
        output.clear_line()
        print(f"mtsig: {output.on_terminal(_one_line(_message(error)))}", file=sys.stderr)
        return BAD_INPUT


def _use_scheduler(options: argparse.Namespace) -> str:
    """Use the scheduler that a call or the environment names; print, and return, why it cannot be used."""
    from mtsig_core.runtime import cluster

    cluster.use(getattr(options, "scheduler", None))
    if hasattr(options, "scheduler"):
        cluster.cluster()
    return _print_cluster_problem()


def _print_cache_problems() -> None:
    """Print why results were not cached, so that a full or read-only disk is no riddle."""
    from mtsig_core.storage.disk_cache import cache_problems

    for problem in cache_problems():
        output.clear_line()
        print(f"warning: {problem} Set MTSIG_HOME to another folder, or MTSIG_CACHE=0.", file=sys.stderr)


def _print_cluster_problem(printed: str = "") -> str:
    """Print why the cluster is not used, unless that was printed already; return it."""
    from mtsig_core.runtime import cluster

    problem = cluster.problem()
    if problem and problem != printed:
        output.clear_line()
        print(f"warning: {problem}", file=sys.stderr)
    return problem


def _message(error: ValueError | OSError) -> str:
    """Return what went wrong, with the file first and without the number of the system's error."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}. Check the path."
    return str(error)


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Parser(argparse.ArgumentParser):
    """Reports a wrong call in one line, as every other error is reported."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"mtsig: {_one_line(message)}. For help: {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mtsig", description="Is one system really better when every run gives another result?")
    parser.add_argument("--version", action="version", version=f"mtsig {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return parser
