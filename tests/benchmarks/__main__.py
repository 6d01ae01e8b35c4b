"""``make bench``: mtsig against its peers in one run, as ratios; absolute times drift with the machine.

Writes ``docs/benchmarks.md``, and the lines of README that quote it, when all modules are run. Names on the command
line choose some; then nothing is written.
"""

from __future__ import annotations

import importlib
import sys
import time

from tests.benchmarks._common import ROOT, Row, busy, machine, quoted, table

MODULES = ("engine", "metrics", "stratified", "tuning", "whole")
DOCUMENT = ROOT / "docs" / "benchmarks.md"
README, BEGIN, END = ROOT / "README.md", "<!-- written by make bench -->\n", "<!-- until here -->\n"
TEXT = """# Benchmarks

`make bench` wrote this table. Every peer that installs from a registry ran on the same machine in the same run; times
of MultEval 0.5.1, which does not, are quoted: they were measured once, on two cores of another machine.
Seconds are of the clock; ratios carry over to other machines better. Text and statistics are made, in the sizes that
each row names.

Machine: {machine}. Processes that wanted a core when the run began: {busy:.1f}{remark}. The run took {minutes:.0f}
minutes.

{table}

`MTSIG_BENCH_EXAMPLE=FOLDER make bench` takes a run folder of your own for the whole process instead of made text.
Opening again is measured against opening first. Kernels are compiled before anything is timed: that happens once, after
installing, in the background (`python -m mtsig_core.resampling.compiled` does it ahead).
"""


def main() -> None:
    """Print one table, and write it when it is whole."""
    started, load, rows = time.monotonic(), busy(), list[Row]()
    names = sys.argv[1:] or MODULES
    print(f"{machine()}\n", flush=True)
    for name in names:
        made = importlib.import_module(f"tests.benchmarks.{name}").rows()
        rows += made
        print("\n".join(" | ".join(row.cells()) for row in made), flush=True)
    if tuple(names) != MODULES:
        return
    remark = ", so others disturbed the times" if load > 0.7 else ""
    minutes = (time.monotonic() - started) / 60
    DOCUMENT.write_text(TEXT.format(machine=machine(), busy=load, remark=remark, minutes=minutes, table=table(rows)))
    before, rest = README.read_text().split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n{quoted(rows)}\n\n{END}{rest.split(END)[1]}")
    print(f"\nwritten to {DOCUMENT.relative_to(ROOT)} after {minutes:.1f} minutes")


if __name__ == "__main__":
    main()
