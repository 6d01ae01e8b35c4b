"""Pairwise tests of all systems: p raw and corrected, overlap, and clusters of ranks (Fu et al., Table 8; WMT)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.analysis.systems.groups import clusters, equivalents
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.pairs import Basis, PairingError, are_copies, prepared
from mtsig_core.resampling import Settings, SystemSums, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import (
    Pair,
    PairDraws,
    Preset,
    Result,
    Scope,
    Scoped,
    TestResult,
    benjamini_hochberg,
    holm,
    run_on,
)
from mtsig_core.significance.closed_form.equivalence import margin_test
from mtsig_core.significance.normal_fits import NormalInterval, fit, overlap_ratio
from mtsig_core.significance.run import preset_for, undefined

Correction = Literal["holm", "bh", "none"]
DataOf = Callable[[str, str], tuple[SegmentStatistics, Basis]]
CORRECTIONS: dict[Correction, str] = {"holm": "Holm", "bh": "Benjamini–Hochberg", "none": "none"}
_PUBLISH_SECONDS = 3.0
_FIELDS: dict[Correction, str] = {"holm": "p_holm", "bh": "p_bh", "none": "p"}


@dataclass(frozen=True)
class PairRow:
    """One pair of systems.

    Attributes
    ----------
    a, b : str
        In the experiment's order.
    difference : float
        Mean score of b minus that of a, score units.
    p, p_holm, p_bh : float or None
        As the test gives it, and corrected over all defined pairs by Holm and by Benjamini and Hochberg.
    smallest_p : float or None
        Smallest p that the test can give.
    exact : bool
        Whether p has no Monte-Carlo error.
    better : str
        The system with the better mean score; empty when equal. The higher one where neither direction is better.
    overlap : float or None
        Overlap ratio of the systems' bootstrap intervals.
    note : str
        Why there is no p, or what limits it: one replica, numbers of replicas that differ.
    interval : (float, float) or None
        The test's interval of the difference, not corrected for the number of pairs.
    basis : Basis or None
        Segments and replicas used, and those left out.
    p_equivalent, p_equivalent_holm : float or None
        With a margin, p of the test of equivalence, uncorrected and corrected by Holm over all pairs.
    """

    a: str
    b: str
    difference: float
    p: float | None
    p_holm: float | None
    p_bh: float | None
    smallest_p: float | None
    exact: bool
    better: str
    overlap: float | None
    note: str = ""
    interval: tuple[float, float] | None = None
    basis: Basis | None = None
    p_equivalent: float | None = None
    p_equivalent_holm: float | None = None

    def corrected(self, correction: Correction) -> float | None:
        """Return p under a correction."""
        value: float | None = getattr(self, _FIELDS[correction])
        return value


@dataclass(frozen=True, eq=False)
class Pairwise(Scoped, Result):
    """All pairs of systems under one metric and test.

    Attributes
    ----------
    scope : Scope
        Its systems are ordered best first; the highest first where neither direction is better.
    preset : Preset
        The test.
    alpha : float
    scores : mapping of system to float
        Mean over replicas.
    replicas : mapping of system to int
    intervals : mapping of system to NormalInterval, or None
        Of the bootstrap scores at level 1 - alpha.
    rows : tuple of PairRow
    clusters : tuple of tuple of str
        Best first; every system of a cluster beats every one of the clusters below (Holm-corrected).
    margin : float or None
    equivalents : tuple of tuple of str
        With a margin, the largest sets of systems that are all equivalent to one another (Holm-corrected).
    note : str
        Which segments the scores and intervals of the systems use, where some were left out.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(4))
    >>> pairs = bench.pairwise(n_bootstrap=100)
    >>> pairs.preset.name, len(pairs.rows)
    ('coherent', 1)
    """

    scope: Scope
    preset: Preset
    alpha: float
    scores: Mapping[str, float]
    replicas: Mapping[str, int]
    intervals: Mapping[str, NormalInterval | None]
    rows: tuple[PairRow, ...]
    clusters: tuple[tuple[str, ...], ...]
    margin: float | None = None
    equivalents: tuple[tuple[str, ...], ...] = ()
    note: str = ""

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, best first."""
        return self.scope.systems

    @property
    def separated(self) -> frozenset[frozenset[str]]:
        """Pairs of systems that differ significantly, corrected by Holm."""
        return frozenset(
            frozenset((r.a, r.b)) for r in self.rows if r.p_holm is not None and r.p_holm < self.alpha
        )

    def row(self, one: str, other: str) -> PairRow:
        """Return the row of two systems, in either order."""
        return next(r for r in self.rows if {r.a, r.b} == {one, other})

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair, with headings for people."""
        names = {
            "a": "A", "b": "B", "difference": "B − A", "better": "better" if self.is_quality else "higher",
            "p": "p", "p_holm": "p, Holm", "p_bh": "p, Benjamini–Hochberg", "overlap": "overlap ratio", "note": "note",
        }  # fmt: skip
        if not any(row.note for row in self.rows):
            del names["note"]
        frame = pd.DataFrame([[getattr(row, key) for key in names] for row in self.rows], columns=list(names.values()))
        if self.margin is not None:
            frame.insert(len(frame.columns), "p of equivalence, Holm", [row.p_equivalent_holm for row in self.rows])
        if any(row.basis and row.basis.n_left_out for row in self.rows):
            frame["segments"] = [row.basis.n_used if row.basis else None for row in self.rows]
        return frame

    def rank_frame(self) -> pd.DataFrame:
        """Return one row per system: cluster, score, interval."""
        place = {name: k + 1 for k, cluster in enumerate(self.clusters) for name in cluster}
        rows = []
        for name in self.systems:
            interval = self.intervals[name]
            ends = (None, None) if interval is None else (interval.low, interval.high)
            rows.append((place[name], name, self.replicas[name], self.scores[name], *ends))
        return pd.DataFrame(rows, columns=["cluster", "system", "replicas", self.label, "low", "high"])

    def overlap_matrix(self) -> pd.DataFrame:
        """Return the overlap ratios, systems best first; 1 on the diagonal."""
        values = [[1.0 if a == b else self.row(a, b).overlap for b in self.systems] for a in self.systems]
        return pd.DataFrame(values, index=list(self.systems), columns=list(self.systems))


def default_preset(statistics: SegmentStatistics, settings: Settings) -> str:
    """Return the test that is used when none is chosen: the coherent one where runs (copies count as one) allow it."""
    sizes = sorted(1 if are_copies(statistics, s) else len(statistics.names(s)) for s in statistics.systems)
    if settings.paired and sizes[0] > 1:
        return "coherent-paired"
    return "coherent" if statistics.whole_runs or (len(sizes) > 1 and sizes[1] > 1) else "ar-segment"


@dataclass(frozen=True)
class Reuse:
    """Random draws to reuse.

    Attributes
    ----------
    bootstrap : ndarray of shape (draw, output)
        Scores of all outputs on bootstrap resamples.
    draws_of : callable
        Returns the draws of the two systems of statistics, perhaps made at another alpha, to reuse and add to.
    data_of : callable, optional
        Returns the statistics of two systems and what they rest on; by default they are taken from all statistics.
    """

    bootstrap: np.ndarray
    draws_of: Callable[[SegmentStatistics], PairDraws]
    data_of: DataOf | None = None


@dataclass(frozen=True)
class Preview:
    """A quick answer, and who wants to see how it becomes the full one.

    Attributes
    ----------
    quick : Pairwise
        Its rows stand in for those that are still to come.
    publish : callable
        Takes a result that is partly full, partly quick, every few seconds.
    """

    quick: Pairwise
    publish: Callable[[Pairwise], None]


def pairwise(
    statistics: SegmentStatistics, settings: Settings, *, preset: str | None = None, reuse: Reuse | None = None,
    preview: Preview | None = None, progress: Progress = no_progress,
) -> Pairwise:  # fmt: skip
    """Test every pair of systems, each on the segments that both have.

    Parameters
    ----------
    statistics : SegmentStatistics
    settings : Settings
    preset : str, optional
        `default_preset` by default.
    reuse : Reuse, optional
    preview : Preview, optional
    progress : callable

    Raises
    ------
    ValueError
        With fewer than two systems, or an unknown preset.
    """
    n_systems = len(statistics.systems)
    if n_systems < 2:
        raise ValueError(f"pairs need two systems; {statistics.test_set!r} has outputs of {n_systems}.")
    test = preset_for(preset or default_preset(statistics, settings), statistics)
    reuse = reuse or _drawn(statistics, settings, subprogress(progress, 0, 0.2))
    data_of = reuse.data_of or partial(prepared, statistics, paired=settings.paired)
    means = {s: reuse.bootstrap[:, statistics.rows(s)].mean(axis=1) for s in statistics.systems}
    field = _Field(statistics, settings, test, {s: _fit(x, 1 - settings.alpha) for s, x in means.items()})
    pairs = _pairs(field, reuse, data_of, _shared(field, subprogress(progress, 0.2, 0.3)))
    rows: list[PairRow] = []
    published = time.monotonic()
    for row in _rows(pairs, comb(n_systems, 2), field, subprogress(progress, 0.3, 1)):
        rows.append(row)
        if preview is not None and time.monotonic() - published > _PUBLISH_SECONDS:
            preview.publish(_assembled(field, [*rows, *preview.quick.rows[len(rows) :]]))
            published = time.monotonic()
    return _assembled(field, rows)


def _drawn(statistics: SegmentStatistics, settings: Settings, progress: Progress) -> Reuse:
    drawn = bootstrap_scores(statistics, settings.n_bootstrap, settings.seed, progress=progress)
    return Reuse(drawn, lambda own: PairDraws())


@dataclass(frozen=True, eq=False)
class _Field:
    """The systems to be ranked: statistics, test, and a normal fit of each system's bootstrap scores."""

    statistics: SegmentStatistics
    settings: Settings
    test: Preset
    fits: Mapping[str, NormalInterval | None]


