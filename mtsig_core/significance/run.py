"""One pair of systems, one metric, one preset: a `TestResult`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mtsig_core.formatting import with_names
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Exchange, Settings
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance.closed_form.crossed import crossed_test
from mtsig_core.significance.closed_form.welch import welch_test
from mtsig_core.significance.conventions import Convention, Preset, of_whole_runs, why_not
from mtsig_core.significance.pair import TIE, Pair, percentile_interval
from mtsig_core.significance.presets import PRESETS, get_preset
from mtsig_core.significance.results import TestResult

_FEW_UNITS = 20  # of which a bootstrap is too sure of itself
_NO_DIFFERENCE = (
    "There is no difference to be explained, so p is 1; by the letter of the rule ties would count as evidence."
)


def applicable(statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the presets that are defined for two systems, in the table's order."""
    numbers = len(statistics.names(a)), len(statistics.names(b))
    return tuple(name for name, preset in PRESETS.items() if not _why_not(preset, statistics, numbers, settings))


def _why_not(preset: Preset, statistics: SegmentStatistics, numbers: tuple[int, int], settings: Settings) -> str:
    """Return why a preset is not defined for the systems' numbers of replicas and kind of scores; empty where it is."""
    by_run = preset.form == "coherent" or preset.unit in ("replica", "replica-paired")
    if statistics.whole_runs and not by_run:
        return f"needs scores of each {preset.unit.rpartition(' ')[2]}; these are scores of whole runs."
    return why_not(preset, *numbers, settings.paired, statistics.documents is not None)


def preset_for(name: str, statistics: SegmentStatistics) -> Preset:
    """Return a preset as it stands for statistics of segments or of whole runs; ValueError for an unknown name."""
    preset = get_preset(name)
    return of_whole_runs(preset) if statistics.whole_runs else preset


def run_preset(
    name: str, statistics: SegmentStatistics, a: str, b: str, settings: Settings, progress: Progress = no_progress
) -> TestResult:
    """Run one test of B against A.

    Parameters
    ----------
    name : str
        A key of `PRESETS`.
    statistics, a, b, settings
        As of `mtsig_core.significance.Pair`.
    progress : callable

    Raises
    ------
    ValueError
        For an unknown preset.
    """
    return run_on(Pair(statistics, a, b, settings), name, progress)


def run_on(pair: Pair, name: str, progress: Progress = no_progress) -> TestResult:
    """Run one test on a pair whose draws are shared with other tests; otherwise as `run_preset`."""
    preset = preset_for(name, pair.statistics)
    reason = _why_not(preset, pair.statistics, pair.numbers, pair.settings)
    if not np.isfinite(pair.difference):
        reason = f"the score of {pair.a} or {pair.b} is not defined on this test set."
    if reason:
        return undefined(preset, pair.difference, reason)
    if preset.family == "bootstrap":
        return _bootstrap_result(preset, pair, progress)
    if preset.family == "exchange":
        return _exchange_result(preset, pair, progress)
    return _CLOSED_FORMS[preset.form](preset, pair)


def undefined(preset: Preset, difference: float, reason: str, draws: int = 0) -> TestResult:
    """Return a result without p, and why."""
    return TestResult(preset, difference, None, draws=draws, note=f"Not defined: {reason}")


def _undefined_draws(preset: Preset, difference: float, draws: np.ndarray) -> TestResult | None:
    """Return a result without p where some draws have no score: counting them either way would mislead."""
    n_undefined = int(np.count_nonzero(np.isnan(draws)))
    if not n_undefined:
        return None
    reason = f"the score is not defined in {n_undefined:,} of {len(draws):,} draws."
    return undefined(preset, difference, reason, len(draws))


def _convention(preset: Preset) -> Convention:
    if preset.comparison is None:
        raise ValueError(f"preset {preset.name!r} resamples, so it needs a convention.")
    return preset.comparison


def oriented(draws: np.ndarray, observed: float, convention: Convention) -> tuple[np.ndarray, float]:
    """Return draws and the observed value as a convention compares them: sizes, or turned to the winner."""
    if convention.centre == "mean size":
        return draws, abs(observed)
    if convention.sides == "two":
        return np.abs(draws), abs(observed)
    if convention.sides == "winner" and observed < 0:
        return -draws, -observed
    return draws, observed


def tail_count(draws: np.ndarray, observed: float, convention: Convention, tolerance: float) -> int:
    """Count the draws as extreme as the observed value by a convention.

    Parameters
    ----------
    draws : ndarray of shape (draw,)
    observed : float
    convention : Convention
    tolerance : float
        Draws so little off the observed value tie with it.
    """
    draws, observed = oriented(draws, observed, convention)
    if convention.strict:
        return int(np.count_nonzero(draws > observed + tolerance))
    return int(np.count_nonzero(draws >= observed - tolerance))


