"""What the path of an n-best list says: its test set, its system, its iteration."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPLIT = re.compile(r"[/._-]+")
_DEV = re.compile(r"(dev|devset|development|tune|tuning|valid|validation|val|mert|train)\d*", re.IGNORECASE)
_TEST = re.compile(r"[a-z]*(test|eval)[a-z]*\d*", re.IGNORECASE)
_ITERATION = re.compile(r"(?:run|iter|iteration|it|round)(\d+)", re.IGNORECASE)
_GENERIC = re.compile(
    r"n|best|n?best\d*(list)?s?|lists?|systems?|out|outputs?|txt|gz|zst|jsonl?|ndjson|\d+best|hyps?|data|work",
    re.IGNORECASE,
)
ONLY_SET = "all"
ONLY_SYSTEM = "system"


@dataclass(frozen=True)
class ListName:
    """The role of one list.

    Parameters
    ----------
    path : str
    test_set : str
        ``dev``, the name of a test set, or `ONLY_SET` where the path names none.
    system : str
        `ONLY_SYSTEM` where the path names none.
    iteration : int
        0 where the path names none.
    """

    path: str
    test_set: str
    system: str
    iteration: int


def test_set_of(path: str) -> str:
    """Return ``dev``, the name of a test set, or `ONLY_SET` for a path that names none; the last name counts."""
    for token in reversed(_SPLIT.split(path)):
        if _DEV.fullmatch(token):
            return "dev"
        if _TEST.fullmatch(token):
            return token.lower()
    return ONLY_SET


def name_of(path: str) -> ListName:
    """Return what a path says of a list."""
    iterations = [int(match[1]) for token in _SPLIT.split(path) if (match := _ITERATION.fullmatch(token))]
    *folders, file = path.split("/")
    parts = ["-".join(tokens) for part in [*folders, file] if (tokens := _own_tokens(part))]
    return ListName(path, test_set_of(path), "/".join(parts) or ONLY_SYSTEM, iterations[-1] if iterations else 0)


def _own_tokens(part: str) -> list[str]:
    """Return the words of a file or folder name that may name a system."""
    tokens = [token for token in _SPLIT.split(part) if token]
    meaningful = (_DEV, _TEST, _ITERATION, _GENERIC)
    return [token for token in tokens if not any(pattern.fullmatch(token) for pattern in meaningful)]
