"""Sizes that people set by environment variables, such as ``MTSIG_CACHE=5GB``."""

from __future__ import annotations

import os
import re

_UNITS = {"": 2**20, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def size_setting(name: str, default: int) -> int:
    """Return the bytes that an environment variable sets; a bare number is of megabytes.

    Raises
    ------
    ValueError
        When what it says is no size.
    """
    told = os.environ.get(name, "").strip()
    if not told:
        return default
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", told, re.IGNORECASE)
    if found is None:
        raise ValueError(f"{name} must be a size such as 500MB or 2GB; got {told!r}. Change it or leave it unset.")
    return int(float(found[1]) * _UNITS[found[2].lower()])
