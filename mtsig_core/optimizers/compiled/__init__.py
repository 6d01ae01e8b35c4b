"""The compiled kernel of upper envelopes.

Nothing here is needed: without numba, and before the kernel is ready, numpy computes the same envelopes.
``python -m mtsig_core.metrics.compiled mtsig_core.optimizers.compiled.envelopes`` compiles it ahead of time.
"""

from __future__ import annotations

from mtsig_core.metrics.compiled.kernels import Kernels

ENVELOPES = Kernels("mtsig_core.optimizers.compiled.envelopes")
