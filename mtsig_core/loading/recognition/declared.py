"""What files are, where somebody says so: the list ``files`` of a manifest.

::

    [[files]]
    path = "test/systems/x.txt"        relative to the manifest
    kind = "output"                    or reference, source, documents, scores, ignored
    test_set = "newstest2014"          "test" where it is not said
    system = "phrases"                 of an output, or of scores
    replica = "seed1"                  "1" where it is not said
    name = "A"                         of a reference; of scores: the metric
    columns = {Engine = "system"}      of a table of scores: what columns are whose names do not say it; one of
                                       system, replica, segment, score, metric, test_set, document, type,
                                       higher_is_better, scores (of the metric that names the column) or unused
    kind = "texts"                     a table of texts: its columns are output, reference, source, system, replica,
                                       segment, document, test_set, scores or unused; several columns of outputs are
                                       called by their names
    format = "json"                    one JSON text (or null) per line, for segments that plain lines cannot hold

What a list says of a file takes the place of what its name and place say; files that it does not name are
recognised as ever. So names that cannot be names of files, and segments that hold line ends, survive.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import KINDS, FileRole, Kind
from mtsig_core.loading.recognition.settings import DeclaredFile, Form
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import DECLARABLE, SCORES, UNUSED
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import KEYS

#: The kind of a table whose columns hold texts.
TEXTS = "texts"
_KEYS = frozenset(("path", "kind", "test_set", "system", "replica", "name", "format", "columns"))


class WrongEntry(ValueError):
    """An entry of the list cannot be understood; the message says which and what was expected."""


def declared_files(value: object) -> tuple[DeclaredFile, ...]:
    """Return the entries of a list of files, as TOML gives it.

    Raises
    ------
    WrongEntry
        When it is no list of tables, a value is of the wrong kind, or a file stands in it twice.
    """
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise WrongEntry("files should be a list of tables, [[files]].")
    by_path: dict[str, DeclaredFile] = {}
    for i, entry in enumerate(value, 1):
        if entry.get("kind") == TEXTS:
            continue
        declared = _entry(entry, f"entry {i} of files")
        if declared.role.path in by_path:
            raise WrongEntry(f"files names {declared.role.path!r} twice.")
        by_path[declared.role.path] = declared
    return tuple(by_path.values())


def _entry(entry: Mapping[str, Any], where: str) -> DeclaredFile:
    unknown = sorted(entry.keys() - _KEYS)
    if unknown:
        raise WrongEntry(f"{where} has the unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}.")
    columns = _columns(entry.get("columns", {}), where)
    wrong = next((key for key, value in entry.items() if key != "columns" and not isinstance(value, str)), None)
    if wrong is not None:
        raise WrongEntry(f"{where}: {wrong} should be a text in quotes, not {entry[wrong]!r}.")
    kind, form = entry.get("kind", ""), entry.get("format", "text")
    if not entry.get("path") or kind not in KINDS or form not in ("text", "json"):
        kinds = ", ".join((*KINDS, TEXTS))
        raise WrongEntry(f"{where} needs a path, a kind ({kinds}), and no format or one of text, json.")
    system, replica = entry.get("system", ""), entry.get("replica", "")
    if kind == "output" and not system:
        raise WrongEntry(f"{where}: the output {entry['path']!r} needs a system.")
    if system and not replica:
        replica = "1"
    if kind == "scores" and system and not entry.get("name"):
        raise WrongEntry(f"{where}: the scores {entry['path']!r} need the name of their metric.")
    reason = "experiment.toml leaves it out" if kind == "ignored" else ""
    test_set = entry.get("test_set") or "test"
    if columns and (kind != "scores" or system):
        raise WrongEntry(f"{where}: only a table of scores, without a system, has columns.")
    role = FileRole(
        entry["path"], cast(Kind, kind), test_set, system, replica, entry.get("name", ""), reason, columns=columns
    )
    return DeclaredFile(role, cast(Form, form))


def _columns(value: object, where: str, roles: Sequence[str] = DECLARABLE) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not all(role in roles for role in value.values()):
        raise WrongEntry(f"{where}: columns should give each column one of {', '.join(roles)}; not {value!r}.")
    return tuple((str(name), str(role)) for name, role in value.items())


def tables_of_texts(value: object) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the roles of the columns of tables of texts in a list of files, by path.

    Raises
    ------
    WrongEntry
        When an entry lacks its path or its columns, or has another key.
    """
    columns: dict[str, tuple[tuple[str, str], ...]] = {}
    entries = [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
    for i, entry in enumerate(entries, 1):
        if entry.get("kind") == TEXTS:
            where = f"entry {i} of files"
            if set(entry) != {"path", "kind", "columns"} or not isinstance(entry["path"], str):
                raise WrongEntry(f"{where}: a table of texts has a path, a kind and columns, and nothing else.")
            columns[entry["path"]] = _columns(entry["columns"], where, (*KEYS, SCORES, UNUSED))
    return columns


def declare(files: FileTree, declared: Sequence[DeclaredFile], plan: Plan, report: Reporter) -> Plan:
    """Return the plan with the roles that were declared, and with their texts where these are no plain lines.

    Raises
    ------
    LoadError
        When a file is not in the form that was declared.
    """
    if not declared:
        return plan
    by_path = {entry.role.path: entry for entry in declared}
    for path in by_path.keys() - set(files) - {role.path for role in plan.roles}:
        message = f"experiment.toml declares {path}, which is not there."
        report.add("warning", "unknown-file", message, ["experiment.toml"])
    recognised_paths = {role.path for role in plan.roles}
    roles = [by_path[role.path].role if role.path in by_path else role for role in plan.roles]
    roles += [entry.role for path, entry in by_path.items() if path in files and path not in recognised_paths]
    texts = dict(plan.texts)
    for path, entry in by_path.items():
        if path in files and entry.form == "json" and entry.role.kind != "ignored":
            texts[path] = json_texts(files.lines(path, report), path)
    documents = _documents_of_scores(roles)
    roles = [replace(role, kind="scores") if role in documents else role for role in roles]
    blocks: dict[str, tuple[ScoreBlock, ...]] = {role.path: () for role in documents}
    read = partial(_lines, files, texts, report)
    blocks |= _blocks(roles, _by_set(documents, read), read, report)
    return replace(plan, roles=tuple(roles), texts=texts, blocks={**plan.blocks, **blocks})


def json_texts(lines: Sequence[str], file: str) -> list[str]:
    """Return the texts of a file with one JSON text per line; null is an empty one (of a reference: a missing one)."""
    texts = []
    for i, line in enumerate(lines, 1):
        try:
            text = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise LoadError(f"{file}, line {i}: is not a JSON text ({error}). Is it incomplete?", file) from error
        if text is not None and not isinstance(text, str):
            raise LoadError(f"{file}, line {i}: expected a text in quotes or null; found {line[:40]}.", file)
        texts.append(text or "")
    return texts


def _documents_of_scores(roles: Sequence[FileRole]) -> list[FileRole]:
    """Return the lists of documents of test sets that have scores and no text."""
    texts = {role.test_set for role in roles if role.kind == "reference"}
    scored = {role.test_set for role in roles if role.kind == "scores" and role.system} - texts
    return [role for role in roles if role.kind == "documents" and role.test_set in scored]


def _lines(files: FileTree, texts: Mapping[str, Sequence[str]], report: Reporter, path: str) -> Sequence[str]:
    """Return the lines of a file, or of a part of one that a layout has read as text."""
    if path in texts:
        return texts[path]
    if path not in files:
        raise LoadError(f"{path}: is a part of a file that was not read by itself. Name the file.", path)
    return files.lines(path, report)


def _by_set(
    documents: Sequence[FileRole], read: Callable[[str], Sequence[str]]
) -> dict[str, dict[str, str]]:
    """Return the document of each segment (numbered from 1), by test set."""
    documents_by_set = {}
    for role in documents:
        documents_by_set[role.test_set] = {str(i): text for i, text in enumerate(read(role.path), 1)}
    return documents_by_set


def _blocks(
    roles: Sequence[FileRole], documents: Mapping[str, dict[str, str]], read: Callable[[str], Sequence[str]],
    report: Reporter,
) -> dict[str, tuple[ScoreBlock, ...]]:  # fmt: skip
    blocks: dict[str, tuple[ScoreBlock, ...]] = {}
    for role in roles:
        if role.kind == "scores" and role.system:
            numbers = NumberReader(role.path)
            scores = tuple(numbers.read(line, i) for i, line in enumerate(read(role.path), 1))
            numbers.finish(report)
            blocks[role.path] = (_block(role, scores, documents.get(role.test_set)),)
    return blocks


def _block(role: FileRole, scores: tuple[float | None, ...], documents: dict[str, str] | None) -> ScoreBlock:
    names = (role.path, role.stream, role.system, role.replica, role.test_set)
    if documents is None:
        return ScoreBlock(*names, in_order=scores, exact=True)
    by_id = {str(i): score for i, score in enumerate(scores, 1)}
    return ScoreBlock(*names, by_id=by_id, documents=documents, exact=True)


# Writing


def keys_of(entry: DeclaredFile) -> list[tuple[str, str]]:
    """Return the keys of an entry with their values; "" where a key need not be said."""
    role = entry.role
    return [
        ("path", role.path),
        ("kind", role.kind),
        ("test_set", "" if role.test_set == "test" else role.test_set),
        ("system", role.system),
        ("replica", role.replica),
        ("name", role.stream),
        ("format", "" if entry.form == "text" else entry.form),
    ]


def toml_text(value: str) -> str:
    """Return a TOML string: what JSON escapes, TOML escapes the same way, except DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def left_out_keys(lines: Sequence[tuple[int, str]]) -> list[str]:
    """Return the keys of a test set that say which lines its files no longer have, as TOML."""
    if not lines:
        return []
    documents = [toml_text(document) for _, document in lines]
    return [
        f"left_out = {[line for line, _ in lines]}",
        *([f"left_out_documents = [{', '.join(documents)}]"] if any(document for _, document in lines) else []),
    ]
