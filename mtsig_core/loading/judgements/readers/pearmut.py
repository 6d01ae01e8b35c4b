"""Pearmut's annotations: one JSON object per submitted screen, with scores and error spans by model.

Built from the published package's description and examples: ``annotation`` is a list with one object per item, which
maps a model to its ``score`` and ``error_spans``; ``item`` lists what was shown; ``user_id`` and ``item_i`` say who and
where; ``actions`` are times. A tutorial (``welcome_...``), a closing screen (``goodbye_...``) and an attention check
(``random_...``, or an item with ``validation``) is set aside; an annotator's reset cancels what came before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mtsig_core.loading.judgements.frame import ATTENTION, OUTPUT, TUTORIAL, JudgementTable, judgement_frame, span_of
from mtsig_core.loading.report import LoadError, Reporter, count
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.text.records import parse_json

NAME = "Pearmut annotations"
_RESET = "__RESET__"
_JOINT = "_#_"


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the first line is an annotation of Pearmut."""
    first = next((line for line in lines if line.strip()), "")
    if not first.lstrip().startswith(("{", "[{")):
        return False
    return '"annotation"' in first and '"user_id"' in first and '"item_i"' in first


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of one file of annotations.

    Raises
    ------
    LoadError
        When a line is not a JSON object, when annotations do not fit the items shown, or when there is neither a
        score nor a span.
    """
    numbers = NumberReader(file)
    rows: list[dict[str, Any]] = []
    n_reset = 0
    for line, entry in _entries(file, lines):
        if entry.get("annotation") == _RESET:
            before = len(rows)
            rows = [row for row in rows if not _is_reset(row, entry)]
            n_reset += before - len(rows)
            continue
        rows += _judgements(entry, file, line, numbers)
    numbers.finish(report)
    if n_reset:
        report.add("ignored", "reset", f"{count(n_reset, 'judgement')} before an annotator's reset: left out.")
    if not rows:
        raise LoadError(f"{file}: holds no score and no error span. Export the campaign after it was annotated.", file)
    columns = {name: [row[name] for row in rows] for name in rows[0] if name != "item_i"}
    frame = judgement_frame(columns, len(rows))
    return JudgementTable(file, NAME, frame, dict.fromkeys(frame["dimension"].unique(), True),
                          dict.fromkeys(frame["dimension"].unique(), ""))  # fmt: skip


def _entries(file: str, lines: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    if next((line for line in lines if line.strip()), "").lstrip().startswith("["):
        listed = parse_json("\n".join(lines), file, None)
        numbered = list(enumerate(listed if isinstance(listed, list) else [listed], 1))
    else:
        numbered = [(i, parse_json(line, file, i)) for i, line in enumerate(lines, 1) if line.strip()]
    for line, entry in numbered:
        if not isinstance(entry, dict):
            raise LoadError(f"{file}, line {line}: expected a JSON object; found {type(entry).__name__}.", file)
        yield line, entry


def _is_reset(row: dict[str, Any], marker: dict[str, Any]) -> bool:
    same_user = row["annotator"] == str(marker.get("user_id"))
    return same_user and marker.get("item_i") in (None, row["item_i"])


def _judgements(entry: dict[str, Any], file: str, line: int, numbers: NumberReader) -> list[dict[str, Any]]:
    annotation, items = entry.get("annotation"), entry.get("item")
    answers = annotation if isinstance(annotation, list) else [annotation]
    shown = items if isinstance(items, list) else [items or {}] * len(answers)
    if len(shown) != len(answers):
        message = f"{file}, line {line}: {len(answers)} annotations of {len(shown)} items. Is it incomplete?"
        raise LoadError(message, file)
    place = str(entry.get("item_i"))
    rows = []
    for number, (answer, item) in enumerate(zip(answers, shown, strict=True)):
        if isinstance(answer, dict):
            document, segment = _names(item, place, number, len(answers))
            for system, values in answer.items():
                common = {
                    "document": document,
                    "segment": segment,
                    "system": system,
                    "annotator": str(entry.get("user_id")),
                    "item_type": _item_type(place, item, system),
                    "task": f"{entry.get('user_id')}:{place}:{number}",
                    "item_i": entry.get("item_i"),
                }
                rows += [common | own for own in _values(values, line, numbers)]
    seconds = _seconds(entry)
    n_outputs = max(1, len({(row["task"], row["system"]) for row in rows}))
    return [row | {"seconds": seconds / n_outputs} for row in rows]


def _names(item: dict[str, Any], place: str, number: int, n_items: int) -> tuple[str | None, str]:
    name = item.get("item_id") if isinstance(item, dict) else None
    if name is None:
        return (place, str(number + 1)) if n_items > 1 else (None, place)
    document, joint, segment = str(name).rpartition(_JOINT)
    return (document, segment) if joint else (None, str(name))


def _item_type(place: str, item: dict[str, Any], system: str) -> str:
    if place.startswith(("welcome_", "goodbye_")):
        return TUTORIAL
    validation = item.get("validation") if isinstance(item, dict) else None
    checks_this = validation is not None and (
        not isinstance(validation, dict) or system in validation or "score" in validation
    )
    return ATTENTION if place.startswith("random_") or checks_this else OUTPUT


def _values(values: Any, line: int, numbers: NumberReader) -> list[dict[str, Any]]:
    """Return one row per slider of one output; without any score, one for its spans where the protocol marks them."""
    if not isinstance(values, dict):
        return []
    listed = values.get("error_spans")
    spans = None if listed is None else tuple(span_of(each) for each in listed if isinstance(each, dict))
    score = values.get("score")
    if isinstance(score, dict):
        return [{"dimension": str(name).casefold(), "score": numbers.read(value, line, str(name)), "spans": spans}
                for name, value in score.items()]  # fmt: skip
    if score is None and not spans:
        return []
    return [{"dimension": "score", "score": numbers.read(score, line, "score"), "spans": spans}]


def _seconds(entry: dict[str, Any]) -> float:
    times = [action["time"] for action in entry.get("actions") or []
             if isinstance(action, dict) and isinstance(action.get("time"), int | float)]  # fmt: skip
    return float(times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else np.nan
