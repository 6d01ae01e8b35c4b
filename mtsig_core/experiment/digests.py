"""Digests of names, text and scores: what makes two experiments the same one."""

from __future__ import annotations

import hashlib
import math
import sys
from array import array
from collections.abc import Iterable, Sequence


def digest_of(parts: Iterable[str]) -> str:
    """Return the sha256 of parts, each preceded by its length so that borders count."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        sha.update(len(data).to_bytes(8, "big"))
        sha.update(data)
    return sha.hexdigest()


def text_digest(lines: Sequence[str | None]) -> str:
    """Return the sha256 of a sequence of segments: their number, their lengths and their text.

    A missing segment (None) differs from an empty one.
    """
    texts = [line for line in lines if line is not None]
    whole = len(texts) == len(lines)
    lengths = array("q", map(len, texts) if whole else (-1 if line is None else len(line) for line in lines))
    sha = hashlib.sha256(len(lengths).to_bytes(8, "big"))
    sha.update(_little_endian(lengths))
    sha.update("".join(texts).encode("utf-8", "surrogatepass"))
    return sha.hexdigest()


def scores_digest(scores: Sequence[float | None]) -> str:
    """Return the sha256 of segment scores, bit for bit; a missing one (None) differs from every number."""
    numbers = array("d", (math.nan if score is None else score for score in scores))
    return hashlib.sha256(_little_endian(numbers)).hexdigest()


def _little_endian(numbers: array) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
