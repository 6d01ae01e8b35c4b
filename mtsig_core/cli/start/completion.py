"""The command ``completion``: a script by which a shell completes commands and options."""

from __future__ import annotations

import argparse
import sys

from mtsig_core.cli.command import DONE, Command

SHELLS = ("bash", "zsh", "tcsh")


def run(options: argparse.Namespace) -> int:
    """Print the script of a shell, for its start-up file."""
    from mtsig_core.runtime.optional import optional_hint

    if hint := optional_hint("shtab"):
        raise ValueError(hint)
    import shtab

    print(shtab.complete(options.parser(), shell=options.shell), file=sys.stdout)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


COMMAND = Command(
    "completion", "print a script that makes a shell complete commands and options", run, own=_options, path="",
    prints_json=False,
)  # fmt: skip
