"""Anything on disk or uploaded -> an Experiment and a report of what was recognised.

The way is in `load_uncached`: files -> layout -> roles -> texts and scores -> experiment, with a report.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from mtsig_core.experiment import Experiment
from mtsig_core.loading.assembly import assemble
from mtsig_core.loading.cache.store import default_load_cache
from mtsig_core.loading.checks import check
from mtsig_core.loading.judgements.files import explain_judgements, mark_judgements, read_layout
from mtsig_core.loading.judgements.find import kind_of
from mtsig_core.loading.layouts import LAYOUTS, Layout, choose, native, warn_of_other_experiments
from mtsig_core.loading.layouts.common.unused import with_true_reasons
from mtsig_core.loading.overview import overview
from mtsig_core.loading.recognition.annotations import leave_out
from mtsig_core.loading.recognition.checkpoints import choose_checkpoints
from mtsig_core.loading.recognition.contents import unpack
from mtsig_core.loading.recognition.declared import declare
from mtsig_core.loading.recognition.manifest import read_manifest
from mtsig_core.loading.recognition.plan import Plan, ScoredNames
from mtsig_core.loading.recognition.replicas import report_sides
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import NamedTables, Settings
from mtsig_core.loading.recognition.unread import warn_of_packed
from mtsig_core.loading.report import LoadError, LoadReport, Reporter, ReportLine
from mtsig_core.loading.request import Request
from mtsig_core.loading.reshaping import in_rows, report_shapes
from mtsig_core.loading.result import LoadResult, Recognition, recognition_of
from mtsig_core.loading.scores.columns import UNUSED
from mtsig_core.loading.scores.find import mark_scores
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Source, open_source
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import check_encoding
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

__all__ = [
    "DEFAULT_LIMITS",
    "LAYOUTS",
    "FileRole",
    "Limits",
    "LoadError",
    "LoadReport",
    "Plan",
    "LoadResult",
    "Recognition",
    "ReportLine",
    "Request",
    "Source",
    "file_hashes",
    "forget",
    "load",
    "load_request",
    "overview",
    "read",
    "read_again",
]


def load(
    source: Source, *, name: str | None = None, progress: Progress = no_progress, encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS, cache: bool = True,
) -> tuple[Experiment, LoadReport]:  # fmt: skip
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
    cache : bool
        Whether the result is looked up and stored in the load cache on disk. The key covers all bytes of the source,
        so only time depends on it. Outputs of a cached result are read lazily.

    Returns
    -------
    tuple of Experiment and LoadReport

    Raises
    ------
    LoadError
        Names the damaged file, the place and the remedy; its ``report`` holds what was noted until then.

    Examples
    --------
    >>> import pathlib, tempfile, mtsig_core
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for name, text in (("refs/ref.txt", "a b"), ("systems/old/1.txt", "a c"), ("systems/new/1.txt", "a b")):
    ...     (folder / name).parent.mkdir(parents=True, exist_ok=True)
    ...     _ = (folder / name).write_text(text)
    >>> experiment, report = mtsig_core.load(folder, cache=False)
    >>> [system.name for system in experiment.systems], report.refused
    (['new', 'old'], ())
    """
    if hasattr(source, "columns"):
        raise TypeError("load() reads files; for a table in memory there is mtsig_core.load_scores(table).")
    result = read(source, name=name, progress=progress, encoding=encoding, limits=limits, cache=cache)
    return result.experiment, result.report


def read(
    source: Source, *, name: str | None = None, progress: Progress = no_progress, encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS, cache: bool = True,
) -> LoadResult:  # fmt: skip
    """Load an experiment as `load` does, and return what corrections of it need as well.

    Memory holds the lines of the experiment once; of files that were not used, what the upload itself holds.

    Parameters
    ----------
    source, name, progress, encoding, limits, cache
        As in `load`.

    Returns
    -------
    LoadResult

    Raises
    ------
    LoadError
        As in `load`.
    """
    return load_request(Request.of(source, name, encoding=encoding, limits=limits), progress, cache=cache)


def load_request(request: Request, progress: Progress = no_progress, *, cache: bool = True) -> LoadResult:
    """Load what a request describes, as `read` does.

    Raises
    ------
    LoadError
        As in `load`.
    """
    load_cache = default_load_cache()
    key = load_cache.key(request, progress) if cache else None
    result = load_cache.get(key, request, lambda: open_files(request, Reporter())[1]) if key else None
    if result is None:
        result, numbers = load_uncached(request, progress)
        if key:
            load_cache.put(key, request, result, numbers)
    progress(1.0, "reading files")
    return result


def forget(request: Request) -> None:
    """Remove what the load cache holds for a request."""
    default_load_cache().forget(request)


