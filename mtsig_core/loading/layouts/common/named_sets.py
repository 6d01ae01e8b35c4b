"""Test sets that the names of files tell: ``refs/wmt20.txt`` and ``refs/wmt21.txt`` with ``base/seed1/wmt20.txt``.

So do folders with a reference each (``en-de/ref.txt``, ``en-de/base/seed1.txt``), languages (``ref.de``, ``ref.fr``).
The files of each set are read as if they lay alone, without its name in theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from mtsig_core.loading.layouts.common.beside import belong_to_runs, differ_by_run
from mtsig_core.loading.recognition.names import (
    REFERENCES,
    TEST_SET,
    bare_stem,
    base_name,
    is_mark,
    is_no_output,
    language_of,
    language_of_name,
    special,
    special_name,
)
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.alignment import likeness, words_of

_PAIR = r"(?:[._-]?[a-z]{2,3}-?[a-z]{2,3})?"
_REMEDY = "To change this, give the test set of a file in experiment.toml ([[files]] path, kind, test_set)."
#: Lines of two references that are compared, and the share of common words below which they are of two sets.
N_COMPARED, UNLIKE = 50, 0.25


@dataclass(frozen=True)
class NamedSet:
    """The files of one test set, under names without its own; `given` says by these what each was called."""

    name: str
    files: FileTree
    given: Mapping[str, str]

    def role(self, role: FileRole) -> FileRole:
        """Return the role of a file under the name that it came with."""
        words = (self.given.get(word, word) for word in role.reason.split(" "))
        return replace(role, path=self.given[role.path], test_set=self.name, reason=" ".join(words))


def named_sets(files: FileTree) -> list[NamedSet]:
    """Return the test sets; none where files are not told apart so, or may be several references of one set.

    References of sets differ in length or text, or are called as test sets are.
    """
    return files.read_once("named sets", lambda: _named_sets(files))


def read_named_sets(
    sets: Sequence[NamedSet], read: Callable[[FileTree, Reporter], Iterable[FileRole]], report: Reporter
) -> list[FileRole]:
    """Return the roles of the files of each set, as `read` gives them for one set alone.

    A file of several sets, as one source is, has the name of the set behind its path from the second set on.
    """
    roles: list[FileRole] = []
    for one in sets:
        own = Reporter()
        there = {role.path for role in roles}
        of_set = [one.role(role) for role in read(one.files, own)]
        roles += [replace(role, path=f"{role.path}@{one.name}") if role.path in there else role for role in of_set]
        lines = own.report().lines
        report.extend(replace(line, files=tuple(one.given.get(file, file) for file in line.files)) for line in lines)
    named = some([one.name for one in sets])
    message = f"Test set by the name with which all files begin: {named}."
    if len(sets) > 1:
        message = f"Test sets by the names of references, of which one is in that of each output: {named}."
    report.assume("sets-by-name", message, _REMEDY, [role.path for role in roles if role.kind == "reference"])
    return roles


def _named_sets(files: FileTree) -> list[NamedSet]:
    if belong_to_runs(files) or differ_by_run(files):
        return []
    texts = [path for path in files if not is_no_output(path)]
    references = {path: key for path in texts if (key := _key_of_reference(path)) is not None}
    rest = [path for path in texts if path not in references and not _is_side(path)]
    if references and not any(references.values()):
        references = _by_folder(references, rest, files)
        if not any(references.values()):
            languages = _by_language(references, rest)
            return _sets_of(languages, references, files, _sources(texts, languages), are_named=False)
    keys = set(references.values())
    if not keys or "" in keys or (len(keys) == 1 and not _is_prefix(min(keys), texts)):
        return []
    sides = [path for path in texts if path not in references and _is_side(path)]
    outputs = {path: _key_in(path, keys) for path in texts if path not in references and path not in sides}
    if not all(outputs.values()) or len(set(outputs.values())) < min(2, len(keys)):
        return []
    if len(keys) > 1 and _is_flat(references | outputs):
        return []
    are_sets = all(map(_is_set, keys)) or _differ(references, files, are_a_grid=_are_a_grid(outputs))
    if not are_sets:
        return []
    keys_of = references | outputs | {path: _key_in(path, keys) for path in sides}
    return _sets_of(keys_of, references, files)


def _sets_of(
    keys: Mapping[str, str], references: Mapping[str, str], files: FileTree,
    sources: Mapping[str, Sequence[str]] | None = None, *, are_named: bool = True,
) -> list[NamedSet]:  # fmt: skip
    """Return the sets of files; none where two files of one would have the same name."""
    used = dict.fromkeys(key for path, key in keys.items() if path not in references and not _is_side(path))
    of_sets = {key: [*(p for p, own in keys.items() if own == key), *(sources or {}).get(key, ())] for key in used}
    sets = [_named_set(key, own, references, files, are_named=are_named) for key, own in of_sets.items()]
    return [] if None in sets else [one for one in sets if one]


def _by_folder(references: Mapping[str, str], rest: Sequence[str], files: FileTree) -> dict[str, str]:
    """Return the folders of references that differ or are called as sets are, each beside systems; else no keys."""
    folders = {path: path.rpartition("/")[0] for path in references}
    inside = {folder: [path for path in rest if path.startswith(f"{folder}/")] for folder in folders.values()}
    are_apart = all(folders.values()) and len(inside) == len(folders) > 1
    are_apart = are_apart and sum(map(len, inside.values())) == len(rest)
    are_deep = all(own and all(path.count("/") > 1 for path in own) for own in inside.values())
    if not (are_apart and are_deep) or any("/" in folder for folder in inside):
        return dict(references)
    are_sets = len({files[path] for path in references}) > 1 or all(map(_is_set, inside))
    return folders if are_sets else dict(references)


def _by_language(references: Mapping[str, str], rest: Sequence[str]) -> dict[str, str]:
    """Return the languages that names of references and of all outputs say, two at least; else nothing."""
    of_references = {path: language_of_name(base_name(path)) for path in references}
    of_outputs = {path: language_of_name(base_name(path)) for path in rest}
    both = set(of_references.values()) & set(of_outputs.values())
    if len(both - {""}) < 2 or not set(of_outputs.values()) <= set(of_references.values()):
        return {}
    return of_references | of_outputs


def _sources(texts: Sequence[str], languages: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the sources of sets that languages tell apart: ``src.de`` is that of *de*, ``source.en`` that of all."""
    sets = dict.fromkeys(languages.values())
    sources = {path: language_of_name(base_name(path)) for path in texts if special(path) == "source"}
    own = {key: [path for path, language in sources.items() if language == key] for key in sets}
    shared = [path for path, language in sources.items() if language not in sets]
    return {key: own[key] or (shared if len(shared) == 1 else []) for key in sets}


