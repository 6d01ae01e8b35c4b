"""Test sets, systems and settings -> an Experiment, and what the report says of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mtsig_core.experiment import Experiment, ExperimentError, System, TestSet
from mtsig_core.formatting import count
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.recognition.systems import systems_of
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.attach import Attached


def compose(
    sets: Sequence[TestSet], outputs: dict[OutputKey, tuple[str, ...]], scored: Attached, settings: Settings,
    name: str, report: Reporter,
) -> Experiment:  # fmt: skip
    """Return the experiment of test sets, outputs and scores, as far as they fit the settings."""
    systems = systems_of(outputs, scored.scores)
    names = [system.name for system in systems]
    baseline = settings.baseline
    if baseline and baseline not in names:
        report.add(
            "warning",
            "unknown-baseline",
            f"{MANIFEST} names the baseline {baseline!r}, which is not among the systems {some(names)}; "
            "the first system is taken.",
            [MANIFEST],
        )
        baseline = ""
    try:
        experiment = Experiment(
            name=settings.name or name,
            test_sets=tuple(sets),
            systems=systems,
            baseline=baseline,
            target_language=settings.target_language,
            tokenizer=settings.tokenizer,
            paired=_paired(settings, names, report),
            outside_metrics=scored.directions,
            replicas_are=settings.replicas_are,
        )
    except ExperimentError as error:
        raise LoadError(f"{name}: {error}", name) from error
    report.add("recognised", "systems", "Systems: " + _counted(experiment.systems) + ".")
    return experiment


def _paired(settings: Settings, systems: Iterable[str], report: Reporter) -> bool:
    left = set(systems) - set(settings.paired_systems)
    if not settings.paired or not settings.paired_systems or not left:
        return settings.paired
    report.add(
        "ignored",
        "partly-paired",
        f"{MANIFEST}: only some systems are declared paired ({some(sorted(left))} not); replicas are treated as "
        "unpaired.",
        [MANIFEST],
    )
    return False


def _counted(systems: Sequence[System]) -> str:
    return some([f"{s.name} ({count(len(s.replicas), 'replica')})" for s in systems], 20)
