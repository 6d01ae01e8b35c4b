"""Lines of files: read once, with equal lines shared, and available to corrections."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import cast

import numpy as np

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.limits import MIB, TextTooLarge
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.runtime.jobs import Progress

_BLANK_END = frozenset(("trailing-blank-line",))
#: Bytes that each line of a file takes besides its text (in lists of lines, of numbers, and while outputs are checked),
#: and each distinct line besides the size of its text (in the table of numbers).
PER_LINE, PER_DISTINCT = 64, 128


class _Numbers(dict[str | None, int]):
    """The number of each line of a list, which is added to it where it lacks."""

    def __init__(self, lines: list[str | None]) -> None:
        super().__init__((line, number) for number, line in enumerate(lines))
        self._lines = lines

    def __missing__(self, line: str | None) -> int:
        self[line] = number = len(self._lines)
        self._lines.append(line)
        return number


class LineNumbers:
    """Numbers of distinct lines, in the order of their first use; 0 is the number of a missing line.

    Parameters
    ----------
    lines : list of str or None
        By number.
    of_file : mapping of path to ndarray of uint32, shape (line,)
        Numbers of the lines of a file.
    """

    def __init__(self) -> None:
        self.lines: list[str | None] = [None]
        self.of_file: dict[str, np.ndarray] = {}
        self._number_of: _Numbers | None = None

    def of(self, lines: Iterable[str | None]) -> list[int]:
        """Return the numbers of lines."""
        if self._number_of is None:
            self._number_of = _Numbers(self.lines)
        return list(map(self._number_of.__getitem__, lines))

    def release(self) -> None:
        """Free the lookup table until numbers are needed again."""
        self._number_of = None


class LineReader:
    """Reads the lines of files, sharing equal lines, and reports notes on them.

    Replicas repeat one another, so equal lines are stored once, which saves memory and makes comparisons fast.
    """

    def __init__(
        self, files: FileTree, plan: Plan, report: Reporter, *, progress: Progress
    ) -> None:
        self._files = files
        self._plan = plan
        self._report = report
        self._progress = progress
        self.numbers = LineNumbers()
        self.texts: dict[str, list[str]] = {}
        self._held = 0
        self._n_done = 0
        self._n_files = max(1, sum(role.kind != "ignored" for role in plan.roles))

    def is_parsed(self, path: str) -> bool:
        """Say whether a layout has parsed the file: its lines are values, not raw lines of text."""
        return path in self._plan.texts

    def lines(self, path: str, *, blank_is_missing: bool = False) -> list[str]:
        """Return the segments of one file; a blank last line needs no remark where blank means missing.

        Raises
        ------
        LoadError
            When the file is no text.
        TextTooLarge
            When the lines of all files so far take too much memory.
        """
        self._progress(self._n_done / self._n_files, "reading files")
        self._n_done += 1
        if path in self._plan.texts:
            lines = list(self._plan.texts[path])
        else:
            text = self._files.text(path)
            lines = text.lines
            text.report_notes(path, self._report, without=_BLANK_END if blank_is_missing else frozenset())
        n_known = len(self.numbers.lines)
        numbers = self.numbers.of(lines)
        self._hold(path, len(lines), self.numbers.lines[n_known:])
        self.numbers.of_file[path] = np.array(numbers, dtype=np.uint32)
        self.texts[path] = cast(list[str], list(map(self.numbers.lines.__getitem__, numbers)))
        return self.texts[path]

    def _hold(self, path: str, n_lines: int, new: list[str | None]) -> None:
        """Count the memory that lines take, of which some are new; raise `TextTooLarge` above the limit."""
        limit = self._files.decoder.limits.text_bytes
        self._held += PER_LINE * n_lines + PER_DISTINCT * len(new) + sum(map(sys.getsizeof, new))
        if self._held > limit:
            raise TextTooLarge(
                f"{path}: the text of this file and those before it takes more than {limit / MIB:,.0f} MiB of memory, "
                f"the limit; lines that are equal count once ({self._n_done:,} of {self._n_files:,} files were read). "
                "Load fewer replicas or systems at a time, or one test set at a time.",
                path,
            )

    def replace(self, path: str, lines: list[str]) -> list[str]:
        """Take other lines for those of a file; return them."""
        self.numbers.of_file.pop(path, None)
        self.texts[path] = lines
        return lines
