"""One line of an n-best list -> a candidate: Moses, cdec, Marian, and JSON lines.

::

    0 ||| hypothesis ||| LM0= -18.2 TranslationModel0= -2 -3 ||| -4.4 ||| 0-0 1-1   Moses; more fields may follow
    0||| hypothesis ||| lm: -18.2 tm: -2 -3 w: -5 ||| -4.4         old Moses: no blank after the id, names with a colon
    0 ||| hypothesis ||| Glue=3 LanguageModel=-18.2 ||| -4.4       cdec: name=value
    0 ||| hypothesis ||| 0-0 1-1 ||| WordScores= -1 -2 ||| F0= -3 ||| -1.5    Marian: alignment and words come first
    {"segment": 0, "text": "hypothesis", "log_probability": -3.1, "length": 7}    JSON lines: one number per feature
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from mtsig_core.formatting import count
from mtsig_core.loading.report import LoadError

#: Names of features and how many values each has, in the order of the list.
Groups = tuple[tuple[str, int], ...]

_NAME = re.compile(r"(?P<name>[^\s=:]+(?:[^\s=]*[^\s=:])?)(?:=|:)")
_NAMED_VALUE = re.compile(r"(?P<name>[^\s=]+)=(?P<value>\S+)")
_ID = re.compile(r"\d{1,12}", re.ASCII)
_ALIGNMENT = re.compile(r"\s*\d+-\d+(\s+\d+-\d+)*\s*", re.ASCII)
_SHOWN = 60  # characters of a damaged line in a message
_JSON_KEYS = ("segment", "text", "features")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hypothesis of one segment.

    Parameters
    ----------
    segment : int
        The id of the list; some tools count from 0, some from 1.
    text : str
        Escaped characters (``&#124;``) are not decoded.
    groups : Groups
        The features that the line has; values without a name have the name "".
    values : sequence of float
        All values, group by group.
    total : float
        The decoder's score; NaN where the line has none.
    """

    segment: int
    text: str
    groups: Groups
    values: Sequence[float]
    total: float = math.nan


@dataclass(frozen=True)
class _Template:
    """Where names and values stand in the feature field: consecutive lines almost always agree."""

    n_words: int
    names: Callable[[Sequence[str]], Any]
    expected: Any
    values: Callable[[Sequence[str]], Any]
    groups: Groups


class LineParser:
    """Parses the lines of one file.

    Parameters
    ----------
    file : str
        Name for messages.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._template: _Template | None = None
        self._sizes: dict[str, tuple[int, int]] = {}

    def parse(self, line: str, number: int) -> Candidate:
        """Return the candidate of a line.

        Raises
        ------
        LoadError
            When the line has none of the formats, a number is not finite, or a feature has another number of
            values than in an earlier line; the message names file and line.
        """
        return self._json(line, number) if line.lstrip().startswith("{") else self._fields(line, number)

    def _error(self, number: int, message: str) -> LoadError:
        return LoadError(f"{self.file}, line {number}: {message}", self.file)

    def _fields(self, line: str, number: int) -> Candidate:
        fields = line.split("|||")
        if len(fields) < 2 or not _ID.fullmatch(fields[0].strip()):
            raise self._error(
                number,
                f"expected 'id ||| hypothesis ||| features ||| score' or one JSON object; got {line[:_SHOWN]!r}. "
                "Give an n-best list of Moses, cdec or Marian, or JSON lines.",
            )
        place = _feature_field(fields)
        total = math.nan
        if place + 1 < len(fields) and fields[place + 1].strip():
            total = self._number(fields[place + 1].strip(), number)
        words = fields[place].split() if place < len(fields) else []
        groups, values = self._features(words, number)
        return Candidate(int(fields[0]), fields[1].strip(), groups, values, total)

    def _features(self, words: Sequence[str], number: int) -> tuple[Groups, Sequence[float]]:
        template = self._template
        if template and len(words) == template.n_words and template.names(words) == template.expected:
            try:
                values = list(map(float, template.values(words)))
            except ValueError:
                pass  # the slow way names the word
            else:
                if math.isfinite(sum(values)):
                    return template.groups, values
        return self._features_by_word(words, number)

    def _features_by_word(self, words: Sequence[str], number: int) -> tuple[Groups, Sequence[float]]:
        sizes: list[tuple[str, list[float]]] = []
        names, numbers = [], []
        for i, word in enumerate(words):
            if named := _NAMED_VALUE.fullmatch(word):
                sizes.append((named["name"], [self._number(named["value"], number)]))
            elif name := _NAME.fullmatch(word):
                sizes.append((name["name"], []))
                names.append(i)
            else:
                if not sizes:
                    sizes.append(("", []))
                sizes[-1][1].append(self._number(word, number))
                numbers.append(i)
        groups = tuple((name, len(values)) for name, values in sizes)
        self._check_sizes(groups, number)
        if len(names) == len(groups) and len(numbers) > 1:
            get = itemgetter(*names)
            self._template = _Template(len(words), get, get(words), itemgetter(*numbers), groups)
        return groups, [value for _, values in sizes for value in values]

    def _check_sizes(self, groups: Groups, number: int) -> None:
        if len({name for name, _ in groups}) < len(groups):
            raise self._error(number, "a feature occurs twice. Write each name once, followed by its values.")
        for name, size in groups:
            expected, first = self._sizes.setdefault(name, (size, number))
            if size != expected:
                raise self._error(
                    number,
                    f"feature {name!r} has {count(size, 'value')}, but {expected} in line {first}. "
                    "Write the list again.",
                )

    def _number(self, word: str, number: int) -> float:
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self._error(number, f"expected a finite number; got {word[:_SHOWN]!r}. Write the list again.")
        return value

    def _json(self, line: str, number: int) -> Candidate:
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            message = f"no valid JSON ({error.msg}, column {error.colno}). Write one object per line."
            raise self._error(number, message) from error
        segment, text = record.get("segment"), record.get("text")
        if isinstance(segment, str) and _ID.fullmatch(segment.strip()):
            segment = int(segment)
        if type(segment) is not int or segment < 0 or not isinstance(text, str):
            raise self._error(
                number,
                'expected {"segment": number, "text": string, one number per feature}; '
                f"got segment {segment!r} and text {str(text)[:_SHOWN]!r}.",
            )
        own = record.get("features")
        flat = {key: value for key, value in record.items() if key not in _JSON_KEYS}
        features = flat | (own if isinstance(own, dict) else {})
        numbers = {name: value for name, value in features.items() if type(value) in (int, float)}
        bad = next((name for name, value in numbers.items() if not math.isfinite(value)), None)
        if bad is not None:
            raise self._error(number, f"feature {bad!r}: expected a finite number; got {numbers[bad]}.")
        groups = tuple((name, 1) for name in numbers)
        return Candidate(segment, text.strip(), groups, [float(value) for value in numbers.values()])


def _feature_field(fields: Sequence[str]) -> int:
    """Return which field holds the features: the one before the score, and no alignment (Marian's come first)."""
    for place in range(2, len(fields) - 1):
        if _is_number(fields[place + 1]) and not _ALIGNMENT.fullmatch(fields[place]):
            return place
    return 2


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
