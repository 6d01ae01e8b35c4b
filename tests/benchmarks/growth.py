"""``make bench-growth``: time and memory of resampling over a decade of segments, replicas and draws.

Draws ``docs/growth.png`` and prints the figures with the machine. Every point is made in a process of its own,
whose peak of memory can be told.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PLOT = ROOT / "docs" / "growth.png"
BASE = {"segments": 1000, "replicas": 10, "draws": 2000}
GROWTH = {
    "segments": (1000, 3000, 10_000),
    "replicas": (10, 30, 100),
    "draws": (2000, 6000, 20_000),
}
JOBS = {"bootstrap": "bootstrap", "segments": "exchange of segments", "hypotheses": "exchange of hypotheses"}
COLOURS = ("#0072b2", "#d55e00", "#009e73")


def point(job: str, segments: int, replicas: int, draws: int) -> dict[str, float]:
    """Return CPU seconds, and the megabytes held at most beside the statistics, of one job in this process."""
    from mtsig_core.resampling import ExchangeDesign, bootstrap_scores, exchange
    from mtsig_core.resampling.compiled import SIGNED_SUMS
    from tests.benchmarks._invented import counts

    SIGNED_SUMS.wait()
    made = counts(replicas, segments)
    work: Callable[[], object] = {
        "bootstrap": lambda: bootstrap_scores(made, draws, 1),
        "segments": lambda: exchange(made, "a", "b", ExchangeDesign("segment", draws, 1)),
        "hypotheses": lambda: exchange(made, "a", "b", ExchangeDesign("hypothesis", draws, 1)),
    }[job]
    before, times = _resident("VmRSS"), []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return {"seconds": min(times), "megabytes": _resident("VmHWM") - before}


def _resident(what: str) -> float:
    """Return a number of megabytes from the process's status; not a number where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{what}:")) / 1024


def measured(job: str, sizes: dict[str, int]) -> dict[str, float]:
    """Return a point made in another process."""
    command = [sys.executable, "-m", "tests.benchmarks.growth", "point", job, json.dumps(sizes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def slope(sizes: tuple[int, ...], values: list[float]) -> float:
    """Return the power of the size that the values grow with, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def plot(found: dict[str, dict[str, list[dict[str, float]]]], machine: str) -> None:
    """Draw seconds and megabytes against each size, with the line of proportional growth."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(11, 6), sharex="col", sharey="row", layout="constrained")
    for column, (size, values) in enumerate(GROWTH.items()):
        for (job, label), colour in zip(JOBS.items(), COLOURS, strict=True):
            for row, what in enumerate(("seconds", "megabytes")):
                shown = [max(p[what], 0.1 if row else 1e-4) for p in found[size][job]]
                axes[row, column].loglog(values, shown, "o-", color=colour, label=label)
        first = max(found[size][job][0]["seconds"] for job in JOBS)
        axes[0, column].loglog(values, [first * v / values[0] for v in values], ":", color="grey", label="proportional")
        fixed = ", ".join(f"{n:,} {name}" for name, n in BASE.items() if name != size)
        axes[0, column].set_title(f"{size}\n({fixed})", fontsize=10)
        axes[1, column].set_xlabel(size)
        axes[1, column].set_xticks(values, [f"{v:,}" for v in values])
        axes[1, column].minorticks_off()
    axes[0, 0].set_ylabel("CPU seconds")
    axes[1, 0].set_ylabel("MB beside the statistics")
    axes[1, 0].set_ylim(1, 200)
    axes[1, 2].legend(*axes[0, 0].get_legend_handles_labels(), loc="upper right", fontsize=8)
    figure.suptitle(f"BLEU, two systems. {machine}", fontsize=10)
    figure.savefig(PLOT, dpi=110)


def main() -> None:
    """Measure, print and draw."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, CPU seconds\n\n| size | job | first, s | last, s | grows as size to the | most MB |")
    print("|---|---|---:|---:|---:|---:|")
    found: dict[str, dict[str, list[dict[str, float]]]] = {}
    for size, values in GROWTH.items():
        found[size] = {}
        for job, label in JOBS.items():
            points = found[size][job] = [measured(job, {**BASE, size: v}) for v in values]
            seconds = [p["seconds"] for p in points]
            print(
                f"| {size} {values[0]:,} to {values[-1]:,} | {label} | {seconds[0]:.3f} | {seconds[-1]:.3f} "
                f"| {slope(values, seconds):.2f} | {max(p['megabytes'] for p in points):.0f} |", flush=True,
            )
    plot(found, machine)


if __name__ == "__main__":
    if sys.argv[1:2] == ["point"]:
        print(json.dumps(point(sys.argv[2], **json.loads(sys.argv[3]))))
    else:
        main()
