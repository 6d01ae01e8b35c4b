"""Files of which nothing was recognised, for a person to say what each of them is."""

from __future__ import annotations

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.request import Request
from mtsig_core.loading.reshaping import in_rows
from mtsig_core.loading.result import Recognition, recognition_of
from mtsig_core.loading.sources.source import Source, open_source
from mtsig_core.loading.text.decoding import check_encoding

LAYOUT = "what you said about the files"


def unrecognised(source: Source, *, name: str | None = None, encoding: str | None = None) -> Recognition:
    """Return the files of a source, all of them left out, as the start of corrections by hand.

    Parameters
    ----------
    source : path, bytes, iterable of (relative path, bytes), or Part
        As for ``load``.
    name : str, optional
    encoding : str, optional

    Raises
    ------
    LoadError
        When the source cannot be opened.
    """
    check_encoding(encoding)
    request, report = Request.of(source, name, encoding=encoding), Reporter()
    report.layout = LAYOUT
    files = in_rows(open_source(request.source, request.name, report, request.decoder()))
    roles = tuple(FileRole(path, "ignored", reason="not recognised") for path in files if path != MANIFEST)
    return recognition_of(files, Plan(roles), Settings(), {}, report.report())
