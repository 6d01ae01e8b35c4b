"""Outputs and scores by name -> systems with their replicas; test sets that occur only in files of scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mtsig_core.experiment import Replica, Scores, System, TestSet
from mtsig_core.formatting import count
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.recognition.settings import Settings
from mtsig_core.loading.report import Reporter


def systems_of(
    outputs: Mapping[OutputKey, tuple[str, ...]], scores: Mapping[OutputKey, Mapping[str, Scores]]
) -> tuple[System, ...]:
    """Return the systems of all outputs and scores, by (system, replica, test set)."""
    by_system: dict[str, dict[str, list[OutputKey]]] = {}
    for key in dict.fromkeys((*outputs, *scores)):
        by_system.setdefault(key[0], {}).setdefault(key[1], []).append(key)
    return tuple(
        System(
            system,
            tuple(
                Replica(
                    replica,
                    {key[2]: outputs[key] for key in keys if key in outputs},
                    {key[2]: scores[key] for key in keys if key in scores},
                )
                for replica, keys in replicas.items()
            ),
        )
        for system, replicas in by_system.items()
    )


def scored_sets(
    sets: Mapping[str, tuple[int, tuple[str, ...] | None]], settings: Settings, report: Reporter,
    whole_runs: Collection[str] = (),
) -> list[TestSet]:
    """Return test sets without text, by their numbers of segments and their documents."""
    test_sets = []
    for name, (size, documents) in sets.items():
        test_set = TestSet(
            name,
            settings.role(name),
            (),
            documents=documents,
            size=size,
            has_segments=not (name in whole_runs or name in settings.whole_runs),
        )
        extra = ", documents" if documents else ""
        what = count(size, "segment") if test_set.has_segments else "whole runs, without segments"
        message = f"Test set {name!r} ({test_set.role}): scores of {what}, no text{extra}."
        report.add("recognised", "test-set", message)
        test_sets.append(test_set)
    return test_sets
