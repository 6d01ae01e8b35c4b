"""Judgements by item: one value per item and system, the unit of every test and interval on judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.loading.judgements.frame import OF_OUTPUTS
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks
from mtsig_core.significance.scope import Result

Unit = Literal["segment", "document"]
_SEPARATOR = " / "


@dataclass(frozen=True, eq=False)
class ItemScores(Result):
    """What people gave to each system on each item, averaged over judgements of the item.

    Attributes
    ----------
    dimension : str
    higher_is_better : bool
    systems : tuple of str
        In the order of the frame.
    items : tuple of str
        ``document / segment``, or the one of them that the judgements name.
    values : ndarray of shape (item, system)
        NaN where the system was not judged on the item.
    units : ndarray of int of shape (item,)
        Number of the resampling unit that the item belongs to: its own, or that of its document.
    n_judgements : ndarray of int of shape (system,)
        Judgements with a score.
    """

    dimension: str
    higher_is_better: bool
    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: np.ndarray
    units: np.ndarray
    n_judgements: np.ndarray

    @property
    def quality(self) -> np.ndarray:
        """Values oriented so that higher is better, shape (item, system)."""
        return self.values if self.higher_is_better else -self.values

    @property
    def means(self) -> np.ndarray:
        """Mean of each system over its items, shape (system,)."""
        n = np.isfinite(self.values).sum(axis=0)
        totals = np.nansum(self.values, axis=0)
        return np.divide(totals, n, out=np.full(len(self.systems), np.nan), where=n > 0)

    @property
    def best_first(self) -> tuple[str, ...]:
        """Systems by their mean, the best first; a system without a score stands last."""
        means = self.means if self.higher_is_better else -self.means
        keys = np.where(np.isfinite(means), -means, np.inf)
        return tuple(self.systems[i] for i in np.argsort(keys, kind="stable"))

    def of(self, system: str) -> np.ndarray:
        """Return the values of one system where it was judged, shape (judged item,)."""
        column = self.values[:, self.place(system)]
        return column[np.isfinite(column)]

    def shared(self, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of two systems on the items on which both were judged."""
        both = self.values[:, [self.place(a), self.place(b)]]
        both = both[np.isfinite(both).all(axis=1)]
        return both[:, 0], both[:, 1]

    def place(self, system: str) -> int:
        """Return the column of a system; ValueError names those there are."""
        if system not in self.systems:
            raise ValueError(f"No judgements of system {system!r}; there are: {', '.join(self.systems)}.")
        return self.systems.index(system)

    def bootstrap_means(self, settings: Settings) -> np.ndarray:
        """Return means on items drawn with replacement, shape (draw, system); the same items for all systems.

        NaN where a draw holds no item of a system.
        """
        n_units = int(self.units.max()) + 1 if len(self.units) else 0
        if n_units == 0:
            return np.full((settings.n_bootstrap, len(self.systems)), np.nan)
        judged = np.isfinite(self.values)
        totals, sizes = np.zeros((n_units, len(self.systems))), np.zeros((n_units, len(self.systems)))
        np.add.at(totals, self.units, np.where(judged, self.values, 0.0))
        np.add.at(sizes, self.units, judged)
        means = np.empty((settings.n_bootstrap, len(self.systems)))
        stream = Stream.BOOTSTRAP_SEGMENT if n_units == len(self.items) else Stream.BOOTSTRAP_DOCUMENT
        for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(n_units)):
            counts = bootstrap_counts(settings.seed, stream, chunk, n_units).astype(float)
            drawn = counts @ sizes
            rows = slice(chunk.start, chunk.stop)
            means[rows] = np.divide(counts @ totals, drawn, out=np.full_like(drawn, np.nan), where=drawn > 0)
        return means

    def to_frame(self) -> pd.DataFrame:
        """Return one row per item, one column per system."""
        return pd.DataFrame(self.values, index=pd.Index(self.items, name="item"), columns=list(self.systems))


def outputs_only(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the judgements of outputs that have a score: without control items and missing scores."""
    return frame[frame["item_type"].isin(OF_OUTPUTS) & frame["score"].notna()]


def of_dimension(frame: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """Return the judgements of one dimension.

    Raises
    ------
    ValueError
        When there are none; names the dimensions there are.
    """
    chosen = frame[frame["dimension"] == dimension]
    if chosen.empty:
        dimensions = ", ".join(map(str, frame["dimension"].unique())) or "none"
        raise ValueError(f"No judgement of {dimension!r}; the dimensions are: {dimensions}.")
    return chosen


def item_names(frame: pd.DataFrame) -> pd.Series:
    """Return the item of each judgement as text: test set, document and segment, as far as the frame names them."""
    parts = [frame[name].fillna("").astype(str) for name in ("test_set", "document", "segment")]
    used = [part for part in parts if (part != "").any()]
    if not used:
        return pd.Series("", index=frame.index)
    names = used[0]
    for part in used[1:]:
        names = names + _SEPARATOR + part
    return names


def item_scores(
    frame: pd.DataFrame, dimension: str, *, higher_is_better: bool = True, unit: Unit = "segment"
) -> ItemScores:
    """Average judgements of outputs by item and system.

    Parameters
    ----------
    frame : DataFrame
        Judgements; control items and missing scores are left out.
    dimension : str
    higher_is_better : bool
    unit : {"segment", "document"}
        What intervals and tests resample.

    Raises
    ------
    ValueError
        When there is no such dimension, or documents are asked for and not named.
    """
    chosen = outputs_only(of_dimension(frame, dimension))
    names = item_names(chosen)
    systems = tuple(chosen["system"].unique())
    items, labels = pd.factorize(names)
    columns = pd.Categorical(chosen["system"], categories=list(systems)).codes
    shape = (len(labels), len(systems))
    totals, sizes = np.zeros(shape), np.zeros(shape)
    np.add.at(totals, (items, columns), chosen["score"].to_numpy(float))
    np.add.at(sizes, (items, columns), 1)
    values = np.divide(totals, sizes, out=np.full(shape, np.nan), where=sizes > 0)
    units = np.arange(len(labels))
    if unit == "document":
        if chosen["document"].isna().any():
            raise ValueError("Documents are asked for as units, but some judgements name no document.")
        documents = pd.factorize(chosen["test_set"].fillna("").astype(str) + _SEPARATOR + chosen["document"])[0]
        units[items] = documents
    return ItemScores(dimension, higher_is_better, systems, tuple(map(str, labels)), values, units,
                      sizes.sum(axis=0).astype(int))  # fmt: skip


def interval(draws: np.ndarray, alpha: float) -> tuple[float, float] | None:
    """Return the percentile interval of finite draws at level 1 - alpha; None when fewer than two are finite."""
    finite = draws[np.isfinite(draws)]
    if finite.size < 2:
        return None
    low, high = np.quantile(finite, [alpha / 2, 1 - alpha / 2])
    return float(low), float(high)
