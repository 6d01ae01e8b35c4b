"""n-best lists of Moses, cdec and others: read and checked, for tuning.

::

    0 ||| hypothesis ||| LM0= -18.2 TranslationModel0= -2 -3 ||| -4.4 ||| 0-0 1-1
    0||| hypothesis ||| lm: -18.2 tm: -2 -3 w: -5 ||| -4.4          old Moses: no blank, names with a colon
    0 ||| hypothesis ||| Glue=3 LanguageModel=-18.2 ||| -4.4        cdec: name=value
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mtsig_core.formatting import count
from mtsig_core.loading.report import LoadError, some

_NAME = re.compile(r"(?P<name>[^\s=:]+(?:[^\s=]*[^\s=:])?)(?:=|:)")
_NAMED_VALUE = re.compile(r"(?P<name>[^\s=]+)=(?P<value>\S+)")


@dataclass(frozen=True)
class NBestEntry:
    """One hypothesis of one segment.

    Parameters
    ----------
    segment : int
        The id of the list; some tools count from 0, some from 1.
    hypothesis : str
        As it stands, with escaped characters (``&#124;``).
    features : tuple of (name, values)
        In the order of the list; the name of values without one is "".
    score : float or None
        The model's total.
    alignment : str
        The fifth field, or "".
    """

    segment: int
    hypothesis: str
    features: tuple[tuple[str, tuple[float, ...]], ...]
    score: float | None = None
    alignment: str = ""


def read_nbest(lines: Iterable[str], file: str = "n-best list") -> tuple[NBestEntry, ...]:
    """Parse an n-best list.

    Parameters
    ----------
    lines : iterable of str
    file : str
        Name for messages.

    Returns
    -------
    tuple of NBestEntry
        In the order of the list.

    Raises
    ------
    LoadError
        When a line is none of an n-best list, or a feature has another number of values than before; with
        the line.
    """
    entries = []
    sizes: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines, 1):
        entry = _entry(line, f"{file}, line {number}", file)
        for name, values in entry.features:
            size, first = sizes.setdefault(name, (len(values), number))
            if size != len(values):
                raise LoadError(
                    f"{file}, line {number}: feature {name!r} has {count(len(values), 'value')}, but {size} in line "
                    f"{first}. Write the list again.",
                    file,
                )
        entries.append(entry)
    if not entries:
        raise LoadError(f"{file}: holds no hypotheses.", file)
    return tuple(entries)


def _entry(line: str, where: str, file: str) -> NBestEntry:
    fields = line.split("|||")
    if len(fields) < 2 or not re.fullmatch(r"\s*\d{1,12}\s*", fields[0], re.ASCII):
        raise LoadError(
            f"{where}: expected 'id ||| hypothesis ||| features ||| score', found {line[:60]!r}. Give an n-best list "
            "of Moses or cdec.",
            file,
        )
    fields += [""] * (5 - len(fields))
    score = _number(fields[3].strip(), where, file) if fields[3].strip() else None
    features = _features(fields[2].split(), where, file)
    return NBestEntry(int(fields[0]), fields[1].strip(), features, score, fields[4].strip())


def _features(words: Sequence[str], where: str, file: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    found: list[tuple[str, list[float]]] = []
    for word in words:
        named = _NAMED_VALUE.fullmatch(word)
        name = _NAME.fullmatch(word)
        if named:
            found.append((named["name"], [_number(named["value"], where, file)]))
        elif name:
            found.append((name["name"], []))
        else:
            if not found:
                found.append(("", []))
            found[-1][1].append(_number(word, where, file))
    return tuple((name, tuple(values)) for name, values in found)


def _number(word: str, where: str, file: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise LoadError(f"{where}: expected a number, found {word[:40]!r}. Write the list again.", file)
    return value


def check_nbest(entries: Sequence[NBestEntry], n_segments: int | None = None) -> tuple[str, ...]:
    """Return what is worth knowing about a list, a sentence each: gaps, empty and repeated hypotheses.

    Parameters
    ----------
    entries : sequence of NBestEntry
    n_segments : int, optional
        Number of segments of the reference.
    """
    ids = [entry.segment for entry in entries]
    first = min(ids) if min(ids) in (0, 1) else 0
    last = max(ids) if n_segments is None else n_segments - 1 + first
    known = set(ids)
    found = []
    gaps = [i for i in range(first, min(last + 1, first + len(known) + 10_000)) if i not in known]
    if gaps:
        listed = some([str(i) for i in gaps], 10)
        verb = "has" if len(gaps) == 1 else "have"
        found.append(f"{count(len(gaps), 'segment')} {verb} no hypothesis: id {listed}.")
    beyond = sorted(i for i in known if i > last)
    if beyond:
        n = last - first + 1
        found.append(f"{count(len(beyond), 'id')} beyond the {n} segments of the reference, the first {beyond[0]}.")
    blocks = 1 + sum(a != b for a, b in zip(ids, ids[1:], strict=False))
    if blocks > len(known):
        found.append("Hypotheses of one segment do not stand together.")
    empty = sum(not entry.hypothesis for entry in entries)
    if empty:
        found.append(f"{empty} empty hypotheses." if empty > 1 else "1 empty hypothesis.")
    repeated = sum(n - 1 for n in Counter((e.segment, e.hypothesis) for e in entries).values())
    if repeated:
        found.append(f"{repeated} of {len(entries)} hypotheses repeat another one of their segment.")
    return tuple(found)


def best(entries: Iterable[NBestEntry]) -> dict[int, NBestEntry]:
    """Return the entry with the highest total of each segment, the first of equals; by id."""
    found: dict[int, NBestEntry] = {}
    for entry in entries:
        held = found.get(entry.segment)
        if held is None or (entry.score is not None and held.score is not None and entry.score > held.score):
            found[entry.segment] = entry
    return dict(sorted(found.items()))
