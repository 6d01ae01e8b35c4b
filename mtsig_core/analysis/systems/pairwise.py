"""Every pair of systems: p raw and corrected, overlap, and clusters of ranks (Fu et al., Table 8; WMT's clusters)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, SystemSums, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS, Pair, PairDraws, TestResult, benjamini_hochberg, holm, run_on
from mtsig_core.significance.normal_fits import NormalInterval, fit, overlap_ratio

Correction = Literal["holm", "bh", "none"]
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
        Least p that the test can give.
    exact : bool
        Whether p has no Monte-Carlo error.
    better : str
        The system with the better mean score; empty when equal. The higher one where neither direction is better.
    overlap : float or None
        Overlap ratio of the systems' bootstrap intervals.
    note : str
        Why there is no p, or what to know of it: of whose recipe it says nothing, that numbers of replicas differ.
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

    def corrected(self, correction: Correction) -> float | None:
        """Return p under a correction."""
        value: float | None = getattr(self, _FIELDS[correction])
        return value


@dataclass(frozen=True, eq=False)
class Pairwise:
    """All pairs of systems under one metric and test.

    Attributes
    ----------
    test_set, metric, label : str
    higher_is_better : bool
    preset, preset_label, question, warning : str
        The test, whom it answers, and what it overclaims.
    alpha : float
    systems : tuple of str
        Best first.
    scores : mapping of system to float
        Mean over replicas.
    replicas : mapping of system to int
    intervals : mapping of system to NormalInterval, or None
        Of the bootstrap scores at level 1 - alpha.
    rows : tuple of PairRow
    clusters : tuple of tuple of str
        Best first; every system of a cluster beats every one of the clusters below (Holm-corrected).
    is_quality : bool
        False where neither direction of the metric is better: the highest stands first then.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 4, 50))  # 2 systems, 4 replicas, 50 segments
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> pairs = bench.pairwise(n_bootstrap=100)
    >>> pairs.preset, len(pairs.rows)
    ('crossed', 1)
    """

    test_set: str
    metric: str
    label: str
    higher_is_better: bool
    preset: str
    preset_label: str
    question: str
    warning: str
    alpha: float
    systems: tuple[str, ...]
    scores: Mapping[str, float]
    replicas: Mapping[str, int]
    intervals: Mapping[str, NormalInterval | None]
    rows: tuple[PairRow, ...]
    clusters: tuple[tuple[str, ...], ...]
    is_quality: bool = True

    def row(self, one: str, other: str) -> PairRow:
        """Return the row of two systems, in either order."""
        return next(r for r in self.rows if {r.a, r.b} == {one, other})

    def to_frame(self) -> pd.DataFrame:
        """Return one row a pair, with headings for people."""
        names = {
            "a": "A", "b": "B", "difference": "B − A", "better": "better" if self.is_quality else "higher",
            "p": "p", "p_holm": "p, Holm", "p_bh": "p, Benjamini–Hochberg", "overlap": "overlap ratio", "note": "note",
        }  # fmt: skip
        if not any(row.note for row in self.rows):
            del names["note"]
        return pd.DataFrame([[getattr(row, key) for key in names] for row in self.rows], columns=list(names.values()))

    def rank_frame(self) -> pd.DataFrame:
        """Return one row a system: cluster, score, interval."""
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
    """Return the test that pairs are judged by when none is chosen: the crossed one where replicas allow it."""
    sizes = sorted(map(len, statistics.replicas))
    if settings.paired and sizes[0] == sizes[-1] > 1:
        return "crossed-paired"
    return "crossed" if len(sizes) > 1 and sizes[1] > 1 else "ar-segment"


def all_pairs(
    statistics: SegmentStatistics,
    settings: Settings,
    *,
    preset: str | None = None,
    bootstrap: np.ndarray | None = None,
    draws_of: Callable[[str, str], PairDraws] | None = None,
    known: Pairwise | None = None,
    publish: Callable[[Pairwise], None] | None = None,
    progress: Progress = no_progress,
) -> Pairwise:
    """Test every pair of systems.

    Parameters
    ----------
    statistics : SegmentStatistics
    settings : Settings
    preset : str, optional
        `default_preset` when left out.
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs on drawn test sets, to reuse.
    draws_of : callable, optional
        Returns what was drawn for two systems at another level, to reuse and add to.
    known : Pairwise, optional
        A quick answer to the same question: its rows stand in for those still to come in what is published.
    publish : callable, optional
        Takes what there is, every few seconds.
    progress : callable

    Raises
    ------
    ValueError
        With fewer than two systems, or an unknown preset.
    """
    if len(statistics.systems) < 2:
        raise ValueError(f"pairs need two systems; {statistics.test_set!r} has outputs of {len(statistics.systems)}.")
    name = preset or default_preset(statistics, settings)
    if name not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}; not {name!r}.")
    if bootstrap is None:
        bootstrap = bootstrap_scores(
            statistics, settings.n_bootstrap, settings.seed, progress=subprogress(progress, 0, 0.2)
        )
    fits = {s: _fit(bootstrap[:, statistics.rows(s)].mean(axis=1), 1 - settings.alpha) for s in statistics.systems}
    shared = _shared(statistics, settings, name, subprogress(progress, 0.2, 0.3))
    pseudo_values: dict[str, np.ndarray] = {}
    fresh = draws_of or (lambda a, b: PairDraws())
    pairs = (  # one at a time: what was drawn for a pair is given up after it
        Pair(statistics, a, b, settings, bootstrap, pseudo_values, fresh(a, b), shared)
        for a, b in combinations(statistics.systems, 2)
    )
    rows: list[PairRow] = []
    told = time.monotonic()
    for row in _rows(pairs, comb(len(statistics.systems), 2), name, fits, subprogress(progress, 0.3, 1)):
        rows.append(row)
        if known is not None and publish is not None and time.monotonic() - told > _PUBLISH_SECONDS:
            publish(_assembled(statistics, settings, name, fits, [*rows, *known.rows[len(rows) :]]))
            told = time.monotonic()
    return _assembled(statistics, settings, name, fits, rows)


def _shared(statistics: SegmentStatistics, settings: Settings, preset: str, progress: Progress) -> SystemSums | None:
    """Return the sums of all systems where the test exchanges segments, and all their sums may be held at once."""
    test = PRESETS[preset]
    if test.family != "exchange" or test.unit != "segment" or len(statistics.systems) < 3:
        return None
    made = SystemSums(statistics, settings.n_permutations, settings.seed)
    if not made.fits:
        return None
    made.of(statistics.systems[0], progress)
    return made


def _assembled(
    statistics: SegmentStatistics,
    settings: Settings,
    preset: str,
    fits: Mapping[str, NormalInterval | None],
    rows: list[PairRow],
) -> Pairwise:
    rows = _corrected(rows)
    scores = {s: float(statistics.scores_of(s).mean()) for s in statistics.systems}
    rising = statistics.metric.higher_is_better
    order = tuple(sorted(statistics.systems, key=lambda s: _worst_last(scores[s], rising)))
    return Pairwise(
        test_set=statistics.test_set,
        metric=statistics.metric.name,
        label=statistics.metric.label,
        higher_is_better=rising,
        preset=preset,
        preset_label=PRESETS[preset].label,
        question=PRESETS[preset].question,
        warning=PRESETS[preset].warning,
        alpha=settings.alpha,
        systems=order,
        scores=scores,
        replicas={s: len(statistics.names(s)) for s in statistics.systems},
        intervals=fits,
        rows=tuple(rows),
        clusters=clusters(order, rows, settings.alpha),
        is_quality=statistics.metric.is_quality,
    )


def _worst_last(score: float, rising: bool) -> tuple[bool, float]:
    undefined = not np.isfinite(score)
    return undefined, 0.0 if undefined else (-score if rising else score)


def _fit(draws: np.ndarray, level: float) -> NormalInterval | None:
    return fit(draws, level) if np.isfinite(draws).all() else None


def _rows(
    pairs: Iterable[Pair], n: int, preset: str, fits: Mapping[str, NormalInterval | None], progress: Progress
) -> Iterator[PairRow]:
    for k, pair in enumerate(pairs):
        a, b = pair.a, pair.b
        result = run_on(pair, preset, subprogress(progress, k / n, (k + 1) / n))
        progress((k + 1) / n, f"pair {k + 1} of {n}")
        yield PairRow(
            a, b, result.difference, result.p, None, None, result.smallest_p, result.exact,
            _better(a, b, result.difference, pair.statistics.metric.higher_is_better, pair.tolerance),
            _overlap(fits[a], fits[b], pair.settings),
            _note(result, pair),
        )  # fmt: skip


def _note(result: TestResult, pair: Pair) -> str:
    """Return why there is no p, or what the numbers of replicas of these two do to it."""
    told = [result.note] if result.p is None or (result.headline and min(pair.numbers) == 1) else []
    if result.warning != PRESETS[result.preset].warning:  # of these data, not of the test
        told.append(result.warning)
    return " ".join(told)


def _better(a: str, b: str, difference: float, rising: bool, tolerance: float) -> str:
    if abs(difference) <= tolerance or not np.isfinite(difference):
        return ""
    return b if (difference > 0) == rising else a


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
    return out


def clusters(systems: tuple[str, ...], rows: list[PairRow], alpha: float) -> tuple[tuple[str, ...], ...]:
    """Return clusters of ranks: a new one starts below a system when all above it beat all below it.

    Parameters
    ----------
    systems : tuple of str
        Best first.
    rows : list of PairRow
        Judged by Holm's p.
    alpha : float
    """
    beats = {(r.better, r.a if r.better == r.b else r.b) for r in rows if r.p_holm is not None and r.p_holm < alpha}
    found: list[list[str]] = [[]]
    for k, name in enumerate(systems):
        if k and all((above, below) in beats for above in systems[:k] for below in systems[k:]):
            found.append([])
        found[-1].append(name)
    return tuple(tuple(cluster) for cluster in found)
