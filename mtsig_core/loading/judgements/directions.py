"""Whether higher is better, of a dimension that people judged."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mtsig_core.loading.scores.directions import direction, listed_direction

#: Dimensions of quality that people rate; more is better.
QUALITY = frozenset(("adequacy", "fluency", "quality", "naturalness", "informativeness", "coherence", "relevance"))


def direction_of(dimension: str, values: Iterable[float]) -> tuple[bool, str]:
    """Return whether higher is better, and the reason when that is an assumption ("" when it is well known).

    Counts and averages of errors (MQM) are better when lower, unless most of their values are below 0.
    """
    listed = list(values)
    named = listed_direction(dimension)
    if named in ("lower", "sign"):
        higher, reason = direction(dimension, listed)
        mixed = "; values lie on both sides of 0" if listed and min(listed) < 0 < max(listed) else ""
        return higher, (reason or "its name is that of a measure of errors") + mixed
    words = set(re.split(r"[^a-z0-9]+", dimension.casefold()))
    return True, "" if words & QUALITY else "assumed to be a rating of quality"
