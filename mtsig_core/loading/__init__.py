"""Anything on disk or uploaded -> an Experiment and a report of what was recognised."""

from __future__ import annotations

from dataclasses import dataclass

from mtsig_core.experiment import Experiment
from mtsig_core.jobs import Progress, no_progress, part_of
from mtsig_core.loading.assemble import assemble
from mtsig_core.loading.checks import check
from mtsig_core.loading.contents import unpack
from mtsig_core.loading.declared import declare
from mtsig_core.loading.judgement_files import mark_judgements, told_of_judgements
from mtsig_core.loading.layouts import LAYOUTS, Layout, choose
from mtsig_core.loading.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.manifest import read_manifest
from mtsig_core.loading.mapping import Kept, keep
from mtsig_core.loading.report import LoadError, LoadReport, Reporter, ReportLine, overview
from mtsig_core.loading.roles import FileRole, Plan
from mtsig_core.loading.scores import mark_scores
from mtsig_core.loading.sources import Source, open_source
from mtsig_core.loading.text import Decoder, check_encoding
from mtsig_core.loading.tree import FileTree

__all__ = [
    "DEFAULT_LIMITS",
    "LAYOUTS",
    "FileRole",
    "Limits",
    "LoadError",
    "LoadReport",
    "Plan",
    "Reading",
    "ReportLine",
    "Source",
    "load",
    "overview",
    "read",
]


def load(
    source: Source,
    *,
    name: str | None = None,
    progress: Progress = no_progress,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Experiment, LoadReport]:
    """Load an experiment from a folder, an archive or loose files.

    Parameters
    ----------
    source : path, bytes, or iterable of (relative path, bytes)
        A folder; a ZIP or tar archive (gz, xz, bz2) as a path or as bytes; or files of any origin. A
        single archive among loose files is opened.
    name : str, optional
        File name of an archive given as bytes; else what to call the experiment.
    progress : Progress
        Called between files; what it raises (`Cancelled`) goes through.
    encoding : str, optional
        Encoding of files that are not UTF-8 (``latin-1``, ``cp1252``).
    limits : Limits
        Bounds on files and unpacked bytes.

    Returns
    -------
    tuple of Experiment and LoadReport

    Raises
    ------
    LoadError
        Names the damaged file, the place and the remedy; its ``report`` holds what was found before.
    """
    reading = read(source, name=name, progress=progress, encoding=encoding, limits=limits)
    return reading.experiment, reading.report


@dataclass(frozen=True)
class Reading:
    """What loading returns, and what correcting it takes: see `mtsig_core.loading.mapping`."""

    experiment: Experiment
    report: LoadReport
    kept: Kept


def read(
    source: Source,
    *,
    name: str | None = None,
    progress: Progress = no_progress,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    checked: bool = False,
) -> Reading:
    """Do what `load` does, and keep what is needed to correct what was recognised.

    The lines that are kept are those of the experiment; of files that were not used, as much is kept as the
    upload holds. What was `checked` once, and is known to be unchanged, is not looked at for warnings again.
    """
    report = Reporter()
    try:
        check_encoding(encoding)
        files = open_source(source, name, limits, report, Decoder(encoding, limits))
        layout, files = _layout(files, report)
        report.layout = layout.NAME
        settings = read_manifest(files, report)
        plan = mark_judgements(files, mark_scores(files, layout.read(files, report)), report)
        plan = unpack(files, plan, report)
        plan = declare(files, settings.files, plan, report)
        reading = part_of(progress, 0.0, 0.9)
        loaded = assemble(files, plan, settings, report, progress=reading)
        if not checked:
            report.extend(check(loaded.experiment, loaded.files, progress=part_of(progress, 0.9, 1.0)))
    except LoadError as error:
        error.report = report.report()
        raise
    told = report.report()
    return Reading(loaded.experiment, told, keep(files, plan, settings, loaded, told))


def _layout(files: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    try:
        return choose(files, report)
    except LoadError as error:
        raise told_of_judgements(files, error) from error
