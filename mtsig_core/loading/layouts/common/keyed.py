"""Texts whose segments have names (document, segment): brought into one order, never by their place alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Literal

from mtsig_core.formatting import count, visible
from mtsig_core.loading.recognition.names import split_marked, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import FileTree

#: Characters of a name; more of them are cut.
LONGEST_NAME = 200
#: Texts of one upload.
MOST_TEXTS = 5_000
KeyedKind = Literal["source", "reference", "output"]
Key = tuple[str, str]  # document, segment


@dataclass
class KeyedText:
    """One text of one test set.

    Parameters
    ----------
    kind : {"source", "reference", "output"}
    set_id : str
    name : str
        System, or translator of a reference.
    replica : str
        Of an output; "" where the file does not say.
    file : str
    languages : tuple of str
        Source and target language; "" where the file does not say.
    segments : dict of (document, segment) to text
        In the order of the file.
    """

    kind: KeyedKind
    set_id: str
    name: str
    file: str
    languages: tuple[str, str] = ("", "")
    replica: str = ""
    segments: dict[Key, str] = field(default_factory=dict)

    def add(self, key: Key, text: str) -> None:
        """Add a segment; LoadError when it is there already with another text."""
        if self.segments.setdefault(key, text) != text:
            where = f" of document {key[0]!r}" if key[0] else ""
            raise LoadError(
                f"{self.file}: segment {key[1]}{where} occurs twice in one {self.kind} ({self.name or self.set_id!r}) "
                "with different texts. Keep one; if systems or runs differ, name them (system, seed).",
                self.file,
            )

    @property
    def path(self) -> str:
        """How reports name this text: the file and the part of it."""
        names = "/".join(name for name in (self.name, self.replica) if name)
        return f"{self.file}#{self.kind}" + (f"/{names}" if names else "")


class Collection:
    """The texts of all files, by set, kind, name and file."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str, str, str, tuple[str, str], str], KeyedText] = {}
        self._keys: dict[Key, Key] = {}

    def key(self, document: str, segment: str) -> Key:
        """Return the key of a segment: one object for all texts."""
        key = (document, segment)
        return self._keys.setdefault(key, key)

    def share(self, file: str) -> None:
        """Hold what a file repeats of another one, word for word, once: references and sources stand in every file."""
        first: dict[tuple[str, str, str], KeyedText] = {}
        for text in self._texts.values():
            if text.kind != "output":
                other = first.setdefault((text.kind, text.set_id, text.name), text)
                if text.file == file and text is not other and text.segments == other.segments:
                    text.segments = other.segments

    def __len__(self) -> int:
        return len(self._texts)

    def text(
        self, kind: KeyedKind, set_id: str, name: str, file: str, languages: tuple[str, str] = ("", ""),
        replica: str = "",
    ) -> KeyedText:
        """Return the text with these properties; a new one if there is none yet."""
        set_id, name, replica = (visible(text)[:LONGEST_NAME] for text in (set_id, name, replica))
        key = (kind, set_id, name, file, languages, replica)
        if key not in self._texts:
            if len(self._texts) >= MOST_TEXTS:
                message = f"{file}: more than {MOST_TEXTS:,} outputs, references and sources, the limit. Does the key "
                raise LoadError(f"{message}or column of systems, runs or test sets hold segments?", file)
            self._texts[key] = KeyedText(kind, set_id, name, file, languages, replica)
        return self._texts[key]

    def join(self, other: Collection) -> None:
        """Take in the texts of another collection, of other files."""
        self._texts |= other._texts

    def by_set(self) -> dict[str, list[KeyedText]]:
        """Return the texts of each test set: the set's id, and the language pair where a set has several."""
        texts_by_set: dict[str, list[KeyedText]] = {}
        texts = [text for text in self._texts.values() if text.segments]
        for set_id in dict.fromkeys(text.set_id for text in texts):
            own = [text for text in texts if text.set_id == set_id]
            pairs = list(dict.fromkeys(t.languages for t in own if all(t.languages)))
            if len({target for _, target in pairs} or {""}) < 2 and len({source for source, _ in pairs}) < 2:
                texts_by_set[set_id or "test"] = own
                continue
            for pair in pairs:
                label = f"{set_id}.{'-'.join(pair)}".lstrip(".")
                texts_by_set[label] = [
                    t for t in own if all(x in ("", y) for x, y in zip(t.languages, pair, strict=True))
                ]
        return texts_by_set


