"""A new metric or layout is one new file and one line in a registry; nothing else changes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
METRIC = '''
"""Vowels: percent of letters that are vowels."""

from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.mean import MeanMetric


@dataclass(frozen=True)
class Vowels(MeanMetric):
    """Percent of characters that are vowels."""

    name = "vowels"
    label = "Vowels"
    key = "vowels v1"

    def signature(self, references):
        return "vowels|version:1"

    def segment_scores(self, hypotheses, references):
        return np.array([100 * sum(c in "aeiou" for c in line) / max(len(line), 1) for line in hypotheses])
'''
LAYOUT = '''
"""Outputs named ``SYSTEM@REPLICA`` beside a file ``answers``."""

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole

NAME = "at signs"


def recognise(files):
    return 99 if "answers" in files and any("@" in path for path in files) else 0


def read(files, report):
    roles = [FileRole(path, "output", "test", *path.split("@")) for path in files if "@" in path]
    return Plan((FileRole("answers", "reference", "test", stream="0"), *roles))
'''


@pytest.fixture
def copy(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "mtsig_core", tree / "mtsig_core", ignore=shutil.ignore_patterns("__pycache__"))
    return tree


def add(copy: Path, file: str, text: str, registry: str, line: str, before: str, imports: str = "") -> None:
    """Add a file and a line before another in a registry, with what that line imports."""
    (copy / file).write_text(text.lstrip())
    path = copy / registry
    assert before in path.read_text(), f"{registry} no longer has the line {before!r}"
    path.write_text(path.read_text().replace(before, f"{line}\n{before}", 1).replace(*imports.split("|"), 1))


def answer(copy: Path, *arguments: object) -> str:
    command = [sys.executable, "-m", "mtsig_core", *map(str, arguments)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_metric_is_one_file_and_one_line(copy, folder):
    add(copy, "mtsig_core/metrics/vowels.py", METRIC, "mtsig_core/metrics/registry.py", '    "vowels": Vowels,',
        '    "bleu": BLEU,',
        "from mtsig_core.metrics.ter import TER\n|from mtsig_core.metrics.ter import TER\n"
        "from mtsig_core.metrics.vowels import Vowels\n")  # fmt: skip
    assert "Vowels" in answer(copy, "table", folder, "--metric", "vowels", "--resamples", 20)


@pytest.mark.slow
def test_a_layout_is_one_file_and_one_line(copy, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("answers", "mine@1", "mine@2", "theirs@1"):
        (runs / name).write_text("one line\nanother line\n")
    add(copy, "mtsig_core/loading/layouts/at_signs.py", LAYOUT, "mtsig_core/loading/layouts/__init__.py",
        "    at_signs,", "    native,\n    multeval,\n    plain,",
        "import (\n    flat,|import (\n    at_signs,\n    flat,")  # fmt: skip
    assert "recognised as at signs" in answer(copy, "check", runs)
