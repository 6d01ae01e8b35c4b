"""Outputs of several systems in lists, or in each row -> one row per output and segment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from mtsig_core.loading.recognition.names import special
from mtsig_core.loading.report import some
from mtsig_core.loading.reshaping.shape import NotClear, Row, Rows, runs_of
from mtsig_core.loading.text.records import fields_of

#: Keys of what holds the outputs of systems by their names.
_SYSTEMS = re.compile(
    r"(?:system|model)?[ _-]?(?:outputs?|hyps?|hypothes[ei]s|predictions?|translations?|generations|candidates)|"
    r"systems?|models?|mts?|tgt_text",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:ref(?:erence)?s?|referenz(?:en)?|targets?|gold)(?:[\W_]?(?:\d{1,3}|[A-Za-z]|human))?|.*[_-]ref", re.IGNORECASE
)
#: Keys of a reference where no other key is one.
_WEAKER = re.compile(r"(?:human|ht|gt|ground[_ -]?truths?|correct)(?:[_ -]?translations?)?[_-]?\d{0,2}", re.IGNORECASE)
_SOURCE = re.compile(
    r"(?:src|source)s?(?:[_-](?:text|sentence|segment)s?)?|inputs?|questions?|prompts?|quelle|quelltexte?|originals?",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(r"doc(?:ument)?s?(?:[_-]?ids?)?", re.IGNORECASE)
_ID = re.compile(r"ids?|(?:seg(?:ment)?|sent(?:ence)?)s?(?:[_-]?ids?)?", re.IGNORECASE)
#: Texts that say what a segment is, not what a system wrote.
_NO_OUTPUT = re.compile(
    r"lp|lang(?:uage)?.*|domain|genre|url|split|dataset|date|comments?|notes?|.*_(?:id|lang)|context|instruction|passage|"
    r"paragraph|title|explanation|rationale|(?:system_)?prompt|topic|category", re.IGNORECASE,
)  # fmt: skip
FEWEST_IDS = 3  # fewer keys with numbers may be anything
_KEPT = ("reference", "source", "document", "segment", "test_set")
_WORDS = re.compile(r"\S\s+\S|[^\x00-\x7f]{4}")
#: Keys of the JSON of WMT and of lm-evaluation-harness, which layouts of their own read.
_OF_OTHERS = frozenset(("tgt_text", "filtered_resps", "resps"))


@dataclass
class _Texts:
    """Texts by segment: of each side one list, of each output (system, run) as well."""

    references: dict[str, Sequence[str]] = field(default_factory=dict)
    outputs: dict[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    source: Sequence[str] | None = None
    documents: Sequence[object] | None = None
    ids: Sequence[object] | None = None

    def rows(self) -> Rows:
        """Return one row per output and segment."""
        references = list(zip(*self.references.values(), strict=True))
        rows = []
        for (system, run), texts in self.outputs.items():
            for i, text in enumerate(texts):
                own = references[i][0] if len(self.references) == 1 else list(references[i])
                row: dict[str, object] = {"segment_id": self.ids[i] if self.ids else i + 1, "system": system}
                row |= {"seed": run} if run else {}
                row |= {"doc_id": self.documents[i]} if self.documents else {}
                row |= {"source": self.source[i]} if self.source else {}
                rows.append(row | {"hypothesis": text, "reference": own})
        return Rows(rows, self._how())

    def _how(self) -> str:
        return _read_as([system for system, _ in self.outputs], list(map(repr, self.references)))


def _read_as(systems: Sequence[str], references: Sequence[str]) -> str:
    word = "references" if len(references) > 1 else "reference"
    named = some(list(dict.fromkeys(systems)), 6)
    return f"it was read as the outputs of {named}, with the {word} {some(references, 4)}"


def from_texts(texts: Sequence[object], path: str) -> Rows | None:
    """Return one row per text of a list: a reference or a source by the file's name, else an output."""
    if not all(isinstance(text, str) for text in texts):
        return None
    rows = [{"segment_id": i, _side(path): text} for i, text in enumerate(texts, 1)]
    return Rows(rows, "its list was read as the texts of the segments in order")


