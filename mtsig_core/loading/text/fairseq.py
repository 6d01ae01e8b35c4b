"""Logs of fairseq-generate: segments in the order of their ids, and what is wrong with them.

fairseq writes segments sorted by length, each with ``S-`` (source), ``T-`` (reference), ``H-`` (output,
tokenized) and, from version 0.10 on, ``D-`` (output, detokenized) lines. The order of the file means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mtsig_core.formatting import count
from mtsig_core.loading.report import some

_LINE = re.compile(r"([STHD])-(\d{1,12})(?:\t(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Log:
    """What a log holds, by segment id.

    Parameters
    ----------
    outputs : mapping of int to str
        The best output of each segment: of its ``D-`` lines the first, else of its ``H-`` lines.
    references, sources : mapping of int to str
    n_detokenized : int
        Segments with a ``D-`` line.
    n_repeated : int
        Segments with several outputs (n-best).
    restarted : tuple of int
        Segments that occur a second time: two logs in one file.
    """

    outputs: Mapping[int, str]
    references: Mapping[int, str]
    sources: Mapping[int, str]
    n_detokenized: int
    n_repeated: int
    restarted: tuple[int, ...]

    @property
    def missing(self) -> list[int]:
        """Ids below the highest one without an output."""
        wanted = self.outputs.keys() | self.references.keys() | self.sources.keys()
        last = max(wanted, default=-1)
        if last > 2 * len(wanted) + 1000:
            return [next(i for i in range(last + 1) if i not in self.outputs)]
        return [i for i in range(last + 1) if i not in self.outputs]

    @property
    def flaw(self) -> str:
        """Why the log is no output, in words; or ""."""
        if self.restarted:
            return (
                f"segment {self.restarted[0]} occurs twice, as if two logs were in one file. Give each run a file of "
                "its own"
            )
        missing = self.missing
        if missing:
            ids = some([str(i) for i in missing], 10)
            return f"no output of {count(len(missing), 'segment')} (id {ids}). Generate the whole set again"
        return ""

    def in_order(self, texts: Mapping[int, str]) -> list[str] | None:
        """Return texts by id, or None when a segment has none."""
        return [texts[i] for i in sorted(self.outputs)] if texts.keys() >= self.outputs.keys() else None


def parse_log(lines: Iterable[str]) -> Log:
    """Parse a log; lines of other kinds (``P-``, ``A-``, messages) are skipped.

    Parameters
    ----------
    lines : iterable of str
    """
    texts: dict[str, dict[int, str]] = {"S": {}, "T": {}, "H": {}, "D": {}}
    times: dict[str, dict[int, int]] = {"S": {}, "T": {}, "H": {}, "D": {}}
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        kind, index, rest = match[1], int(match[2]), match[3] or ""
        if kind in "HD":
            rest = rest.partition("\t")[2]
        texts[kind].setdefault(index, rest)
        times[kind][index] = times[kind].get(index, 0) + 1
    restarted = {i for kind in "ST" for i, n in times[kind].items() if n > 1}
    outputs = texts["H"] | texts["D"]
    repeated = {i for kind in "HD" for i, n in times[kind].items() if n > 1}
    return Log(outputs, texts["T"], texts["S"], len(texts["D"]), len(repeated), tuple(sorted(restarted)))
