"""Without numba the command line answers the same, from sacrebleu and numpy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
METRICS = [part for name in ("bleu", "chrf", "ter") for part in ("--metric", name)]
QUESTION = ["--baseline", "plain", "--system", "better", "--resamples", "300", "--shuffles", "600", "--json"]
WITH = """
import sys
from mtsig_core.resampling.compiled import ALL_KERNELS
for kernels in ALL_KERNELS:
    assert kernels.wait(300), kernels.problem
"""
WITHOUT = """
import sys
sys.modules["numba"] = None
from mtsig_core.resampling.compiled import SIGNED_SUMS, warm
warm()
assert SIGNED_SUMS.state == "failed" and "mtsig[fast]" in SIGNED_SUMS.problem
"""
CALL = "from mtsig_core.cli.main import main; sys.exit(main(sys.argv[1:]))"


def answer(first, command, folder, home):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", first + CALL, command, str(folder), *METRICS, *QUESTION],
        env={**os.environ, "PYTHONPATH": str(ROOT), "MTSIG_HOME": str(home)}, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.slow
def test_the_same_numbers_without_numba(folder, tmp_path):
    pytest.importorskip("numba")
    found, said = answer(WITHOUT, "compare", folder, tmp_path / "a")
    hints = [line for line in said.splitlines() if line.startswith("note: ")]
    assert len(hints) == 1  # which extra makes what faster
    assert "mtsig[fast]" in hints[0]
    compiled, said_with = answer(WITH, "compare", folder, tmp_path / "b")
    assert found == compiled
    assert [line for line in said.splitlines() if line not in hints] == said_with.splitlines()
    assert {test["preset"] for one in found["results"] for test in one["tests"] if test["p"] is not None} >= {
        "ar-segment", "ar-hypothesis", "bootstrap-centred", "crossed",
    }  # fmt: skip
