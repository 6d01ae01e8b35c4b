"""The comparison itself: statistics and settings in, a `Comparison` out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mtsig_core.analysis.comparison.intervals import intervals_of, win_shares
from mtsig_core.analysis.comparison.results import Comparison
from mtsig_core.analysis.comparison.verdict import Evidence, verdict_of
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import CrossedResult, Pair, PairDraws, TestResult, applicable, crossed_test, run_on


def compare(
    statistics: SegmentStatistics,
    a: str,
    b: str,
    settings: Settings,
    *,
    presets: Sequence[str] | None = None,
    bootstrap: np.ndarray | None = None,
    draws: PairDraws | None = None,
    progress: Progress = no_progress,
) -> Comparison:
    """Compare system b with the baseline a on one test set under one metric.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system.
    settings : Settings
        ``paired`` declares that replicas of equal index share a seed; it counts where n_A = n_B > 1.
    presets : sequence of str, optional
        Tests to show; all that apply when left out. The verdict and its details do not depend on them.
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs on drawn test sets, to reuse.
    draws : PairDraws, optional
        What was drawn for these systems at another level, to reuse and add to.
    progress : Progress

    Raises
    ------
    ValueError
        When a system is unknown, both are the same, or a preset is unknown.
    """
    _check_systems(statistics, a, b)
    if bootstrap is None:
        bootstrap = bootstrap_scores(
            statistics, settings.n_bootstrap, settings.seed, progress=subprogress(progress, 0.0, 0.3)
        )
    scores_a, scores_b = statistics.scores_of(a), statistics.scores_of(b)
    differences = bootstrap[:, statistics.rows(b)].mean(axis=1) - bootstrap[:, statistics.rows(a)].mean(axis=1)
    paired = settings.paired and scores_a.size == scores_b.size > 1
    possible = applicable(statistics, a, b, settings)
    names = possible if presets is None else tuple(dict.fromkeys(presets))
    told = [name for name in _told_of(paired) if name in possible and name not in names]
    pair = Pair(statistics, a, b, settings, bootstrap, draws=draws or PairDraws())
    made = _run_all((*names, *told), pair, subprogress(progress, 0.3, 0.95))
    tests = made[: len(names)]
    crossed = _crossed(statistics, a, b, settings, paired)
    intervals = intervals_of(
        differences, scores_a, scores_b, crossed,
        alpha=settings.alpha, paired=paired, n_segments=statistics.n_segments, tolerance=pair.tolerance,
    )
    evidence = Evidence(
        statistics=statistics,
        a=a,
        b=b,
        settings=settings,
        paired=paired,
        tests={test.preset: test for test in made},
        crossed=crossed,
        intervals=intervals,
        same=same_outputs(statistics, a, b),
    )
    progress(1.0)
    return Comparison(
        test_set=statistics.test_set,
        metric=statistics.metric.name,
        label=statistics.metric.label,
        signature=statistics.signature,
        higher_is_better=statistics.metric.higher_is_better,
        is_quality=statistics.metric.is_quality,
        a=a,
        b=b,
        replicas_a=statistics.names(a),
        replicas_b=statistics.names(b),
        scores_a=scores_a,
        scores_b=scores_b,
        difference=evidence.difference,
        alpha=settings.alpha,
        intervals=intervals,
        wins=win_shares(differences, statistics.metric.higher_is_better, pair.tolerance),
        tests=tests,
        crossed=crossed,
        bootstrap_differences=differences,
        verdict=verdict_of(evidence),
    )


def _told_of(paired: bool) -> tuple[str, ...]:
    """Return the tests that the verdict's details speak of, whether or not they are shown."""
    return "ar-segment", "ar-replica-paired" if paired else "ar-replica", "welch-replicas"


def _check_systems(statistics: SegmentStatistics, a: str, b: str) -> None:
    for name in (a, b):
        if name not in statistics.systems:
            known = ", ".join(repr(s) for s in statistics.systems)
            raise ValueError(f"No system {name!r} with outputs on {statistics.test_set!r}; there are: {known}.")
    if a == b:
        raise ValueError(f"Choose two systems to compare; {a!r} was given for both.")


def _run_all(names: Sequence[str], pair: Pair, progress: Progress) -> tuple[TestResult, ...]:
    results = []
    for k, name in enumerate(names):
        part = subprogress(progress, k / len(names), (k + 1) / len(names))
        part(0.0, name)
        results.append(run_on(pair, name, part))
    return tuple(results)


def _crossed(statistics: SegmentStatistics, a: str, b: str, settings: Settings, paired: bool) -> CrossedResult | None:
    """Return the crossed test, or None when both systems have one replica."""
    if max(len(statistics.names(a)), len(statistics.names(b))) < 2:
        return None
    y_a, y_b = statistics.pseudo_values(a), statistics.pseudo_values(b)
    return crossed_test(
        y_a, y_b, alpha=settings.alpha, documents=statistics.documents, paired=paired,
        assume_equal_variation=settings.assume_equal_variation,
    )


def same_outputs(statistics: SegmentStatistics, a: str, b: str) -> bool:
    """Say whether the two systems' outputs cannot be told apart under this metric.

    True when every output occurs among both systems' replicas with the same frequency: copies in another
    order, or three copies against one, are the same outputs.
    """
    values = statistics.of(a), statistics.of(b)
    counts = [Counter(output.tobytes() for output in v + 0.0) for v in values]
    shares = [{k: Fraction(n, c.total()) for k, n in c.items()} for c in counts]
    return shares[0] == shares[1]
