"""Judgements of WMT's general tasks since 2024, as JSON lines: one object per segment with the scores of its systems.

::

    {"doc_id": "en-cs_CZ_#_news_#_document_#_3", "src_text": ..., "tgt_text": {"SYSTEM": ...},
     "scores": {"SYSTEM": [{"score": 85, "annotator": "a1", "errors": [{"start_i": 4, "end_i": 9, "severity": "minor"}],
                            "times": [start, end]}]}}

Built from the scripts that the organisers publish with the tasks of 2024 and 2025. Interim files of 2025 have one
object per system, whose keys end in the number of the wave (``human1``, ``errors1``, ``annotator1``, ``times1``,
``human2``, ...), or ``human`` in place of ``score``. An older file of 2024 has one object per judgement, with
``system``, ``esa_score`` and ``esa_spans``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame, span_of
from mtsig_core.loading.judgements.languages import language_pair
from mtsig_core.loading.report import LoadError, Reporter, count, some
from mtsig_core.loading.scores.numbers import NumberReader, segment_id
from mtsig_core.loading.text.records import parse_json

NAME = "WMT judgements, JSON lines"
SCORE = "score"
_JOINT = "_#_"
_VALUES = ("score", "human", "esa_score")
_ERRORS = ("errors", "esa_spans")
_SCORES = re.compile(r'"scores":\s*\{')
_BY_SYSTEM = re.compile(r'\{\s*"scores":\s*\{\s*"[^"]*":\s*[\[{]+\s*"(?:score|human|annotator|errors)\d*":')
_FLAT = ('"esa_score"', '"esa_spans"', '"system"')
_WAVE = re.compile(r"(?P<name>human|score|errors|annotator|times)(?P<wave>\d+)")


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the first object holds the judgements of a segment, or one judgement with marked errors."""
    # the first line may be longer than the beginning of the file that is looked at
    first = next((line for line in lines if line.strip()), "").lstrip()
    if not first.startswith("{"):
        return False
    by_segment = _SCORES.search(first) is not None and any(name in first for name in ('"src_text"', '"tgt_text"'))
    return by_segment or _BY_SYSTEM.match(first) is not None or all(name in first for name in _FLAT)


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of one file; a segment that nobody judged has none.

    Raises
    ------
    LoadError
        When a line is not a JSON object, a score is not a number, or nothing was judged.
    """
    numbers = NumberReader(file)
    rows: list[dict[str, Any]] = []
    for line, text in enumerate(lines, 1):
        if text.strip():
            record = parse_json(text, file, line)
            if not isinstance(record, dict):
                raise LoadError(f"{file}, line {line}: expected a JSON object; found {type(record).__name__}.", file)
            rows += _judgements(record, file, line, numbers)
    numbers.finish(report)
    if not rows:
        raise LoadError(f"{file}: has segments, but nobody judged any: 'scores' is empty throughout.", file)
    pairs = list(dict.fromkeys(row["test_set"] for row in rows if row["test_set"]))
    if len(pairs) > 1:
        report.add("recognised", "languages", f"Several language pairs, each shown separately: {some(pairs)}.")
    if unscored := sum(row["score"] is None for row in rows):
        report.add("recognised", "unscored", f"{count(unscored, 'judgement')} without a score.")
    frame = judgement_frame({name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    return JudgementTable(file, NAME, frame, {SCORE: True}, {SCORE: ""})


def _judgements(record: dict[str, Any], file: str, line: int, numbers: NumberReader) -> Iterator[dict[str, Any]]:
    scores = record.get("scores", {record.get("system"): record})
    if not isinstance(scores, dict):
        raise LoadError(f"{file}, line {line}: expected 'scores' to map systems to judgements.", file)
    names = _names(record)
    for system, answers in scores.items():
        for answer in answers if isinstance(answers, list) else _by_wave(answers):
            if isinstance(answer, dict):
                own = names | {"system": str(system), "dimension": SCORE}
                yield own | _values(answer, f"{system}, {names['segment']}", line, numbers)


def _names(record: dict[str, Any]) -> dict[str, str | None]:
    """Return test set (the languages), document and segment of an object."""
    name = str(record.get("doc_id") or "")
    document, joint, segment = name.rpartition(_JOINT)
    if "line_id" in record or not joint:
        document, segment = name, str(record.get("line_id", record.get("segment_id", "1")))
    languages = str(record.get("langs") or document.split(_JOINT)[0])
    pair = languages if language_pair(languages) else None
    return {"test_set": pair, "document": document or None, "segment": segment_id(segment)}


def _by_wave(answer: Any) -> list[dict[str, Any]]:
    """Return the judgements of one object: one, or one per number that its keys end in."""
    if not isinstance(answer, dict):
        return []
    waves: dict[str, dict[str, Any]] = {}
    for key, value in answer.items():
        if match := _WAVE.fullmatch(key):
            waves.setdefault(match["wave"], {})[match["name"]] = value
    return list(waves.values()) or [answer]


def _values(answer: dict[str, Any], task: str, line: int, numbers: NumberReader) -> dict[str, Any]:
    score = next((answer[name] for name in _VALUES if answer.get(name) is not None), None)
    score = None if isinstance(score, float) and np.isnan(score) else score
    errors = next((answer[name] for name in _ERRORS if isinstance(answer.get(name), list)), None)
    annotator, times = answer.get("annotator"), answer.get("times")
    return {
        "annotator": None if annotator in (None, "", "unknown") else str(annotator),
        "score": numbers.read(score, line, SCORE),
        "spans": None if errors is None else tuple(span_of(each) for each in errors if isinstance(each, dict)),
        "seconds": _seconds(times), "task": task,
    }  # fmt: skip


def _seconds(times: Any) -> float:
    try:
        start, end = (float(value) for value in times)
    except (TypeError, ValueError):
        return np.nan
    return end - start if end > start else np.nan
