"""Lines of files: read once, equal ones shared, and kept for corrections."""

from __future__ import annotations

from mtsig_core.jobs import Progress
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.roles import Plan
from mtsig_core.loading.text import remark
from mtsig_core.loading.tree import FileTree

_BLANK_END = frozenset(("trailing-blank-line",))


class LineReader:
    """Reads the lines of files, sharing equal lines, and gathers remarks.

    Replicas repeat one another, so equal lines are kept once: memory and comparisons profit.
    """

    def __init__(
        self,
        files: FileTree,
        plan: Plan,
        report: Reporter,
        *,
        progress: Progress,
    ) -> None:
        self._files = files
        self._plan = plan
        self._report = report
        self._progress = progress
        self._pool: dict[str, str] = {}
        self.texts: dict[str, list[str]] = {}
        self._n_done = 0
        self._n_files = max(1, sum(role.kind != "ignored" for role in plan.roles))

    def is_parsed(self, path: str) -> bool:
        """Say whether a layout has parsed the file: its lines are values, not raw lines of text."""
        return path in self._plan.texts

    def lines(self, path: str, *, blank_is_missing: bool = False) -> list[str]:
        """Return the segments of one file; a blank last line needs no remark where blank means missing."""
        self._progress(self._n_done / self._n_files, "reading files")
        self._n_done += 1
        if path in self._plan.texts:
            found = list(self._plan.texts[path])
        else:
            text = self._files.text(path)
            found = text.lines
            remark(text, path, self._report, but=_BLANK_END if blank_is_missing else frozenset())
        pool = self._pool
        self.texts[path] = [pool.setdefault(line, line) for line in found]
        return self.texts[path]
