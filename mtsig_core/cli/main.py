"""The command line: each command shows what a page shows, for people or (``--json``) for programs.

A new command is one module with a `Command` and one entry of `COMMANDS`. Modules import what takes time inside the
functions that need it, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from mtsig_core import __version__
from mtsig_core.cli import (
    annotate,
    app,
    by_n,
    calibration,
    check,
    compare,
    differences,
    median,
    metrics,
    pairs,
    people,
    planner,
    segments,
    table,
    tune,
)
from mtsig_core.cli.command import BAD_INPUT, DONE
from mtsig_core.cli.common import clear_line, on_terminal, print_cache_problems, print_cluster_problem, use_scheduler

COMMANDS = (
    check.COMMAND,
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
    tune.COMMAND,
    people.PEOPLE,
    people.AGREEMENT,
    people.CORRELATIONS,
    metrics.LISTING,
    metrics.COMET,
    app.COMMAND,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns
    -------
    int
        0 done, 1 a check that was asked for failed, 2 bad input or usage.
    """
    options = _parser().parse_args(arguments)
    try:
        printed = use_scheduler(options)
        status: int = options.run(options)
        print_cluster_problem(printed)
        print_cache_problems()
        return status
    except BrokenPipeError:  # the reader of our output (head, less) has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, OSError) as error:
        clear_line()
        print(f"mtsig: {on_terminal(_one_line(str(error)))}", file=sys.stderr)
        return BAD_INPUT


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
