"""Experiments that a workspace keeps: written in the native layout with their load report, and loaded again."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from mtsig_core.experiment import Experiment, ExperimentError
from mtsig_core.loading import Limits, LoadReport, LoadResult, ReportLine, Request, forget, load_request
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.writing import write_native
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.storage.workspace import (
    DAMAGE,
    REMEDY,
    Entry,
    Quota,
    Workspace,
    WorkspaceError,
    damaged,
    default_folder,
)

_REPORT = ".mtsig/report.json"
#: Folder of the files of human judgements.
_JUDGEMENTS = "judgements"
#: What is in a workspace was checked before it was written, and similar replicas pack far better than other text.
_LIMITS = Limits(ratio=float("inf"))


class SavedExperiments:
    """The experiments of a workspace.

    Parameters
    ----------
    folder : Path
        Created at the first write.
    quota : Quota
    """

    def __init__(self, folder: Path, quota: Quota | None = None) -> None:
        self.workspace = Workspace(folder, quota, on_removal=_forget)

    def save(
        self, experiment: Experiment, report: LoadReport, *, owner: str = "", replaces: str | None = None,
        recognition: Recognition | None = None, progress: Progress = no_progress,
    ) -> Entry:  # fmt: skip
        """Save an experiment with its load report, and with the human judgements that came with it.

        The same experiment of the same owner keeps its id; `replaces` names an entry of the owner that gives
        its id to this experiment, as after a correction.

        Raises
        ------
        WorkspaceError
            When the folder cannot be written to, the disk is full, a quota is reached, or the experiment
            holds what no file can hold.
        """
        judgements: dict[str, bytes] = {}
        digest = ""
        if recognition is not None and recognition.judgement_files:
            digest = recognition.judgements_digest
            judgements = {_inside(path): data for path, data in recognition.judgement_files.items()}

        def write(file: IO[bytes], members: Mapping[str, bytes]) -> None:
            more = {**members, _REPORT: json.dumps(_as_json(report)).encode(), **judgements}
            write_native(experiment, file, more=more, level=1, progress=progress)

        try:
            return self.workspace.save(_entry_of(experiment, owner, digest), write, replaces=replaces)
        except ExperimentError as error:
            raise WorkspaceError(f"The experiment was not saved for later visits: {error}") from error

    def open(self, id: str, *, progress: Progress = no_progress) -> tuple[Entry, LoadResult]:
        """Return a saved experiment, with the report of loading the original upload.

        Raises
        ------
        WorkspaceError
            When there is none of this id, or its file is damaged.
        """
        entry, data = self.workspace.read(id)
        try:
            result = load_request(_request(id, data), progress)
            layout, lines = _report_in(data)
        except DAMAGE as error:
            raise damaged(id) from error
        if result.experiment.digest != entry.digest:
            raise WorkspaceError(f"The experiment {id} is not what was kept. {REMEDY}")
        self.workspace.touch(id)
        return entry, replace(result, report=replace(result.report, layout=layout, lines=lines))

    def entry(self, id: str) -> Entry:
        """Return what the list shows of one experiment; WorkspaceError when it is not there."""
        return self.workspace.entry(id)

    def entries(self, owner: str | None = None) -> list[Entry]:
        """Return the experiments of an owner (None: of all), the latest first; damaged ones are among them."""
        return self.workspace.entries(owner)

    def delete(self, id: str) -> None:
        """Remove an experiment, and its text from the load cache; one that is gone already is no error."""
        self.workspace.delete(id)


def default_saved_experiments(quota: Quota | None = None) -> SavedExperiments:
    """Return the experiments saved in the folder of mtsig (``MTSIG_HOME`` or the user's own)."""
    return SavedExperiments(default_folder(), quota)


def _request(id: str, data: bytes) -> Request:
    """Return how the file of an experiment is loaded; the load cache holds it under this."""
    return Request(data, f"{id}.zip", limits=_LIMITS, checked=True)


def _forget(id: str, data: bytes) -> None:
    forget(_request(id, data))


def _inside(path: str) -> str:
    """Return where a file of judgements is kept: below one folder, whatever folder it came in."""
    folder, _, rest = path.partition("/")
    return path if rest and folder.casefold() == _JUDGEMENTS else f"{_JUDGEMENTS}/{path}"


def _entry_of(experiment: Experiment, owner: str, judgements: str) -> Entry:
    return Entry(
        id="",
        name=experiment.name,
        digest=experiment.digest,
        systems=len(experiment.systems),
        replicas=sum(len(system.replicas) for system in experiment.systems),
        test_sets=len(experiment.test_sets),
        segments=sum(test_set.n_segments for test_set in experiment.test_sets),
        owner=owner,
        judgements=judgements,
    )


def _as_json(report: LoadReport) -> dict[str, Any]:
    return {"layout": report.layout, "lines": [asdict(line) for line in report.lines]}


def _report_in(content: bytes) -> tuple[str, tuple[ReportLine, ...]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        report = json.loads(archive.read(_REPORT))
    lines = tuple(
        ReportLine(line["kind"], line["message"], tuple(line["files"]), line["code"], line.get("remedy", ""),
                   line.get("subject", ""))
        for line in report["lines"]
    )  # fmt: skip
    return str(report["layout"]), lines
