"""What was recognised, assumed, repaired, refused and ignored while loading; and the table of outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.experiment import Experiment
from mtsig_core.loading.roles import FileRole

LineKind = Literal["recognised", "assumed", "repaired", "warning", "refused", "ignored"]
OutputKey = tuple[str, str, str]  # system, replica, test set
#: Which characters are white space; none is beyond the last one.
_WHITE = np.array([chr(code).isspace() for code in range(0x3002)])


@dataclass(frozen=True)
class ReportLine:
    """One thing that the loader found or did.

    Parameters
    ----------
    kind : {"recognised", "assumed", "repaired", "warning", "refused", "ignored"}
    message : str
        A sentence for people.
    files : tuple of str
        The files concerned, relative paths.
    code : str
        The same in kebab-case for programs, such as ``identical-replicas``.
    """

    kind: LineKind
    message: str
    files: tuple[str, ...] = ()
    code: str = ""


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
        """What was found."""
        return self.of_kind("recognised")

    @property
    def assumptions(self) -> tuple[ReportLine, ...]:
        """What was guessed."""
        return self.of_kind("assumed")

    @property
    def repairs(self) -> tuple[ReportLine, ...]:
        """What was changed while reading."""
        return self.of_kind("repaired")

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

    def to_frame(self) -> pd.DataFrame:
        """Return one row a line: kind, message, files (separated by ", "), code."""
        rows = [(line.kind, line.message, ", ".join(line.files), line.code) for line in self.lines]
        return pd.DataFrame(rows, columns=["kind", "message", "files", "code"])


class LoadError(ValueError):
    """Nothing could be loaded; the message names the file, the place in it and the remedy.

    Attributes
    ----------
    file : str
        The damaged file, or the upload itself when no single file is to blame.
    report : LoadReport or None
        What was found before.

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
        self._gathered: dict[tuple[LineKind, str, str], dict[str, None]] = {}

    def add(self, kind: LineKind, code: str, message: str, files: Iterable[str] = ()) -> None:
        """Add one line."""
        self._lines.append(ReportLine(kind, message, tuple(files), code))

    def extend(self, lines: Iterable[ReportLine]) -> None:
        """Add finished lines."""
        self._lines.extend(lines)

    def gather(self, kind: LineKind, code: str, sentence: str, file: str) -> None:
        """Add a remark on one file; the same remark on others joins it in one line."""
        self._gathered.setdefault((kind, code, sentence), {})[file] = None

    def report(self) -> LoadReport:
        """Return what was collected so far, most important kinds first."""
        order = {"refused": 0, "warning": 1, "repaired": 2, "assumed": 3, "recognised": 4, "ignored": 5}
        lines = [*self._lines, *self._gathered_lines()]
        return LoadReport(self.layout, tuple(sorted(lines, key=lambda line: order[line.kind])), self.roles)

    def why_nothing(self) -> str:
        """Return, in brackets, why files were left out, for a message that none could be used."""
        told = [line.message for line in self._gathered_lines() if line.kind in ("refused", "ignored")]
        return f" ({'; '.join(told)})" if told else ""

    def _gathered_lines(self) -> Iterator[ReportLine]:
        for (kind, code, sentence), files in self._gathered.items():
            names = some(files, 3)
            yield ReportLine(kind, f"{sentence} ({count(len(files), 'file')}: {names})", tuple(files), code)


def count(n: int, noun: str) -> str:
    """Return ``1 file`` or ``3 files``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def some(names: Iterable[str], most: int = 5) -> str:
    """Return the names separated by commas, cut after `most` of them."""
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")


def overview(experiment: Experiment) -> pd.DataFrame:
    """Return one row an output: what was loaded, for people to check.

    Returns
    -------
    DataFrame with the columns system, replica, test set, segments, empty (blank hypotheses), tokens
    (separated by white space), duplicates (another output of that test set with the same text, as
    ``system/replica``, or ""), in the order of the experiment. Where there are scores of outside metrics, a
    column scores tells them, and outputs without text follow, with no numbers of text.
    """
    seen: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    outputs = list(_outputs(experiment))
    for (system, replica, test_set), lines in outputs:
        seen.setdefault((test_set, lines), []).append(f"{system}/{replica}")
    rows = []
    for (system, replica, test_set), lines in outputs:
        others = [name for name in seen[test_set, lines] if name != f"{system}/{replica}"]
        tokens = count_tokens("\n".join(lines))
        empty = sum(not line.strip() for line in lines)
        rows.append((system, replica, test_set, len(lines), empty, tokens, others[0] if others else ""))
    columns = ["system", "replica", "test set", "segments", "empty", "tokens", "duplicates"]
    frame = pd.DataFrame(rows, columns=columns)
    return _with_scores(frame, experiment) if experiment.outside_metrics else frame


def count_tokens(text: str) -> int:
    """Return the number of tokens between white space, as ``len(text.split())`` but several times as fast."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    white = _WHITE[np.minimum(codes, len(_WHITE) - 1)]
    return int(np.count_nonzero(white[:-1] & ~white[1:])) + int(len(white) > 0 and not white[0])


def _with_scores(frame: pd.DataFrame, experiment: Experiment) -> pd.DataFrame:
    told, textless = {}, []
    for test_set in experiment.test_sets:
        for system in experiment.systems_present_on(test_set.name):
            for replica in system.present_on(test_set.name):
                key = (system.name, replica.name, test_set.name)
                told[key] = ", ".join(
                    name if None not in values else f"{name} ({values.count(None)} missing)"
                    for name, values in replica.scores.get(test_set.name, {}).items()
                )
                if test_set.name not in replica.outputs:
                    textless.append((*key, test_set.n_segments))
    more = pd.DataFrame(textless, columns=["system", "replica", "test set", "segments"])
    whole = pd.concat([frame, more], ignore_index=True) if len(frame) else more
    whole = whole.reindex(columns=frame.columns)
    whole["duplicates"] = ["" if pd.isna(name) else name for name in whole["duplicates"]]
    keys = zip(whole["system"], whole["replica"], whole["test set"], strict=True)
    return whole.assign(scores=[told[key] for key in keys])


def _outputs(experiment: Experiment) -> Iterator[tuple[OutputKey, tuple[str, ...]]]:
    for test_set in experiment.test_sets:
        for system in experiment.systems_on(test_set.name):
            for replica in system.on(test_set.name):
                yield (system.name, replica.name, test_set.name), replica.outputs[test_set.name]