def _p(count: int, n: int, add_one: bool) -> tuple[float, str]:
    """Return p, and a note where a rule c/R counts none: no number of draws supports a p of 0."""
    if add_one:
        return (count + 1) / (n + 1), ""
    if count:
        return count / n, ""
    return 1 / (n + 1), f"No draw counts: the rule as published gives 0; shown is what {n:,} draws support."


def _tail_p(
    draws: np.ndarray, observed: float, convention: Convention, tolerance: float, exact: bool
) -> tuple[float, str]:
    """Return p by a rule on tails, and a note; draws have shape (draw,)."""
    n = len(draws)
    if abs(observed) <= tolerance:
        return 1.0, _NO_DIFFERENCE if convention.strict or convention.one_tail else ""
    count = tail_count(draws, observed, convention, tolerance)
    return (count / n, "") if exact else _p(count, n, convention.add_one)


def _for_figure(draws: np.ndarray, observed: float, convention: Convention) -> tuple[np.ndarray, float]:
    """Return draws and the observed value for a figure: signed where both tails count, else turned to the winner."""
    return oriented(draws, observed, convention) if convention.one_tail else (draws, observed)


def _exchange_result(preset: Preset, pair: Pair, progress: Progress) -> TestResult:
    convention, unit = _convention(preset), preset.unit_for(*pair.numbers)
    permuted = pair.exchange(unit, convention.enumerate, progress)
    if lost := _undefined_draws(preset, permuted.difference, permuted.values):
        return lost
    p, note = _tail_p(permuted.values, permuted.observed, convention, TIE * permuted.scale, permuted.exact)
    smallest = None if convention.strict else _smallest_p(permuted, unit, pair, convention)
    if smallest is not None:
        p = max(p, smallest)  # (0 + 1) / (R + 1) of drawn permutations may lie just below what all would give
    null, observed = _for_figure(permuted.values, permuted.observed, convention)
    return TestResult(
        preset, permuted.difference, p, smallest, permuted.exact, len(permuted.values), null=null, observed=observed,
        note=note, actual_scheme=permuted.scheme, actual_unit=unit,
    )  # fmt: skip


def _smallest_p(permuted: Exchange, unit: str, pair: Pair, convention: Convention) -> float:
    """Return the smallest p: the observed assignment, its mirror image where there is one, and what draws resolve."""
    n_a, n_b = pair.numbers
    mirrored = not (n_a != n_b and unit in ("replica", "hypothesis")) and convention.sides == "two"
    floor = min(1.0, (2 if mirrored else 1) / permuted.n_distinct)
    if permuted.exact:  # copies and ties make the most extreme value more frequent than that
        values, _ = oriented(permuted.values, permuted.observed, convention)
        return max(floor, float(np.mean(values >= values.max() - TIE * permuted.scale)))
    return max(floor, 1 / (len(permuted.values) + 1))


def _bootstrap_result(preset: Preset, pair: Pair, progress: Progress) -> TestResult:
    convention = _convention(preset)
    differences = pair.drawn_differences(preset.unit, progress)
    if lost := _undefined_draws(preset, pair.difference, differences):
        return lost
    if reason := _why_no_variance(preset, pair, differences):
        return undefined(preset, pair.difference, reason, len(differences))
    warning = _few_units(preset.unit, pair)
    if convention.rule == "interval":
        return _interval_result(preset, differences, pair, warning)
    if convention.rule == "wins":
        return _wins_result(preset, differences, pair, warning)
    compared = differences
    if convention.centre == "mean":
        compared = differences - differences.mean()
    elif convention.centre == "mean size":
        compared = np.abs(differences) - np.abs(differences).mean()
    p, note = _tail_p(compared, pair.difference, convention, pair.tolerance, exact=False)
    null, observed = _for_figure(compared, pair.difference, convention)
    return TestResult(
        preset, pair.difference, p, None if convention.strict else _bootstrap_floor(differences, pair, 1),
        draws=len(differences), null=null, observed=observed, note=f"{note} {warning}".strip(),
        actual_scheme=_scheme(preset, pair),
    )  # fmt: skip


def _bootstrap_floor(differences: np.ndarray, pair: Pair, least: int) -> float:
    """Return the smallest p of so many draws, `least` of which always count; 1 where no draw differs from another."""
    if np.ptp(differences) <= pair.tolerance:
        return 1.0
    return min(1.0, least / (len(differences) + 1))


def _why_no_variance(preset: Preset, pair: Pair, differences: np.ndarray) -> str:
    """Return why a bootstrap shows no variance of a difference other than 0; empty where it does."""
    unit = preset.unit
    if abs(pair.difference) <= pair.tolerance:
        return ""
    if pair.n_units.get(unit, 2) < 2:
        return f"one {unit} can only be drawn again, so nothing is known about how {unit}s vary."
    if np.ptp(differences) > pair.tolerance:
        return ""
    if unit == "replica":
        return "the scores of the replicas do not vary, so resampling them changes nothing."
    return "the difference is the same in every draw, so its variance is 0."