def _are_a_grid(outputs: Mapping[str, str]) -> bool:
    """Say whether each set has outputs of the same names, which are those of systems and not of runs alone."""
    names: dict[str, set[str]] = {}
    for path, key in outputs.items():
        names.setdefault(key, set()).add(_without(path, key, "output"))
    first, *others = names.values()
    are_runs = all(is_mark(bare_stem(path)) and "/" not in path for path in first)
    return all(own == first for own in others) and not are_runs and all(len(key) > 1 for key in names)


def _named_set(
    key: str, own: Sequence[str], references: Mapping[str, str], files: FileTree, *, are_named: bool
) -> NamedSet | None:
    """Return one set; None where two of its files would have the same name."""
    alone = {path: "ref" if path in references else "output" for path in own}
    given = {_without(path, key, alone[path]) if are_named else path: path for path in own}
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
        return split[1] or _behind_role(path)
    folders = [part.casefold() for part in path.split("/")[:-1]]
    return bare_stem(path) if REFERENCES.intersection(folders) and not split else None


def _behind_role(path: str) -> str:
    """Return the test set behind a role word: ``dev`` of ``ref.dev.txt`` and ``ref-dev.en``; "" without one."""
    match = re.fullmatch(r"(?:refs?|references?)[._-](?P<set>.+)", bare_stem(path), re.IGNORECASE)
    behind = match["set"] if match else ""
    return behind if len(behind) > 1 and not behind.isdecimal() and not language_of(behind) else ""


def _is_side(path: str) -> bool:
    return special(path) is not None or any(special(part) == "source" for part in path.split("/")[:-1])


def _key_in(path: str, keys: Iterable[str]) -> str:
    """Return the one set, the longest, that a file or its folders name as a whole part; else ""."""
    name, folders = base_name(path), path.split("/")[:-1]
    found = [key for key in keys if _at(key).search(name) or key in folders]
    longest = max(found, key=len, default="")
    if all(key in longest for key in found):
        return longest
    # test.hyps.dev: what stands last says the set
    ends = {match.end(): key for key in found for match in _at(key).finditer(name)}
    return ends[max(ends)] if ends else ""


def _at(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<=[._-])){re.escape(key)}(?=$|[._-])")


def _without(path: str, key: str, alone: str) -> str:
    """Return a path without the name of its set; `alone` is what a file is called of which nothing is left."""
    folder, _, name = path.rpartition("/")
    if matches := list(_at(key).finditer(name)):
        match = matches[-1]
        before, behind = name[: match.start()].rstrip("._-"), name[match.end() :]
        if not before:
            is_ending = not behind or (behind.startswith(".") and bare_stem(f"x{behind}") == "x")
            behind = f"{alone}{behind}" if is_ending else behind.lstrip("._-")
        return f"{folder}/{before}{behind}".lstrip("/")
    return "/".join(part for part in path.split("/") if part != key)


def _is_set(key: str) -> bool:
    return re.fullmatch(rf"{TEST_SET.pattern}{_PAIR}", key, re.IGNORECASE) is not None


def _is_prefix(key: str, paths: Sequence[str]) -> bool:
    """Say whether all names, at the top, begin with that of one test set: newstest2020.ref.en, newstest2020.A.en."""
    return _is_set(key) and len(paths) > 2 and all("/" not in path and _at(key).match(path) for path in paths)


def _is_flat(keys: Mapping[str, str]) -> bool:
    """Say whether all lie at the top and begin with their set: no more than prefixes."""
    return all("/" not in path and path.startswith(key) for path, key in keys.items())


def _differ(references: Mapping[str, str], files: FileTree, *, are_a_grid: bool) -> bool:
    """Say whether references differ in length; beside a grid of outputs, also whether their texts are other ones."""
    texts: dict[str, list[list[str]]] = {}
    for path, key in references.items():
        try:
            texts.setdefault(key, []).append(files.text(path).lines)
        except LoadError:
            return False
    if any(len(set(map(len, own))) > 1 for own in texts.values()):
        return False
    firsts = [own[0] for own in texts.values()]
    return len(set(map(len, firsts))) > 1 or (are_a_grid and all(_are_unlike(a, b) for a, b in combinations(firsts, 2)))


def _are_unlike(a: Sequence[str], b: Sequence[str]) -> bool:
    """Say whether two texts of one length share few words line by line, as two references of one set do not."""
    step = max(1, len(a) // N_COMPARED)
    shares = [likeness(words_of(x), words_of(y)) for x, y in zip(a[::step], b[::step], strict=True)]
    return sum(shares) < UNLIKE * len(shares)
