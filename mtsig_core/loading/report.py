"""What was recognised, assumed, repaired, refused and ignored while loading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import pandas as pd

from mtsig_core.experiment.assumptions import Assumption, in_few_lines
from mtsig_core.formatting import count

if TYPE_CHECKING:
    from mtsig_core.loading.recognition.roles import FileRole

#: From so many equal lines on, one stands for all.
MANY_EQUAL = 10
LineKind = Literal["recognised", "assumed", "repaired", "warning", "refused", "ignored"]


@dataclass(frozen=True)
class ReportLine:
    """One observation or action of the loader.

    Parameters
    ----------
    kind : {"recognised", "assumed", "repaired", "warning", "refused", "ignored"}
    message : str
        A sentence for people.
    files : tuple of str
        The files concerned, relative paths.
    code : str
        The same in kebab-case for programs, such as ``identical-replicas``.
    remedy : str
        Of an assumption: how to say otherwise. It is part of the message, too.
    subject : str
        What an assumption is about: the metric of a direction; else "".
    """

    kind: LineKind
    message: str
    files: tuple[str, ...] = ()
    code: str = ""
    remedy: str = ""
    subject: str = ""


@dataclass(frozen=True)
class LoadReport:
    """Everything the loader has to say about one upload.

    Parameters
    ----------
    layout : str
        Name of the recognised layout; empty when loading failed before that.
    lines : tuple of ReportLine
    roles : tuple of FileRole
        What each file was taken for.

    Examples
    --------
    >>> import mtsig_core
    >>> _, report = mtsig_core.load([("refs/ref.txt", b"a b"), ("systems/x/1.txt", b"a b"), ("letter.doc", b"x")],
    ...                             cache=False)
    >>> report.layout
    'plain'
    """

    layout: str
    lines: tuple[ReportLine, ...]
    roles: tuple[FileRole, ...] = ()

    def of_kind(self, kind: LineKind) -> tuple[ReportLine, ...]:
        """Return the lines of one kind."""
        return tuple(line for line in self.lines if line.kind == kind)

    def with_code(self, code: str) -> tuple[ReportLine, ...]:
        """Return the lines with this code."""
        return tuple(line for line in self.lines if line.code == code)

    @property
    def recognised(self) -> tuple[ReportLine, ...]:
        """What was recognised."""
        return self.of_kind("recognised")

    @property
    def guesses(self) -> tuple[Assumption, ...]:
        """What was guessed, and how to say otherwise, for programs: `Experiment.assumptions` of what was loaded."""
        return tuple(Assumption(g.code, g.message, g.remedy, g.subject, g.files) for g in self.of_kind("assumed"))

    @property
    def repairs(self) -> tuple[ReportLine, ...]:
        """What was changed while reading."""
        return self.of_kind("repaired")

    @property
    def assumptions(self) -> tuple[ReportLine, ...]:
        """What was guessed."""
        return self.of_kind("assumed")

    @property
    def warnings(self) -> tuple[ReportLine, ...]:
        """What may make scores misleading."""
        return self.of_kind("warning")

    @property
    def refused(self) -> tuple[ReportLine, ...]:
        """What was left out because it is damaged."""
        return self.of_kind("refused")

    @property
    def ignored(self) -> tuple[ReportLine, ...]:
        """What was not used."""
        return self.of_kind("ignored")

    @property
    def in_few_lines(self) -> tuple[ReportLine, ...]:
        """The lines for people to read: one about many metrics of which the same was assumed."""
        return tuple(in_few_lines(self.lines))

    def to_frame(self, *, each: bool = False) -> pd.DataFrame:
        """Return one row per report line: kind, message, files (separated by ", "), code.

        Parameters
        ----------
        each : bool
            A row for each metric, also where the same is said of many.
        """
        lines = self.lines if each else self.in_few_lines
        rows = [(line.kind, line.message, ", ".join(line.files), line.code) for line in lines]
        return pd.DataFrame(rows, columns=["kind", "message", "files", "code"])


class LoadError(ValueError):
    """Nothing could be loaded; the message names the file, the place in it and the remedy.

    Attributes
    ----------
    file : str
        The damaged file, or the upload itself when no single file is to blame.
    report : LoadReport or None
        What was noted until then.

    Examples
    --------
    >>> import mtsig_core
    >>> try:
    ...     mtsig_core.load([("letter.txt", b"Dear all,")], cache=False)
    ... except mtsig_core.LoadError as error:
    ...     print(error.report is not None)
    True
    """

    def __init__(self, message: str, file: str, report: LoadReport | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.report = report


class Reporter:
    """Collects report lines while loading; equal remarks on many files become one line."""

    def __init__(self) -> None:
        self.layout = ""
        self.roles: tuple[FileRole, ...] = ()
        self._lines: list[ReportLine] = []
        self._gathered: dict[tuple[LineKind, str, str, str], dict[str, None]] = {}

    def add(self, kind: LineKind, code: str, message: str, files: Iterable[str] = ()) -> None:
        """Add one line."""
        self._lines.append(ReportLine(kind, message, tuple(files), code))

    def assume(self, code: str, message: str, remedy: str, files: Iterable[str] = (), subject: str = "") -> None:
        """Add a guess with the way to say otherwise, both as sentences."""
        self._lines.append(ReportLine("assumed", f"{message} {remedy}".strip(), tuple(files), code, remedy, subject))

    def extend(self, lines: Iterable[ReportLine]) -> None:
        """Add finished lines."""
        self._lines.extend(lines)

    def gather(self, kind: LineKind, code: str, sentence: str, file: str) -> None:
        """Add a remark on one file; the same remark on others joins it in one line."""
        self._gathered.setdefault((kind, code, sentence, ""), {})[file] = None

    def gather_guess(self, code: str, sentence: str, remedy: str, file: str) -> None:
        """Add a guess about one file with the way to say otherwise; the same guess about others joins it."""
        self._gathered.setdefault(("assumed", code, sentence, remedy), {})[file] = None

    def report(self) -> LoadReport:
        """Return what was collected so far, most important kinds first."""
        order = {"refused": 0, "warning": 1, "repaired": 2, "assumed": 3, "recognised": 4, "ignored": 5}
        lines = collapsed([*self._lines, *self._gathered_lines()])
        return LoadReport(self.layout, tuple(sorted(lines, key=lambda line: order[line.kind])), self.roles)

    def why_nothing(self) -> str:
        """Return, in brackets, why files were left out, for a message that none could be used."""
        reasons = [line.message for line in self._gathered_lines() if line.kind in ("refused", "ignored")]
        return f" ({'; '.join(reasons)})" if reasons else ""

    def _gathered_lines(self) -> Iterator[ReportLine]:
        for (kind, code, sentence, remedy), files in self._gathered.items():
            message = f"{sentence} ({count(len(files), 'file')}: {some(files, 3)})"
            yield ReportLine(kind, f"{message}. {remedy}" if remedy else message, tuple(files), code, remedy)


def collapsed(lines: Sequence[ReportLine]) -> list[ReportLine]:
    """Return lines in which many that differ by files and numbers alone are one, with their count."""
    groups: dict[tuple[str, str, str], list[ReportLine]] = {}
    for line in _joined(lines):
        text = line.message
        for file in sorted(line.files, key=len, reverse=True):
            text = text.replace(file, "*")
        groups.setdefault((line.kind, line.code, re.sub(r"\d+|'[^']*'", "#", text)), []).append(line)
    result: list[ReportLine] = []
    for own in groups.values():
        if len(own) < MANY_EQUAL or any(line.subject for line in own):
            result += own
            continue
        files = tuple(dict.fromkeys(file for line in own for file in line.files))
        others = some([file for file in files if file not in own[0].files], 3)
        message = f"{own[0].message} The same of {count(len(own) - 1, 'other')}" + (f": {others}." if others else ".")
        result.append(replace(own[0], message=message, files=files))
    return result


def _joined(lines: Sequence[ReportLine]) -> list[ReportLine]:
    """Return lines in which those that say the same, word for word, are one about all their files."""
    same: dict[ReportLine, list[str]] = {}
    for line in lines:
        same.setdefault(replace(line, files=()), []).extend(line.files)
    return [replace(line, files=tuple(dict.fromkeys(files))) for line, files in same.items()]


def some(names: Iterable[str], most: int = 5) -> str:
    """Return the names separated by commas, cut after `most` of them."""
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")
