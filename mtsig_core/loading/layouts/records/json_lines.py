"""One record per segment: outputs with their references, as trainers and people's own scripts write them.

::

    RUN-seedK/generated_predictions.jsonl  {"prompt": ..., "predict": ..., "label": ...}     (LLaMA-Factory)
    outputs.jsonl                          {"id": ..., "system": ..., "seed": ..., "hypothesis": ..., "reference": ...}
    outputs.csv                            id,system,seed,hypothesis,reference

Which key or column is what is recognised by its name (`mtsig_core.loading.text.records`) and reported. A file whose
objects name no system is an output of the system that its folder or its name says. References are in the objects, or in
``ref*`` files of plain text beside them. Numbers beside an output are its segment scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from mtsig_core.loading.layouts.common.file_names import names_of_outputs
from mtsig_core.loading.layouts.common.keyed import Collection, Key, KeyedKind, KeyedText, plan
from mtsig_core.loading.layouts.common.row_ids import by_place
from mtsig_core.loading.layouts.common.set_folders import find_sets
from mtsig_core.loading.layouts.records.rows import (
    check_number,
    first_rows,
    is_json_list,
    metrics_among,
    records_in,
    sides_in,
)
from mtsig_core.loading.layouts.records.scored import Scored
from mtsig_core.loading.recognition.names import base_name, special, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.columns import plain_name
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text import ids
from mtsig_core.loading.text.records import OF_METRICX, Fields, fields_of, read_records
from mtsig_core.loading.text.xml import one_line

NAME = "JSON lines"
_RENAME = "To change this, rename the keys or columns, or choose them on the Data page."


def recognise(files: FileTree) -> int:
    """Return 45 when files hold outputs as JSON lines and there are references, else 0."""
    if find_sets(files):
        return 0
    with_output = [own for path in files if "output" in (own := fields_of(first_rows(path, files)))]
    has_reference = any("reference" in own for own in with_output)
    return 45 if with_output and (has_reference or _plain_references(files) or _keyed_references(files)) else 0


def _plain_references(files: FileTree) -> list[str]:
    keyed = _keyed_references(files)
    return [path for path in files if special(path) == "reference" and files.format(path) == "" and path not in keyed]


def _keyed_references(files: FileTree) -> dict[str, Fields]:
    """Return the files of records that hold references with ids, and no outputs."""
    fields = {path: fields_of(sides_in(path, files)) for path in files}
    return {path: own for path, own in fields.items()
            if {"reference", "segment"} <= own.keys.keys() and "output" not in own}  # fmt: skip


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    starts = {path: first_rows(path, files) for path in files}
    fields = {path: own for path, rows in starts.items() if "output" in (own := fields_of(rows))}
    fields = {path: _with_sets(path, own, starts[path], files, report) for path, own in fields.items()}
    names = names_of_outputs(list(fields), files, report)
    collection, scores = Collection(), Scored()
    used, n_records = list(fields), 0
    _refuse_damaged(list(fields), files, report)
    without_ids = [path for path, own in fields.items() if "segment" not in own]
    _report_order(without_ids, report)
    for path, own in fields.items():
        is_table = files.format(path) != "json lines" and not is_json_list(path, files)
        what = "Columns of a table of texts" if is_table else "Keys of JSON records"
        if files.entry(path).original is None or is_table:  # else its keys are not those of the file
            report.gather_guess("json-keys", f"{what} were read as: {own.description()}", _RENAME, path)
        metrics = metrics_among(starts[path], own)
        if OF_METRICX in metrics:
            sentence = f"{OF_METRICX!r} beside 'hypothesis' was read as MetricX, whose program writes it so"
            report.gather_guess("metricx", sentence, _RENAME, path)
        scores.begin(path, metrics)
        _report_unused(path, starts[path], {*own.keys.values(), *metrics}, report)
        adding = _File(path, own, names[path], collection)
        for line, record in records_in(path, files, report):
            n_records = check_number(n_records + 1, path)
            output, key = adding.add(line, record)
            scores.add(path, output, key, line, record)
        collection.share(path)
    if not any("reference" in own for own in fields.values()):
        used += _add_references(collection, files, report, used)
    by_place(collection, scores, report)
    _check_references(collection, without_ids)
    _drop_unequal_sources(collection, report)
    return scores.joined(plan(collection, files, used, report), collection, report)


def _with_sets(
    path: str, fields: Fields, rows: Sequence[Mapping[str, object]], files: FileTree, report: Reporter
) -> Fields:
    """Take a key such as language or domain for the test set, where ids of segments start again in each."""
    free = [key for key in rows[0] if key not in fields.keys.values()]
    told = [free[i] for i in ids.candidates([plain_name(key) for key in free])]
    if "test_set" in fields or "segment" not in fields or not told:
        return fields
    roles = [role for role in ("system", "replica", "document", "segment") if role in fields]
    place = ids.telling(
        ((tuple(fields.name(record, role) for role in roles), [str(record.get(key)) for key in told])
         for _, record in records_in(path, files, Reporter())), len(told), most=1,
    )  # fmt: skip
    if not place:
        return fields
    key = told[place[0]]
    report.gather_guess("sets-by-column", ids.SETS_GUESS.format(column=repr(key)), ids.SETS_REMEDY, path)
    return Fields({**fields.keys, "test_set": key})


def _add_references(
    collection: Collection, files: FileTree, report: Reporter, outputs: Sequence[str]
) -> list[str]:
    """Take references of other files: records with ids, or else plain text by the numbers of its lines."""
    keyed = _keyed_references(files)
    for path, fields in keyed.items():
        report.gather_guess("json-keys", f"Keys or columns were read as: {fields.description()}", _RENAME, path)
        for _, record in records_in(path, files, report):
            _File(path, fields, ("", ""), collection).add_sides(record)
    if keyed:
        return list(keyed)
    first, paths = _first_number(collection, report, outputs), _plain_references(files)
    for path in paths:
        text = collection.text("reference", "", without_ending(base_name(path)), path)
        for number, segment in enumerate(files.lines(path, report), first):
            text.add(("", str(number)), segment)
    return paths


def _first_number(collection: Collection, report: Reporter, paths: Sequence[str]) -> int:
    """Return the id of the first line of a plain reference: 0 where the outputs count from there, else 1."""
    texts = [text for own in collection.by_set().values() for text in own]
    from_zero = any(("", "0") in text.segments for text in texts if text.kind == "output")
    if from_zero:
        message = "The outputs number their segments from 0."
        report.assume("numbered-from", message, "If not, number them from 1.", paths)
    return 0 if from_zero else 1


def _report_unused(path: str, rows: Sequence[Mapping[str, object]], used: Set[str], report: Reporter) -> None:
    """List the keys and columns that nothing is taken from."""
    unused = dict.fromkeys(repr(key) for row in rows for key in row if key not in used)
    if unused:
        report.gather("ignored", "unused-columns", f"Keys or columns that are not used: {some(unused, 12)}", path)


def _report_order(paths: Sequence[str], report: Reporter) -> None:
    """List the files whose segments are matched by their order, since no id of theirs is known."""
    for path in paths:
        sentence = "No key or column is known as an id of segments: the records of each output are taken in their order"
        report.gather_guess("segments-in-order", sentence, "If not, call the ids 'segment_id'.", path)


def _refuse_damaged(outputs: Sequence[str], files: FileTree, report: Reporter) -> None:
    """Refuse files that bear the name of an output and are no JSON lines: else a replica would be lost unnoticed."""
    names = {base_name(path) for path in outputs}
    for path in files:
        if path in outputs or base_name(path) not in names:
            continue
        try:
            list(read_records(files.lines(path, report), path))
        except LoadError as error:
            report.add("refused", "damaged-output", f"{error} The output is left out.", [path])


@dataclass
class _File:
    """Takes the records of one file into a collection."""

    path: str
    fields: Fields
    names: tuple[str, str]
    collection: Collection
    counts: dict[tuple[str, str, str], int] = field(default_factory=dict)
    texts: dict[tuple[str, str, str, str], KeyedText] = field(default_factory=dict)

    def text(self, kind: KeyedKind, test_set: str, name: str, replica: str = "") -> KeyedText:
        """Return the text of this file with these properties; the collection is asked for it once."""
        which = (kind, test_set, name, replica)
        if which not in self.texts:
            self.texts[which] = self.collection.text(kind, test_set, name, self.path, replica=replica)
        return self.texts[which]

    def add(self, line: int, record: Mapping[str, object]) -> tuple[str, Key]:
        """Take one record; return the path of its output and the key of its segment."""
        fields = self.fields
        test_set = fields.name(record, "test_set")
        system, replica = _names_in(record, fields, self.names)
        place = self.counts[test_set, system, replica] = self.counts.get((test_set, system, replica), 0) + 1
        document, segment = fields.name(record, "document"), fields.name(record, "segment")
        # an id of a document alone may be one per segment or one per document: the place decides
        key = self.collection.key(document, segment or (f"{place:09d}" if document else str(place)))
        output = fields.value(record, "output")
        if not isinstance(output, str):
            message = f"{self.path}, line {line}: {fields.keys['output']!r} holds no text. Correct the line."
            raise LoadError(message, self.path)
        text = self.text("output", test_set, system, replica)
        text.add(key, one_line(output))
        self._add_sides(record, key, test_set)
        return text.path, key

    def add_sides(self, record: Mapping[str, object]) -> None:
        """Take source and references of a record without an output."""
        key = self.collection.key(self.fields.name(record, "document"), self.fields.name(record, "segment"))
        self._add_sides(record, key, self.fields.name(record, "test_set"))

    def _add_sides(self, record: Mapping[str, object], key: Key, test_set: str) -> None:
        fields = self.fields
        source = fields.value(record, "source")
        if isinstance(source, str):
            self.text("source", test_set, "").add(key, one_line(source))
        references = fields.value(record, "reference")
        listed = references if isinstance(references, list) else [references]
        for i, reference in enumerate(listed, 1):
            if isinstance(reference, str):
                name = fields.keys["reference"] + (str(i) if isinstance(references, list) else "")
                self.text("reference", test_set, name).add(key, one_line(reference))


def _names_in(record: Mapping[str, object], fields: Fields, names: tuple[str, str]) -> tuple[str, str]:
    system = fields.name(record, "system")
    replica = fields.name(record, "replica")
    return (system, replica) if system else (names[0], replica or names[1])


def _check_references(collection: Collection, without_ids: Sequence[str]) -> None:
    """Refuse references of one key that differ from file to file: pooled, they would be several references.

    Parameters
    ----------
    collection : Collection
    without_ids : sequence of str
        Files whose segments are matched by their order.
    """
    for own in collection.by_set().values():
        before: dict[str, list[KeyedText]] = {}
        for text in (text for text in own if text.kind == "reference"):
            others = before.setdefault(text.name, [])
            for other in others:
                _check_equal(text, other, without_ids)
            if not any(text.segments.keys() <= other.segments.keys() for other in others):
                others.append(text)


def _check_equal(text: KeyedText, other: KeyedText, without_ids: Sequence[str]) -> None:
    if text.segments is other.segments:
        return
    differs = next((k for k, line in text.segments.items() if other.segments.get(k, line) != line), None)
    if differs is None:
        return
    why = "If"
    if text.file in without_ids:
        why = "No key is known as the id of a segment: if they are in another order, call their ids 'segment_id'; if"
    raise LoadError(
        f"{text.file}: {text.name!r} of segment {differs[1].lstrip('0') or '0'} differs from that in {other.file}. "
        f"{why} these are outputs of different test sets, give a key 'test_set', or load them one at a time.",
        text.file,
    )


def _drop_unequal_sources(collection: Collection, report: Reporter) -> None:
    """Leave out sources that differ from file to file: they are prompts of different systems."""
    for own in collection.by_set().values():
        sources = [text for text in own if text.kind == "source"]
        if any(text.segments[key] != sources[0].segments.get(key, text.segments[key])
               for text in sources for key in text.segments):  # fmt: skip
            for text in sources:
                text.segments.clear()
                report.gather("ignored", "unequal-sources", "Sources differ from file to file: not used", text.file)