def _pairs(
    field: _Field, reuse: Reuse, data_of: DataOf, shared: SystemSums | None
) -> Iterator[tuple[Pair, Basis | None, str]]:
    """Yield the pairs one at a time, so that the draws of one are freed before the next; and why one is not tested."""
    pseudo_values: dict[str, np.ndarray] = {}
    whole = field.statistics
    for a, b in combinations(whole.systems, 2):
        try:
            own, basis = data_of(a, b)
        except PairingError as error:
            yield Pair(whole, a, b, field.settings, reuse.bootstrap, pseudo_values), None, str(error)
            continue
        draws = reuse.draws_of(own)
        if own.n_segments == whole.n_segments and all(own.names(s) == whole.names(s) for s in (a, b)):
            yield Pair(whole, a, b, field.settings, reuse.bootstrap, pseudo_values, draws, shared), basis, ""
        else:
            yield Pair(own, a, b, field.settings, draws=draws), basis, ""


def _shared(field: _Field, progress: Progress) -> SystemSums | None:
    """Return the sums of all systems where the test permutes segments, and all their sums fit into memory."""
    statistics, test = field.statistics, field.test
    if test.family != "exchange" or test.unit != "segment" or len(statistics.systems) < 3:
        return None
    sums = SystemSums(statistics, field.settings.n_permutations, field.settings.seed)
    if not sums.fits:
        return None
    sums.of(statistics.systems[0], progress)
    return sums


