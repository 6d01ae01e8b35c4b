"""Whole processes, from the start of Python to the last number, cold and warm; a large experiment opened again."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mtsig_core.resampling.compiled import ALL_KERNELS
from tests.benchmarks._common import MULTEVAL, QUOTED, ROOT, Row
from tests.benchmarks._invented import EXAMPLE, PAPER, example, pools, write

FOLDER = "MTSIG_BENCH_EXAMPLE"  # a run folder to be used instead of made text, as of MultEval's example
# What MultEval prints: averages, s_sel, s_test, and p of all pairs by exchanges of hypotheses.
REPORT = """
import sys
from mtsig_core.loading import load
from mtsig_core.metrics import get_metric
from mtsig_core.reports.tables import table1_frame
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
bench, settings = Workbench(load(sys.argv[1])[0]), Settings()
metrics = [get_metric("bleu", tokenize="none"), get_metric("ter"), get_metric("length", tokenize="none")]
test_set = bench.experiment.test_sets[0].name
print(table1_frame(bench.table([test_set], metrics, settings=settings)))
for metric in metrics:
    print(bench.pairwise(test_set, metric, preset="ar-hypothesis", settings=settings).to_frame())
"""
# The app keeps what was opened; its address opens it again. Python and its modules are there already.
KEEP = """
import sys
from mtsig_core.loading import load
from mtsig_core.workbench.saved_experiments import default_saved_experiments
print(default_saved_experiments().save(*load(sys.argv[1])).id)
"""
OPEN = """
import os, sys, time
from mtsig_core.loading import load
from mtsig_core.metrics import get_metric
from mtsig_core.reports.tables import table1_frame
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.saved_experiments import default_saved_experiments
start = time.perf_counter()
if os.sep in sys.argv[1]:
    experiment, _ = load(sys.argv[1])  # as the command line does, whose own start takes a second
else:
    experiment = default_saved_experiments().open(sys.argv[1])[1].experiment
table1_frame(Workbench(experiment).table(["test"], [get_metric("bleu")]))
print(time.perf_counter() - start)
"""
# The system's count for a child includes what its parent held when it was started; this one does not.
PEAK = """
try:
    print(next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM:")))
except OSError:
    print("nan")
"""


def process(program: str, given: object, home: Path) -> tuple[str, float, float]:
    """Return what a process prints, the seconds that it takes, and its peak of memory in MB."""
    environment = {**os.environ, "MTSIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program + PEAK, str(given)]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    taken = time.perf_counter() - start
    *said, peak = done.stdout.strip().splitlines()
    return "\n".join(said), taken, float(peak)


def rows() -> list[Row]:
    """Return the report of MultEval's example, and Table 1 of a large experiment."""
    for kernels in ALL_KERNELS:
        kernels.wait()
    with tempfile.TemporaryDirectory(prefix="mtsig-bench-") as name:
        return [*_report(Path(name)), *_second_opening(Path(name))]


def _report(work: Path) -> list[Row]:
    given = os.environ.get(FOLDER)
    folder = Path(given) if given else write(example(), work / "example")
    what = Path(given).name if given else f"3 systems of 3 replicas, {EXAMPLE} segments"
    job = f"whole process: {what}; BLEU, TER, length; 1000 draws, 10,000 shuffles, all pairs"
    _, cold, cold_memory = process(REPORT, folder, work / "home")
    warm, warm_memory = min(process(REPORT, folder, work / "home")[1:] for _ in range(2))
    return [
        Row(f"{job}; nothing of it seen before ({cold_memory:.0f} MB)", MULTEVAL, 18, cold, 5, remark=QUOTED,
            short="MultEval's report from the start of the program"),
        Row(f"{job}; statistics on disk ({warm_memory:.0f} MB)", MULTEVAL, 18, warm, 2, remark=QUOTED,
            short="the same again, with statistics kept from before"),
    ]  # fmt: skip


def _second_opening(work: Path) -> list[Row]:
    folder = write(pools(), work / "large")
    kept, _, _ = process(KEEP, folder, work / "home")
    found = []
    for given, home, where in ((kept, "home", "from the workspace"), (folder, "other", "as a folder")):
        first, *again = (process(OPEN, given, work / home) for _ in range(3))
        taken, memory = min((float(said), peak) for said, _, peak in again)
        job = f"600 outputs of {PAPER} segments to Table 1, opened again {where} ({memory:.0f} MB)"
        found.append(Row(job, "mtsig, nothing of it on disk", float(first[0]), taken, 3))
    return found
