"""A warning about ids of segments inside the text, as speech recognisers write them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from mtsig_core.loading.checks.outputs import Outputs
from mtsig_core.loading.report import ReportLine, some

#: Lines from which ids are told from words, and lines that are looked at.
FEWEST, N_LOOKED_AT = 5, 100
#: Where an id stands, and what takes it away: Kaldi's before the text, NIST's in brackets behind it.
_PLACES = (
    ("begins", re.compile(r"\s*(?P<id>[^\s.,!?;:]*\d[^\s,!?;]*)\s+\S"), "cut -d' ' -f2- FILE > CLEAN"),
    ("ends", re.compile(r".*\s\((?P<id>[^\s()]*\d[^\s()]*)\)\s*"), "sed 's/ *([^ ()]*)$//' FILE > CLEAN"),
)


def ids_in_lines(outputs: Outputs) -> Iterator[ReportLine]:
    """Text of which every line holds the id of its segment, which every metric counts as a word."""
    for test_set in outputs.experiment.test_sets:
        streams = [("references", "", stream) for stream in test_set.references]
        streams += [(o.label, o.file, o.lines) for o in outputs.on(test_set.name)]
        for verb, pattern, remedy in _PLACES:
            found = [(label, file, example) for label, file, lines in streams if (example := _id_in(lines, pattern))]
            if found:
                labels = dict.fromkeys(label for label, _, _ in found)
                yield ReportLine(
                    "warning",
                    f"Every line {verb} with an id such as {found[0][2]!r}, which counts as a word: {some(labels)} of "
                    f"{test_set.name}. Remove the ids ({remedy}), or every score is wrong.",
                    tuple(file for _, file, _ in found if file),
                    "ids-in-lines",
                )


def holds_ids(lines: Sequence[str | None]) -> bool:
    """Say whether every line of a text holds an id."""
    return any(_id_in(lines, pattern) for _, pattern, _ in _PLACES)


def _id_in(lines: Sequence[str | None], pattern: re.Pattern[str]) -> str:
    """Return the first id, where each line has one of its own; else ""."""
    ids: list[str] = []
    for line in lines[:N_LOOKED_AT]:
        match = pattern.match(line) if line else None
        if line and not match:
            return ""
        ids += [match["id"]] if match else []
    if len(ids) < FEWEST or len(set(ids)) < len(ids):
        return ""
    return ids[0] if not all(map(str.isdecimal, ids)) or _is_counted(ids) else ""


def _is_counted(numbers: Sequence[str]) -> bool:
    """Say whether numbers follow one another, other than those with which sentences happen to begin."""
    return all(int(b) == int(a) + 1 for a, b in itertools.pairwise(numbers))
