"""Several test sets together: the difference on each, and their mean with the luck of text and of replicas.

Every set counts the same, as every task does in rliable (Agarwal et al. 2021), whose bootstrap is stratified: units are
redrawn within each set, and no set is left out. Here segments are redrawn within each set. Replicas are scored on all
sets, so their luck is that of their means over the sets: Welch's interval, since redrawing few replicas, as rliable
does with runs, gives one that is much too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.formatting import score_decimals
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import crossed_test
from mtsig_core.significance.crossed import segment_mean_square, two_way
from mtsig_core.significance.distributions import stdtr, stdtrit
from mtsig_core.significance.welch import welch_test

Interval = tuple[float, float]
_STREAM = 500  # gives every set draws of its own
_SMALLEST = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class SetDifference:
    """The difference on one test set.

    Attributes
    ----------
    test_set : str
    segments : int
    difference : float
        Of the replicas that are scored on all sets.
    interval : (float, float) or None
        The crossed interval: new replicas on new text.
    p : float or None
        Of the crossed test.
    """

    test_set: str
    segments: int
    difference: float
    interval: Interval | None
    p: float | None


@dataclass(frozen=True)
class Combined:
    """Two systems over several test sets under one metric.

    Attributes
    ----------
    metric, label : str
    higher_is_better, is_quality : bool
    a, b : str
    n_a, n_b : int
        Replicas scored on all sets.
    sets : tuple of SetDifference
    difference : float
        Mean of the sets' differences.
    text, replicas, both : (float, float) or None
        Its intervals: segments redrawn within each set; Welch's over replicas (paired t where paired); new replicas on
        new text of these kinds.
    p, df : float or None
        Of the last.
    alpha : float
    notes : tuple of str
    is_quality : bool
        False where neither direction of the metric is better.
    decimals : int
        That scores of this size deserve.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 2, 3, 50))  # 2 test sets of 50 segments
    >>> axes = ("test_set", "system", "replica", "segment")
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=axes))
    >>> len(bench.combined(n_bootstrap=100).sets)
    2
    """

    metric: str
    label: str
    higher_is_better: bool
    a: str
    b: str
    n_a: int
    n_b: int
    sets: tuple[SetDifference, ...]
    difference: float
    text: Interval | None
    replicas: Interval | None
    both: Interval | None
    p: float | None
    df: float | None
    alpha: float
    notes: tuple[str, ...]
    is_quality: bool = True
    decimals: int = 2

    def to_frame(self) -> pd.DataFrame:
        """Return a row a set, and one for all of them together."""
        rows = [(s.test_set, s.segments, s.difference, *(s.interval or (None, None)), s.p) for s in self.sets]
        rows.append(("all sets, each the same", sum(s.segments for s in self.sets), self.difference,
                     *(self.both or (None, None)), self.p))
        return pd.DataFrame(rows, columns=["test set", "segments", "B − A", "low", "high", "p"])


def combined(
    statistics: Sequence[SegmentStatistics], a: str, b: str, settings: Settings, *, progress: Progress = no_progress
) -> Combined:
    """Compare two systems over several test sets.

    Parameters
    ----------
    statistics : sequence of SegmentStatistics
        One a test set, of one metric.
    a, b : str
        Baseline and system.
    settings : Settings
    progress : Progress

    Raises
    ------
    ValueError
        With fewer than two sets, another metric among them, or no replica that is scored on all.
    """
    if len(statistics) < 2:
        raise ValueError(f"needs at least 2 test sets; got {len(statistics)}.")
    if len({s.metric.key for s in statistics}) > 1:
        raise ValueError("expected one metric on all test sets.")
    notes: list[str] = []
    kept = [_common(statistics, name, notes) for name in (a, b)]
    made = [_narrowed(s, (a, b), kept) for s in statistics]
    paired = settings.paired and len(kept[0]) == len(kept[1]) > 1
    means = [np.mean([s.scores_of(name) for s in made], axis=0) for name in (a, b)]
    both = _both(made, a, b, means, paired, settings.alpha)
    notes.append(_remark(a, b, *map(len, kept)))
    if isinstance(both, str):
        notes.append(both)
    interval, p, df = (None, None, None) if isinstance(both, str) else both
    first = made[0].metric
    return Combined(
        first.name, first.label, first.higher_is_better, a, b, len(kept[0]), len(kept[1]),
        tuple(_on_one(s, a, b, settings, paired) for s in made),
        float(means[1].mean() - means[0].mean()),
        _text(made, a, b, settings, progress), _replicas(means, settings.alpha, paired), interval, p, df,
        settings.alpha, tuple(filter(None, notes)), first.is_quality, score_decimals(np.concatenate(means)),
    )


def _remark(a: str, b: str, n_a: int, n_b: int) -> str:
    """Return what the numbers of replicas leave open, as on one set."""
    if min(n_a, n_b) > 1 or n_a == n_b:
        return ""
    single, other = (a, b) if n_a == 1 else (b, a)
    return (
        f"{single} has one replica: this is the recipe of {other} against that very output, and says nothing of the "
        f"recipe of {single}."
    )


def _common(statistics: Sequence[SegmentStatistics], system: str, notes: list[str]) -> list[str]:
    """Return the replicas of a system that are scored on all sets, and note how many are left out."""
    names = [s.names(system) for s in statistics]
    common = [name for name in names[0] if all(name in others for others in names[1:])]
    if not common:
        raise ValueError(f"no replica of {system!r} has scores on all of these test sets.")
    most = max(map(len, names))
    if len(common) < most:
        notes.append(f"{len(common)} of {most} replicas of {system} are scored on all sets; the others are left out.")
    return common


def _narrowed(s: SegmentStatistics, systems: tuple[str, str], kept: Sequence[Sequence[str]]) -> SegmentStatistics:
    places = [
        s.rows(name).start + s.names(name).index(replica)
        for name, replicas in zip(systems, kept, strict=True) for replica in replicas
    ]
    return replace(s, systems=systems, replicas=tuple(tuple(x) for x in kept), values=s.values[places])


def _on_one(s: SegmentStatistics, a: str, b: str, settings: Settings, paired: bool) -> SetDifference:
    scores = s.scores_of(a), s.scores_of(b)
    difference = float(scores[1].mean() - scores[0].mean())
    crossed = crossed_test(s.pseudo_values(a), s.pseudo_values(b), alpha=settings.alpha, documents=s.documents,
                           paired=paired)
    interval = None if crossed.low is None or crossed.high is None else (crossed.low, crossed.high)
    return SetDifference(s.test_set, s.n_segments, difference, interval, crossed.p)


def _text(made: Sequence[SegmentStatistics], a: str, b: str, settings: Settings, progress: Progress) -> Interval | None:
    if min(s.n_segments for s in made) < 2:
        return None
    total = np.zeros(settings.n_bootstrap)
    for k, s in enumerate(made):
        # draws depend on seed and size alone: two sets of one size must not share them
        own = int(np.random.SeedSequence(settings.seed, spawn_key=(_STREAM, k)).generate_state(1)[0])
        part = subprogress(progress, k / len(made), (k + 1) / len(made))
        drawn = bootstrap_scores(s, settings.n_bootstrap, own, progress=part)
        total += drawn[:, s.rows(b)].mean(axis=1) - drawn[:, s.rows(a)].mean(axis=1)
    if not np.isfinite(total).all():
        return None
    low, high = np.quantile(total / len(made), (settings.alpha / 2, 1 - settings.alpha / 2))
    return float(low), float(high)


def _replicas(means: Sequence[np.ndarray], alpha: float, paired: bool) -> Interval | None:
    return None if min(map(len, means)) < 2 else welch_test(means[0], means[1], alpha=alpha, paired=paired).interval


def _both(
    made: Sequence[SegmentStatistics], a: str, b: str, means: Sequence[np.ndarray], paired: bool, alpha: float
) -> tuple[Interval, float, float] | str:
    """Return interval, p and degrees of freedom of the crossed test of the mean over sets, or why there is none.

    V = s2(M_A)/n_A + s2(M_B)/n_B + sum_k (MSd_k - MSe_A,k/n_A - MSe_B,k/n_B)/(K^2 L_k), not below the part of the text;
    M are the replicas' means over the K sets. Satterthwaite over all terms, as on one set.
    """
    if min(s.n_segments for s in made) < 2:
        return "New replicas on new text: not defined where a set has one segment."
    if max(map(len, means)) < 2:
        return "New replicas on new text: not defined with one replica of each system."
    terms: list[tuple[float, float]] = []
    text = 0.0
    wholes = [means[1] - means[0]] if paired else [x for x in means if len(x) > 1]
    terms += [(float(x.var(ddof=1)) / len(x), len(x) - 1.0) for x in wholes]
    for s in made:
        unit = 1 / (len(made) ** 2 * s.n_segments)
        y_a, y_b = s.pseudo_values(a), s.pseudo_values(b)
        between, units = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), s.documents)
        if units < 1:
            return "New replicas on new text: not defined where a set has one document."
        text += unit * between
        terms.append((unit * between, units))
        for y in [y_b - y_a] if paired else [y for y in (y_a, y_b) if len(y) > 1]:
            terms.append((-unit * two_way(y)[1] / len(y), (len(y) - 1.0) * (s.n_segments - 1)))
    variance = max(sum(size for size, _ in terms), text)
    difference = float(means[1].mean() - means[0].mean())
    scale = max(1.0, *(float(np.abs(x).max()) for x in means))
    if variance <= (1e-13 * scale) ** 2:
        if abs(difference) <= 1e-12 * scale:
            return (0.0, 0.0), 1.0, 1.0
        return "New replicas on new text: not defined, since the difference is the same everywhere."
    df = max(1.0, variance**2 / sum(size**2 / k for size, k in terms))
    se = variance**0.5
    reach = float(stdtrit(df, 1 - alpha / 2)) * se
    p = max(_SMALLEST, float(2 * stdtr(df, -abs(difference) / se)))
    return (difference - reach, difference + reach), p, df
