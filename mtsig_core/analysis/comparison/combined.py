"""Several test sets together: the difference on each, and their mean with intervals for new text and new replicas.

Every set has equal weight, as every task does in rliable (Agarwal et al. 2021), whose bootstrap is stratified: segments
are resampled within each set, and no set is left out. Replicas are scored on all sets, so the variance between them is
that of their means over the sets: Welch's interval, since resampling few replicas, as rliable does with runs, gives an
interval that is much too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.experiment.partners import matched_replicas
from mtsig_core.formatting import score_decimals
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.pairs import PairingError
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import OfPair, Result, Scope, coherent_test
from mtsig_core.significance.closed_form.coherent import TTest, replica_test
from mtsig_core.significance.closed_form.crossed import segment_mean_square, two_way
from mtsig_core.significance.closed_form.welch import welch_test

Interval = tuple[float, float]
_STREAM = 500  # gives every set draws of its own


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
        The coherent interval: new replicas on new text.
    p : float or None
        Of the coherent test.
    """

    test_set: str
    segments: int
    difference: float
    interval: Interval | None
    p: float | None


@dataclass(frozen=True)
class Combined(OfPair, Result):
    """Two systems over several test sets under one metric.

    Attributes
    ----------
    scope : Scope
        Its test set is empty: there are several.
    n_a, n_b : int
        Replicas scored on all sets.
    sets : tuple of SetDifference
    difference : float
        Mean of the sets' differences.
    text, replicas, both : (float, float) or None
        Its intervals: segments resampled within each set; Welch's over replicas (paired t where paired); new replicas
        on new text of these kinds.
    p, df : float or None
        Of the last.
    alpha : float
    notes : tuple of str
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

    scope: Scope
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
    decimals: int = 2

    def to_frame(self) -> pd.DataFrame:
        """Return one row per set, and one for all of them together."""
        rows = [(s.test_set, s.segments, s.difference, *(s.interval or (None, None)), s.p) for s in self.sets]
        rows.append(("all sets, equal weight", sum(s.segments for s in self.sets), self.difference,
                     *(self.both or (None, None)), self.p))
        return pd.DataFrame(rows, columns=["test set", "segments", "B − A", "low", "high", "p"])


def combined(
    statistics: Sequence[SegmentStatistics], a: str, b: str, settings: Settings, *, progress: Progress = no_progress
) -> Combined:
    """Compare two systems over several test sets.

    Parameters
    ----------
    statistics : sequence of SegmentStatistics
        One per test set, of one metric.
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
    replicas = [_common(statistics, name, notes) for name in (a, b)]
    if settings.paired and min(map(len, replicas)) > 1:
        replicas = _partners(replicas, (a, b), notes)
    sets = _Sets(tuple(_narrowed(s, (a, b), replicas) for s in statistics), a, b, settings)
    means = sets.means
    both = _both(sets)
    notes.append(single_replica_note(a, b, *map(len, replicas)))
    if isinstance(both, str):
        notes.append(both)
    interval, p, df = (None, None, None) if isinstance(both, str) else both
    return Combined(
        scope=replace(Scope.of(sets.statistics[0], a, b), test_set=""), n_a=len(replicas[0]), n_b=len(replicas[1]),
        sets=tuple(_on_one(sets, s) for s in sets.statistics), difference=sets.difference,
        text=_text_interval(sets, progress), replicas=_replica_interval(sets), both=interval, p=p, df=df,
        alpha=settings.alpha, notes=tuple(filter(None, notes)), decimals=score_decimals(np.concatenate(means)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Sets:
    """Statistics of the common replicas on every set."""

    statistics: tuple[SegmentStatistics, ...]
    a: str
    b: str
    settings: Settings

    @property
    def means(self) -> list[np.ndarray]:
        """Mean score over the sets of each replica of A and of B."""
        return [np.mean([s.scores_of(name) for s in self.statistics], axis=0) for name in (self.a, self.b)]

    @property
    def difference(self) -> float:
        of_a, of_b = self.means
        return float(of_b.mean() - of_a.mean())

    @property
    def paired(self) -> bool:
        of_a, of_b = self.means
        return self.settings.paired and len(of_a) == len(of_b) > 1


def single_replica_note(a: str, b: str, n_a: int, n_b: int) -> str:
    """Return what a single replica of one system limits; empty where both have several, or both one.

    Parameters
    ----------
    a, b : str
    n_a, n_b : int
        Their numbers of replicas.
    """
    if min(n_a, n_b) > 1 or n_a == n_b:
        return ""
    single, other = (a, b) if n_a == 1 else (b, a)
    return (
        f"{single} has one replica: this compares the training setup of {other} with that very output, and says "
        f"nothing about the training setup of {single}."
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


def _partners(replicas: Sequence[Sequence[str]], systems: tuple[str, str], notes: list[str]) -> list[list[str]]:
    """Return the replicas that have a partner, and note those that have none."""
    pairs = matched_replicas(*replicas)
    if len(pairs) < 2:
        raise PairingError(f"fewer than two replicas of {' and '.join(systems)} that are scored on all sets match.")
    matched = [[names[pair[k]] for pair in pairs] for k, names in enumerate(replicas)]
    sides = zip(systems, replicas, matched, strict=True)
    alone = [f"{system}/{name}" for system, names, partners in sides for name in names if name not in partners]
    if alone:
        notes.append(f"Replicas without a partner are left out: {', '.join(alone)}.")
    return matched


def _narrowed(s: SegmentStatistics, systems: tuple[str, str], partners: Sequence[Sequence[str]]) -> SegmentStatistics:
    places = [
        s.rows(name).start + s.names(name).index(replica)
        for name, replicas in zip(systems, partners, strict=True) for replica in replicas
    ]
    return replace(s, systems=systems, replicas=tuple(tuple(x) for x in partners), values=s.values[places])


def _on_one(sets: _Sets, s: SegmentStatistics) -> SetDifference:
    scores = s.scores_of(sets.a), s.scores_of(sets.b)
    difference = float(scores[1].mean() - scores[0].mean())
    coherent = coherent_test(
        s.pseudo_values(sets.a), s.pseudo_values(sets.b), alpha=sets.settings.alpha, documents=s.documents,
        paired=sets.paired,
    )  # fmt: skip
    return SetDifference(s.test_set, s.n_segments, difference, coherent.interval, coherent.p)


def _text_interval(sets: _Sets, progress: Progress) -> Interval | None:
    if min(s.n_segments for s in sets.statistics) < 2:
        return None
    settings, n = sets.settings, len(sets.statistics)
    total = np.zeros(settings.n_bootstrap)
    for k, s in enumerate(sets.statistics):
        # draws depend on seed and size alone: two sets of one size must not share them
        seed = int(np.random.SeedSequence(settings.seed, spawn_key=(_STREAM, k)).generate_state(1)[0])
        drawn = bootstrap_scores(s, settings.n_bootstrap, seed, progress=subprogress(progress, k / n, (k + 1) / n))
        total += drawn[:, s.rows(sets.b)].mean(axis=1) - drawn[:, s.rows(sets.a)].mean(axis=1)
    if not np.isfinite(total).all():
        return None
    low, high = np.quantile(total / n, (settings.alpha / 2, 1 - settings.alpha / 2))
    return float(low), float(high)


def _replica_interval(sets: _Sets) -> Interval | None:
    means = sets.means
    if min(map(len, means)) < 2:
        return None
    return welch_test(means[0], means[1], alpha=sets.settings.alpha, paired=sets.paired).interval


def _both(sets: _Sets) -> tuple[Interval, float, float] | str:
    """Return interval, p and degrees of freedom of the coherent test of the mean over sets, or why it is undefined.

    p is the larger of the crossed test's and of the t-test of the replicas' means over the sets. Crossed:
    V = s2(M_A)/n_A + s2(M_B)/n_B + sum_k (MSd_k - MSe_A,k/n_A - MSe_B,k/n_B)/(K^2 L_k), not below the variance
    between segments; M are the replicas' means over the K sets. Satterthwaite over all terms, as on one set.
    """
    means, alpha = sets.means, sets.settings.alpha
    if min(s.n_segments for s in sets.statistics) < 2:
        return "New replicas on new text: not defined where a set has one segment."
    if max(map(len, means)) < 2:
        return "New replicas on new text: not defined with one replica of each system."
    terms, text = _terms(sets)
    if any(units < 1 for _, units in terms):
        return "New replicas on new text: not defined where a set has one document."
    variance = max(math.fsum(size for size, _ in terms), text)
    difference = sets.difference
    scale = max(1.0, *(float(np.abs(x).max()) for x in means))
    if variance <= (1e-13 * scale) ** 2:
        if abs(difference) <= 1e-12 * scale:
            return (0.0, 0.0), 1.0, 1.0
        return "New replicas on new text: not defined, since the difference is the same everywhere."
    df = max(1.0, variance**2 / math.fsum(size**2 / k for size, k in terms))
    replica = replica_test(*means, paired=sets.paired)
    tests = [TTest("crossed", variance**0.5, df), *([replica] if replica else [])]
    half_width = max(test.half_width(alpha) for test in tests)
    decisive = max(tests, key=lambda test: test.p(difference))
    return (difference - half_width, difference + half_width), decisive.p(difference), decisive.df


def _terms(sets: _Sets) -> tuple[list[tuple[float, float]], float]:
    """Return the terms of V with their degrees of freedom, and the variance between segments."""
    means, paired = sets.means, sets.paired
    text = 0.0
    wholes = [means[1] - means[0]] if paired else [x for x in means if len(x) > 1]
    terms = [(float(x.var(ddof=1)) / len(x), len(x) - 1.0) for x in wholes]
    for s in sets.statistics:
        unit = 1 / (len(sets.statistics) ** 2 * s.n_segments)
        y_a, y_b = s.pseudo_values(sets.a), s.pseudo_values(sets.b)
        if s.documents is not None and len(np.unique(s.documents)) < 2:
            return [(0.0, 0.0)], 0.0
        between, units = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), s.documents)
        text += unit * between
        terms.append((unit * between, float(units)))
        for y in [y_b - y_a] if paired else [y for y in (y_a, y_b) if len(y) > 1]:
            terms.append((-unit * two_way(y)[1] / len(y), (len(y) - 1.0) * (s.n_segments - 1)))
    return terms, text
