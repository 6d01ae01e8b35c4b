"""Comparison of two systems on one test set: statistics and settings in, a `Comparison` out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mtsig_core.analysis.comparison.evidence import Evidence
from mtsig_core.analysis.comparison.intervals import intervals_of, win_shares
from mtsig_core.analysis.comparison.results import Comparison
from mtsig_core.analysis.comparison.verdict import verdict_of
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.pairs import Basis, prepared
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import CoherentResult, Pair, TestResult, applicable, run_on


def compare(
    statistics: SegmentStatistics, a: str, b: str, settings: Settings, *, presets: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> Comparison:  # fmt: skip
    """Compare system b with the baseline a on one test set under one metric.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system.
    settings : Settings
        ``paired`` declares that replicas of equal index share a seed; it counts where n_A = n_B > 1.
    presets : sequence of str, optional
        Tests to show; all that apply by default. The verdict and its details do not depend on them.
    progress : Progress

    Raises
    ------
    ValueError
        When a system is unknown, both are the same, or a preset is unknown.
    """
    _check_systems(statistics, a, b)
    used, basis = prepared(statistics, a, b, paired=settings.paired)
    return compare_pair(Pair(used, a, b, settings), presets=presets, basis=basis, progress=progress)


def compare_pair(
    pair: Pair, *, presets: Sequence[str] | None = None, basis: Basis | None = None, progress: Progress = no_progress
) -> Comparison:
    """Compare two systems as `compare` does, reusing the draws of a pair and adding to them.

    Parameters
    ----------
    pair : Pair
    presets : sequence of str, optional
    basis : Basis, optional
        Segments and replicas used, where some were left out of the pair's statistics.
    progress : Progress
    """
    statistics, a, b, settings = pair.statistics, pair.a, pair.b, pair.settings
    _check_systems(statistics, a, b)
    drawn_a, drawn_b = pair.drawn_scores("segment", subprogress(progress, 0.0, 0.3))
    differences = drawn_b.mean(axis=1) - drawn_a.mean(axis=1)
    possible = applicable(statistics, a, b, settings)
    names = possible if presets is None else tuple(dict.fromkeys(presets))
    for_details = [name for name in _tests_of_details(pair.paired) if name in possible and name not in names]
    results = _run_all((*names, *for_details), pair, subprogress(progress, 0.3, 0.95))
    coherent = _coherent(pair)
    evidence = Evidence(
        pair=pair,
        tests={result.preset.name: result for result in results},
        coherent=coherent,
        intervals=intervals_of(pair, differences, coherent),
        same=same_outputs(statistics, a, b),
        basis=basis,
    )
    progress(1.0)
    return _comparison(evidence, results[: len(names)], differences)


def _comparison(evidence: Evidence, tests: tuple[TestResult, ...], differences: np.ndarray) -> Comparison:
    pair = evidence.pair
    statistics = pair.statistics
    return Comparison(
        scope=evidence.scope,
        signature=statistics.signature,
        replicas_a=statistics.names(pair.a),
        replicas_b=statistics.names(pair.b),
        scores_a=pair.scores[0],
        scores_b=pair.scores[1],
        difference=evidence.difference,
        alpha=pair.settings.alpha,
        intervals=evidence.intervals,
        wins=win_shares(differences, statistics.metric.higher_is_better, pair.tolerance),
        tests=tests,
        coherent=evidence.coherent,
        bootstrap_differences=differences,
        verdict=verdict_of(evidence),
        margin=evidence.margin,
        basis=evidence.basis,
    )


def _tests_of_details(paired: bool) -> tuple[str, ...]:
    """Return the tests that the verdict's details mention, whether or not they are shown."""
    return "ar-segment", "ar-replica-paired" if paired else "ar-replica", "welch-replicas"


def _check_systems(statistics: SegmentStatistics, a: str, b: str) -> None:
    for name in (a, b):
        if name not in statistics.systems:
            available = ", ".join(repr(s) for s in statistics.systems)
            raise ValueError(f"No system {name!r} with outputs on {statistics.test_set!r}; there are: {available}.")
    if a == b:
        raise ValueError(f"Choose two systems to compare; {a!r} was given for both.")


def _run_all(names: Sequence[str], pair: Pair, progress: Progress) -> tuple[TestResult, ...]:
    results = []
    for k, name in enumerate(names):
        step = subprogress(progress, k / len(names), (k + 1) / len(names))
        step(0.0, name)
        results.append(run_on(pair, name, step))
    return tuple(results)


def _coherent(pair: Pair) -> CoherentResult | None:
    """Return the coherent test, or None when both systems have one replica."""
    return None if max(pair.numbers) < 2 else pair.coherent(paired=pair.paired)


def same_outputs(statistics: SegmentStatistics, a: str, b: str) -> bool:
    """Return whether the two systems' outputs have the same statistics under this metric.

    True when every output occurs among both systems' replicas with the same frequency: copies in another order, or
    three copies against one, are the same outputs.
    """
    values = statistics.of(a), statistics.of(b)
    counts = [Counter(output.tobytes() for output in v + 0.0) for v in values]
    shares = [{k: Fraction(n, c.total()) for k, n in c.items()} for c in counts]
    return shares[0] == shares[1]
