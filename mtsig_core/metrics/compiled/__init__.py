"""Sufficient statistics by compiled kernels: the same numbers as sacrebleu's, much sooner.

Nothing here is needed: without numba, before the kernels are ready, and for whatever they do not cover,
sacrebleu itself answers. Importing this package imports neither of the two.
"""

from __future__ import annotations

from mtsig_core.metrics.compiled.ready import Kernels

NGRAMS = Kernels("mtsig_core.metrics.compiled.ngrams")
EDITS = Kernels("mtsig_core.metrics.compiled.edits")
SUMS = Kernels("mtsig_core.resampling.sums")  # of resampling: named here so that all are warmed and compiled alike
ALL = (NGRAMS, EDITS, SUMS)
KERNELS_OF = {"BLEU": NGRAMS, "CHRF": NGRAMS, "TER": EDITS}


def warm() -> None:
    """Make all kernels ready in the background: a second from disk, half a minute when compiled anew."""
    for kernels in ALL:
        kernels.start()
