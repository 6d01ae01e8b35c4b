"""Compute ahead what the app's first screen says of each demonstration of two systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data import DEMONSTRATIONS, FIRST_SCREENS
from mtsig_core.loading import load
from mtsig_core.metrics import choose_metric, default_metrics, default_tokenizer, target_language
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.first_screen import first_screen


def computed(name: str) -> dict[str, Any] | None:
    """Return the first screen of a demonstration under the usual settings; None unless it has two systems."""
    experiment, _ = load(DEMONSTRATIONS[name].path)
    test_set = next(t.name for t in experiment.test_sets if t.role != "dev")
    systems = [system.name for system in experiment.systems_present_on(test_set)]
    if len(systems) != 2:
        return None
    baseline = experiment.baseline
    other = next(system for system in systems if system != baseline)
    metrics = [
        choose_metric(experiment, metric, tokenize=default_tokenizer(experiment).value,
                      language=target_language(experiment).value or None)
        for metric in default_metrics(experiment)
    ]
    settings = Settings(paired=experiment.paired, replicas_are=experiment.replicas_are)
    return first_screen(Workbench(experiment), test_set, baseline, other, metrics, settings)


def write(path: Path = FIRST_SCREENS) -> None:
    """Write the first screens of all demonstrations."""
    screens = {name: screen for name in DEMONSTRATIONS if (screen := computed(name)) is not None}
    path.write_text(json.dumps(screens, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
