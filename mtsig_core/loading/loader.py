"""The way from a source to an experiment: files -> layout -> roles -> texts and scores -> experiment, with a report."""

from __future__ import annotations

from dataclasses import replace

from mtsig_core.loading.assembly import assemble
from mtsig_core.loading.checks import check
from mtsig_core.loading.judgements.files import explain_judgements, mark_judgements
from mtsig_core.loading.layouts import Layout, choose, warn_of_other_experiments
from mtsig_core.loading.recognition.annotations import leave_out
from mtsig_core.loading.recognition.checkpoints import choose_checkpoints
from mtsig_core.loading.recognition.contents import unpack
from mtsig_core.loading.recognition.declared import declare
from mtsig_core.loading.recognition.manifest import read_manifest
from mtsig_core.loading.recognition.unread import warn_of_packed
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.request import Request
from mtsig_core.loading.result import LoadResult, recognition_of
from mtsig_core.loading.scores.find import mark_scores
from mtsig_core.loading.sources.source import open_source
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import check_encoding
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.runtime.jobs import Progress, subprogress


def open_files(request: Request, report: Reporter) -> tuple[Layout, FileTree]:
    """Return the layout of a source, and the files that it fits.

    Raises
    ------
    LoadError
        When nothing can be read, or no layout fits.
    """
    check_encoding(request.encoding)
    files = open_source(request.source, request.name, report, request.decoder())
    try:
        return choose(files, report)
    except LoadError as error:
        raise _with_links(explain_judgements(files, error), report) from error


def _with_links(error: LoadError, report: Reporter) -> LoadError:
    """Say in the message that links were left out: they may be all that is missing."""
    links = report.report().with_code("link")
    if not links:
        return error
    advice = "Put the files themselves there (cp -rL FOLDER COPY, dvc unprotect, git annex unlock) and load that"
    return LoadError(f"{error} {links[0].message}. {advice}.", error.file)


def load_uncached(request: Request, progress: Progress) -> tuple[LoadResult, LineNumbers]:
    """Load a source; return the numbers of its distinct lines as well, by which the cache stores text.

    Raises
    ------
    LoadError
        Its report holds what was noted until then.
    """
    report = Reporter()
    try:
        layout, files = open_files(request, report)
        report.layout = layout.NAME
        settings = read_manifest(files, report)
        plan = choose_checkpoints(leave_out(files, layout.read(files, report)), settings.checkpoints, report)
        plan = mark_judgements(files, mark_scores(files, plan), report)
        plan = unpack(files, plan, report)
        plan = declare(files, settings.files, plan, report)
        warn_of_packed(plan, report)
        warn_of_other_experiments(files, plan, report)
        assembled = assemble(files, plan, settings, report, progress=subprogress(progress, 0.0, 0.9))
        if not request.checked:
            report.extend(check(assembled.experiment, assembled.files, progress=subprogress(progress, 0.9, 1.0)))
    except LoadError as error:
        error.report = report.report()
        raise
    finished = report.report()
    recognition = recognition_of(files, plan, settings, assembled.texts, finished)
    experiment = replace(assembled.experiment, assumptions=finished.guesses)
    return LoadResult(experiment, finished, recognition), assembled.numbers
