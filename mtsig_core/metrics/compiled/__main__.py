"""Compile the kernels of the modules named into the cache on disk, so that other processes load them.

``python -m mtsig_core.resampling.compiled`` compiles all kernels there are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from mtsig_core.metrics.compiled import EDITS, NGRAMS
from mtsig_core.metrics.compiled.kernels import Kernels


def compile_all(kernels: Sequence[Kernels]) -> int:
    """Compile kernels in this process, at low priority; return 0 if all are ready, else 1."""
    if hasattr(os, "nice"):
        os.nice(10)  # somebody may be working with the results that sacrebleu gives meanwhile
    for module in kernels:
        module.compile_here()
        if module.problem:
            print(module.problem, file=sys.stderr)
    return int(any(module.problem for module in kernels))


def main(names: Sequence[str]) -> int:
    """Compile the modules named, or those of metrics; return 0 if all are ready, else 1."""
    return compile_all([Kernels(name) for name in names] or [NGRAMS, EDITS])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
