"""What a point is worth: differences of a metric, their p, and how often people agree with them (Graham 2016)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.meta_evaluation.automatic_tests import clopper_pearson
from mtsig_core.analysis.people.meta_evaluation.frames import check_columns
from mtsig_core.significance.scope import Result

#: Columns of the frame of pairs.
COLUMNS = ("a", "b", "difference", "p", "human_difference", "human_p")
_BINS = 5


@dataclass(frozen=True)
class DifferenceBin:
    """Pairs whose difference has about one size.

    Attributes
    ----------
    low, high : float
        Smallest and largest difference.
    n : int
    agree : float
        Share of pairs on which people prefer the same system, ties of people counted half.
    interval : tuple of two float
        Exact interval, as if pairs were independent.
    significant : float or None
        Share of pairs whose automatic test is significant.
    published : float or None
        Share that published data give for the mean size of the bin.
    """

    low: float
    high: float
    n: int
    agree: float
    interval: tuple[float, float]
    significant: float | None
    published: float | None


@dataclass(frozen=True, eq=False)
class PointWorth(Result):
    """Differences of one metric against people.

    Attributes
    ----------
    metric : str
    alpha : float
    pairs : DataFrame
        One row per pair, the smallest difference first: names, size of the difference, p of its test, ``agree``
        (1 where people prefer the same system, 0 the other, 0.5 neither), p of people, ``published`` share.
    bins : tuple of DifferenceBin
    """

    metric: str
    alpha: float
    pairs: pd.DataFrame
    bins: tuple[DifferenceBin, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per bin."""
        rows = [(self.metric, b.low, b.high, b.n, b.agree, *b.interval, b.significant, b.published) for b in self.bins]
        names = ["metric", "from", "to", "pairs", "people agree", "low", "high", "significant", "published"]
        return pd.DataFrame(rows, columns=names).astype({"significant": float, "published": float})


def point_worth(
    metric: str, pairs: pd.DataFrame, *, higher_is_better: bool = True, alpha: float = 0.05,
    published: Callable[[float], float | None] | None = None, n_bins: int = _BINS,
) -> PointWorth:  # fmt: skip
    """Relate the size of a metric's differences to their p and to the preference of people.

    Parameters
    ----------
    metric : str
    pairs : DataFrame
        Columns `COLUMNS`: scores of b minus a, two-sided p; ``human_difference`` b minus a, higher is better.
    higher_is_better : bool
        Of the metric.
    alpha : float
    published : callable, optional
        Returns the share of system pairs on which people agree with a difference of a size, in published data.
    n_bins : int
        Pairs are cut into so many bins of about equal number.

    Raises
    ------
    ValueError
        When a column is missing, or no pair has both differences.

    References
    ----------
    Kocmi, Zouhar, Federmann and Post 2024, "Navigating the metrics maze".
    """
    check_columns(pairs, COLUMNS, "pairs")
    judged = pairs[pairs["difference"].notna() & pairs["human_difference"].notna()]
    if judged.empty:
        raise ValueError("No pair of systems has both a metric's and people's scores.")
    table = _with_agreement(judged, higher_is_better)
    table["published"] = [None if published is None else published(size) for size in table["size"]]
    table = table.sort_values("size", kind="stable").reset_index(drop=True)
    parts = np.array_split(np.arange(len(table)), min(n_bins, len(table)))
    bins = tuple(_bin(table.iloc[rows], alpha, published) for rows in parts)
    return PointWorth(metric, alpha, table, bins)


def _with_agreement(judged: pd.DataFrame, higher_is_better: bool) -> pd.DataFrame:
    """Return pairs with the size of the metric's difference, and whether people agree with it; ties agree by half."""
    gain = np.round(judged["difference"].to_numpy(float) * (1 if higher_is_better else -1), 12)
    human = np.round(judged["human_difference"].to_numpy(float), 12)
    agree = np.where((gain == 0) | (human == 0), 0.5, (np.sign(gain) == np.sign(human)).astype(float))
    return judged.assign(size=np.abs(gain), agree=agree)


def _bin(rows: pd.DataFrame, alpha: float, published: Callable[[float], float | None] | None) -> DifferenceBin:
    share = float(rows["agree"].mean())
    tested = rows["p"].dropna()
    size = rows["size"]
    return DifferenceBin(
        float(size.min()), float(size.max()), len(rows), share,
        clopper_pearson(int(np.floor(rows["agree"].sum())), len(rows)),
        float((tested < alpha).mean()) if len(tested) else None,
        None if published is None else published(float(size.mean())),
    )  # fmt: skip
