"""How names are put in order."""

from __future__ import annotations

import re


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts ``seed2`` before ``seed10`` and ``test`` before ``test2``.

    Numbers are compared by length and digits, so that no run of digits is too long.
    """
    key = []
    for part in re.findall(r"[0-9]+|[^0-9]+", name):
        digits = part.lstrip("0")
        key.append((1, len(digits), digits) if part[0] in "0123456789" else (2, 0, part.casefold()))
    return (*key, (0, 0, name))
