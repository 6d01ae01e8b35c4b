"""Free memory of the process goes back to the system, where the C library would keep it for later."""

from __future__ import annotations

import ctypes
import sys


def return_free_memory() -> bool:
    """Give free memory back to the system; say whether anything was given.

    The C library of Linux keeps what threads have freed between blocks that are still in use. Elsewhere, and with
    other C libraries, nothing happens.

    Examples
    --------
    >>> from mtsig_core.runtime.memory import return_free_memory
    >>> return_free_memory() in (True, False)
    True
    """
    if not sys.platform.startswith("linux"):
        return False
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; musl has none
    return bool(trim and trim(0))
