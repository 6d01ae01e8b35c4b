"""Names that other layouts can hold, and lines that read back as they were."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from mtsig_core.experiment import ExperimentError, natural_key
from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.sources.formats import format_of, head_of
from mtsig_core.loading.text.decoding import read_text
from mtsig_core.loading.writing import file_name


def plain_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return a name without dots, blanks and slashes for each name, all distinct whatever the case of letters.

    Examples
    --------
    >>> plain_names(["big model", "v1.2", "V1-2"])
    {'big model': 'big_model', 'v1.2': 'v1-2', 'V1-2': 'V1-2-2'}
    """
    used = {name.casefold() for name in taken}
    result = {}
    for name in names:
        safe = file_name(name).replace(".", "-")
        free, n = safe, 1
        while free.casefold() in used:
            n += 1
            free = f"{safe}-{n}"
        used.add(free.casefold())
        result[name] = free
    return result


def numbered(replicas: Sequence[str], word: str) -> dict[str, str]:
    """Return a name made of a word and a number for each replica: its own number where all have one.

    Examples
    --------
    >>> numbered(["seed7", "seed9"], "seed"), numbered(["first", "second"], "opt")
    ({'seed7': 'seed7', 'seed9': 'seed9'}, {'first': 'opt1', 'second': 'opt2'})
    """
    matches = [re.fullmatch(r"[A-Za-z_-]*0*(\d{1,9})", name) for name in replicas]
    numbers = [match[1] for match in matches if match]
    if len(set(numbers)) < len(replicas):
        numbers = [str(i) for i in range(1, len(replicas) + 1)]
    names = {name: f"{word}{number}" for name, number in zip(replicas, numbers, strict=True)}
    in_order = sorted(names.values(), key=natural_key) == list(names.values())
    return names if in_order else {name: f"{word}{i}" for i, name in enumerate(replicas, 1)}


def encoded(lines: Sequence[str | None], what: str) -> bytes:
    """Return segments as lines of a file.

    Raises
    ------
    ExperimentError
        When plain lines would not read back as these segments.
    """
    plain = [line or "" for line in lines]
    try:
        data = ("\n".join(plain) + "\n").encode()
        if not format_of(head_of(data)) and read_text(data, what).lines == plain:
            return data
    except (UnicodeEncodeError, LoadError):
        pass
    raise ExperimentError(
        f"{what}: a segment holds line ends or looks like something else than text, which only the native layout can "
        "hold. Convert to native."
    )


def renamed(names: dict[str, str], what: str) -> list[str]:
    """Return a sentence on names that had to change; nothing where none had."""
    changed = [f"{old} to {new}" for old, new in names.items() if old != new]
    return [f"Renamed {what}: {some(changed, 3)}."] if changed else []
