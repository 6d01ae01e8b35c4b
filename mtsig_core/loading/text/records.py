"""Files with one JSON object per line: which key is the output, the reference, the system, ..."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtsig_core.formatting import visible
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.text.ids import SEGMENT_IDS

#: Keys that are those of a reference where they hold texts of several words: of judgements and labels they are others.
WEAKER_REFERENCES = (
    "human", "human1", "humantranslation", "humanreference", "ht", "gt", "correct", "correcttranslation", "truth",
    "highlights",
)
#: Keys of each role, the surest first; compared without regard to case, and to "-" and "_".
KEYS: dict[str, tuple[str, ...]] = {
    "output": (
        "hypothesis", "hyp", "predict", "prediction", "pred", "translation", "translated", "mt", "tgttext",
        "systemoutput", "modeloutput", "output", "outputtext", "generated", "generatedtext", "generation",
        "generatedanswer", "generatedsummary", "completion", "response", "candidate", "decoded", "translationtext",
        "predtext",
        "übersetzung", "uebersetzung", "ausgabe", "traduction", "sortie", "traducción", "traduccion", "salida",
        "traduzione",
        "tradução", "перевод", "译文", "译文文本", "訳文", "번역",
    ),
    "reference": (
        "reference", "ref", "references", "refs", "label", "labels", "target", "targets", "gold", "goldstandard",
        "expected", "groundtruth", "reftext", "targettext", "goldtext", "ideal", "idealanswer", "expectedoutput",
        "expectedanswer", "referencetranslation", "correctanswer",
        "referenz", "referenzübersetzung", "vorlage", "référence", "referencia", "riferimento", "referência", "эталон",
        "参考译文", "参考", "参照訳", "참조", *WEAKER_REFERENCES,
    ),
    "source": ("source", "src", "srctext", "sourcetext", "input", "inputtext", "question", "prompt", "quelle",
               "quelltext", "ausgangstext", "fuente", "fonte", "原文", "源文", "userinput",
               "query", "article", "instruction"),
    "system": ("system", "systemname", "systemid", "sys", "model", "modelname", "modelid",
               "modell", "systemname", "système", "sistema", "система", "系统", "システム", "시스템"),
    "replica": ("seed", "randomseed", "replica", "run", "runid", "trial", "fold", "lauf", "graine", "semilla", "种子"),
    "test_set": ("testset", "dataset", "benchmark", "split"),
    "document": ("docid", "documentid", "document", "doc"),
    "segment": (*(name.replace(" ", "") for name in SEGMENT_IDS), "segment", "line"),
}  # fmt: skip
#: Where the program of MetricX writes its score.
OF_METRICX = "prediction"
#: Where NeMo writes what was recognised, beside the transcript under *text*.
_OF_NEMO = "predtext"
_SENTENCE = re.compile(r"\S\s+\S|[^\x00-\x7f]{4}")
_LIST = re.compile(r"\s*\[\s*\{")
_BLANKS = re.compile(r"[ \t\r\n]*")
#: Characters of a name or id; more of them are cut.
LONGEST_NAME = 200
#: Most keys of one object in a JSON text, and objects and values of a whole file: each becomes an object here.
MOST_KEYS, MOST_OBJECTS, MOST_VALUES = 2_000, 5_000_000, 40_000_000


@dataclass(frozen=True)
class Fields:
    """Which key of the objects of a file has which role."""

    keys: Mapping[str, str]

    def __contains__(self, role: str) -> bool:
        return role in self.keys

    def value(self, record: Mapping[str, object], role: str) -> object:
        """Return what a record holds for a role; None without one."""
        return record.get(self.keys[role]) if role in self.keys else None

    def name(self, record: Mapping[str, object], role: str) -> str:
        """Return a name or id as text, "" where there is none."""
        if role not in self.keys:
            return ""
        value = record.get(self.keys[role])
        if type(value) is int:
            return str(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return visible(str(value).strip())[:LONGEST_NAME] if isinstance(value, str | int | float) else ""

    def description(self) -> str:
        """Return ``predict: output, label: reference`` for reports."""
        return ", ".join(f"{key}: {role.replace('_', ' ')}" for role, key in self.keys.items())


def fields_of(records: Sequence[Mapping[str, object]]) -> Fields:
    """Return the roles of the keys that all of these records have, by name and by kind of value."""
    keys = [key for key in records[0] if all(key in record for record in records)] if records else []
    plain = {_plain(key): key for key in reversed(keys)}
    chosen: dict[str, str] = {}
    for role, names in KEYS.items():
        for name in names:
            key = plain.get(name)
            if key is None or key in chosen.values():
                continue
            values = [record[key] for record in records]
            if _fits(role, values) and (name not in WEAKER_REFERENCES or _are_sentences(values)):
                chosen[role] = key
                break
    if _plain(chosen.get("output", "")) == _OF_NEMO and "reference" not in chosen and "text" in plain:
        chosen["reference"] = plain["text"]
    return Fields(chosen)


def _plain(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _fits(role: str, values: Sequence[object]) -> bool:
    if role in ("output", "source"):
        return all(isinstance(value, str) for value in values)
    if role == "reference":
        return all(isinstance(value, str) or _is_texts(value) for value in values)
    return all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in values)


def _are_sentences(values: Sequence[object]) -> bool:
    """Say whether most values are texts of several words, or in a script without blanks."""
    return 2 * sum(_SENTENCE.search(str(value)) is not None for value in values) > len(values)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def first_records(head: str, most: int = 20) -> list[dict[str, object]]:
    """Return the objects of the first whole lines of a file; none where one of them is no object."""
    lines = head.split("\n")
    try:
        records = [parse_bounded(line) for line in (lines[:-1] or lines)[:most] if line.strip()]
    except (ValueError, RecursionError):
        return []
    objects = [record for record in records if isinstance(record, dict)]
    return objects if len(objects) == len(records) else []


def is_list(head: str) -> bool:
    """Say whether a file begins like a JSON list of objects."""
    return _LIST.match(head) is not None


def first_of_list(head: str, most: int = 20) -> list[dict[str, object]]:
    """Return the first objects of a JSON list of which only the beginning may be there."""
    records: list[dict[str, object]] = []
    try:
        for record in parse_items(head, "", MOST_KEYS):
            records.append(record)
            if len(records) == most:
                break
    except LoadError:
        pass  # the beginning may end within an object
    return records


def read_records(lines: Sequence[str], file: str) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number of each line that is not blank, from 1, and its object.

    Raises
    ------
    LoadError
        When a line is not a JSON object; the message names file and line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = parse_bounded(line)
        except json.JSONDecodeError as error:
            place = f"{file}, line {number}, column {error.colno}"
            raise LoadError(f"{place}: not valid JSON ({error.msg}). Is it incomplete?", file) from error
        except (ValueError, RecursionError) as error:
            reason = " ".join(str(error).split())[:120]
            raise LoadError(f"{file}, line {number}: no usable JSON ({reason}). Correct the line.", file) from error
        if not isinstance(record, dict):
            kind = type(record).__name__
            raise LoadError(f"{file}, line {number}: expected a JSON object, found {kind}. Write one per line.", file)
        yield number, record


def parse_json(text: str, file: str, line: int | None) -> object:
    """Return parsed JSON, or raise LoadError, which names file and line."""
    for n, most, what in ((text.count("{") + text.count("["), MOST_OBJECTS, "objects and lists"),
                          (text.count(","), MOST_VALUES, "values")):  # fmt: skip
        if n > most:
            raise LoadError(f"{file}: {n:,} {what} of JSON; the limit is {most:,}. Split the file.", file)
    try:
        return parse_bounded(text)
    except json.JSONDecodeError as error:
        place = line if line is not None else error.lineno
        message = f"{file}, line {place}, column {error.colno}: not valid JSON ({error.msg}). Is it incomplete?"
        raise LoadError(message, file) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, lists in lists in lists
        raise LoadError(f"{file}: no usable JSON ({error}).", file) from error


def parse_items(text: str, file: str, most_objects: int) -> Iterator[dict[str, object]]:
    """Yield the objects of a JSON list one by one: all of them at once may take much memory.

    Parameters
    ----------
    text : str
    file : str
        For messages.
    most_objects : int
        Objects that one of them may hold.

    Raises
    ------
    LoadError
        When the text is no list of objects, or one of them holds too many.
    """
    counted = 0

    def bounded(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal counted
        counted += 1
        if counted > most_objects:
            raise ValueError(f"more than {most_objects:,} objects in one entry of the list, the limit")
        return _bounded_object(pairs)

    try:
        for item in _items(text, json.JSONDecoder(object_pairs_hook=bounded)):
            counted = 0
            if not isinstance(item, dict):
                raise ValueError(f"a list that holds {type(item).__name__}, not objects")
            yield item
    except json.JSONDecodeError as error:
        message = f"{file}, line {error.lineno}, column {error.colno}: not valid JSON ({error.msg}). Is it incomplete?"
        raise LoadError(message, file) from error
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{file}: no usable JSON ({error}).", file) from error


def _items(text: str, decoder: json.JSONDecoder) -> Iterator[object]:
    """Yield the items of a JSON list; ValueError where the text is none."""
    place, separator = _next(text, 0), "["
    while text[place : place + 1] == separator:
        start = _next(text, place + 1)
        if text[start : start + 1] == "]" and separator == "[":
            place = start
            break
        item, end = decoder.raw_decode(text, start)
        if "\\u" in (own := text[start:end]) or "\\U" in own:
            _refuse_surrogates(own, item)
        yield item
        place, separator = _next(text, end), ","
    if text[place : place + 1] != "]" or _next(text, place + 1) < len(text):
        raise json.JSONDecodeError("Expecting ',' or the end of the list", text, place)


def _next(text: str, place: int) -> int:
    """Return the place of the next sign that is no white space."""
    match = _BLANKS.match(text, place)
    return match.end() if match else place


def parse_bounded(text: str) -> object:
    """Return parsed JSON; ValueError where it is too deep, has too many keys, or surrogates without their pair."""
    try:
        content = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("lists and objects within each other, deeper than can be read") from None
    if "\\u" in text or "\\U" in text:
        _refuse_surrogates(text, content)
    return content


def _bounded_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(pairs) > MOST_KEYS:
        raise ValueError(f"an object with more than {MOST_KEYS:,} keys, the limit")
    return dict(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_bounded_object)


def _refuse_surrogates(text: str, content: object) -> None:
    try:
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(r"half of a surrogate pair (\ud800 to \udfff alone), which is not a character") from error
