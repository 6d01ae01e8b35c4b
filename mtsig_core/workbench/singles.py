"""Single replicas of a pair: two of them alone, and the differences that each two show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mtsig_core.analysis.systems.s_diff import p_against_difference, single_differences
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import TestResult, run_on, run_preset
from mtsig_core.workbench.results import ObservedDifference

if TYPE_CHECKING:
    from mtsig_core.workbench.pair import Pair

# the tests of Fu's Figure 5 and those that take replicas into account; more curves would hide each other
CURVES = ("ar-segment", "bootstrap-centred", "ar-replica", "ar-hypothesis", "fu-bootstrap", "fu-ar")


def single_pair(pair: Pair, names: tuple[str, str], settings: Settings, progress: Progress) -> TestResult:
    """Return approximate randomization of two replicas, one of each system, as if there were no others."""
    statistics = pair.statistics(progress)
    places = []
    for system, name in zip((pair.a, pair.b), names, strict=True):
        replicas = statistics.names(system)
        if name not in replicas:
            raise ValueError(
                f"{system!r} has no replica {name!r} on {pair.test_set}; there are {', '.join(replicas)}."
            )
        places.append(statistics.rows(system).start + replicas.index(name))
    single = replace(
        statistics, systems=(pair.a, pair.b), replicas=((names[0],), (names[1],)), values=statistics.values[places]
    )
    return run_preset("ar-segment", single, pair.a, pair.b, settings)


def observed_difference(pair: Pair, settings: Settings, progress: Progress) -> ObservedDifference:
    """Return S_diff over pairs of replicas, and p against S_diff under every test that draws differences."""
    tested, _ = pair.for_tests(settings, subprogress(progress, 0, 0.2))
    step = 0.8 / len(CURVES)
    tests = [
        run_on(tested, name, subprogress(progress, 0.2 + step * k, 0.2 + step * (k + 1)))
        for k, name in enumerate(CURVES)
    ]
    return ObservedDifference(
        single_differences(*tested.scores, paired=tested.paired),
        p_against_difference(tests, tested.difference, settings.alpha),
    )