def plan(collection: Collection, files: FileTree, used: Sequence[str], report: Reporter) -> Plan:
    """Return the plan of a collection; files not in `used` are ignored."""
    roles: list[FileRole] = []
    texts: dict[str, list[str]] = {}
    for test_set, own in collection.by_set().items():
        for role, lines in _plan_of_set(test_set, own, report):
            # A source without language may belong to several sets.
            path = role.path if role.path not in texts else f"{role.path}@{test_set}"
            roles.append(replace(role, path=path))
            texts[path] = lines
    roles += [FileRole(path, "ignored", reason="not part of this layout") for path in files if path not in set(used)]
    if not any(role.kind != "ignored" for role in roles):
        raise LoadError(f"{used[0]}: holds no segments. Add source, references and outputs.", used[0])
    return Plan(tuple(roles), texts)


def orders(collection: Collection) -> dict[str, list[Key]]:
    """Return the order of the segments of each test set."""
    return {test_set: list(_leading(own).segments) for test_set, own in collection.by_set().items()}


def _leading(own: Sequence[KeyedText]) -> KeyedText:
    """Return the text whose order is that of its test set: the source, else the first reference, else an output."""
    kinds: tuple[KeyedKind, ...] = ("source", "reference", "output")
    return next(merged[0] for kind in kinds if (merged := _merged([text for text in own if text.kind == kind])))


def _plan_of_set(
    test_set: str, own: Sequence[KeyedText], report: Reporter
) -> Iterator[tuple[FileRole, list[str]]]:
    sources, references, outputs = (
        _merged([text for text in own if text.kind == kind]) for kind in ("source", "reference", "output")
    )
    if len(sources) > 1:
        raise LoadError(
            f"{sources[1].file}: its source of {test_set!r} differs from that of {sources[0].file}. Remove one.",
            sources[1].file,
        )
    leading = _leading(own)
    order = list(leading.segments)
    if sources:
        yield FileRole(sources[0].path, "source", test_set), list(sources[0].segments.values())
    documents = [document for document, _ in order]
    if len(set(documents)) > 1:
        yield FileRole(f"{leading.file}#documents", "documents", test_set), documents
    for text in references:
        _report_surplus(text, order, report)
        role = FileRole(text.path, "reference", test_set, stream=text.name)
        yield role, [text.segments.get(key, "") for key in order]
    for text, (system, replica) in zip(outputs, _names(outputs), strict=True):
        _report_surplus(text, order, report)
        missing = [key for key in order if key not in text.segments]
        if missing:
            _report_missing(text, missing, report)
            yield FileRole(text.path, "ignored", test_set, reason="segments are missing"), []
        else:
            yield FileRole(text.path, "output", test_set, system, replica), [text.segments[key] for key in order]


def _merged(texts: Sequence[KeyedText]) -> list[KeyedText]:
    """Join what several files say of one text: the file of each output may repeat the source."""
    merged: list[KeyedText] = []
    for text in texts:
        same = next(
            (o for o in merged if (o.name, o.replica) == (text.name, text.replica) and _agree(text, o)), None
        )
        if same is None:
            merged.append(replace(text))
        elif text.segments.keys() - same.segments.keys():
            same.segments = {**same.segments, **text.segments}
    return merged


def _agree(a: KeyedText, b: KeyedText) -> bool:
    if a.segments is b.segments:
        return True
    common = a.segments.keys() & b.segments.keys()
    return not common if a.kind == "output" else all(a.segments[key] == b.segments[key] for key in common)


def _names(outputs: Sequence[KeyedText]) -> Iterator[tuple[str, str]]:
    """Yield system and replica: the file distinguishes outputs of the same name."""
    for text in outputs:
        marked = split_marked(text.name)
        if text.replica:
            yield text.name, text.replica
        elif marked is not None:
            yield marked
        elif sum(other.name == text.name for other in outputs) > 1:
            yield text.name, without_ending(PurePosixPath(text.file).name)
        else:
            yield text.name, "1"


def _report_surplus(text: KeyedText, order: Sequence[Key], report: Reporter) -> None:
    surplus = text.segments.keys() - set(order)
    if surplus:
        report.add(
            "ignored",
            "surplus-segments",
            f"{text.path}: {count(len(surplus), 'segment')} that the source or the first reference lacks, not used: "
            f"{_listed(sorted(surplus))}.",
            [text.file],
        )


def _report_missing(text: KeyedText, missing: Sequence[Key], report: Reporter) -> None:
    report.add(
        "refused",
        "missing-segments",
        f"{text.path}: {count(len(missing), 'segment')} missing: {_listed(missing)}. The output is left out, not "
        "padded.",
        [text.file],
    )


def _listed(keys: Sequence[Key]) -> str:
    return some([f"{segment} of {document}" if document else segment for document, segment in keys], 3)
