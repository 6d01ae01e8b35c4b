"""Sufficient statistics by compiled kernels: the same numbers as sacrebleu's, much sooner.

Nothing here is needed: without numba, before the kernels are ready, and for whatever they do not cover,
sacrebleu itself computes the statistics. Importing this package imports neither of the two.
"""

from __future__ import annotations

from mtsig_core.metrics.compiled.kernels import Kernels

NGRAMS = Kernels("mtsig_core.metrics.compiled.ngrams")
EDITS = Kernels("mtsig_core.metrics.compiled.edits")
KERNELS_OF = {"BLEU": NGRAMS, "CHRF": NGRAMS, "TER": EDITS}
