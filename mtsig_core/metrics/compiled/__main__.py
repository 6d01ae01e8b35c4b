"""Compile kernels into the cache on disk, so that other processes load them: all, or the modules named."""

from __future__ import annotations

import os
import sys

from mtsig_core.metrics.compiled import ALL


def main(names: list[str]) -> int:
    """Compile the kernels of the modules named (all without any); return 0 if all are ready."""
    if hasattr(os, "nice"):
        os.nice(10)  # somebody may be working with the results that sacrebleu gives meanwhile
    chosen = [kernels for kernels in ALL if not names or kernels.module in names]
    for kernels in chosen:
        kernels.compile_here()
        if kernels.problem:
            print(kernels.problem, file=sys.stderr)
    return int(any(kernels.problem for kernels in chosen))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
