"""What benchmarks share: a row of the table, timing, and the name of the machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MULTEVAL = "MultEval 0.5.1"
QUOTED = "quoted: measured once, on two cores of another machine"


@dataclass(frozen=True)
class Row:
    """One job, by a peer and here.

    Attributes
    ----------
    job, peer : str
    theirs : float or None
        Seconds of the peer; None where it cannot be had.
    ours : float
        Seconds here.
    goal : float
        Seconds aimed at, or with `times` how many times faster than the peer.
    times : bool
    remark : str
        How the peer's number was come by.
    short : str
        What README calls the job; empty where it does not tell of it.
    """

    job: str
    peer: str
    theirs: float | None
    ours: float
    goal: float | None = None
    times: bool = False
    remark: str = ""
    short: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times faster than the peer."""
        return None if self.theirs is None else self.theirs / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, or nothing to compare with."""
        if self.goal is None or (self.times and self.ratio is None):
            return None
        return (self.ratio or 0) >= self.goal if self.times else self.ours <= self.goal

    def cells(self) -> list[str]:
        """Return the row of the table."""
        goal = "" if self.goal is None else f"× {self.goal:g}" if self.times else f"≤ {self.goal:g} s"
        told = {None: "", True: ", met", False: ", missed"}[self.met]
        ratio = "" if self.ratio is None else digits(self.ratio)
        theirs = "not available" if self.theirs is None else digits(self.theirs)
        return [self.job, self.peer, theirs, digits(self.ours), ratio, goal + told, self.remark]


HEADINGS = ("job", "peer", "peer, s", "mtsig, s", "ratio", "goal", "how the peer was timed")


def digits(value: float) -> str:
    """Return a number with two or three digits that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2g}"


def table(rows: list[Row]) -> str:
    """Return rows as a table in Markdown."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---|---|---:|---:|---:|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row.cells()) + " |" for row in rows)])


def quoted(rows: list[Row]) -> str:
    """Return what README says of the rows: one line per job, with every peer's time."""
    lines = []
    for short in dict.fromkeys(row.short for row in rows if row.short):
        own = [row for row in rows if row.short == short]
        peers = ", ".join(f"{row.peer} {duration(row.theirs)}" for row in own if row.theirs is not None)
        lines.append(f"- {short}: {duration(own[0].ours)}" + (f" ({peers})" if peers else ""))
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 120:
        return f"{digits(seconds)} s"
    return f"{digits(seconds / 60)} minutes" if seconds < 7200 else f"{digits(seconds / 3600)} hours"


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the seconds of the quickest of some times."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def machine() -> str:
    """Return processor, cores and versions, in one line."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba", "sacrebleu"))
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {system}, {libraries}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({platform.machine()})" if names else platform.machine()


def busy() -> float:
    """Return how many processes wanted a core in the last minute; not a number where the system does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
