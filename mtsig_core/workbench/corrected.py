"""An upload as a person corrected it; read again where the columns of its tables of texts are named anew."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadReport, read_again
from mtsig_core.loading.corrections import Corrections, apply, names_of_systems, recognised
from mtsig_core.loading.recognition.plan import ScoredNames
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.stored_corrections import from_json, named_columns_in
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress


@dataclass(frozen=True)
class Corrected:
    """What corrections made of an upload, and of themselves where it was read again."""

    recognition: Recognition
    corrections: Corrections
    experiment: Experiment
    report: LoadReport


def correct(recognition: Recognition, corrections: Corrections, *, progress: Progress = no_progress) -> Corrected:
    """Return an upload as corrected; read again where columns of its tables of texts are named anew.

    Raises
    ------
    LoadError
        As `mtsig_core.loading.corrections.apply` and `mtsig_core.loading.read_again` do.
    """
    if corrections.named_columns == recognition.settings.named_columns:
        return Corrected(recognition, corrections, *apply(recognition, corrections, progress=progress))
    reading = read_again(recognition, corrections.named_columns, subprogress(progress, 0, 0.6))
    anew = recognised(reading.recognition, reading.experiment)
    kept = _kept(corrections, recognition, anew)
    if kept == anew:
        return Corrected(reading.recognition, anew, reading.experiment, reading.report)
    applied = apply(reading.recognition, kept, progress=subprogress(progress, 0.6, 1))
    return Corrected(reading.recognition, kept, *applied)


def _kept(corrections: Corrections, recognition: Recognition, anew: Corrections) -> Corrections:
    """Return what was recognised anew, with the corrections that still fit it."""
    before = {role.path: role for role in recognition.plan.roles}
    changed = {role.path: role for role in corrections.roles if role != before.get(role.path)}
    roles = tuple(changed.get(role.path, role) for role in anew.roles)
    scored = ScoredNames(
        {name: corrections.scored.systems.get(name, own) for name, own in anew.scored.systems.items()},
        {name: corrections.scored.sets.get(name, own) for name, own in anew.scored.sets.items()},
    )
    kept = replace(anew, roles=roles, directions=corrections.directions, paired=corrections.paired, scored=scored)
    is_there = corrections.baseline in names_of_systems(kept)
    set_roles = {name: corrections.set_roles.get(name, role) for name, role in anew.set_roles.items()}
    return replace(kept, baseline=corrections.baseline if is_there else anew.baseline, set_roles=set_roles)


def restored(text: str, recognition: Recognition, progress: Progress = no_progress) -> Corrected | None:
    """Return an upload by corrections that were kept as text; None where they are not of it, or damaged.

    Raises
    ------
    LoadError
        When loading has changed since, and the corrections fit no more.
    """
    named = named_columns_in(text)
    if named is None:
        return None
    if named != recognition.settings.named_columns:
        recognition = read_again(recognition, named, subprogress(progress, 0, 0.6)).recognition
    corrections = from_json(text, recognition)
    return correct(recognition, corrections, progress=progress) if corrections is not None else None