def _scheme(preset: Preset, pair: Pair) -> str:
    if "replica" in preset.unit and pair.settings.paired and pair.numbers[0] == pair.numbers[1]:
        return f"{preset.scheme}; replicas of equal index drawn together"
    return preset.scheme


def _few_units(unit: str, pair: Pair) -> str:
    """Return a warning where few units are resampled: their bootstrap variance is too small, as for few replicas."""
    n = pair.n_units.get(unit, _FEW_UNITS)
    if n >= _FEW_UNITS or abs(pair.difference) <= pair.tolerance:
        return ""
    return (
        f"There are {n} {unit}s: a bootstrap of so few finds too much. Measured false alarms at 0.05: 0.51 with 2, "
        "0.31 with 3, 0.16 with 5, 0.10 with 10, and with rules of one tail more."
    )


def _shares(differences: np.ndarray, tolerance: float) -> tuple[float, float, float]:
    """Return the shares of draws that A wins, that B wins, and of ties."""
    n = len(differences)
    below, above = (int(np.count_nonzero(x)) for x in (differences <= tolerance, differences >= -tolerance))
    return (n - above) / n, (n - below) / n, (above + below - n) / n


def _interval_result(preset: Preset, differences: np.ndarray, pair: Pair, note: str) -> TestResult:
    n, alpha, tolerance = len(differences), pair.settings.alpha, pair.tolerance
    below = int(np.count_nonzero(differences <= tolerance))
    above = int(np.count_nonzero(differences >= -tolerance))
    return TestResult(
        preset,
        difference=pair.difference,
        p=min(1.0, 2 * (min(below, above) + 1) / (n + 1)),
        smallest_p=_bootstrap_floor(differences, pair, 2),
        draws=n,
        interval=percentile_interval(differences, alpha),
        null=differences - differences.mean(),
        observed=pair.difference,
        shares=_shares(differences, tolerance),
        note=note,
    )


def _wins_result(preset: Preset, differences: np.ndarray, pair: Pair, warning: str) -> TestResult:
    """Return the result of a rule on win shares; what it compares is no null distribution."""
    n, d = len(differences), pair.difference
    wins = np.count_nonzero(differences * np.sign(d) > pair.tolerance) if abs(d) > pair.tolerance else 0
    p, note = _p(n - int(wins), n, add_one=False)
    shares, note = _shares(differences, pair.tolerance), f"{note} {warning}".strip()
    floor = _bootstrap_floor(differences, pair, 1)
    return TestResult(preset, d, p, smallest_p=floor, draws=n, shares=shares, note=note)


def _coherent_result(preset: Preset, pair: Pair) -> TestResult:
    coherent = pair.coherent(paired=preset.form == "coherent-paired")
    return TestResult(
        preset, coherent.difference, coherent.p, exact=True, interval=coherent.interval,
        note=_named(coherent.note, coherent.kind, pair), data_warning=_named(coherent.warning, coherent.kind, pair),
    )  # fmt: skip


def _crossed_result(preset: Preset, pair: Pair) -> TestResult:
    crossed = crossed_test(
        pair.pseudo_values_of(pair.a),
        pair.pseudo_values_of(pair.b),
        alpha=pair.settings.alpha,
        documents=pair.statistics.documents,
        paired=preset.form == "crossed-paired",
        assume_equal_variation=pair.settings.assume_equal_variation,
    )
    return TestResult(
        preset, crossed.difference, crossed.p, exact=True, interval=crossed.interval,
        note=_named(crossed.note, crossed.kind, pair), data_warning=_named(crossed.warning, crossed.kind, pair),
    )  # fmt: skip


def _named(text: str, kind: str, pair: Pair) -> str:
    """Return a remark of a test, which knows the systems as A and B where one has one replica, under their names."""
    return with_names(text, pair.a, pair.b) if kind == "one replica" else text


def _welch_result(preset: Preset, pair: Pair) -> TestResult:
    scores = pair.scores
    paired = pair.settings.paired and len(scores[0]) == len(scores[1])
    welch = welch_test(*scores, alpha=pair.settings.alpha, paired=paired)
    note = welch.note
    if pair.settings.paired and not paired:
        note = f"The systems have {len(scores[0])} and {len(scores[1])} replicas, so pairs are not used. {note}".strip()
    return TestResult(
        preset, welch.difference, welch.p, exact=True, interval=welch.interval, note=note,
        actual_scheme="differences of the scores of paired replicas" if paired else "",
        actual_label="Paired t-test of replica scores" if paired else "",
    )  # fmt: skip


_CLOSED_FORMS: dict[str, Callable[[Preset, Pair], TestResult]] = {
    "coherent": _coherent_result,
    "coherent-paired": _coherent_result,
    "crossed": _crossed_result,
    "crossed-paired": _crossed_result,
    "welch": _welch_result,
}
