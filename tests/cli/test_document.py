"""docs/command-line.md lists every command and answers every option of MultEval and sacreBLEU with one that exists."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mtsig_core.cli import main as commands
from mtsig_core.significance import PRESETS

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs/command-line.md").read_text(encoding="utf-8")
OPTION = re.compile(r"--[a-zA-Z][\w.-]*")
#: What `multeval eval` of version 0.5.1 lists.
MULTEVAL = (
    "ter.shiftCost", "ter.maxShiftDistance", "ter.punctuation", "ter.beamWidth", "ter.substituteCost", "ter.deleteCost",
    "ter.matchCost", "ter.insertCost", "bleu.verbosity", "meteor.task", "meteor.synonymDirectory", "meteor.beamSize",
    "meteor.params", "meteor.weights", "meteor.paraphraseFile", "meteor.modules", "meteor.keepPunctuation",
    "meteor.language", "boot-samples", "hyps-sys1", "ar-shuffles", "rankDir", "sentLevelDir", "refs", "metrics",
    "fullLatexDoc", "latex", "debug", "hyps-baseline", "verbosity", "threads", "help",
)  # fmt: skip


def section(title: str) -> str:
    return DOCUMENT.split(f"## {title}")[1].split("\n## ")[0]


def our_options() -> set[str]:
    """Return every option of every command."""
    parser = commands._parser()
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    parsers = [parser, *group.choices.values()]
    return {option for one in parsers for action in one._actions for option in action.option_strings}


def test_every_command_is_listed():
    table = DOCUMENT.split("## What is printed")[0]
    for command in commands.COMMANDS:
        assert re.search(rf"`{re.escape(command.name)}\b", table), command.name


def test_every_option_of_multeval_is_answered():
    assert {f"--{name}" for name in MULTEVAL} - set(OPTION.findall(section("Coming from MultEval"))) == set()


@pytest.mark.slow
def test_every_option_of_sacrebleu_is_answered():
    told = subprocess.run([sys.executable, "-m", "sacrebleu", "--help"], capture_output=True, text=True, check=True)
    options = re.findall(r"^  (--[a-z-]+)", told.stdout, re.MULTILINE) + ["--help"]
    assert len(options) > 35
    assert set(options) - set(OPTION.findall(section("Coming from sacreBLEU"))) == set()


def test_answers_are_options_and_tests_that_exist():
    known = our_options() | {"--echo"}  # sacreBLEU's own, to write the files that are loaded here
    for title in ("Coming from MultEval", "Coming from sacreBLEU"):
        rows = [line.split("|")[2] for line in section(title).split("\n") if line.startswith("| ")]
        assert set(OPTION.findall(" ".join(rows))) - known == set()
        presets = re.findall(r"--preset ([\w-]+)", " ".join(rows))
        assert presets
        assert set(presets) <= set(PRESETS)
    rest = DOCUMENT.split("## Coming from MultEval")[0]
    assert set(OPTION.findall(rest)) - known == set()
