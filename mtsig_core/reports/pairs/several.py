"""Several verdicts at once: how many questions were asked, and p corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.formatting import format_p
from mtsig_core.significance import holm


def holm_across_metrics(comparisons: Sequence[Comparison]) -> dict[str, dict[str, float]]:
    """Return Holm's corrected p of the coherent test across the metrics of each test set.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Of the same two systems.

    Returns
    -------
    dict of test set to dict of metric to float
        Test sets with p under two or more metrics.
    """
    by_set: dict[str, dict[str, float]] = {}
    for c in comparisons:
        if c.coherent is not None and c.coherent.p is not None:
            by_set.setdefault(c.test_set, {})[c.metric] = c.coherent.p
    return {
        name: dict(zip(p, map(float, holm(list(p.values()))), strict=True)) for name, p in by_set.items() if len(p) > 1
    }


def across_metrics(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """Return a sentence per test set with verdicts under several metrics, with the corrected p; else nothing."""
    labels = {c.metric: c.label for c in comparisons}
    lines = []
    for test_set, corrected in holm_across_metrics(comparisons).items():
        values = ", ".join(f"{labels[name]} {format_p(p)}" for name, p in corrected.items())
        lines.append(
            f"On {test_set}, {len(corrected)} metrics give {len(corrected)} verdicts, each at its own significance "
            f"level. Corrected by Holm across these metrics, p is: {values}."
        )
    return tuple(lines)
