"""Every pair of systems by people: Wilcoxon's tests, the sign test, win rates, and a bootstrap of unpaired items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import ItemScores, interval
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks
from mtsig_core.significance import holm
from mtsig_core.significance.rank_clusters import rank_clusters
from mtsig_core.significance.scope import Result

TestName = Literal["rank_sum", "signed_rank", "sign", "unpaired"]
TESTS: dict[TestName, str] = {
    "rank_sum": "Wilcoxon rank-sum", "signed_rank": "Wilcoxon signed-rank", "sign": "sign test",
    "unpaired": "independent two-sample bootstrap",
}  # fmt: skip
#: Differences of means of equal ratings may differ from 0 in the last digit.
_DECIMALS = 9


@dataclass(frozen=True)
class PairTest:
    """One test of one pair of systems.

    Attributes
    ----------
    p : float or None
        Two-sided; None where the test is not defined.
    p_a, p_b : float or None
        One-sided: that a is better, that b is better.
    n : int
        What the test used: judged items of both systems (rank-sum, unpaired), or shared items that differ
        (signed-rank, sign).
    note : str
        Why there is no p, or what to know of it.
    p_holm : float or None
        The two-sided p with Holm's correction over all pairs.
    """

    p: float | None
    p_a: float | None
    p_b: float | None
    n: int
    note: str = ""
    p_holm: float | None = None


@dataclass(frozen=True)
class SystemPair:
    """One pair of systems by people.

    Attributes
    ----------
    a, b : str
        a has the better mean.
    n_a, n_b, n_shared : int
        Items judged of each system, and of both.
    difference : float
        Mean of b minus mean of a over the items of each, in units of the score.
    interval : tuple of two float, or None
        Of the difference, from the independent two-sample bootstrap.
    wins_a, ties, wins_b : int
        Shared items on which a, neither and b is better.
    win_rate : float or None
        Share of shared items that a wins, ties counted half.
    tests : mapping of test name to PairTest
    """

    a: str
    b: str
    n_a: int
    n_b: int
    n_shared: int
    difference: float
    interval: tuple[float, float] | None
    wins_a: int
    ties: int
    wins_b: int
    win_rate: float | None
    tests: dict[TestName, PairTest]


@dataclass(frozen=True, eq=False)
class SystemPairs(Result):
    """All pairs of systems of one dimension.

    Attributes
    ----------
    dimension : str
    higher_is_better : bool
    alpha : float
    systems : tuple of str
        Best first.
    rows : tuple of SystemPair
    """

    dimension: str
    higher_is_better: bool
    alpha: float
    systems: tuple[str, ...]
    rows: tuple[SystemPair, ...]

    def row(self, one: str, other: str) -> SystemPair:
        """Return the row of two systems, in either order."""
        return next(r for r in self.rows if {r.a, r.b} == {one, other})

    def better(self, test: TestName = "rank_sum", *, alpha: float | None = None, corrected: bool = False
               ) -> dict[tuple[str, str], str]:  # fmt: skip
        """Return the better system of each pair by a two-sided test, ``""`` where the difference is not significant."""
        level = self.alpha if alpha is None else alpha
        verdicts = {}
        for row in self.rows:
            each = row.tests[test]
            p = each.p_holm if corrected else each.p
            verdicts[row.a, row.b] = "" if p is None or p >= level else _winner(row, each)
        return verdicts

    def clusters(self, test: TestName = "rank_sum") -> tuple[tuple[str, ...], ...]:
        """Return clusters of ranks by a test with Holm's correction; see `rank_clusters`."""
        beats = set()
        for (a, b), winner in self.better(test, corrected=True).items():
            if winner:
                beats.add((winner, b if winner == a else a))
        return rank_clusters(self.systems, beats)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair, with two-sided, one-sided and corrected p of each test."""
        rows = []
        for r in self.rows:
            row = {"A": r.a, "B": r.b, "items A": r.n_a, "items B": r.n_b, "shared": r.n_shared, "B − A": r.difference,
                   "low": (r.interval or (np.nan,) * 2)[0], "high": (r.interval or (np.nan,) * 2)[1],
                   "A better": r.wins_a, "ties": r.ties, "B better": r.wins_b, "win rate A": r.win_rate}  # fmt: skip
            for name, each in r.tests.items():
                label = TESTS[name]
                row |= {f"{label}: p": each.p, f"{label}: p, A better": each.p_a, f"{label}: p, B better": each.p_b,
                        f"{label}: p, Holm": each.p_holm}  # fmt: skip
            row["note"] = " ".join(dict.fromkeys(t.note for t in r.tests.values() if t.note))
            rows.append(row)
        frame = pd.DataFrame(rows)
        numbers = [name for name in frame.columns if ": p" in name or name == "win rate A"]
        return frame.astype(dict.fromkeys(numbers, float))


def _winner(row: SystemPair, test: PairTest) -> str:
    if test.p_a is None or test.p_b is None:
        return ""
    return row.a if test.p_a < test.p_b else row.b


def system_pairs(scores: ItemScores, settings: Settings) -> SystemPairs:
    """Test every pair of systems on what people gave.

    The rank-sum test compares all judged items of both systems; the signed-rank and sign tests compare the items that
    both share; the two-sample bootstrap draws the items of each system independently, for systems that were judged on
    different items. Each two-sided p is corrected by Holm over all pairs.

    Parameters
    ----------
    scores : ItemScores
    settings : Settings
        Draws of the bootstrap, significance level, seed.

    References
    ----------
    Wilcoxon 1945, "Individual comparisons by ranking methods"; Holm 1979, "A simple sequentially rejective multiple
    test procedure".
    """
    order = tuple(name for name in scores.best_first if len(scores.of(name)))
    sign = 1.0 if scores.higher_is_better else -1.0
    rows = [_pair(scores, a, b, sign, settings) for a, b in combinations(order, 2)]
    for name in TESTS:
        p = [row.tests[name].p for row in rows]
        corrected = iter(holm([value for value in p if value is not None]).tolist())
        for row, value in zip(rows, p, strict=True):
            row.tests[name] = replace(row.tests[name], p_holm=None if value is None else next(corrected))
    return SystemPairs(scores.dimension, scores.higher_is_better, settings.alpha, order, tuple(rows))


def _pair(scores: ItemScores, a: str, b: str, sign: float, settings: Settings) -> SystemPair:
    all_a, all_b = scores.of(a), scores.of(b)
    shared_a, shared_b = scores.shared(a, b)
    gains = sign * np.round(shared_b - shared_a, _DECIMALS)
    wins_a, wins_b = int((gains < 0).sum()), int((gains > 0).sum())
    ties = len(gains) - wins_a - wins_b
    draws = unpaired_differences(all_a, all_b, settings)
    tests: dict[TestName, PairTest] = {
        "rank_sum": rank_sum(sign * all_a, sign * all_b),
        "signed_rank": signed_rank(gains),
        "sign": sign_test(wins_a, wins_b),
        "unpaired": _unpaired(sign * draws, sign * float(all_b.mean() - all_a.mean()), len(all_a) + len(all_b)),
    }
    return SystemPair(
        a, b, len(all_a), len(all_b), len(gains), float(all_b.mean() - all_a.mean()),
        interval(draws, settings.alpha) if min(len(all_a), len(all_b)) > 1 else None,
        wins_a, ties, wins_b, (wins_a + 0.5 * ties) / len(gains) if len(gains) else None, tests,
    )  # fmt: skip


def rank_sum(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> PairTest:
    """Return Wilcoxon's rank-sum test of two samples (Mann and Whitney's U); larger values are better.

    The p is exact for small samples without ties, and the normal approximation with tie and continuity correction
    otherwise.
    """
    from scipy.stats import mannwhitneyu  # takes a second to import

    a, b = np.asarray(a, float), np.asarray(b, float)
    n = len(a) + len(b)
    if not len(a) or not len(b):
        return PairTest(None, None, None, n, "One of the systems has no judged item.")
    if np.ptp(np.concatenate([a, b])) == 0:
        return PairTest(1.0, 1.0, 1.0, n, "All scores are equal.")
    p, p_a, p_b = (float(mannwhitneyu(a, b, alternative=side).pvalue) for side in ("two-sided", "greater", "less"))
    return PairTest(*_floored(p, p_a, p_b), n)


def signed_rank(gains: Sequence[float] | np.ndarray) -> PairTest:
    """Return Wilcoxon's signed-rank test of differences b - a, oriented so that b is better where they are positive.

    Differences of 0 are left out (Wilcoxon's own rule). Without any other, p is 1: nothing speaks for either system.
    """
    from scipy.stats import wilcoxon  # takes a second to import

    gains = np.asarray(gains, float)
    used = gains[gains != 0]
    if not len(gains):
        return PairTest(None, None, None, 0, "The systems share no judged item.")
    if not len(used):
        return PairTest(1.0, 1.0, 1.0, 0, "No non-zero difference: both systems have the same score on every item.")
    sides = ("two-sided", "less", "greater")
    p, p_a, p_b = (float(wilcoxon(used, alternative=side).pvalue) for side in sides)
    note = f"Only {len(used):,} of {len(gains):,} shared items differ." if len(used) < 6 else ""
    return PairTest(*_floored(p, p_a, p_b), len(used), note)


def sign_test(wins_a: int, wins_b: int) -> PairTest:
    """Return the exact sign test of items won by either system; ties are left out."""
    from scipy.stats import binomtest  # takes a second to import

    n = wins_a + wins_b
    if not n:
        return PairTest(1.0, 1.0, 1.0, 0, "No item on which one system is better.")
    p, p_a, p_b = (float(binomtest(wins_a, n, alternative=side).pvalue) for side in ("two-sided", "greater", "less"))
    return PairTest(*_floored(p, p_a, p_b), n)


def _floored(*p: float) -> tuple[float, float, float]:
    """Return p-values that no underflow makes 0 and no rounding makes more than 1."""
    one, two, three = (min(1.0, max(value, float(np.finfo(float).tiny))) for value in p)
    return one, two, three


def unpaired_differences(a: np.ndarray, b: np.ndarray, settings: Settings) -> np.ndarray:
    """Return differences of means, b - a, of samples drawn with replacement from each independently, shape (draw,)."""
    draws = [np.empty(settings.n_bootstrap), np.empty(settings.n_bootstrap)]
    # two streams, so that the draws are independent although the seed is one
    for values, stream, means in zip((a, b), (Stream.BOOTSTRAP_SEGMENT, Stream.SEGMENT_SHUFFLE), draws, strict=True):
        for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(len(values))):
            counts = bootstrap_counts(settings.seed, stream, chunk, len(values))
            means[chunk.start : chunk.stop] = counts @ values / len(values)
    return draws[1] - draws[0]


def _unpaired(draws: np.ndarray, difference: float, n: int) -> PairTest:
    """Return the test whose null distribution is that of the bootstrap, centred on 0; positive means b is better."""
    if np.ptp(draws) <= 1e-12 and abs(difference) <= 1e-12:
        return PairTest(1.0, 1.0, 1.0, n, "All scores are equal.")
    null = draws - difference
    slack = 1e-12 * max(1.0, abs(difference))
    reached = [np.abs(null) >= abs(difference) - slack, null <= difference + slack, null >= difference - slack]
    p, p_a, p_b = ((int(each.sum()) + 1) / (len(null) + 1) for each in reached)
    return PairTest(p, p_a, p_b, n)
