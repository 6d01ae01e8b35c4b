"""The comparison of two systems under every chosen metric, which several sections show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS, applicable, honest_presets
from pages.parts.background import answer
from pages.parts.view import View

QUICK_BOOTSTRAP, QUICK_PERMUTATIONS = 200, 500


def comparisons(now: View, system: str, *, published: bool = False) -> list[Comparison] | None:
    """Return one comparison per metric; None while there is none yet.

    Parameters
    ----------
    now : View
    system : str
        B.
    published : bool
        Run the published variants of the tests, too.
    """
    presets = tuple(PRESETS) if published else honest_presets()
    return answer(
        f"comparison {published}", (*now.key, presets),
        lambda progress, publish: _compute(now, system, presets, progress, publish),
    )


def _compute(
    now: View, system: str, presets: Sequence[str], progress: Progress, publish: Callable[[Any], None]
) -> list[Comparison]:
    full = now.settings
    quick = replace(
        full,
        n_bootstrap=min(QUICK_BOOTSTRAP, full.n_bootstrap),
        n_permutations=min(QUICK_PERMUTATIONS, full.n_permutations),
    )
    if quick != full:
        publish(_under_all_metrics(now, system, presets, quick, subprogress(progress, 0, 0.3)))
    return _under_all_metrics(now, system, presets, full, subprogress(progress, 0.3, 1))


def _under_all_metrics(
    now: View, system: str, presets: Sequence[str], settings: Settings, progress: Progress
) -> list[Comparison]:
    results = []
    for i, metric in enumerate(now.metrics):
        share = subprogress(progress, i / len(now.metrics), (i + 1) / len(now.metrics))
        defined = _defined(now, metric, system, presets)
        results.append(now.bench.compare(
            now.test_set, metric, now.baseline, system, settings, presets=defined, progress=share
        ))  # fmt: skip
    return results


def _defined(now: View, metric: Metric, system: str, presets: Sequence[str]) -> list[str]:
    """Return those of the presets that these replicas allow."""
    possible = applicable(now.bench.statistics(now.test_set, metric), now.baseline, system, now.settings)
    return [name for name in presets if name in possible]
