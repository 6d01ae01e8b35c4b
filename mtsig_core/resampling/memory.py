"""How much memory resampling may take for what it holds at once; no result depends on it."""

from __future__ import annotations

from mtsig_core.storage.sizes import size_setting

SETTING = "MTSIG_MEMORY"
DEFAULT = 2**30
LEAST = 2**25


def memory() -> int:
    """Return the bytes that resampling may hold beside its input: ``MTSIG_MEMORY``, 1 GB by default, at least 32 MB.

    Raises
    ------
    ValueError
        When the setting is no size.
    """
    return max(LEAST, size_setting(SETTING, DEFAULT))


def fitting(bytes_each: int, most: int) -> int:
    """Return how many things of so many bytes to hold at once: half of the memory's worth, from 1 to `most`."""
    return max(1, min(most, memory() // 2 // max(1, bytes_each)))
