"""The XML of the WMT tasks since 2021: documents with source, references by translator and systems' outputs.

::

    <dataset id="generaltest2022">
      <doc id="news-1" origlang="en">
        <src lang="en"><p><seg id="1">...</seg></p></src>
        <ref lang="de" translator="A"><p><seg id="1">...</seg></p></ref>
        <hyp lang="de" system="UEDIN"><p><seg id="1">...</seg></p></hyp>
      </doc>
    </dataset>

Segments are matched by document and id. Documents of test suites are left out, as sacreBLEU does. A set
is named by the dataset's id, with the language pair where an id has several.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from mtsig_core.loading.layouts.common.keyed import Collection, KeyedKind, plan
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.xml import parse_xml, segment_text

NAME = "WMT XML"
_KINDS: dict[str, KeyedKind] = {"src": "source", "ref": "reference", "hyp": "output"}
_NAMED_BY = {"source": "", "reference": "translator", "output": "system"}


def recognise(files: FileTree) -> int:
    """Return 88 when a file holds documents of a WMT dataset, else 0."""
    return 88 if files.of_format("wmt-xml") else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    used = files.of_format("wmt-xml")
    collection = Collection()
    errors = []
    for path in used:
        own = Collection()
        try:
            _read_file(path, files, own, report)
        except LoadError as error:
            errors.append(error)
            report.add("refused", "unreadable-xml", f"{error} The file is left out.", [path])
            continue
        collection.join(own)
    if not len(collection) and errors:
        raise errors[0]
    return plan(collection, files, used, report)


def _read_file(path: str, files: FileTree, collection: Collection, report: Reporter) -> None:
    root = parse_xml(files.decoder.unpacked(files[path], path), path)
    datasets = [root] if root.tag == "dataset" else root.findall(".//dataset")
    for dataset in datasets or [root]:
        languages = (_language(dataset, path, "src"), _language(dataset, path, "ref", "hyp"))
        for document in dataset.iter("doc"):
            _read_document(document, dataset.get("id", ""), path, languages, collection, report)


def _language(dataset: Element, path: str, *tags: str) -> str:
    elements = (element for tag in tags for element in dataset.iter(tag))
    languages = {element.get("lang") or element.get("language") or "" for element in elements} - {""}
    if len(languages) > 1:
        raise LoadError(
            f"{path}: <{' and '.join(tags)}> of one dataset are in several languages ({some(sorted(languages))}). "
            "Give one file per language pair.",
            path,
        )
    return languages.pop() if languages else ""


def _read_document(
    document: Element, set_id: str, path: str, languages: tuple[str, str], collection: Collection, report: Reporter
) -> None:
    if document.get("testsuite"):
        sentence = "Documents of test suites are left out"
        report.gather("ignored", "test-suite", sentence, f"{path}#{document.get('testsuite')}")
        return
    name = _attribute(document, path, "id")
    for element in document:
        kind = _KINDS.get(element.tag)
        if kind is None:
            continue
        of = element.get(_NAMED_BY[kind], "") or ("system" if kind == "output" else "")
        text = collection.text(kind, set_id, of, path, languages)
        for segment in element.iter("seg"):
            text.add((name, _attribute(segment, path, "id")), segment_text(segment))


def _attribute(element: Element, path: str, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise LoadError(f"{path}: a <{element.tag}> has no {name}. Add it: segments are matched by it.", path)
    return value
