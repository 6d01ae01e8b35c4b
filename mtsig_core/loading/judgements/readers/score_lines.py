"""Human judgements as mt-metrics-eval stores them: ``human-scores/LP.NAME.LEVEL.score``, no heading.

::

    LP.NAME.seg.score       system, score; the segments of each system in the order of the test set
    LP.NAME.doc.score       system, score; the documents of each system in the order of theirs
    LP.NAME.domain.score    domain, system, score
    LP.NAME.sys.score       system, score

LP is the pair of languages, NAME what people gave (``mqm``, ``wmt-z``, ...); ``None`` is a missing score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.judgements.directions import direction_of
from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.numbers import NumberReader

NAME = "mt-metrics-eval scores"
_FILE_NAME = re.compile(
    r"(?P<pair>[^.]+)\.(?P<name>.+)\.(?P<level>seg|doc|domain|sys)\.score(?:\.gz)?", re.IGNORECASE
)
_STANDARDISED = re.compile(r"(?:^|[-_.])z$")
#: What each level is called, and what stands in a line.
_LEVELS = {
    "seg": ("segment", ("system", "score")),
    "doc": ("document", ("system", "score")),
    "domain": ("domain", ("domain", "system", "score")),
    "sys": ("system", ("system", "score")),
}


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether a file is called as mt-metrics-eval calls people's scores."""
    return _FILE_NAME.fullmatch(base_name(file)) is not None


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of one file; the pair of languages is the test set, as in the layout.

    Raises
    ------
    LoadError
        When a line has other fields, a score is no number, a system's scores are fewer than another's, or one
        is given twice.
    """
    match = _FILE_NAME.fullmatch(base_name(file))
    if match is None:
        raise ValueError(f"{file} is not called LANGUAGES.NAME.LEVEL.score, as in en-de.mqm.seg.score.")
    level, name = match["level"].casefold(), match["name"]
    if not lines:
        raise LoadError(f"{file}: is empty. Expected a system and its score on each line.", file)
    numbers = NumberReader(file)
    rows = _rows(file, lines, numbers, level, name)
    numbers.finish(report)
    _check_counts(file, rows, level)
    frame = judgement_frame({**{role: [row[role] for row in rows] for role in rows[0]}, "test_set": match["pair"]},
                            len(rows))  # fmt: skip
    values = {dimension: own.dropna().tolist() for dimension, own in frame.groupby("dimension", sort=False)["score"]}
    directions = {dimension: direction_of(dimension, own) for dimension, own in values.items()}
    report.add("recognised", "level", f"One score per {_LEVELS[level][0]}; no annotators are named.")
    standardised = tuple(values) if _STANDARDISED.search(name.casefold()) else ()
    if standardised:
        message = f"Standardised by annotator already, by the name: {name}."
        report.assume("standardised", message, "If not, rename the file.")
    return JudgementTable(file, NAME, frame, {dimension: higher for dimension, (higher, _) in directions.items()},
                          {dimension: reason for dimension, (_, reason) in directions.items()},
                          standardised)  # fmt: skip


def _rows(
    file: str, lines: Sequence[str], numbers: NumberReader, level: str, name: str
) -> list[dict[str, str | float | None]]:
    word, expected = _LEVELS[level]
    places: Counter[str] = Counter()
    once: set[tuple[str, ...]] = set()
    rows: list[dict[str, str | float | None]] = []
    for i, line in enumerate(lines, 1):
        cells = line.split()
        if len(cells) != len(expected):
            raise LoadError(
                f"{file}, line {i}: expected {', '.join(expected)}, separated by a tab or blank; found "
                f"{count(len(cells), 'field')}. Correct the line.",
                file,
            )
        *keys, score = cells
        system = keys[-1]
        if level in ("sys", "domain") and tuple(keys) in once:
            raise LoadError(f"{file}, line {i}: {' '.join(keys)!r} has a score in an earlier line. Keep one.", file)
        once.add(tuple(keys))
        places[system] += 1
        rows.append({
            "system": system,
            "segment": str(places[system]) if word == "segment" else None,
            "document": str(places[system]) if word == "document" else None,
            "dimension": f"{name} ({keys[0]})" if word == "domain" else name,
            "score": numbers.read(score, i),
        })
    return rows


def _check_counts(file: str, rows: Sequence[Mapping[str, object]], level: str) -> None:
    """Raise LoadError when systems have different numbers of scores, which go by their order."""
    if level not in ("seg", "doc"):
        return
    counts = Counter(row["system"] for row in rows)
    most = max(counts, key=lambda system: counts[system])
    for system, n in counts.items():
        if n != counts[most]:
            raise LoadError(
                f"{file}: {n:,} scores of {system!r}, but {counts[most]:,} of {most!r}. They are matched by order: "
                "write None where one is missing.",
                file,
            )
