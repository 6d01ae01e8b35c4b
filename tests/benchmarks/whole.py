"""Whole processes, from the start of Python to the last number: cold, warm, and a large experiment opened again."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mtsig_core.metrics.compiled import ALL
from tests.benchmarks._common import MULTEVAL, QUOTED, ROOT, Row
from tests.benchmarks._made import EXAMPLE, PAPER, example, pools, write

FOLDER = "MTSIG_BENCH_EXAMPLE"  # a run folder to be used instead of made text, as of MultEval's example
# What MultEval prints: averages, s_sel, s_test, and p of all pairs by exchanges of hypotheses.
REPORT = """
import sys
from mtsig_core.cli import main
metrics = [part for name in ("bleu", "ter", "length") for part in ("--metric", name)]
words = ["--tokenize", "none"]
sys.exit(main(["table", sys.argv[1], *metrics, *words])
         or main(["pairs", sys.argv[1], *metrics, *words, "--preset", "ar-hypothesis"]))
"""
TABLE_1 = "import sys; from mtsig_core.cli import main; sys.exit(main(['table', sys.argv[1], '--metric', 'bleu']))"
MEGABYTE = 2**20 if sys.platform == "darwin" else 2**10  # units of ru_maxrss


def process(program: str, folder: Path, home: Path) -> tuple[float, float]:
    """Return the seconds that a process takes, and its peak of memory in MB."""
    environment = {**os.environ, "MTSIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    taken = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"the process ended with {child.returncode}; its last lines say why.")
    return taken, usage.ru_maxrss / MEGABYTE


def rows() -> list[Row]:
    """Return the report of MultEval's example, and Table 1 of a large experiment."""
    for kernels in ALL:
        kernels.wait()
    with tempfile.TemporaryDirectory(prefix="mtsig-bench-") as name:
        return [*_report(Path(name)), _second_opening(Path(name))]


def _report(work: Path) -> list[Row]:
    given = os.environ.get(FOLDER)
    folder = Path(given) if given else write(example(), work / "example")
    what = Path(given).name if given else f"3 systems of 3 replicas, {EXAMPLE} segments"
    job = f"whole process: {what}; BLEU, TER, length; 1000 draws, 10,000 shuffles, all pairs"
    cold, cold_memory = process(REPORT, folder, work / "home")
    warm, warm_memory = min(process(REPORT, folder, work / "home") for _ in range(2))
    return [
        Row(f"{job}; nothing of it seen before ({cold_memory:.0f} MB)", MULTEVAL, 18, cold, 5, remark=QUOTED),
        Row(f"{job}; statistics on disk ({warm_memory:.0f} MB)", MULTEVAL, 18, warm, 2, remark=QUOTED),
    ]


def _second_opening(work: Path) -> Row:
    folder = write(pools(), work / "large")
    first, _ = process(TABLE_1, folder, work / "home")
    second, memory = process(TABLE_1, folder, work / "home")
    job = f"whole process: 600 outputs of {PAPER} segments to Table 1, opened again ({memory:.0f} MB)"
    return Row(job, "mtsig, opened first", first, second, 3)
