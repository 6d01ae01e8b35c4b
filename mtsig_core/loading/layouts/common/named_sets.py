"""Test sets that the names of files tell: ``refs/wmt20.txt`` and ``refs/wmt21.txt`` with ``base/seed1/wmt20.txt``.

The files of each set are read as if they lay alone, without its name in theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mtsig_core.loading.recognition.names import (
    REFERENCES,
    TEST_SET,
    bare_stem,
    base_name,
    is_no_output,
    special,
    special_name,
)
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import Entry, FileTree

_PAIR = r"(?:[._-]?[a-z]{2,3}-?[a-z]{2,3})?"
_REMEDY = "To change this, give the test set of a file in experiment.toml ([[files]] path, kind, test_set)."


@dataclass(frozen=True)
class NamedSet:
    """The files of one test set under names without its own, and what each was called."""

    name: str
    files: FileTree
    given: Mapping[str, str]

    def role(self, role: FileRole) -> FileRole:
        """Return the role of a file under the name that it came with."""
        words = (self.given.get(word, word) for word in role.reason.split(" "))
        return replace(role, path=self.given[role.path], test_set=self.name, reason=" ".join(words))


def named_sets(files: FileTree) -> list[NamedSet]:
    """Return the test sets; none where files are not told apart so, or may be several references of one set.

    References of sets differ in length, or are called as test sets are.
    """
    return files.read_once("named sets", lambda: _named_sets(files))


def read_named_sets(
    sets: Sequence[NamedSet], read: Callable[[FileTree, Reporter], Iterable[FileRole]], report: Reporter
) -> list[FileRole]:
    """Return the roles of the files of each set, as `read` gives them for one set alone."""
    roles: list[FileRole] = []
    for one in sets:
        own = Reporter()
        roles += [one.role(role) for role in read(one.files, own)]
        lines = own.report().lines
        report.extend(replace(line, files=tuple(one.given.get(file, file) for file in line.files)) for line in lines)
    message = f"Test sets by the names of references, of which one is in the name of each output: {_listed(sets)}."
    report.assume("sets-by-name", message, _REMEDY, [role.path for role in roles if role.kind == "reference"])
    return roles


def _listed(sets: Sequence[NamedSet]) -> str:
    return some([one.name for one in sets])


def _named_sets(files: FileTree) -> list[NamedSet]:
    texts = [path for path in files if not is_no_output(path)]
    references = {path: key for path in texts if (key := _key_of_reference(path)) is not None}
    keys = set(references.values())
    if len(keys) < 2 or "" in keys:
        return []
    sides = [path for path in texts if path not in references and _is_side(path)]
    outputs = {path: _key_in(path, keys) for path in texts if path not in references and path not in sides}
    if not all(outputs.values()) or len(set(outputs.values())) < 2 or _is_flat(references | outputs):
        return []
    if not (all(map(_is_set, keys)) or _differ_in_length(references, files)):
        return []
    keys_of = references | outputs | {path: _key_in(path, keys) for path in sides}
    sets = [_named_set(key, keys_of, references, files) for key in dict.fromkeys(outputs.values())]
    return [] if None in sets else [one for one in sets if one]


def _named_set(key: str, keys: Mapping[str, str], references: Mapping[str, str], files: FileTree) -> NamedSet | None:
    """Return one set; None where two of its files would have the same name."""
    own = [path for path, own_key in keys.items() if own_key == key]
    given = {_without(path, key, "ref" if path in references else "output"): path for path in own}
    if len(given) < len(own):
        return None
    entries = {path: _renamed(path, files.entry(given[path])) for path in given}
    return NamedSet(key, FileTree(entries, files.decoder, files.name), given)


def _renamed(path: str, entry: Entry) -> Entry:
    return replace(entry, path=path)


def _key_of_reference(path: str) -> str | None:
    """Return the set that a reference names ("" where it names none); None for any other file."""
    split = special_name(path)
    if split and split[0] == "reference":
        return split[1]
    folders = [part.casefold() for part in path.split("/")[:-1]]
    return bare_stem(path) if REFERENCES.intersection(folders) and not split else None


def _is_side(path: str) -> bool:
    return special(path) is not None or any(special(part) == "source" for part in path.split("/")[:-1])


def _key_in(path: str, keys: Iterable[str]) -> str:
    """Return the one set, the longest, that a file or its folders name as a whole part; else ""."""
    name, folders = base_name(path), path.split("/")[:-1]
    found = [key for key in keys if _at(key).search(name) or key in folders]
    longest = max(found, key=len, default="")
    return longest if all(key in longest for key in found) else ""


def _at(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<=[._-])){re.escape(key)}(?=$|[._-])")


def _without(path: str, key: str, alone: str) -> str:
    """Return a path without the name of its set; `alone` is what a file is called of which nothing is left."""
    folder, _, name = path.rpartition("/")
    if match := _at(key).search(name):
        before, behind = name[: match.start()].rstrip("._-"), name[match.end() :]
        if not before:
            is_ending = not behind or (behind.startswith(".") and bare_stem(f"x{behind}") == "x")
            behind = f"{alone}{behind}" if is_ending else behind.lstrip("._-")
        return f"{folder}/{before}{behind}".lstrip("/")
    return "/".join(part for part in path.split("/") if part != key)


def _is_set(key: str) -> bool:
    return re.fullmatch(rf"{TEST_SET.pattern}{_PAIR}", key, re.IGNORECASE) is not None


def _is_flat(keys: Mapping[str, str]) -> bool:
    """Say whether all lie at the top and begin with their set: no more than prefixes."""
    return all("/" not in path and path.startswith(key) for path, key in keys.items())


def _differ_in_length(references: Mapping[str, str], files: FileTree) -> bool:
    lengths: dict[str, set[int]] = {}
    for path, key in references.items():
        try:
            lengths.setdefault(key, set()).add(len(files.text(path).lines))
        except LoadError:
            return False
    return all(len(own) == 1 for own in lengths.values()) and len({min(own) for own in lengths.values()}) > 1
