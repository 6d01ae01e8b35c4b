"""What the files of one folder are by their names: replicas of one system, or several systems under one condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from mtsig_core.loading.recognition.names import is_mark, split_flat, stems, without_ending

_WORD_NUMBER = re.compile(r"(?P<word>.*?\D)[._-]?\d+")
ODD = "its name differs from those of the replicas beside it"


@dataclass(frozen=True)
class FolderNames:
    """The files of a folder.

    Parameters
    ----------
    kind : {"replicas", "systems", "unclear"}
        Replicas of one system; different systems, each with its replicas; or names that say neither.
    names : mapping of path to (system, replica)
        The system is "" where the folder holds replicas of one.
    odd : tuple of path
        Files that differ from the replicas beside them.
    """

    kind: Literal["replicas", "systems", "unclear"]
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    odd: tuple[str, ...] = ()


def names_in_folder(paths: Sequence[str]) -> FolderNames:
    """Return what the files of a folder are.

    ``seed1, seed2`` are replicas, and so are ``model.seed1, model.seed2``; ``good.run0, bad.run0`` are two systems.
    One differently named file beside replicas is none of them.
    """
    short = stems(paths)
    marks = {path for path, name in short.items() if is_mark(name) or is_mark(without_ending(name))}
    split = {path: pair for path in paths if path not in marks and (pair := split_flat(path))}
    by_system: dict[str, list[str]] = {}
    for path, (system, _) in split.items():
        by_system.setdefault(system, []).append(path)
    if len(by_system) > 1 or (by_system and marks):
        rest = {path: (short[path], "1") for path in paths if path not in marks and path not in split}
        odd = tuple(path for path in paths if path in marks)
        return FolderNames("systems", {**split, **rest}, odd)
    replicas = list(marks) or [path for own in by_system.values() for path in own]
    if len(replicas) > 1:
        odd = tuple(path for path in paths if path not in replicas)
        return FolderNames("replicas", {path: ("", short[path]) for path in paths if path in replicas}, odd)
    words = {m["word"] if (m := _WORD_NUMBER.fullmatch(without_ending(name))) else name for name in short.values()}
    one = len(paths) == 1 or len(words) == 1
    return FolderNames("replicas" if one else "unclear", {path: ("", name) for path, name in short.items()})
