"""The comparison of two systems under every chosen metric, which several sections show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS, applicable, valid_presets
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
    presets = tuple(PRESETS) if published else valid_presets()
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
        pair = now.pair(metric, system)
        possible = applicable(pair.statistics(), pair.a, pair.b, settings)
        defined = [name for name in presets if name in possible]
        results.append(pair.compare(presets=defined, settings=settings, progress=share))
    return results

