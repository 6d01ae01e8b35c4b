"""Sizes that people set by environment variables, such as ``MTSIG_CACHE=5GB``."""

from __future__ import annotations

import os
import re

MIB = 2**20
_UNITS = {"": MIB, "k": 2**10, "m": MIB, "g": 2**30, "t": 2**40}


def size_setting(name: str, default: int) -> int:
    """Return the number of bytes that an environment variable sets; a bare number means megabytes.

    Raises
    ------
    ValueError
        When its value is not a size.
    """
    setting = os.environ.get(name, "").strip()
    if not setting:
        return default
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", setting, re.IGNORECASE)
    if match is None:
        raise ValueError(f"{name} must be a size such as 500MB or 2GB; got {setting!r}. Change it or leave it unset.")
    return int(float(match[1]) * _UNITS[match[2].lower()])
