"""Post-edits as files of lines, one line per segment: which files they are, and which output each belongs to.

::

    postedits/SYSTEM.txt                       of a system with one replica
    postedits/SYSTEM/REPLICA.txt
    postedits/SYSTEM/REPLICA.ANNOTATOR.txt     one file per annotator; postedits/ANNOTATOR/SYSTEM.txt is the same
    systems/SYSTEM/REPLICA.pe                  beside the output; REPLICA.ANNOTATOR.pe per annotator

The folder may be called ``post-edits`` or ``post_edits``, and the ending ``.postedit``. Between the parts of a name, a
slash, dot, hyphen or underscore is the same. An empty line was not edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.names import base_name, is_no_output, without_text_ending
from mtsig_core.loading.report import LoadError

_FOLDER = re.compile(r"(?:human[-_])?post[-_]?edit(?:s|ed|ions?)?", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:pe|post[-_]?edits?)(?:\.txt)?$", re.IGNORECASE)
_TABLES = ("tsv", "tab", "jsonl", "ndjson")
_BETWEEN = r"[/._-]"


def is_post_edit_file(path: str) -> bool:
    """Say whether a file holds post-edits as lines, by its name or its folder.

    Examples
    --------
    >>> [is_post_edit_file(path) for path in ("postedits/old.txt", "systems/old/1.ann.pe", "systems/old/1.txt")]
    [True, True, False]
    """
    name = base_name(path)
    if is_no_output(name) or name.rsplit(".", 1)[-1].casefold() in _TABLES:
        return False
    return _ENDING.search(name) is not None or any(map(_FOLDER.fullmatch, path.split("/")[:-1]))


@dataclass(frozen=True)
class PostEditFile:
    """One file of post-edits.

    Parameters
    ----------
    path : str
    lines : sequence of str
        One per segment; an empty one was not edited.
    """

    path: str
    lines: Sequence[str]

    @property
    def test_set(self) -> str:
        """Folder that the file stands in as the outputs of a test set do; "" where there is none."""
        folders = self.path.split("/")[:-1]
        inside = [i for i, name in enumerate(folders) if _FOLDER.fullmatch(name) or name.casefold() == "systems"]
        return folders[inside[0] - 1] if inside and inside[0] else ""

    def owner(self, outputs: Iterable[tuple[str, str]]) -> tuple[str, str, str | None] | None:
        """Return system, replica and annotator by the file's name; None where it names no output.

        Parameters
        ----------
        outputs : iterable of (system, replica)
        """
        name, has_annotator_before = self._name()
        keys = list(outputs)
        replicas = pd.Series([system for system, _ in keys], dtype=object).value_counts()
        matches: list[tuple[int, tuple[str, str, str | None]]] = []
        for system, replica in keys:
            own = f"{_BETWEEN}{re.escape(replica)}"
            own = f"(?:{own})?" if replicas[system] == 1 else own
            pattern = rf"(?:(?P<before>.+)/)?(?P<own>{re.escape(system)}{own})(?:{_BETWEEN}(?P<after>.+))?"
            match = re.fullmatch(pattern, name, re.IGNORECASE)
            if match:
                before = match["before"] if has_annotator_before else None
                matches.append((len(match["own"]), (system, replica, before or match["after"])))
        return max(matches, key=lambda each: each[0])[1] if matches else None

    def _name(self) -> tuple[str, bool]:
        """Return the path below the folder of post-edits without ending, and whether a folder may name who edited."""
        folders = self.path.split("/")[:-1]
        places = [i for i, name in enumerate(folders) if _FOLDER.fullmatch(name)]
        stem = without_text_ending(_ENDING.sub("", base_name(self.path)))
        below = folders[places[-1] + 1 :] if places else folders
        return "/".join([*below, stem]), bool(places)


def of_test_set(files: Sequence[PostEditFile], test_set: str) -> list[PostEditFile]:
    """Return the files that do not stand in the folder of another test set.

    Parameters
    ----------
    files : sequence of PostEditFile
    test_set : str
        Where no folder has this name, folders do not name test sets.
    """
    if all(file.test_set != test_set for file in files):
        return list(files)
    return [file for file in files if file.test_set in ("", test_set)]


def aligned_post_edits(
    files: Sequence[PostEditFile], outputs: Mapping[tuple[str, str], Sequence[str | None]]
) -> pd.DataFrame:
    """Return the post-edits of files of lines beside the outputs that were edited, one row per line that was.

    Parameters
    ----------
    files : sequence of PostEditFile
    outputs : mapping of (system, replica) to lines
        None for a line that was left out; its post-edits are, too.

    Raises
    ------
    LoadError
        When a file names no output, or has another number of lines.
    """
    parts = []
    for file in files:
        owner = file.owner(outputs)
        if owner is None:
            raise LoadError(
                f"{file.path}: post-edits whose name is that of no output. Call the file as the output, as in "
                "postedits/SYSTEM/REPLICA.txt, with .ANNOTATOR before the ending where several people edited it.",
                file.path,
            )
        system, replica, annotator = owner
        own = outputs[system, replica]
        if len(own) != len(file.lines):
            raise LoadError(
                f"{file.path}: {count(len(file.lines), 'line')}, but the output {system}/{replica} has {len(own)}. "
                "Give one line per segment, empty where nothing was edited.",
                file.path,
            )
        parts.append(pd.DataFrame({
            "system": system, "replica": replica, "annotator": annotator,
            "segment": [str(i) for i in range(1, len(own) + 1)], "output": list(own), "post_edit": list(file.lines),
        }, dtype=object))  # fmt: skip
    frame = pd.concat(parts, ignore_index=True)
    return frame[frame["output"].notna() & (frame["post_edit"].str.strip() != "")].reset_index(drop=True)
