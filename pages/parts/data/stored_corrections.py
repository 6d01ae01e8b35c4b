"""Corrections that are kept for a new upload of the same files, of the same person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadError, LoadReport, LoadResult, ReportLine
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.corrections import Corrections
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.stored_corrections import from_json, to_json, upload_digest
from mtsig_core.runtime.jobs import Progress
from mtsig_core.storage.small_texts import SmallTexts

TEXTS = SmallTexts("corrections")
_LINE = ReportLine(
    "recognised", "Your earlier corrections of these files were applied again. Reset, under Check and correct, "
    "undoes them.", (), "corrected-again",
)  # fmt: skip


@dataclass(frozen=True)
class CorrectedAgain:
    """What an upload is by corrections of an earlier one."""

    reading: LoadResult
    corrections: Corrections
    experiment: Experiment
    report: LoadReport


def remember(owner: str, recognition: Recognition, corrections: Corrections | None) -> None:
    """Keep corrections of an upload; None forgets those there were."""
    TEXTS.put(_key(owner, recognition), to_json(corrections) if corrections else "")


def again(owner: str, reading: LoadResult, progress: Progress) -> LoadResult | CorrectedAgain:
    """Return an upload as it was corrected before; as it was recognised where it was not."""
    applied = _applied(owner, reading.recognition, progress)
    return reading if applied is None else CorrectedAgain(reading, *applied)


def by_hand_again(owner: str, recognition: Recognition, progress: Progress) -> LoadResult | None:
    """Return an upload of which nothing is recognised as a person said what its files are; None where nobody did."""
    applied = _applied(owner, recognition, progress)
    if applied is None:
        return None
    corrections, experiment, report = applied
    plan = replace(recognition.plan, roles=corrections.roles)
    return LoadResult(experiment, report, replace(recognition, plan=plan))


def _applied(
    owner: str, recognition: Recognition, progress: Progress
) -> tuple[Corrections, Experiment, LoadReport] | None:
    if not TEXTS.any():
        return None
    text = TEXTS.get(_key(owner, recognition))
    corrections = from_json(text, recognition) if text else None
    if corrections is None:
        return None
    try:
        experiment, report = mapping.apply(recognition, corrections, progress=progress)
    except LoadError:  # loading has changed since: what is recognised now is shown
        return None
    return corrections, experiment, replace(report, lines=(_LINE, *report.lines))


def _key(owner: str, recognition: Recognition) -> str:
    return sha256(f"{owner} {upload_digest(recognition)}".encode()).hexdigest()