def from_ids(content: Mapping[str, object], path: str) -> Rows | None:
    """Return one row per text of an object whose keys are ids of segments; None for other objects.

    Settings have words as keys; ids hold numbers.
    """
    are_ids = len(content) >= FEWEST_IDS and all(any(c.isdigit() for c in key) for key in content)
    if not are_ids or not all(isinstance(text, str) for text in content.values()):
        return None
    rows: list[Row] = [{"segment_id": name, _side(path): text} for name, text in content.items()]
    return Rows(rows, "its keys were read as the ids of segments, with a text each")


def _side(path: str) -> str:
    kind = special(path)
    return kind if kind in ("reference", "source") else "hypothesis"


# Rows that hold the texts of several systems each


def may_hold_texts(records: Sequence[Row]) -> bool:
    """Say whether rows have a reference and, in the keys of systems, their outputs."""
    if not records or _OF_OTHERS & records[0].keys():
        return False
    fields = fields_of(records)
    return "reference" in fields and "output" not in fields and bool(_outputs_in(records))


def from_rows(rows: Sequence[object]) -> Rows | None:
    """Return one row per output of rows that hold several; None for other rows."""
    records = [row for row in rows if isinstance(row, dict)]
    if not records or len(records) < len(rows) or not may_hold_texts(records):
        return None
    fields = fields_of(records)
    outputs = _outputs_in(records)
    names = runs_of(list(outputs))
    result: list[Row] = []
    for name, texts in outputs.items():
        system, run = names[name]
        for i, (record, text) in enumerate(zip(records, texts, strict=True), 1):
            row: dict[str, object] = {"system": system, **({"seed": run} if run else {}), "hypothesis": text}
            row |= {fields.keys[role]: fields.value(record, role) for role in _KEPT if role in fields}
            result.append(row if "segment" in fields or "document" in fields else {**row, "segment_id": i})
    sides = [repr(fields.keys["reference"])]
    return Rows(result, _read_as([system for system, _ in names.values()], sides))


def _outputs_in(records: Sequence[Row]) -> dict[str, list[str]]:
    """Return the texts of each output: below one key, or in a key for each system."""
    for key, value in records[0].items():
        below = [own for record in records if isinstance(own := record.get(key), dict)]
        if _SYSTEMS.fullmatch(key) and isinstance(value, dict) and len(below) == len(records):
            columns = {name: _texts([own.get(name) for own in below], name) for name in value}
            if columns and all(columns.values()) and all(own.keys() == value.keys() for own in below):
                return columns
    taken = set(fields_of(records).keys.values())
    free = [key for key in records[0] if key not in taken and not _is_side(key)]
    columns = {key: _texts([record.get(key) for record in records], key) for key in free}
    return {key: own for key, own in columns.items() if _are_texts(own)}


def _is_side(key: str) -> bool:
    return any(p.fullmatch(key) for p in (_REFERENCE, _SOURCE, _DOCUMENT, _ID, _NO_OUTPUT))


def _texts(value: object, name: str = "") -> list[str]:
    """Return a list of texts; an empty one where a value is something else.

    Raises
    ------
    NotClear
        When one of several texts is missing, where the list has a name.
    """
    if not isinstance(value, list):
        return []
    texts = [text for text in value if isinstance(text, str)]
    others = [i for i, text in enumerate(value, 1) if not isinstance(text, str)]
    if name and others and len(texts) > len(others) and _are_texts(texts):
        found = value[others[0] - 1]
        raise NotClear(f"entry {others[0]} of {name!r} is {'null' if found is None else repr(found)[:40]}, not a text. "
                       "Write an empty text where there is no output.")  # fmt: skip
    return texts if not others else []


def _are_texts(texts: Sequence[str]) -> bool:
    """Say whether most of these are texts of several words."""
    return 2 * sum(map(bool, map(_WORDS.search, texts))) > len(texts)


