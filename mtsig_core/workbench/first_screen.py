"""What the first screen of the app says of two systems, computed ahead for what is shipped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures.overview import metric_differences
from mtsig_core.metrics import Metric
from mtsig_core.reports.overview import overview_answer, single_run_sentence, size_sentence
from mtsig_core.resampling import Settings
from mtsig_core.significance import applicable, valid_presets
from mtsig_core.workbench.workbench import Workbench

LOTTERY_PERMUTATIONS = 100  # of each pair of runs: enough for a share


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
