"""Compile all kernels into the cache on disk ahead of time, as for an image of a container."""

from __future__ import annotations

from mtsig_core.metrics.compiled.__main__ import compile_all
from mtsig_core.resampling.compiled import ALL_KERNELS

if __name__ == "__main__":
    raise SystemExit(compile_all(ALL_KERNELS))
