"""One pair of systems, one metric, one preset: a `TestResult`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtsig_core.jobs import Progress, no_progress
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Exchange, Settings, bootstrap_scores, exchange
from mtsig_core.significance.crossed import crossed_test
from mtsig_core.significance.presets import PRESETS, Convention, Preset, get_preset, why_not
from mtsig_core.significance.welch import welch_test

_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class TestResult:
    """What one test says of one pair of systems.

    Parameters
    ----------
    preset, label : str
    scheme, unit : str
        What was drawn or exchanged.
    rule, question : str
        How p comes about; whom the answer is about.
    difference : float
        D, B minus A, in score units, as this test computes it.
    p : float or None
        In (0, 1]; None where the test is not defined, with the reason in `note`.
    smallest_p : float or None
        The least p that the test can give for so many replicas and draws; None for closed forms.
    exact : bool
        Whether every distinct exchange was counted, or a closed form used.
    draws : int
        Number of draws or exchanges; 0 for closed forms.
    interval : tuple of two float, or None
        Interval of D at level 1 - alpha.
    null : ndarray of shape (draw,), or None
        What the observed statistic was compared with, centred.
    observed : float or None
        The statistic compared with `null`: D, or Welch's t for deals of unequal numbers of replicas.
    shares : tuple of three float, or None
        Shares of the draws that A wins, that B wins (by score, larger taken as the winner; the metric's
        direction is for the caller), and that are tied.
    note, warning : str
    headline : bool
    """

    __test__ = False  # not a pytest class, whatever its name

    preset: str
    label: str
    scheme: str
    unit: str
    rule: str
    question: str
    difference: float
    p: float | None
    smallest_p: float | None = None
    exact: bool = False
    draws: int = 0
    interval: tuple[float, float] | None = None
    null: np.ndarray | None = None
    observed: float | None = None
    shares: tuple[float, float, float] | None = None
    note: str = ""
    warning: str = ""
    headline: bool = False


def applicable(statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the presets that are defined for two systems, in the table's order."""
    n_a, n_b = len(statistics.names(a)), len(statistics.names(b))
    return tuple(name for name, preset in PRESETS.items() if not why_not(preset, n_a, n_b, settings.paired))


