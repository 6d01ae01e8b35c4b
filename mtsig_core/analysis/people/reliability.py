"""Agreement between annotators: Krippendorff's alpha and Cohen's kappa, with bootstrap intervals over items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval, item_names, of_dimension, outputs_only
from mtsig_core.formatting import count
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks
from mtsig_core.runtime.optional import optional_hint
from mtsig_core.significance.scope import Result

Scale = Literal["interval", "ordinal", "nominal"]
#: Distinct values up to which coincidences are tabulated.
_MOST_VALUES = 60


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of agreement.

    Attributes
    ----------
    name : str
        ``Krippendorff's alpha`` or ``Cohen's kappa``.
    scale : {"interval", "ordinal", "nominal"}
        Level of measurement: how disagreement is weighted.
    value : float or None
        1 is perfect agreement, 0 what chance would give; None where it is not defined.
    interval : tuple of two float, or None
        Percentile interval over items drawn with replacement.
    n_items : int
        Items that two or more annotators judged.
    annotators : tuple of str
    note : str
        Why there is no value; may be empty.
    """

    name: str
    scale: Scale
    value: float | None
    interval: tuple[float, float] | None
    n_items: int
    annotators: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Reliability(Result):
    """How far annotators agree in one dimension.

    Attributes
    ----------
    dimension : str
    alpha : float
        Significance level; intervals have level 1 - alpha.
    overall : Coefficient
        Krippendorff's alpha of all annotators.
    pairs : tuple of Coefficient
        Cohen's kappa of each two annotators who share items; empty for scores on an interval scale.
    """

    dimension: str
    alpha: float
    overall: Coefficient
    pairs: tuple[Coefficient, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per coefficient."""
        rows = [
            (
                c.name,
                c.scale,
                " and ".join(c.annotators) if len(c.annotators) == 2 else count(len(c.annotators), "annotator"),
                c.n_items,
                c.value,
                *(c.interval or (None, None)),
                c.note,
            )
            for c in (self.overall, *self.pairs)
        ]
        names = ["coefficient", "scale", "annotators", "items", "value", "low", "high", "note"]
        return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(["value", "low", "high"], float))


def reliability(frame: pd.DataFrame, dimension: str, settings: Settings, *, scale: Scale | None = None) -> Reliability:
    """Measure agreement between annotators on outputs that several of them judged.

    An item is one output of one system on one segment. Repeated judgements of an item by one annotator are averaged.

    Parameters
    ----------
    frame : DataFrame
    dimension : str
    settings : Settings
        Draws, significance level and seed.
    scale : {"interval", "ordinal", "nominal"}, optional
        Left out: ordinal where there are at most ten distinct whole numbers (ratings, ranks), else interval.

    References
    ----------
    Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; Cohen 1960, "A coefficient of agreement for
    nominal scales".
    """
    ratings = rating_matrix(frame, dimension)
    scale = scale or default_scale(ratings.to_numpy())
    overall = krippendorff_alpha(ratings, settings, scale)
    pairs: list[Coefficient] = []
    if scale != "interval":
        for a, b in combinations(ratings.index, 2):
            both = ratings.loc[[a, b]].dropna(axis=1)
            if both.shape[1]:
                pairs.append(cohen_kappa(both, settings, scale))
    return Reliability(dimension, settings.alpha, overall, tuple(pairs))


def rating_matrix(frame: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """Return the ratings, annotators as rows and outputs (item and system) as columns; NaN where not judged."""
    chosen = outputs_only(of_dimension(frame, dimension))
    chosen = chosen[chosen["annotator"].notna()]
    item = item_names(chosen) + "\t" + chosen["system"].astype(str) + "\t" + chosen["replica"].fillna("").astype(str)
    return chosen.assign(item=item).pivot_table(index="annotator", columns="item", values="score", aggfunc="mean")


def default_scale(values: np.ndarray) -> Scale:
    """Return the level of measurement that values look like: ordinal for a few whole numbers, else interval."""
    distinct = np.unique(values[np.isfinite(values)])
    whole = bool(len(distinct)) and bool((distinct == np.round(distinct)).all())
    return "ordinal" if whole and len(distinct) <= 10 else "interval"


def krippendorff_alpha(ratings: pd.DataFrame, settings: Settings, scale: Scale) -> Coefficient:
    """Return Krippendorff's alpha of annotators (rows) over items (columns), with a bootstrap interval over items."""
    values = ratings.to_numpy(float)
    values = values[:, np.isfinite(values).sum(axis=0) >= 2]
    who = tuple(map(str, ratings.index[np.isfinite(ratings.to_numpy(float)).any(axis=1)]))
    n_items = values.shape[1]

    def result(value: float | None, ends: tuple[float, float] | None, note: str = "") -> Coefficient:
        return Coefficient("Krippendorff's alpha", scale, value, ends, n_items, who, note)

    if not n_items:
        return result(None, None, "No output was judged by two annotators.")
    if np.ptp(values[np.isfinite(values)]) == 0:
        return result(None, None, "All judgements are equal: there is no disagreement that chance could cause.")
    of_counts = _alpha_of_counts(values, scale)
    if scale == "interval" and of_counts is not None:
        # the library counts every pair of distinct values of every item: gigabytes for standardised scores
        value = float(of_counts(np.ones((1, n_items)))[0])
    elif hint := optional_hint("krippendorff"):
        return result(None, None, hint)
    else:
        from krippendorff import alpha  # not needed to look at judgements

        value = float(alpha(reliability_data=values, level_of_measurement=scale))
    if of_counts is None:
        return result(value, None, f"No interval: more than {_MOST_VALUES} distinct values.")
    return result(value, interval(_over_items(of_counts, n_items, settings), settings.alpha))


def _over_items(of_counts: Callable[[np.ndarray], np.ndarray], n_items: int, settings: Settings) -> np.ndarray:
    """Return a coefficient on items drawn with replacement, shape (draw,)."""
    draws = [
        of_counts(bootstrap_counts(settings.seed, Stream.BOOTSTRAP_SEGMENT, chunk, n_items).astype(float))
        for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(n_items))
    ]
    return np.concatenate(draws)


