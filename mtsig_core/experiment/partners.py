"""Which replicas of two systems belong together, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence


def matched_replicas(names_a: Sequence[str], names_b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the indices of replicas that belong together, in A's order.

    Replicas of one name belong together; where no name is shared, those of one number (the last one in the name),
    unless a system has a number twice.

    Parameters
    ----------
    names_a, names_b : sequence of str
    """
    places = {name: k for k, name in enumerate(names_b)}
    pairs = [(i, places[name]) for i, name in enumerate(names_a) if name in places]
    if pairs:
        return pairs
    numbers_a, numbers_b = ([_number(name) for name in names] for names in (names_a, names_b))
    if any(len(set(numbers)) < len(numbers) for numbers in (numbers_a, numbers_b)):
        return []
    by_number = {number: k for k, number in enumerate(numbers_b) if number is not None}
    return [(i, by_number[number]) for i, number in enumerate(numbers_a) if number in by_number]


def _number(name: str) -> int | None:
    numbers = re.findall(r"\d+", name)
    return int(numbers[-1]) if numbers else None
