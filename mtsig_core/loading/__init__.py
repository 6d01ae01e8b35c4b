"""Anything on disk or uploaded -> an Experiment and a report of what was recognised."""

from __future__ import annotations

import hashlib

from mtsig_core.experiment import Experiment
from mtsig_core.loading.cache.store import default_load_cache
from mtsig_core.loading.layouts import LAYOUTS
from mtsig_core.loading.loader import load_uncached, open_files
from mtsig_core.loading.overview import overview
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, LoadReport, Reporter, ReportLine
from mtsig_core.loading.request import Request
from mtsig_core.loading.result import LoadResult, Recognition
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Source
from mtsig_core.runtime.jobs import Progress, no_progress

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
    return {path: hashlib.sha256(files[path]).hexdigest() for path in files}
