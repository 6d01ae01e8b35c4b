"""Compute ahead what the app's first screen says of each demonstration of two systems."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from data import DEMONSTRATIONS, FIRST_SCREENS
from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures.overview import metric_differences
from mtsig_core.loading import load
from mtsig_core.metrics import Metric, choose_metric, default_metrics, default_tokenizer, target_language
from mtsig_core.reports.overview import LOTTERY_PERMUTATIONS, overview_answer, single_run_sentence, size_sentence
from mtsig_core.resampling import Settings
from mtsig_core.significance import applicable, valid_presets
from mtsig_core.workbench import Workbench


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


def first_screen(
    bench: Workbench, test_set: str, a: str, b: str, metrics: Sequence[Metric], settings: Settings
) -> dict[str, Any]:
    """Return the sentences and the chart of two systems, as plain values that JSON can hold.

    Parameters
    ----------
    bench : Workbench
    test_set : str
    a, b : str
        The baseline and the system that is compared with it.
    metrics : sequence of Metric
        The first one is that of single runs.
    settings : Settings

    Returns
    -------
    dict
        ``key`` (what all this depends on), ``test_set``, ``size``, ``answers`` (claim and evidence by metric),
        ``single_runs`` and ``figure``.
    """
    pairs = [bench.pair(test_set, metric, a, b) for metric in metrics]
    results = []
    for pair in pairs:
        possible = applicable(pair.statistics(), pair.a, pair.b, settings)
        presets = [name for name in valid_presets() if name in possible]
        results.append(pair.compare(presets=presets, settings=settings))
    few = replace(settings, n_permutations=min(LOTTERY_PERMUTATIONS, settings.n_permutations))
    experiment = bench.experiment
    runs = {name: len(experiment.system(name).present_on(test_set)) for name in (a, b)}
    answers = [overview_answer(result) for result in results]
    return {
        "key": repr((experiment.digest, test_set, a, b, tuple(m.key for m in metrics), settings)),
        "test_set": test_set,
        "size": size_sentence(runs, experiment.test_set(test_set).n_segments),
        "answers": [[said.claim, said.evidence] for said in answers],
        "single_runs": single_run_sentence(pairs[0].lottery(settings=few)),
        "figure": _plain_figure(results),
    }


def _plain_figure(results: Sequence[Comparison]) -> dict[str, Any]:
    figure = json.loads(metric_differences(results).to_json())
    figure["layout"].pop("template", None)  # that of whatever shows the figure
    return figure


def write(path: Path = FIRST_SCREENS) -> None:
    """Write the first screens of all demonstrations."""
    screens = {name: screen for name in DEMONSTRATIONS if (screen := computed(name)) is not None}
    path.write_text(json.dumps(screens, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
