"""The JSON lines of the WMT general tasks since 2024: one object per segment or paragraph.

::

    {"doc_id": ..., "segment_id": ..., "src_lang": "en", "tgt_lang": "de", "src_text": ...,
     "refs": {"refA": {"ref": ...}}, "tgt_text": {"SYSTEM": ...}}

``tgt_text`` may also be one text, of a system's own submission: then the file names the system, and references are
those of the other files. Segments are matched by document and number; a file without numbers is in the order of the
others.
"""

from __future__ import annotations

from collections.abc import Mapping

from mtsig_core.loading.layouts.common.keyed import Collection, plan
from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import first_records, read_records
from mtsig_core.loading.text.xml import one_line

NAME = "WMT JSON lines"
_SEGMENT_KEYS = ("segment_id", "seg_id", "segment", "sent_id")


def recognise(files: FileTree) -> int:
    """Return 87 when a file holds segments of a WMT task with outputs and references, else 0."""
    records = [record for path in _used(files) for record in first_records(files.head(path))[:1]]
    has_outputs = any(_texts(record.get("tgt_text")) for record in records)
    return 87 if has_outputs and any(_references(record) for record in records) else 0


def _used(files: FileTree) -> list[str]:
    candidates = (path for path in files if files.format(path) == "json lines")
    return [path for path in candidates if _is_segment(first_records(files.head(path))[:1])]


def _is_segment(records: list[dict[str, object]]) -> bool:
    texts = [record for record in records if not isinstance(record.get("scores"), dict)]  # others are judgements
    return any("doc_id" in record and {"src_text", "tgt_text", "refs"} & record.keys() for record in texts)


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    used = _used(files)
    collection = Collection()
    for path in used:
        report.gather("recognised", "wmt-json", "JSON lines of a WMT task: doc_id, src_text, refs and tgt_text", path)
        counts: dict[str, int] = {}
        for line, record in read_records(files.lines(path, report), path):
            document = record.get("doc_id")
            if not isinstance(document, str | int):
                raise LoadError(f"{path}, line {line}: 'doc_id' is missing. Segments are matched by it.", path)
            counts[str(document)] = counts.get(str(document), 0) + 1
            number = next((record[key] for key in _SEGMENT_KEYS if key in record), counts[str(document)])
            _add(record, (str(document), str(number)), path, collection)
    return plan(collection, files, used, report)


def _add(record: Mapping[str, object], key: tuple[str, str], path: str, collection: Collection) -> None:
    languages = (str(record.get("src_lang") or ""), str(record.get("tgt_lang") or ""))
    source = record.get("src_text")
    if isinstance(source, str):
        collection.text("source", "", "", path, languages).add(key, one_line(source))
    for name, text in _references(record).items():
        collection.text("reference", "", name, path, languages).add(key, one_line(text))
    for name, text in _texts(record.get("tgt_text"), without_ending(base_name(path))).items():
        collection.text("output", "", name, path, languages).add(key, one_line(text))


def _references(record: Mapping[str, object]) -> dict[str, str]:
    references = record.get("refs")
    if not isinstance(references, dict):
        return {}
    texts = {name: own.get("ref") if isinstance(own, dict) else own for name, own in references.items()}
    return {str(name): text for name, text in texts.items() if isinstance(text, str)}


def _texts(value: object, name: str = "system") -> dict[str, str]:
    if isinstance(value, str):
        return {name: value}
    return {str(key): text for key, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}
