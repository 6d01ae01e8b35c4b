"""What loading returns: the experiment, the report, and what a correction of either needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from mtsig_core.experiment import Experiment
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.report import LoadReport, ReportLine
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import NOTES

#: Codes of report lines on the upload itself, which a correction does not produce again.
_UPLOAD_CODES = frozenset((*NOTES, "junk", "link", "unsafe-path", "unreadable", "layout", "enclosing-folder",
                           "inner-folder"))  # fmt: skip


@dataclass(frozen=True)
class Recognition:
    """What was recognised in an upload, with the files and texts that a correction of it needs.

    Parameters
    ----------
    files : FileTree
        Files that were not read as lines of text: those left out, and files of scores.
    plan : Plan
        Roles, and the lines of all files that were read; the experiment holds the same strings.
    settings : Settings
    layout : str
    lines : tuple of ReportLine
        The report lines on the upload itself.
    judged : tuple of str
        Paths of the files of human judgements.
    """

    files: FileTree
    plan: Plan
    settings: Settings
    layout: str
    lines: tuple[ReportLine, ...] = ()
    judged: tuple[str, ...] = ()

    @cached_property
    def judgement_files(self) -> Mapping[str, bytes]:
        """The files of human judgements, as they came: bytes by path; empty where there are none."""
        return {path: self.files[path] for path in self.judged}

    @cached_property
    def judgements_digest(self) -> str:
        """Digest of the files of human judgements; "" where there are none."""
        if not self.judgement_files:
            return ""
        parts = (f"{path}\0{sha256(data).hexdigest()}" for path, data in self.judgement_files.items())
        return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class LoadResult:
    """An experiment, its report, and what correcting it needs: see `mtsig_core.loading.corrections`."""

    experiment: Experiment
    report: LoadReport
    recognition: Recognition


def recognition_of(
    files: FileTree, plan: Plan, settings: Settings, texts: Mapping[str, Sequence[str]], report: LoadReport
) -> Recognition:
    """Return what corrections need; `texts` are the lines of the files that were read, by path."""
    texts = {**plan.texts, **texts}
    unread = [path for path in files if path not in texts and path != MANIFEST]
    lines = tuple(line for line in report.lines if line.code in _UPLOAD_CODES)
    return Recognition(files.only(unread), replace(plan, texts=texts), settings, report.layout, lines)