# Lists of texts


def from_lists(content: Mapping[str, object], stem: str) -> Rows | None:
    """Return one row per output and segment of an object with lists of texts; None for another object.

    Raises
    ------
    NotClear
        When lists differ in length, or references or outputs are missing.
    """
    texts = _Texts()
    below = {key: value for key, value in content.items() if _SYSTEMS.fullmatch(key)}
    sides = {key: value for key, value in content.items() if _REFERENCE.fullmatch(key)}
    sides = sides or {k: v for k, v in content.items() if _WEAKER.fullmatch(k) and _are_texts(_texts(v))}
    for key, value in below.items():
        texts.outputs |= _outputs(value, key, stem)
    if not below:
        flat = {k: own for k, v in content.items()
                if k not in sides and not _is_side(k) and _are_texts(own := _texts(v, k))}  # fmt: skip
        texts.outputs = {runs: flat[name] for name, runs in runs_of(list(flat)).items()}
    if not texts.outputs or not all(map(_are_texts, texts.outputs.values())):
        return None
    n = len(next(iter(texts.outputs.values())))
    for key, value in sides.items():
        texts.references |= _references(value, key, n)
    texts.source = next((own for k, v in content.items() if _SOURCE.fullmatch(k) and (own := _texts(v))), None)
    texts.documents = next((v for k, v in content.items() if _DOCUMENT.fullmatch(k) and isinstance(v, list)), None)
    texts.ids = next((v for k, v in content.items() if _ID.fullmatch(k) and isinstance(v, list)), None)
    _check(texts, n)
    return texts.rows()


def _outputs(value: object, key: str, stem: str) -> dict[tuple[str, str], Sequence[str]]:
    """Return the outputs below a key: of systems, of their runs, or of one system alone."""
    if own_texts := _texts(value):
        return {(stem, ""): own_texts}
    if not isinstance(value, dict):
        return {}
    outputs: dict[tuple[str, str], Sequence[str]] = {}
    names = runs_of(list(value))
    for name, own in value.items():
        if texts := _texts(own, name):
            outputs[names[name]] = texts
        elif isinstance(own, dict | list):
            runs = own.items() if isinstance(own, dict) else enumerate(own, 1)
            outputs |= {(name, str(run)): _texts(texts) for run, texts in runs}
        else:
            return {}
    return outputs if all(outputs.values()) else {}


def _references(value: object, key: str, n: int) -> dict[str, Sequence[str]]:
    """Return the references below a key: one, several by name, several lists, or a list for each segment."""
    if texts := _texts(value):
        return {key: texts}
    if isinstance(value, dict):
        return {name: texts for name, own in value.items() if (texts := _texts(own))}
    lists = [_texts(own) for own in value] if isinstance(value, list) else []
    is_by_stream = all(len(own) == n for own in lists)
    # a segment that has fewer references than others lacks some
    streams: list[Sequence[str]] = [*lists] if is_by_stream else [*zip_longest(*lists, fillvalue="")]
    if not all(lists) or not is_by_stream and len(lists) != n:
        return {}
    names = [key] if len(streams) == 1 else [f"{key}{i}" for i in range(1, len(streams) + 1)]
    return dict(zip(names, streams, strict=True))


def _check(texts: _Texts, n: int) -> None:
    systems = {"/".join(filter(None, name)): own for name, own in texts.outputs.items()}
    if not texts.references:
        named = some(list(systems), 4)
        raise NotClear(f"holds the outputs of {named}, but no reference. Add one under the key 'ref': a list of texts.")
    first = next(iter(systems))
    sides = {"source": texts.source, "documents": texts.documents, "ids": texts.ids}
    lists: Iterable[tuple[str, Sequence[object] | None]] = (*systems.items(), *texts.references.items(), *sides.items())
    for name, own in lists:
        if own is not None and len(own) != n:
            message = f"{name!r} has {len(own):,} entries, but {first!r} has {n:,}. All lists must be equally long."
            raise NotClear(message)
