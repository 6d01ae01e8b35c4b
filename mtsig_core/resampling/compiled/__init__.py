"""The compiled kernel of signed sums, and the list of all kernels: those of metrics and this one.

Nothing here is needed: without numba, and before the kernel is ready, numpy computes the same sums.
"""

from __future__ import annotations

from mtsig_core.metrics.compiled import EDITS, NGRAMS
from mtsig_core.metrics.compiled.kernels import Kernels

SIGNED_SUMS = Kernels("mtsig_core.resampling.compiled.signed_sums")
#: In the order in which they are wanted.
ALL_KERNELS = (NGRAMS, EDITS, SIGNED_SUMS)

for _kernels in (NGRAMS, EDITS):
    _kernels.then(SIGNED_SUMS)  # resampling follows scoring


def warm() -> None:
    """Load all kernels in the background: a second from disk, half a minute when they have to be compiled."""
    for kernels in ALL_KERNELS:
        kernels.start()
