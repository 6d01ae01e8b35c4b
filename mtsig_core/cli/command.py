"""What a command is, and the options that commands share. Imports nothing heavy: help must appear at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from mtsig_core.experiment.varied import KINDS

DONE, FAILED_CHECK, BAD_INPUT, UNDECIDED_CHECK = 0, 1, 2, 3
AddOptions = Callable[[argparse.ArgumentParser], None]


def no_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing."""


def complete_files(argument: argparse.Action) -> None:
    """Let a shell complete an argument by the names of files and folders."""
    vars(argument)["complete"] = {"bash": "_shtab_compgen_files", "zsh": "_files"}  # what shtab looks for


@dataclass(frozen=True)
class Command:
    """One command of the registry.

    Parameters
    ----------
    name : str
    help : str
        One line, without a full stop.
    run : callable
        Takes the parsed options and returns the exit code.
    groups : tuple of callable
        Options that it shares with other commands: those below.
    own : callable
        Adds the options that only this command has.
    path : str
        What the argument PATH is; empty for a command without one.
    path_is_optional : bool
    prints_json : bool
        Whether it has the options ``--format`` and ``--json``.
    """

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    groups: tuple[AddOptions, ...] = ()
    own: AddOptions = no_options
    path: str = "a run folder, or a zip or tar of one"
    path_is_optional: bool = False
    prints_json: bool = True

    def add_to(self, commands: argparse._SubParsersAction) -> None:
        """Add this command to a parser."""
        description = f"{self.help[0].upper()}{self.help[1:]}{'' if self.help.endswith('?') else '.'}"
        parser = commands.add_parser(self.name, help=self.help, description=description)
        if self.path:
            path = parser.add_argument(
                "path", metavar="PATH", nargs="?" if self.path_is_optional else None, help=self.path
            )
            complete_files(path)
            source_options(parser)
        if self.prints_json:
            _format_options(parser)
        for add_options in (*self.groups, self.own):
            add_options(parser)
        parser.set_defaults(run=self.run)


def _format_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=("text", "markdown", "latex", "csv", "json"), default="text",
        help="how tables are printed (default text); beside csv, sentences go to stderr",
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="print one JSON document: --format json"
    )


def source_options(parser: argparse.ArgumentParser) -> None:
    """Add how PATH is read, and which experiment is taken where it holds several."""
    parser.add_argument("--encoding", help="encoding of files that are not UTF-8, such as latin-1 or cp1252")
    parser.add_argument(
        "--experiment", metavar="FOLDER", help="the folder to take, where PATH holds several experiments"
    )


def test_set_option(parser: argparse.ArgumentParser) -> None:
    """Add the choice of one test set."""
    parser.add_argument("--test-set", metavar="NAME", help="use only this test set")


def pair_options(parser: argparse.ArgumentParser) -> None:
    """Add the choice of two systems."""
    parser.add_argument("--baseline", metavar="A", help="the system to compare with (default: the experiment's)")
    parser.add_argument("--system", metavar="B", help="the system to compare (default: the only other one)")


def reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the choice of what is read, and of the test set that chooses the replicas."""
    parser.add_argument("--test-set", metavar="NAME", help="the test set that is read (default: the first)")
    parser.add_argument(
        "--select-on", metavar="SET",
        help="the test set that chooses the median replicas (default: another one than is read)",
    )


def metric_options(parser: argparse.ArgumentParser) -> None:
    """Add the choice of metrics, and of what they do with text."""
    parser.add_argument(
        "--metric", action="append", metavar="NAME",
        help="bleu (default), chrf, ..., or the name of a metric whose scores are in files; may be repeated",
    )
    parser.add_argument(
        "--tokenize", metavar="T",
        help="sacreBLEU's tokenizer for metrics of words (default: the usual one for the target language, else 13a)",
    )
    parser.add_argument("--lowercase", action="store_true", help="ignore case")
    parser.add_argument("--language", metavar="CODE", help="target language, such as zh (default: recognised)")
    parser.add_argument("--nfc", action="store_true", help="compare text in Unicode's normal form C")
    parser.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT",
        help="compute on the workers of a Dask scheduler (default: MTSIG_SCHEDULER, else this machine)",
    )


def resampling_options(parser: argparse.ArgumentParser) -> None:
    """Add the settings of resampling and tests."""
    parser.add_argument("--seed", type=natural, default=12345, help="seed of all random numbers (default 12345)")
    parser.add_argument(
        "--resamples", dest="n_bootstrap", type=positive, default=1000, metavar="B",
        help="number of bootstrap samples (default 1000)",
    )
    parser.add_argument(
        "--shuffles", dest="n_permutations", type=positive, default=10000, metavar="R",
        help="number of random permutations (default 10000)",
    )
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level (default 0.05)")
    parser.add_argument(
        "--margin", type=float, metavar="D",
        help="smallest difference that matters, in points of the metric: for equivalence and non-inferiority",
    )
    parser.add_argument(
        "--replicas-are", metavar="WHAT",
        help=f"what the replicas differ by: {', '.join(KINDS)} (default: what the experiment says, else unknown)",
    )
    parser.add_argument("--paired", action="store_true", help="replicas of equal name or number share a seed")
    parser.add_argument(
        "--assume-equal-variation", action="store_true",
        help="where one system has one replica: assume that it varies as the other does (cannot be tested)",
    )


def positive(text: str) -> int:
    """Return a whole number of 1 or more."""
    value = whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more; not {value}")
    return value


def natural(text: str) -> int:
    """Return a whole number of 0 or more."""
    value = whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be 0 or more; not {value}")
    return value


def whole(text: str) -> int:
    """Return a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; not {text!r}") from None


#: The options of commands about test sets and metrics, and of those about two systems, too.
TEST_SET_OPTIONS = (metric_options, test_set_option, resampling_options)
PAIR_OPTIONS = (*TEST_SET_OPTIONS, pair_options)