def _assembled(field: _Field, rows: list[PairRow]) -> Pairwise:
    statistics, alpha = field.statistics, field.settings.alpha
    rows = _corrected(rows)
    scores = {s: float(statistics.scores_of(s).mean()) for s in statistics.systems}
    rising = statistics.metric.higher_is_better
    order = tuple(sorted(statistics.systems, key=lambda s: _worst_last(scores[s], rising)))
    return Pairwise(
        scope=Scope.of(statistics, *order),
        preset=field.test,
        alpha=alpha,
        scores=scores,
        replicas={s: len(statistics.names(s)) for s in statistics.systems},
        intervals=field.fits,
        rows=tuple(rows),
        clusters=clusters(order, rows, alpha),
        margin=field.settings.margin,
        equivalents=equivalents(order, rows, alpha),
        note=statistics.note,
    )


def _worst_last(score: float, rising: bool) -> tuple[bool, float]:
    undefined = not np.isfinite(score)
    return undefined, 0.0 if undefined else (-score if rising else score)


def _fit(draws: np.ndarray, level: float) -> NormalInterval | None:
    return fit(draws, level) if np.isfinite(draws).all() else None


def _rows(
    pairs: Iterable[tuple[Pair, Basis | None, str]], n: int, field: _Field, progress: Progress
) -> Iterator[PairRow]:
    for k, (pair, basis, why_not) in enumerate(pairs):
        a, b = pair.a, pair.b
        step = subprogress(progress, k / n, (k + 1) / n)
        result = undefined(field.test, pair.difference, why_not) if why_not else run_on(pair, field.test.name, step)
        progress((k + 1) / n, f"pair {k + 1} of {n}")
        yield PairRow(
            a, b, result.difference, result.p, None, None, result.smallest_p, result.exact,
            _better(pair, result.difference), _overlap(field.fits[a], field.fits[b], pair.settings),
            " ".join([*(basis.sentences() if basis else ()), _note(result, pair)]).strip(), result.interval, basis,
            None if why_not else _p_equivalent(field.test, pair),
        )  # fmt: skip


