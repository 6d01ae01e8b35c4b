"""What loading returns: the experiment, the report, and what a correction of either needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256

from mtsig_core.experiment import Experiment
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.report import LoadError, LoadReport, ReportLine
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.decoding import NOTES

#: Codes of report lines on the upload itself, which a correction does not produce again.
_UPLOAD_CODES = frozenset((*NOTES, "junk", "link", "unsafe-path", "unreadable", "layout", "enclosing-folder",
                           "inner-folder", "named-columns"))  # fmt: skip


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
    first_digest : str
        Digest of the upload as it was read at first; "" where this is the first time.
    """

    files: FileTree
    plan: Plan
    settings: Settings
    layout: str
    lines: tuple[ReportLine, ...] = ()
    judged: tuple[str, ...] = ()
    first_digest: str = ""

    def uploaded(self) -> FileTree:
        """Return all files as they were uploaded; of those that were read as lines of text, these lines."""
        texts = {path: lines for path, lines in self.plan.texts.items() if path.partition("#")[0] not in self.files}
        entries = {path: Entry(path, partial(as_bytes, lines)) for path, lines in texts.items()}
        entries |= {path: Entry(path, partial(self.files.original, path)) for path in self.files
                    if self.files.entry(path).original}  # fmt: skip
        return self.files.joined(entries)

    @cached_property
    def digest(self) -> str:
        """Digest of the files of the upload: names and content, whatever they were taken for."""
        return self.first_digest or _digest_of(self)

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


def _digest_of(recognition: Recognition) -> str:
    files, texts = recognition.files, recognition.plan.texts
    of_lines = {path: lines for path, lines in texts.items() if path.partition("#")[0] not in files}
    sha = sha256()
    for path in sorted({*files, *of_lines}):
        sha.update(f"{path}\0".encode("utf-8", "surrogatepass"))
        sha.update(sha256(as_bytes(of_lines[path])).digest() if path in of_lines else _digest_of_file(files, path))
    return sha.hexdigest()


def _digest_of_file(files: FileTree, path: str) -> bytes:
    """Return a digest of a file; of one that is damaged in its archive, of what is said of it."""
    try:
        return sha256(files.original(path)).digest()
    except LoadError as error:
        return sha256(str(error).encode("utf-8", "surrogatepass")).digest()


def as_bytes(lines: Sequence[str]) -> bytes:
    """Return lines of text as a file."""
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


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
