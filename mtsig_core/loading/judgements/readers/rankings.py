"""Rankings of two or more outputs of an item.

WMT's five-way rankings (``system1Id,system1rank,system2Id,system2rank,...``) and pairwise preferences (two columns of
systems, one that names the better of them, or a tie). Ranked outputs that one annotator saw together share a ``task``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.columns import Table, checked_rows, columns_of
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.numbers import MISSING, NumberReader, segment_id

NAME = "rankings"
DIMENSION = "rank"
_ROLES = {
    "segment": (
        "segment",
        "segment id",
        "segid",
        "seg id",
        "src index",
        "srcindex",
        "sentence",
        "item",
        "item id",
        "id",
        "question id",
    ),
    "document": ("document", "document id", "doc", "doc id"),
    "annotator": ("annotator", "annotator id", "judge", "judge id", "rater", "rater id", "worker", "worker id", "user"),
    "a": ("system a", "a", "system 1", "model a", "left", "output 1 system", "system1id", "system1"),
    "b": ("system b", "b", "system 2", "model b", "right", "output 2 system", "system2id", "system2"),
    "better": ("better", "winner", "preference", "preferred", "outcome", "choice", "verdict"),
}
_SLOT = re.compile(r"system\s*_?(\d+)\s*_?(id|rank)$", re.IGNORECASE)
_FIRST = frozenset(("a", "1", "left", "first", "model_a", "system_a", "model a", "system a", "output 1", ">", "a>b"))
_SECOND = frozenset(("b", "2", "right", "second", "model_b", "system_b", "model b", "system b", "output 2", "<", "a<b"))
_TIE = frozenset(("tie", "0", "=", "equal", "same", "both", "draw", "a=b", "neither", "tie (bothbad)", "both_bad"))


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the heading is one of rankings."""
    header = _header(lines)
    if _slots(header):
        return True
    places = columns_of(header, _ROLES).places
    return {"a", "b", "better"} <= places.keys()


def _header(lines: Sequence[str]) -> tuple[str, ...]:
    first = next((line for line in lines if line.strip()), "")
    try:
        return delimited([first], "").header if first.lstrip()[:1] not in ("{", "[") else ()
    except LoadError:
        return ()


def _slots(header: Sequence[str]) -> list[tuple[int, int]]:
    """Return the columns of the system and the rank of each place of a ranked set."""
    places: dict[str, dict[str, int]] = {}
    for i, name in enumerate(header):
        match = _SLOT.match(name.strip())
        if match:
            places.setdefault(match[1], {})[match[2].lower()] = i
    return [(each["id"], each["rank"]) for _, each in sorted(places.items(), key=lambda item: int(item[0]))
            if {"id", "rank"} <= each.keys()]  # fmt: skip


@dataclass(frozen=True)
class _Ranked:
    """One output in one ranking."""

    segment: str | None
    document: str | None
    annotator: str | None
    task: str
    system: str
    rank: float


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return one judgement per ranked output; a lower rank is better, equal ranks are a tie.

    Raises
    ------
    LoadError
        For a row of another length, a rank that is no number, or a preference that names neither system nor a tie.
    """
    table = delimited(list(lines), file)
    slots = _slots(table.header)
    ranked = _from_slots(table, slots, file, report) if slots else _from_preferences(table, file)
    if not ranked:
        raise LoadError(f"{file}: holds no ranking of two outputs. Add the judgements.", file)
    names = ("segment", "document", "annotator", "task", "system")
    columns = {name: [getattr(each, name) for each in ranked] for name in names}
    frame = judgement_frame({**columns, "dimension": DIMENSION, "score": [each.rank for each in ranked]}, len(ranked))
    return JudgementTable(file, NAME, frame, {DIMENSION: False}, {DIMENSION: ""})


def _common(table: Table, cells: Sequence[object], line: int) -> tuple[str | None, str | None, str | None, str]:
    places = columns_of(table.header, _ROLES).places

    def name(role: str) -> str | None:
        text = str(cells[places[role]]).strip() if role in places else ""
        return None if text.casefold() in MISSING else text

    segment = name("segment")
    return None if segment is None else segment_id(segment), name("document"), name("annotator"), str(line)


def _from_slots(table: Table, slots: list[tuple[int, int]], file: str, report: Reporter) -> list[_Ranked]:
    numbers = NumberReader(file)
    ranked = []
    for line, cells in checked_rows(table.header, table.rows, file):
        own = []
        for system, rank in slots:
            value = numbers.read(cells[rank], line, table.header[rank])
            name = str(cells[system]).strip()
            # WMT writes -1 where nobody ranked the output
            if name and name.casefold() not in MISSING and value is not None and value >= 0:
                own.append(_Ranked(*_common(table, cells, line), name, value))
        ranked += own if len(own) > 1 else []
    numbers.finish(report)
    return ranked


def _from_preferences(table: Table, file: str) -> list[_Ranked]:
    places = columns_of(table.header, _ROLES).places
    ranked = []
    for line, cells in checked_rows(table.header, table.rows, file):
        a, b = (str(cells[places[role]]).strip() for role in ("a", "b"))
        verdict = str(cells[places["better"]]).strip()
        if verdict.casefold() in MISSING - {"-"}:
            continue
        ranks = _ranks(verdict, a, b)
        if ranks is None or not a or not b:
            raise LoadError(
                f"{file}, line {line}, column {table.header[places['better']]!r}: expected {a!r}, {b!r}, 1, 2 or "
                f"tie; found {verdict[:40]!r}. Correct it or leave it empty.",
                file,
            )
        common = _common(table, cells, line)
        ranked += [_Ranked(*common, a, ranks[0]), _Ranked(*common, b, ranks[1])]
    return ranked


def _ranks(verdict: str, a: str, b: str) -> tuple[float, float] | None:
    # a name goes first: a system may be called "1" or "b"
    text = " ".join(verdict.casefold().split())
    if verdict == a or (verdict != b and text in _FIRST):
        return 1.0, 2.0
    if verdict == b or text in _SECOND:
        return 2.0, 1.0
    return (1.0, 1.0) if text in _TIE else None
