"""NIST SGML and mteval XML: ``srcset``, ``refset`` and ``tstset`` with documents and segments.

Segments are matched by document and id, not by their place. The system is the ``sysid`` of the set or of
each document; references are distinguished by ``refid`` or ``sysid``. Files that begin as XML, or are named
``.xml``, must be well-formed; others are read as mteval-v13a reads SGML: names in any case, attributes
with or without quotes, line breaks as blanks, and ``&quot; &amp; &lt; &gt; &apos;`` as characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from mtsig_core.loading.layouts.common.keyed import Collection, KeyedKind, plan
from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.xml import one_line, parse_xml, segment_text

NAME = "NIST SGML"
_KINDS: dict[str, KeyedKind] = {"srcset": "source", "refset": "reference", "tstset": "output"}
_TAG = re.compile(r"<(?P<end>/?)(?P<name>srcset|refset|tstset|doc|seg)\b(?P<rest>[^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([A-Za-z_]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"))
Attributes = Mapping[str, str]


@dataclass(frozen=True)
class _Segment:
    kind: KeyedKind
    of_set: Attributes
    of_document: Attributes
    of_segment: Attributes
    text: str


def recognise(files: FileTree) -> int:
    """Return 88 when a file holds a source, reference or test set in NIST's format, else 0."""
    return 88 if files.of_format("nist") else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    used = files.of_format("nist")
    collection = Collection()
    for path in used:
        n_before = len(collection)
        for segment in _segments(path, files, report):
            _add(segment, path, collection)
        if len(collection) == n_before:
            raise LoadError(f"{path}: holds no segments (<seg> in <doc> in a set). Is it incomplete?", path)
    return plan(collection, files, used, report)


def _segments(path: str, files: FileTree, report: Reporter) -> Iterator[_Segment]:
    if PurePosixPath(base_name(path)).suffix.lower() == ".xml" or files.head(path).lstrip()[:8].startswith("<?xml"):
        return _from_xml(parse_xml(files.decoder.unpacked(files[path], path), path))
    return _from_sgml("\n".join(files.lines(path, report)), path)


def _from_xml(root: Element) -> Iterator[_Segment]:
    for of_set in root.iter():
        kind = _KINDS.get(of_set.tag.lower())
        if kind is None:
            continue
        for document in (e for e in of_set.iter() if e.tag.lower() == "doc"):
            for segment in (e for e in document.iter() if e.tag.lower() == "seg"):
                of = [_lowered(element.attrib) for element in (of_set, document, segment)]
                yield _Segment(kind, of[0], of[1], of[2], segment_text(segment))


def _from_sgml(text: str, path: str) -> Iterator[_Segment]:
    """Yield the segments in one pass over the tags, so that no input takes long."""
    kind: KeyedKind | None = None
    open_tags: dict[str, Attributes] = {}
    start = 0
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        level = "set" if name.endswith("set") else name
        if tag["end"]:
            if level == "seg" and "seg" in open_tags and kind and "doc" in open_tags:
                inner = _unescape(one_line(text[start : tag.start()]))
                yield _Segment(kind, open_tags["set"], open_tags["doc"], open_tags["seg"], inner)
            _not_inside("seg", level, open_tags, text, tag.start(), path)
            open_tags.pop(level, None)
            kind = None if level == "set" else kind
            continue
        _not_inside("seg", "", open_tags, text, tag.start(), path)
        open_tags[level] = _attributes(tag["rest"])
        kind = _KINDS.get(name, kind)
        start = tag.end()
    if open_tags:
        raise LoadError(f"{path}: <{next(iter(open_tags))}> is not closed; the file seems incomplete.", path)


def _not_inside(
    inner: str, closing: str, open_tags: Mapping[str, Attributes], text: str, position: int, path: str
) -> None:
    if inner in open_tags and closing != inner:
        line = text.count("\n", 0, position) + 1
        raise LoadError(f"{path}, line {line}: another tag inside a <{inner}> that is not closed. Close it.", path)


def _attributes(text: str) -> Attributes:
    return _lowered({m[1]: m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(text)})


def _lowered(attributes: Attributes) -> Attributes:
    return {name.lower(): value for name, value in attributes.items()}


def _unescape(text: str) -> str:
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text


def _add(segment: _Segment, path: str, collection: Collection) -> None:
    of_set, document = segment.of_set, segment.of_document
    for attributes, tag, name in ((document, "doc", "docid"), (segment.of_segment, "seg", "id")):
        if not attributes.get(name) and not attributes.get("id"):
            raise LoadError(f"{path}: a <{tag}> has no {name}. Add it: segments are matched by it.", path)
    name = ""
    if segment.kind == "reference":
        name = of_set.get("refid") or document.get("refid") or document.get("sysid") or of_set.get("sysid") or ""
    elif segment.kind == "output":
        name = document.get("sysid") or of_set.get("sysid") or without_ending(base_name(path))
    languages = tuple("" if x == "any" else x for x in (of_set.get("srclang", ""), of_set.get("trglang", "")))
    text = collection.text(segment.kind, of_set.get("setid", ""), name, path, (languages[0], languages[1]))
    text.add((document.get("docid") or document["id"], segment.of_segment["id"]), segment.text)