def _alpha_of_counts(values: np.ndarray, scale: Scale) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return the function from numbers of times that items were drawn, shape (draw, item), to alpha, shape (draw,)."""
    if scale == "interval":
        return lambda counts: _interval_alpha(counts, values)
    domain = np.unique(values[np.isfinite(values)])
    if len(domain) > _MOST_VALUES:
        return None
    by_item = np.stack([(values == v).sum(axis=0) for v in domain], axis=1).astype(float)  # item, value
    pairable = by_item.sum(axis=1)
    squares = by_item[:, :, None] * by_item[:, None, :]
    diagonal = np.arange(len(domain))
    squares[:, diagonal, diagonal] -= by_item
    coincidences = (squares / (pairable - 1)[:, None, None]).reshape(len(by_item), -1)

    def alpha_of(counts: np.ndarray) -> np.ndarray:
        observed = (counts @ coincidences).reshape(-1, len(domain), len(domain))
        totals = observed.sum(axis=2)
        return _alpha(observed, totals, _distances(totals, scale))

    return alpha_of


def _distances(totals: np.ndarray, scale: Scale) -> np.ndarray:
    """Return squared distances of values, shape (draw, value, value); ordinal ones depend on how often values occur."""
    n_values = totals.shape[1]
    if scale == "nominal":
        return np.broadcast_to(1.0 - np.eye(n_values), (len(totals), n_values, n_values))
    # number of ratings up to the middle of each value; a difference of two is that of Krippendorff's formula
    middle = np.cumsum(totals, axis=1) - totals / 2
    return (middle[:, :, None] - middle[:, None, :]) ** 2


def _alpha(observed: np.ndarray, totals: np.ndarray, distances: np.ndarray) -> np.ndarray:
    n = totals.sum(axis=1)
    expected = np.einsum("dc,dk,dck->d", totals, totals, distances)
    disagreement = np.einsum("dck,dck->d", observed, distances)
    return 1 - np.divide((n - 1) * disagreement, expected, out=np.full(len(n), np.nan), where=expected > 0)


def _interval_alpha(counts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return alpha with squared differences, from the moments of each item alone."""
    centred = values - np.nanmean(values)
    size = np.isfinite(centred).sum(axis=0)
    total, square = np.nansum(centred, axis=0), np.nansum(centred**2, axis=0)
    within = counts @ (2 * (size * square - total**2) / (size - 1))
    n, sums, squares = counts @ size, counts @ total, counts @ square
    between = 2 * (n * squares - sums**2)
    return 1 - np.divide((n - 1) * within, between, out=np.full(len(n), np.nan), where=between > 0)


def cohen_kappa(both: pd.DataFrame, settings: Settings, scale: Scale = "nominal") -> Coefficient:
    """Return Cohen's kappa of two annotators (rows) on the items (columns) that both judged.

    Parameters
    ----------
    both : DataFrame of shape (2, item)
    settings : Settings
    scale : {"nominal", "ordinal"}
        Ordinal: disagreements are weighted by the squared distance of the places of the two ratings.
    """
    values = both.to_numpy(float)
    domain = np.unique(values)
    n_items = values.shape[1]
    places = np.searchsorted(domain, values)
    cells = np.zeros((n_items, len(domain) ** 2))
    cells[np.arange(n_items), places[0] * len(domain) + places[1]] = 1
    i = np.arange(len(domain))
    weights = (i[:, None] - i) ** 2.0 if scale == "ordinal" else 1.0 - np.eye(len(domain))

    def kappa_of(counts: np.ndarray) -> np.ndarray:
        table = (counts @ cells).reshape(-1, len(domain), len(domain))
        n = table.sum(axis=(1, 2))
        expected = np.einsum("dc,dk,ck->d", table.sum(axis=2), table.sum(axis=1), weights) / n
        observed = np.einsum("dck,ck->d", table, weights)
        return 1 - np.divide(observed, expected, out=np.full(len(n), np.nan), where=expected > 0)

    value = float(kappa_of(np.ones((1, n_items)))[0])
    note = "" if np.isfinite(value) else "Both annotators gave one and the same rating throughout."
    who = (str(both.index[0]), str(both.index[1]))
    if note:
        return Coefficient("Cohen's kappa", scale, None, None, n_items, who, note)
    ends = interval(_over_items(kappa_of, n_items, settings), settings.alpha)
    return Coefficient("Cohen's kappa", scale, value, ends, n_items, who)
