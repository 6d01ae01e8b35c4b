"""What loading is asked, and what it returns: sources -> files -> roles -> an experiment, with a report."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mtsig_core.experiment import Experiment
from mtsig_core.loading.assembly import assemble
from mtsig_core.loading.checks import check
from mtsig_core.loading.corrections import Kept, keep
from mtsig_core.loading.judgements.files import mark_judgements, told_of_judgements
from mtsig_core.loading.layouts import Layout, choose
from mtsig_core.loading.recognition.contents import unpack
from mtsig_core.loading.recognition.declared import declare
from mtsig_core.loading.recognition.manifest import read_manifest
from mtsig_core.loading.report import LoadError, LoadReport, Reporter
from mtsig_core.loading.scores import mark_scores
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Source, open_source
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import Decoder, check_encoding
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.runtime.jobs import Progress, subprogress


@dataclass(frozen=True)
class Reading:
    """What loading returns, and what correcting it takes: see `mtsig_core.loading.corrections`."""

    experiment: Experiment
    report: LoadReport
    kept: Kept


@dataclass(frozen=True)
class Request:
    """A source, and all that the reading of it depends on; see `mtsig_core.loading.read`."""

    source: str | os.PathLike[str] | bytes | list[tuple[str, bytes]]
    name: str | None = None
    encoding: str | None = None
    limits: Limits = DEFAULT_LIMITS
    checked: bool = False

    @staticmethod
    def of(source: Source, name: str | None, encoding: str | None, limits: Limits, checked: bool) -> Request:
        """Return a request of a source that can be gone through more than once."""
        if isinstance(source, bytes | bytearray | memoryview):
            return Request(bytes(source), name, encoding, limits, checked)
        given = source if isinstance(source, str | os.PathLike) else list(source)
        return Request(given, name, encoding, limits, checked)

    def files(self, report: Reporter) -> tuple[Layout, FileTree]:
        """Return the layout and the files that it fits to.

        Raises
        ------
        LoadError
            When nothing can be read, or no layout fits.
        """
        check_encoding(self.encoding)
        files = open_source(self.source, self.name, self.limits, report, Decoder(self.encoding, self.limits))
        try:
            return choose(files, report)
        except LoadError as error:
            raise told_of_judgements(files, error) from error


def read_anew(request: Request, progress: Progress) -> tuple[Reading, LineNumbers]:
    """Read a source; return the numbers of its lines as well.

    Raises
    ------
    LoadError
        Its report holds what was found before.
    """
    report = Reporter()
    try:
        layout, files = request.files(report)
        report.layout = layout.NAME
        settings = read_manifest(files, report)
        plan = mark_judgements(files, mark_scores(files, layout.read(files, report)), report)
        plan = unpack(files, plan, report)
        plan = declare(files, settings.files, plan, report)
        loaded = assemble(files, plan, settings, report, progress=subprogress(progress, 0.0, 0.9))
        if not request.checked:
            report.extend(check(loaded.experiment, loaded.files, progress=subprogress(progress, 0.9, 1.0)))
    except LoadError as error:
        error.report = report.report()
        raise
    told = report.report()
    return Reading(loaded.experiment, told, keep(files, plan, settings, loaded, told)), loaded.numbers
