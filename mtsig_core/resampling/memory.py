"""How much memory resampling may take for what it holds at once; no result depends on it."""

from __future__ import annotations

import os
import re

SETTING = "MTSIG_MEMORY"
DEFAULT = 2**30
LEAST = 2**25
_UNITS = {"": 2**20, "k": 2**10, "m": 2**20, "g": 2**30}


def memory() -> int:
    """Return the bytes that resampling may hold beside its input: ``MTSIG_MEMORY``, 1 GB by default, at least 32 MB.

    Raises
    ------
    ValueError
        When the setting is no size.
    """
    told = os.environ.get(SETTING, "").strip()
    if not told:
        return DEFAULT
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)i?b?", told, re.IGNORECASE)
    if found is None:
        raise ValueError(f"{SETTING} must be a size such as 500MB or 2GB; got {told!r}. Change it or leave it unset.")
    return max(LEAST, int(float(found[1]) * _UNITS[found[2].lower()]))


def fitting(bytes_each: int, most: int) -> int:
    """Return how many things of so many bytes to hold at once: half of the memory's worth, from 1 to `most`."""
    return max(1, min(most, memory() // 2 // max(1, bytes_each)))
