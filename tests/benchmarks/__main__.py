"""``make bench``: mtsig against its peers in one run, as ratios; absolute times drift with the machine."""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

MODULES = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))


def main() -> None:
    """Print one table; names given on the command line choose modules."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print("| job | peer | peer, s | mtsig, s | ratio |\n|---|---|---:|---:|---:|")
    for name in sys.argv[1:] or MODULES:
        for job, peer, theirs, ours in importlib.import_module(f"tests.benchmarks.{name}").rows():
            print(f"| {job} | {peer} | {theirs:.3f} | {ours:.3f} | {theirs / ours:.0f} |", flush=True)


if __name__ == "__main__":
    main()
