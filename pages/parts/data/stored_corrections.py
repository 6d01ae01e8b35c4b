"""Corrections that are kept for a new upload of the same files, of the same person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from mtsig_core.loading import LoadError, LoadResult, ReportLine
from mtsig_core.loading.corrections import Corrections
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.stored_corrections import to_json
from mtsig_core.runtime.jobs import Progress
from mtsig_core.storage.small_texts import SmallTexts
from mtsig_core.workbench.corrected import Corrected, restored

TEXTS = SmallTexts("corrections")
_LINE = ReportLine(
    "recognised", "Your earlier corrections of these files were applied again. Reset, under Check and correct, "
    "undoes them.", (), "corrected-again",
)  # fmt: skip


@dataclass(frozen=True)
class CorrectedAgain:
    """What an upload is by corrections of an earlier one."""

    reading: LoadResult
    corrected: Corrected


def remember(owner: str, recognition: Recognition, corrections: Corrections | None) -> None:
    """Keep corrections of an upload; None forgets those there were."""
    TEXTS.put(_key(owner, recognition), to_json(corrections) if corrections else "")


def again(owner: str, reading: LoadResult, progress: Progress) -> LoadResult | CorrectedAgain:
    """Return an upload as it was corrected before; as it was recognised where it was not."""
    corrected = _applied(owner, reading.recognition, progress)
    return reading if corrected is None else CorrectedAgain(reading, corrected)


def by_hand_again(owner: str, recognition: Recognition, progress: Progress) -> LoadResult | None:
    """Return an upload of which nothing is recognised as a person said what its files are; None where nobody did."""
    corrected = _applied(owner, recognition, progress)
    if corrected is None:
        return None
    plan = replace(corrected.recognition.plan, roles=corrected.corrections.roles)
    return LoadResult(corrected.experiment, corrected.report, replace(corrected.recognition, plan=plan))


def _applied(owner: str, recognition: Recognition, progress: Progress) -> Corrected | None:
    if not TEXTS.any():
        return None
    text = TEXTS.get(_key(owner, recognition))
    try:
        corrected = restored(text, recognition, progress) if text else None
    except LoadError:  # loading has changed since: what is recognised now is shown
        return None
    return corrected and replace(corrected, report=replace(corrected.report, lines=(_LINE, *corrected.report.lines)))


def _key(owner: str, recognition: Recognition) -> str:
    return sha256(f"{owner} {recognition.digest}".encode()).hexdigest()