def file_hashes(source: Source, name: str | None = None, *, encoding: str | None = None) -> dict[str, str]:
    """Return the sha256 of every file of a source, by its path within it.

    Parameters
    ----------
    source, name, encoding
        As in `load`.

    Raises
    ------
    LoadError
        When nothing can be read, or no layout fits.
    """
    _, files = open_files(Request.of(source, name, encoding=encoding), Reporter())
    return {path: hashlib.sha256(files.original(path)).hexdigest() for path in files}


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
        named = read_manifest(files, Reporter()).named_columns
    except LoadError:  # raised where the experiment has this manifest
        named = {}
    return _layout_of(files, named, report)


def _layout_of(files: FileTree, named: NamedTables, report: Reporter) -> tuple[Layout, FileTree]:
    """Return the layout of files, with tables of texts read by the columns that a person named."""
    try:
        files = in_rows(files, {path: dict(columns) for path, columns in named.items()})
        for path in named.keys() & set(files):
            columns = ", ".join(f"{name}: {role.replace('_', ' ')}" for name, role in named[path] if role != UNUSED)
            message = f"{path}: its columns were read as you named them ({columns})."
            report.add("recognised", "named-columns", message, [path])
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


def _read_layout(layout: Layout, files: FileTree, settings: Settings, report: Reporter) -> Plan:
    """Return what a layout says; what it guesses of tables whose columns a person has declared is not said."""
    declared = {entry.role.path for entry in settings.files if entry.role.columns}
    if not declared:
        return read_layout(layout, files, report)
    own = Reporter()
    try:
        return read_layout(layout, files, own)
    finally:
        report.extend(line for line in own.report().lines if not line.files or not declared.issuperset(line.files))


def _by_name(plan: Plan, files: FileTree, settings: Settings, layout: Layout) -> list[FileRole]:
    """Return the files that are what they are taken for by their names alone: not the documented ones, and no parts."""
    declared = {entry.role.path for entry in settings.files}
    roles = [role for role in plan.roles if role.path in files and role.path not in declared]
    return [role for role in roles if layout is not native or not native.is_documented(role.path)]


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
        settings = read_manifest(files, report)
        return _read_files(layout, files, settings, report, progress, checked=request.checked)
    except LoadError as error:
        error.report = report.report()
        raise


def read_again(recognition: Recognition, named: NamedTables, progress: Progress = no_progress) -> LoadResult:
    """Return what the files of an upload are when the columns of its tables of texts are named by a person.

    Parameters
    ----------
    recognition : Recognition
        What was recognised in the upload before.
    named : mapping of path to the roles of its columns
    progress : Progress

    Raises
    ------
    LoadError
        As in `load`; and when a table has no such columns.
    """
    report = Reporter()
    report.extend(line for line in recognition.lines if line.code not in ("layout", "named-columns"))
    layout, files = _layout_of(recognition.uploaded(), named, report)
    settings = replace(recognition.settings, named_columns=named)
    reading, _ = _read_files(layout, files, settings, report, progress)
    return replace(reading, recognition=replace(reading.recognition, first_digest=recognition.digest))


def _read_files(
    layout: Layout, files: FileTree, settings: Settings, report: Reporter, progress: Progress, *, checked: bool = False
) -> tuple[LoadResult, LineNumbers]:
    """Load files of a layout; return the numbers of distinct lines as well."""
    report.layout = layout.NAME
    plan = _read_layout(layout, files, settings, report)
    plan = choose_checkpoints(leave_out(files, plan), settings.checkpoints, report)
    plan = mark_judgements(files, mark_scores(files, plan), report)
    plan = unpack(files, plan, report)
    plan = declare(files, settings.files, with_true_reasons(files, plan, report), report)
    report_sides(_by_name(plan, files, settings, layout), report)
    plan = replace(plan, scored=ScoredNames(settings.renamed_systems, settings.renamed_sets))
    report_shapes(files, (role.path for role in plan.roles if role.kind != "ignored"), report)
    warn_of_packed(plan, report)
    warn_of_other_experiments(files, plan, report)
    assembled = assemble(files, plan, settings, report, progress=subprogress(progress, 0.0, 0.9))
    if not checked:
        report.extend(check(assembled.experiment, assembled.files, progress=subprogress(progress, 0.9, 1.0)))
    recognition = recognition_of(files, plan, settings, assembled.texts, report.report())
    judged = tuple(path for path in recognition.files if kind_of(path, recognition.files))
    finished = report.report()
    experiment = replace(assembled.experiment, assumptions=finished.guesses)
    return LoadResult(experiment, finished, replace(recognition, judged=judged)), assembled.numbers
