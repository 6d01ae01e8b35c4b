"""Anything on disk or uploaded -> an Experiment and a report of what was recognised."""

from __future__ import annotations

from mtsig_core.experiment import Experiment
from mtsig_core.loading.layouts import LAYOUTS
from mtsig_core.loading.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.reading import Reading, Request, read_anew
from mtsig_core.loading.readings import default_readings
from mtsig_core.loading.report import LoadError, LoadReport, ReportLine, overview
from mtsig_core.loading.roles import FileRole, Plan
from mtsig_core.loading.sources import Source
from mtsig_core.runtime.jobs import Progress, no_progress

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
    "forget",
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
    cache: bool = True,
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
    cache : bool
        Whether what is found is kept on disk, beside statistics and within the same limit, and looked up there. The
        key holds all bytes of the source, so nothing but time depends on it. Outputs that are looked up are read
        when asked for.

    Returns
    -------
    tuple of Experiment and LoadReport

    Raises
    ------
    LoadError
        Names the damaged file, the place and the remedy; its ``report`` holds what was found before.

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
    reading = read(source, name=name, progress=progress, encoding=encoding, limits=limits, cache=cache)
    return reading.experiment, reading.report


def read(
    source: Source,
    *,
    name: str | None = None,
    progress: Progress = no_progress,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    checked: bool = False,
    cache: bool = True,
) -> Reading:
    """Do what `load` does, and keep what is needed to correct what was recognised.

    The lines that are kept are those of the experiment; of files that were not used, as much is kept as the
    upload holds. What was `checked` once, and is known to be unchanged, is not looked at for warnings again.
    """
    request = Request.of(source, name, encoding, limits, checked)
    readings = default_readings()
    key = readings.key(request, progress) if cache else None
    found = readings.get(key, request) if key else None
    if found is None:
        found, numbers = read_anew(request, progress)
        if key:
            readings.put(key, request, found, numbers)
    progress(1.0, "reading files")
    return found


def forget(source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS, checked: bool = False) -> None:
    """Remove what is kept on disk of a reading of a source."""
    default_readings().forget(Request.of(source, name, None, limits, checked))
