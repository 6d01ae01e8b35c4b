"""Whether higher is better, of a dimension that people judged."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mtsig_core.loading.scores.directions import ERRORS, direction

#: Dimensions of quality that people rate; more is better.
QUALITY = frozenset(("adequacy", "fluency", "quality", "naturalness", "informativeness", "coherence", "relevance"))


def direction_of(dimension: str, values: Iterable[float]) -> tuple[bool, str]:
    """Return whether higher is better, and the reason when that is an assumption ("" when it is well known).

    Counts and averages of errors (MQM) are better when lower, unless no value is above 0.
    """
    listed = list(values)
    words = set(re.split(r"[^a-z0-9]+", dimension.casefold()))
    if words & ERRORS:
        if listed and min(listed) < 0 < max(listed):
            return False, "its name is that of a measure of errors; values lie on both sides of 0"
        return direction(dimension, listed)
    return True, "" if words & QUALITY else "taken for a rating of quality"