def _p_equivalent(test: Preset, pair: Pair) -> float | None:
    """Return p of equivalence within the margin, where one was stated and the test is the coherent one."""
    if pair.settings.margin is None or not test.form.startswith("coherent") or max(pair.numbers) < 2:
        return None
    return margin_test(pair.coherent(paired=pair.paired), pair.settings.margin).p_equivalent


def _note(result: TestResult, pair: Pair) -> str:
    """Return why there is no p, or what the numbers of replicas of these two do to it."""
    explains = result.p is None or (result.preset.headline and min(pair.numbers) == 1)
    return " ".join(filter(None, [result.note if explains else "", result.data_warning]))


def _better(pair: Pair, difference: float) -> str:
    if abs(difference) <= pair.tolerance or not np.isfinite(difference):
        return ""
    return pair.b if (difference > 0) == pair.statistics.metric.higher_is_better else pair.a


def _overlap(a: NormalInterval | None, b: NormalInterval | None, settings: Settings) -> float | None:
    if a is None or b is None:
        return None
    return overlap_ratio(a.mean, a.sd, b.mean, b.sd, 1 - settings.alpha)


def _corrected(rows: list[PairRow]) -> list[PairRow]:
    """Return the rows with both corrections, over the pairs whose p is defined."""
    defined = [k for k, row in enumerate(rows) if row.p is not None]
    p = [float(rows[k].p or 0.0) for k in defined]
    out = list(rows)
    for k, by_holm, by_bh in zip(defined, holm(p), benjamini_hochberg(p), strict=True):
        out[k] = replace(rows[k], p_holm=float(by_holm), p_bh=float(by_bh))
    tested = [k for k, row in enumerate(rows) if row.p_equivalent is not None]
    for k, by_holm in zip(tested, holm([float(rows[k].p_equivalent or 0.0) for k in tested]), strict=True):
        out[k] = replace(out[k], p_equivalent_holm=float(by_holm))
    return out
