"""What starting costs: processor time of whole processes, measured in turn, and the imports that take most of it.

``make bench-start`` prints it; ``MTSIG_BENCH_EXAMPLE=FOLDER`` takes a run folder of your own instead of made text.
Ratios are to the processor time of importing numpy, pandas and scipy.stats, which other machines share.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks._common import ROOT, machine
from tests.benchmarks._invented import example, write
from tests.benchmarks.whole import FOLDER

ROUNDS = 5
LARGEST = 8  # imports listed
_TIME = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s*(\S+)")
COMMANDS = {
    "import numpy, pandas, scipy.stats": ["-c", "import numpy, pandas, scipy.stats"],
    "python alone": ["-c", ""],
    "import mtsig_core": ["-c", "import mtsig_core"],
    "mtsig --help": ["-m", "mtsig_core", "--help"],
}


def cpu_seconds(arguments: list[str], home: Path) -> float:
    """Return the processor time of one Python process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "MTSIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, *arguments], cwd=home, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder: Path, work: Path) -> dict[str, float]:
    """Return the median processor time of each job; rounds take turns, so that a busy machine slows all alike."""
    table = ["-m", "mtsig_core", "table", str(folder)]
    times: dict[str, list[float]] = {}
    cpu_seconds(table, work)  # compiles kernels once, which happens after installing
    for number in range(ROUNDS):
        for job, arguments in COMMANDS.items():
            times.setdefault(job, []).append(cpu_seconds(arguments, work))
        home = work / f"cold-{number}"
        home.mkdir()
        times.setdefault("mtsig table, cold", []).append(cpu_seconds(table, home))
        times.setdefault("mtsig table, warm", []).append(cpu_seconds(table, home))
    return {job: median(seconds) for job, seconds in times.items()}


def largest_imports(arguments: list[str]) -> list[tuple[float, str]]:
    """Return the modules whose own code takes longest to import, in milliseconds, of a process."""
    command = [sys.executable, "-X", "importtime", *arguments]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    own = [(int(match[1]) / 1000, match[3]) for match in map(_TIME.match, printed.splitlines()) if match]
    return sorted(own, reverse=True)[:LARGEST]


def main() -> None:
    """Print the table, and the largest imports of a command."""
    print(machine())
    with tempfile.TemporaryDirectory(prefix="mtsig-start-") as name:
        work = Path(name)
        given = os.environ.get(FOLDER)
        folder = Path(given).resolve() if given else write(example(), work / "example")
        seconds = measure(folder, work)
        base = seconds["import numpy, pandas, scipy.stats"]
        for job, value in seconds.items():
            print(f"{job:36} {value:6.2f} s CPU   {value / base:5.2f}")
        print("\nLargest imports of `mtsig table`, ms:")
        for milliseconds, module in largest_imports(["-m", "mtsig_core", "table", str(folder)]):
            print(f"{milliseconds:8.1f}  {module}")


if __name__ == "__main__":
    main()