def run_preset(
    name: str,
    statistics: SegmentStatistics,
    a: str,
    b: str,
    settings: Settings,
    *,
    bootstrap: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> TestResult:
    """Run one test of B against A.

    Parameters
    ----------
    name : str
        A key of `PRESETS`.
    statistics : SegmentStatistics
    a, b : str
        Baseline and experiment.
    settings : Settings
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs of `statistics` on drawn test sets, to be used again.
    progress : callable

    Raises
    ------
    ValueError
        For an unknown preset, or bootstrap scores that do not fit the statistics.
    """
    preset = get_preset(name)
    reason = why_not(preset, len(statistics.names(a)), len(statistics.names(b)), settings.paired)
    difference = _mean_difference(statistics, a, b)
    if not np.isfinite(difference):
        reason = f"the score of {a} or {b} is not defined on this test set."
    if reason:
        return _result(preset, difference=difference, p=None, note=f"Not defined: {reason}")
    if preset.family == "bootstrap":
        differences = _bootstrap_differences(statistics, a, b, settings, bootstrap, progress)
        return _bootstrap_result(preset, differences, statistics, a, b, settings)
    if preset.family == "exchange":
        return _exchange_result(preset, statistics, a, b, settings, progress)
    return _closed_form(preset, statistics, a, b, settings)


def _result(preset: Preset, **values: object) -> TestResult:
    told = {key: getattr(preset, key) for key in ("label", "scheme", "unit", "rule", "question", "warning", "headline")}
    return TestResult(preset=preset.name, **(told | values))


def _undefined_draws(preset: Preset, difference: float, draws: np.ndarray) -> TestResult | None:
    """Return a result without p where some draws have no score: counting them either way would mislead."""
    lost = int(np.count_nonzero(np.isnan(draws)))
    if not lost:
        return None
    note = f"Not defined: the score is not defined in {lost} of {len(draws)} draws."
    return _result(preset, difference=difference, p=None, draws=len(draws), note=note)


def _mean_difference(statistics: SegmentStatistics, a: str, b: str) -> float:
    return float(statistics.scores_of(b).mean() - statistics.scores_of(a).mean())


def _scale(statistics: SegmentStatistics, a: str, b: str) -> float:
    return max(1.0, *(abs(float(statistics.scores_of(system).mean())) for system in (a, b)))


def tail_count(draws: np.ndarray, observed: float, convention: Convention, tolerance: float) -> int:
    """Count the draws as extreme as the observed value by a convention.

    Parameters
    ----------
    draws : ndarray of shape (draw,)
    observed : float
    convention : Convention
    tolerance : float
        Draws so little below the observed value still tie with it (>= only).
    """
    if convention.sides == "two":
        draws, observed = np.abs(draws), abs(observed)
    elif convention.sides == "winner" and observed < 0:
        draws, observed = -draws, -observed
    if convention.strict:
        return int(np.count_nonzero(draws > observed))
    return int(np.count_nonzero(draws >= observed - tolerance))


def _exchange_result(
    preset: Preset, statistics: SegmentStatistics, a: str, b: str, settings: Settings, progress: Progress
) -> TestResult:
    convention = _convention(preset)
    exchanged = exchange(
        statistics,
        a,
        b,
        preset.unit,
        settings.shuffles,
        settings.seed,
        exact=convention.enumerate,
        progress=progress,
    )
    n = len(exchanged.values)
    if undefined := _undefined_draws(preset, exchanged.difference, exchanged.values):
        return undefined
    count = tail_count(exchanged.values, exchanged.observed, convention, _TIE * exchanged.scale)
    add = int(convention.add_one and not exchanged.exact)
    return _result(
        preset,
        scheme=exchanged.scheme,
        difference=exchanged.difference,
        p=(count + add) / (n + add),
        smallest_p=_smallest_p(exchanged, preset, statistics, a, b),
        exact=exchanged.exact,
        draws=n,
        null=exchanged.values,
        observed=exchanged.observed,
    )


def _smallest_p(exchanged: Exchange, preset: Preset, statistics: SegmentStatistics, a: str, b: str) -> float:
    """Return the least p: the observed exchange, its mirror image where there is one, and what draws resolve."""
    unequal = len(statistics.names(a)) != len(statistics.names(b))
    mirrored = not (unequal and preset.unit in ("replica", "hypothesis"))
    floor = min(1.0, (2 if mirrored else 1) / exchanged.n_distinct)
    return floor if exchanged.exact else max(floor, 1 / (len(exchanged.values) + 1))


def _convention(preset: Preset) -> Convention:
    if preset.comparison is None:
        raise ValueError(f"preset {preset.name!r} resamples, so it needs a convention.")
    return preset.comparison


def _bootstrap_differences(
    statistics: SegmentStatistics,
    a: str,
    b: str,
    settings: Settings,
    bootstrap: np.ndarray | None,
    progress: Progress,
) -> np.ndarray:
    """Return D on each drawn test set, shape (draw,)."""
    if bootstrap is None:
        drawn = bootstrap_scores(statistics, settings.resamples, settings.seed, systems=(a, b), progress=progress)
        n_a = len(statistics.names(a))
        return drawn[:, n_a:].mean(axis=1) - drawn[:, :n_a].mean(axis=1)
    if bootstrap.ndim != 2 or bootstrap.shape[1] != len(statistics.values):
        raise ValueError(
            f"bootstrap scores have shape {bootstrap.shape}; expected (draw, {len(statistics.values)}), "
            "one column for every output of the statistics."
        )
    return bootstrap[:, statistics.rows(b)].mean(axis=1) - bootstrap[:, statistics.rows(a)].mean(axis=1)


def _bootstrap_result(
    preset: Preset, differences: np.ndarray, statistics: SegmentStatistics, a: str, b: str, settings: Settings
) -> TestResult:
    convention = _convention(preset)
    tolerance = _TIE * _scale(statistics, a, b)
    observed = _mean_difference(statistics, a, b)
    n = len(differences)
    if undefined := _undefined_draws(preset, observed, differences):
        return undefined
    centred = differences - differences.mean()
    if convention.rule == "interval":
        below = int(np.count_nonzero(differences <= tolerance))
        above = int(np.count_nonzero(differences >= -tolerance))
        low, high = np.quantile(differences, [settings.alpha / 2, 1 - settings.alpha / 2])
        return _result(
            preset,
            difference=observed,
            p=min(1.0, 2 * (min(below, above) + 1) / (n + 1)),
            smallest_p=min(1.0, 2 / (n + 1)),
            draws=n,
            interval=(float(low), float(high)),
            null=centred,
            observed=observed,
            shares=((n - above) / n, (n - below) / n, (above + below - n) / n),
        )
    compared = centred if convention.centre == "mean" else differences
    add = int(convention.add_one)
    return _result(
        preset,
        difference=observed,
        p=(tail_count(compared, observed, convention, tolerance) + add) / (n + add),
        smallest_p=add / (n + add),
        draws=n,
        null=compared,
        observed=observed,
    )


def _closed_form(preset: Preset, statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> TestResult:
    if preset.form == "welch":
        return _welch_result(preset, statistics, a, b, settings)
    crossed = crossed_test(
        statistics.pseudo_values(a),
        statistics.pseudo_values(b),
        alpha=settings.alpha,
        documents=statistics.documents,
        paired=preset.form == "crossed-paired",
    )
    interval = None if crossed.low is None or crossed.high is None else (crossed.low, crossed.high)
    return _result(
        preset,
        difference=crossed.difference,
        p=crossed.p,
        exact=True,
        interval=interval,
        note=crossed.note,
        warning=crossed.warning or preset.warning,
    )


def _welch_result(preset: Preset, statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> TestResult:
    scores = statistics.scores_of(a), statistics.scores_of(b)
    paired = settings.paired and len(scores[0]) == len(scores[1])
    welch = welch_test(*scores, alpha=settings.alpha, paired=paired)
    note = welch.note
    if settings.paired and not paired:
        note = f"The systems have {len(scores[0])} and {len(scores[1])} replicas, so pairs are not used. {note}".strip()
    return _result(
        preset,
        difference=welch.difference,
        p=welch.p,
        exact=True,
        interval=welch.interval,
        note=note,
        scheme="differences of the scores of paired replicas" if paired else preset.scheme,
    )
