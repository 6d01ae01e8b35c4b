"""Where an output with too many or too few lines loses its alignment: reported, never repaired."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache

import numpy as np

#: Longer files are not compared word by word.
MOST_LINES = 100_000


def describe_mismatch(lines: Sequence[str], expected: Sequence[Sequence[str | None]]) -> str:
    """Say in words what seems wrong with an output of the wrong length.

    Parameters
    ----------
    lines : sequence of str
        The output.
    expected : sequence of sequences of L segments
        Texts to compare with: references, or outputs of the right length.

    Returns
    -------
    str
        A sentence or two; empty when nothing can be said.
    """
    surplus = len(lines) - len(expected[0])
    blank = [i for i, line in enumerate(lines) if not line.strip()]
    if not lines:
        return "The file is empty."
    if surplus > 0 and blank[-surplus:] == list(range(len(lines) - surplus, len(lines))):
        what = "is a blank last line" if surplus == 1 else f"are {surplus} blank last lines"
        return f"The surplus {what}; delete it if it is not a segment."
    lacking = expected[0][surplus:] if surplus < 0 else ()
    if lacking and not any(line and line.strip() for line in lacking):
        what = "line that it lacks is blank" if surplus == -1 else f"{-surplus} lines that it lacks are blank"
        return f"The last {what} there: delete {'it' if surplus == -1 else 'them'} there if no segment is meant."
    parts = []
    if surplus > 0 and blank:
        parts.append(f"Line {blank[0] + 1} is the first blank one.")
    lost = first_lost(lines, expected)
    if lost is not None and lost < min(len(lines), len(expected[0])):
        parts.append(f"The alignment seems lost from line {lost + 1} on.")
    elif lost is not None:
        parts.append(f"Lines 1 to {lost} fit; " + ("the rest is surplus." if surplus > 0 else "it seems to end early."))
    return " ".join(parts)


def first_lost(lines: Sequence[str], expected: Sequence[Sequence[str | None]]) -> int | None:
    """Return the index of the first line out of place, supposing one gap or surplus at one place.

    Lines before it should resemble the segment of their own index, lines after it the segment shifted by
    the difference in length. None when the likeness is too weak to decide.
    """
    n, length = len(lines), len(expected[0])
    if n > MOST_LINES:
        return None
    words = [words_of(line) for line in lines]
    wanted = [union_of(column) for column in zip(*expected, strict=True)]
    shift = n - length
    straight = np.array([likeness(words[i], wanted[i]) if i < length else 0.0 for i in range(n)])
    shifted = np.array([likeness(words[i], wanted[i - shift]) if 0 <= i - shift < length else 0.0 for i in range(n)])
    before = np.concatenate([[0.0], np.cumsum(straight)])
    after = np.concatenate([np.cumsum(shifted[::-1])[::-1], [0.0]])
    total = before + after
    # Of equally good places the last one: lines are in order for as long as they can be.
    best = n - int(np.argmax(total[::-1]))
    if total[best] < 0.15 * min(n, length):
        return None
    # A surplus line resembles nothing: go back to it.
    while shift > 0 and 0 < best <= length and straight[best - 1] == 0 == shifted[best - 1]:
        best -= 1
    return min(best, length)


@lru_cache(maxsize=8192)  # replicas repeat one another
def words_of(text: str | None) -> frozenset[str]:
    """Return the words of a segment, its characters where it is not written with blanks."""
    if text is None:
        return frozenset()
    words = frozenset(text.casefold().split())
    return words if len(words) > 1 else frozenset(text.casefold())


def union_of(texts: Sequence[str | None]) -> frozenset[str]:
    """Return the words of several segments together."""
    return frozenset().union(*map(words_of, texts))


def likeness(a: Set[str], b: Set[str]) -> float:
    """Return the share of words of the shorter one that both have: 0 to 1."""
    return len(a & b) / max(1, min(len(a), len(b)))
