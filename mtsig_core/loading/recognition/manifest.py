"""``experiment.toml``: what a person says about an experiment, in any layout.

::

    name = "Hiero against phrases"     shown to people
    target_language = "de"
    baseline = "phrases"               the system that others are compared with
    tokenizer = "13a"                  what BLEU should tokenize with
    paired = true                      replicas of equal name share a seed or base model across systems
                                       (or a table [paired] with an optional systems = ["a", "b"])
    replicas_are = "training-seed"     what the replicas of a system differ by: training-seed, optimizer-run,
                                       decoding-sample, prompt, data-split, checkpoint, annotator or unknown

    checkpoints = "last"               of several checkpoints of a training: "last", "best", "all" or a name

    [test_sets.newstest2014]
    role = "test"                      "dev", "test" or "other"; without it, the name decides

    whole_runs = true                  its scores are those of whole runs: there are no segments
    left_out = [3, 17]                 lines that its files had and have no more: judgements by line count them
    left_out_documents = ["a", "b"]    their documents, where there are documents

    [metrics.HTER]
    higher_is_better = false           of segment scores that come in files; without it, the name decides
    assumed = true                     nobody has confirmed this direction
    use = true                         take a column of numbers for a metric (or not: false), whatever its name

    [rename.systems]                   of systems (and [rename.test_sets]) that only files of scores name
    Lauf = "phrases"                   "" leaves one out

    [[files]]                          what a file is, where its name and place do not say it; see `declared`
    path = "test/x.txt"
    kind = "output"
    system = "phrases"

    [optimizers]                       notes on how replicas were made: listed, not used

Unknown keys are reported.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from mtsig_core.experiment import ROLES, Role
from mtsig_core.experiment.varied import get_varied
from mtsig_core.loading.recognition.declared import WrongEntry, declared_files, tables_of_texts
from mtsig_core.loading.recognition.settings import MANIFEST, DeclaredFile, Settings
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import read_text

#: Characters of a manifest, and dots of a key.
MOST_CHARACTERS, MOST_DOTS = 4_000_000, 50
#: Headings of tables: one per file, test set and metric.
MOST_TABLES = 50_000
_DOTTED = re.compile(rf"[\s\[{{]*(?:[^=\"'#.]*\.){{{MOST_DOTS}}}|[^=]*,[^=]*(?:[^=\"'#.]*\.){{{MOST_DOTS}}}")
_NOTED = frozenset(("optimizer", "optimizers", "replicas", "notes", "description"))


def read_manifest(files: FileTree, report: Reporter) -> Settings:
    """Return the settings of ``experiment.toml``, or the defaults where there is none.

    Raises
    ------
    LoadError
        When it is no TOML or a value is of the wrong kind.
    """
    if MANIFEST not in files:
        return Settings()
    text = "\n".join(read_text(files[MANIFEST], MANIFEST).lines)
    _check_size(text)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{MANIFEST}: is not valid TOML: {error}. Correct it or leave it out.", MANIFEST) from error
    _report_keys(table, report)
    return _settings(table, report)


_KEYS = frozenset((
    "name", "target_language", "baseline", "tokenizer", "paired", "replicas_are", "test_sets", "metrics", "files",
    "checkpoints", "rename",
))  # fmt: skip


def _report_keys(table: Mapping[str, Any], report: Reporter) -> None:
    """List the keys that are notes, and those that are unknown."""
    noted = sorted(key for key in table if key in _NOTED)
    unknown = sorted(key for key in table if key not in _KEYS and key not in _NOTED)
    if noted:
        message = f"{MANIFEST}: for people only, so not used: {', '.join(noted)}."
        report.add("ignored", "manifest-notes", message, [MANIFEST])
    if unknown:
        report.add("ignored", "unknown-key", f"{MANIFEST}: unknown keys, not used: {', '.join(unknown)}.", [MANIFEST])


def _settings(table: Mapping[str, Any], report: Reporter) -> Settings:
    metrics = table.get("metrics", {})
    directions = _of_metrics(metrics, "higher_is_better", report)
    assumed = _of_metrics(metrics, "assumed", Reporter())
    paired, systems = _paired(table.get("paired", False), report)
    return Settings(
        name=_word(table, "name"),
        target_language=_word(table, "target_language") or None,
        baseline=_word(table, "baseline"),
        tokenizer=_word(table, "tokenizer") or None,
        paired=paired,
        paired_systems=systems,
        checkpoints=_word(table, "checkpoints"),
        whole_runs=_whole_runs(table.get("test_sets")),
        left_out=_left_out(table.get("test_sets")),
        roles=_roles(table.get("test_sets", {}), report),
        directions=directions,
        assumed_directions=tuple(name for name, guessed in assumed.items() if guessed),
        metrics=dict.fromkeys(directions, True) | _of_metrics(metrics, "use", Reporter()),
        files=_files(table.get("files", [])),
        named_columns=_named_columns(table.get("files", [])),
        renamed_systems=_renamed(table, "systems"),
        renamed_sets=_renamed(table, "test_sets"),
        replicas_are=_varied(table),
    )


def _renamed(table: Mapping[str, Any], key: str) -> dict[str, str]:
    renamed = table.get("rename", {})
    names = renamed.get(key, {}) if isinstance(renamed, dict) else None
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise _wrong(f"rename.{key}", "new names in quotes, by the old ones", names)
    return names


def _varied(table: Mapping[str, Any]) -> str:
    try:
        return get_varied(_word(table, "replicas_are") or "unknown").name
    except ValueError as error:
        raise LoadError(f"{MANIFEST}: replicas_are: {error} Correct it.", MANIFEST) from error


def _check_size(text: str) -> None:
    """Refuse what takes tomllib long: a key of thousands of dots takes the square of their number in memory."""
    if len(text) > MOST_CHARACTERS:
        limit = f"{MOST_CHARACTERS:,} characters"
        raise LoadError(f"{MANIFEST}: {len(text):,} characters; the limit is {limit}. Shorten it.", MANIFEST)
    lines = text.split("\n")
    n_tables = sum(line.lstrip().startswith("[") for line in lines)
    if n_tables > MOST_TABLES:
        limit = f"{n_tables:,} tables; the limit is {MOST_TABLES:,}"
        raise LoadError(f"{MANIFEST}: {limit}. Shorten it.", MANIFEST)
    for number, line in enumerate(lines, 1):
        if line.count(".") > MOST_DOTS and _DOTTED.match(line):
            message = f"{MANIFEST}, line {number}: a key of more than {MOST_DOTS} dots, the limit. Shorten it."
            raise LoadError(message, MANIFEST)


def _files(value: object) -> tuple[DeclaredFile, ...]:
    try:
        return declared_files(value)
    except WrongEntry as error:
        raise LoadError(f"{MANIFEST}: {error} Correct it.", MANIFEST) from error


def _named_columns(value: object) -> dict[str, tuple[tuple[str, str], ...]]:
    try:
        return tables_of_texts(value)
    except WrongEntry as error:
        raise LoadError(f"{MANIFEST}: {error} Correct it.", MANIFEST) from error


def _word(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _wrong(key, "a text in quotes", value)
    return value


def _paired(value: object, report: Reporter) -> tuple[bool, tuple[str, ...]]:
    if isinstance(value, bool):
        return value, ()
    if not isinstance(value, dict):
        raise _wrong("paired", "true, false or a table", value)
    unknown = sorted(set(value) - {"systems", "by"})
    if unknown:
        report.add("ignored", "unknown-key", f"{MANIFEST}: unknown keys in [paired]: {', '.join(unknown)}.", [MANIFEST])
    systems = value.get("systems", [])
    if not isinstance(systems, list) or not all(isinstance(name, str) for name in systems):
        raise _wrong("paired.systems", "a list of system names", systems)
    return True, tuple(systems)


def _roles(value: object, report: Reporter) -> dict[str, Role]:
    if not isinstance(value, dict):
        raise _wrong("test_sets", "one table per test set, [test_sets.NAME]", value)
    roles: dict[str, Role] = {}
    for name, table in value.items():
        if not isinstance(table, dict):
            raise _wrong(f"test_sets.{name}", "a table", table)
        unknown = sorted(set(table) - {"role", "whole_runs", "left_out", "left_out_documents"})
        if unknown:
            message = f"{MANIFEST}: unknown keys in [test_sets.{name}]: {', '.join(unknown)}."
            report.add("ignored", "unknown-key", message, [MANIFEST])
        role = table.get("role")
        if role is not None and role not in ROLES:
            raise _wrong(f"test_sets.{name}.role", "one of " + ", ".join(ROLES), role)
        if role is not None:
            roles[name] = cast(Role, role)
    return roles


def _whole_runs(value: object) -> tuple[str, ...]:
    sets = value if isinstance(value, dict) else {}
    return tuple(name for name, own in sets.items() if isinstance(own, dict) and own.get("whole_runs") is True)


def _left_out(value: object) -> dict[str, tuple[tuple[int, str], ...]]:
    sets = value if isinstance(value, dict) else {}
    declared = {name: own for name, own in sets.items() if isinstance(own, dict) and "left_out" in own}
    return {name: _lines_and_documents(name, own) for name, own in declared.items()}


def _lines_and_documents(name: str, table: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    lines, key = table["left_out"], f"test_sets.{name}.left_out"
    numbers = [line for line in lines if type(line) is int and line > 0] if isinstance(lines, list) else []
    if not numbers or len(set(numbers)) < len(lines):
        raise _wrong(key, "a list of distinct numbers of lines, from 1", lines)
    documents = table.get("left_out_documents", [""] * len(lines))
    if not isinstance(documents, list) or [type(each) for each in documents] != [str] * len(lines):
        raise _wrong(f"{key}_documents", f"a list of {len(lines)} texts, one per line that was left out", documents)
    return tuple(zip(numbers, documents, strict=True))


def _of_metrics(value: object, key: str, report: Reporter) -> dict[str, bool]:
    """Return what ``[metrics.NAME]`` tables say under a key, by metric."""
    if not isinstance(value, dict):
        raise _wrong("metrics", "one table per metric, [metrics.NAME]", value)
    values: dict[str, bool] = {}
    for name, table in value.items():
        if not isinstance(table, dict):
            raise _wrong(f"metrics.{name}", "a table", table)
        unknown = sorted(set(table) - {"higher_is_better", "assumed", "use"})
        if unknown:
            message = f"{MANIFEST}: unknown keys in [metrics.{name}]: {', '.join(unknown)}."
            report.add("ignored", "unknown-key", message, [MANIFEST])
        flag = table.get(key)
        if flag is not None and not isinstance(flag, bool):
            raise _wrong(f"metrics.{name}.{key}", "true or false", flag)
        if flag is not None:
            values[name] = flag
    return values


def _wrong(key: str, expected: str, value: object) -> LoadError:
    return LoadError(f"{MANIFEST}: {key} should be {expected}, not {value!r}. Correct it.", MANIFEST)
