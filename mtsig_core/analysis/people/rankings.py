"""Rankings: win rates of systems and a Bradley-Terry fit, from ranked outputs or from scores of one annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval, item_names, of_dimension, outputs_only
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks
from mtsig_core.runtime.optional import optional_hint
from mtsig_core.significance.scope import Result

#: Outcome of a comparison for its first system.
WIN, TIE, LOSS = 1.0, 0.5, 0.0
_TOLERANCE, _MOST_STEPS = 1e-9, 2000
_NO_FIT = (
    "No Bradley–Terry fit: some systems won, or lost, every comparison with the others, so their strength has no "
    "finite value."
)


@dataclass(frozen=True)
class Strength:
    """One system by its comparisons.

    Attributes
    ----------
    system : str
    n : int
        Comparisons with other systems.
    win_rate : float
        Share won, ties counted half.
    strength : float or None
        Log strength of the Bradley-Terry fit, mean 0 over systems: the chance that i beats j is
        1 / (1 + exp(strength_j - strength_i)). None where no fit exists.
    interval : tuple of two float, or None
        Percentile bootstrap over items.
    """

    system: str
    n: int
    win_rate: float
    strength: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Ranking(Result):
    """Systems by pairwise comparisons, the best first.

    Attributes
    ----------
    dimension : str
    alpha : float
    systems : tuple of Strength
    win_rates : DataFrame
        Share of comparisons that the row's system wins against the column's, ties counted half; NaN where they were
        not compared.
    n_items, n_comparisons, n_ties : int
    n_undefined : int
        Bootstrap draws without a fit, left out of the intervals.
    note : str
    """

    dimension: str
    alpha: float
    systems: tuple[Strength, ...]
    win_rates: pd.DataFrame
    n_items: int
    n_comparisons: int
    n_ties: int
    n_undefined: int
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: comparisons, win rate, strength and its interval."""
        rows = [(s.system, s.n, s.win_rate, s.strength, *(s.interval or (None, None))) for s in self.systems]
        frame = pd.DataFrame(rows, columns=["system", "comparisons", "win rate", "strength", "low", "high"])
        return frame.astype(dict.fromkeys(["win rate", "strength", "low", "high"], float))


def comparisons(frame: pd.DataFrame, dimension: str, *, higher_is_better: bool = True) -> pd.DataFrame:
    """Return every comparison of two systems that an annotator made.

    Two outputs are compared where one annotator judged both on one item, in one task where tasks are ranked sets.

    Parameters
    ----------
    frame : DataFrame
        Judgements: ranks (a lower rank is better: pass ``higher_is_better=False``) or scores.
    dimension : str
    higher_is_better : bool

    Returns
    -------
    DataFrame with the columns item, annotator, a, b, outcome (`WIN`, `TIE` or `LOSS` of a)
    """
    chosen = outputs_only(of_dimension(frame, dimension))
    own = pd.DataFrame({
        "item": item_names(chosen), "annotator": chosen["annotator"].fillna("").astype(str),
        "task": chosen["task"].fillna("").astype(str) if dimension == "rank" else "",
        "system": chosen["system"], "score": chosen["score"] * (1.0 if higher_is_better else -1.0),
    })  # fmt: skip
    own = own.groupby(["item", "annotator", "task", "system"], sort=False, as_index=False)["score"].mean()
    order = {name: k for k, name in enumerate(chosen["system"].unique())}
    pairs = own.merge(own, on=["item", "annotator", "task"], suffixes=("_a", "_b"))
    pairs = pairs[pairs["system_a"].map(order) < pairs["system_b"].map(order)]
    gain = np.sign(np.round((pairs["score_a"] - pairs["score_b"]).to_numpy(float), 9))
    result = pairs[["item", "annotator"]].assign(a=pairs["system_a"], b=pairs["system_b"], outcome=(gain + 1) / 2)
    return result.reset_index(drop=True)


def ranking(frame: pd.DataFrame, dimension: str, settings: Settings, *, higher_is_better: bool = True) -> Ranking:
    """Rank systems by pairwise comparisons.

    Parameters
    ----------
    frame : DataFrame
    dimension : str
        Whose scores decide who wins a comparison.
    settings : Settings
    higher_is_better : bool

    Raises
    ------
    ValueError
        When nobody judged two systems on one item.

    References
    ----------
    Bradley and Terry 1952, "Rank analysis of incomplete block designs", fitted by evalica with ties as half a win
    each.
    """
    compared = comparisons(frame, dimension, higher_is_better=higher_is_better)
    if compared.empty:
        raise ValueError(f"{dimension}: nobody judged two systems on one item, so there is nothing to compare.")
    systems = list(dict.fromkeys([*compared["a"], *compared["b"]]))
    wins, totals = _win_matrices(compared, systems)
    rates = np.divide(wins, totals, out=np.full_like(wins, np.nan), where=totals > 0)
    note = optional_hint("evalica")
    strengths = None if note else bradley_terry_strengths(compared, systems)
    draws = np.empty((0, len(systems))) if strengths is None else _bootstrap(compared, systems, settings)
    rows = _strengths(systems, (wins, totals), strengths, [interval(draw, settings.alpha) for draw in draws.T])
    if strengths is None and not note:
        note = _NO_FIT
    undefined = int((~np.isfinite(draws).all(axis=1)).sum())
    return Ranking(
        dimension, settings.alpha, tuple(rows), pd.DataFrame(rates, index=systems, columns=systems),
        compared["item"].nunique(), len(compared), int((compared["outcome"] == TIE).sum()), undefined, note,
    )  # fmt: skip


def _strengths(
    systems: Sequence[str], counts: tuple[np.ndarray, np.ndarray], strengths: np.ndarray | None,
    intervals: Sequence[tuple[float, float] | None],
) -> list[Strength]:  # fmt: skip
    """Return the systems, the strongest first; where no strength is known, the one that wins most often."""
    wins, totals = (matrix.sum(axis=1) for matrix in counts)
    values = [None] * len(systems) if strengths is None else strengths.tolist()
    rows = [
        Strength(name, int(totals[k]), float(wins[k] / totals[k]), values[k], intervals[k])
        for k, name in enumerate(systems)
    ]
    return sorted(rows, key=lambda s: (-(s.strength if s.strength is not None else s.win_rate), s.system))


def _win_matrices(compared: pd.DataFrame, systems: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return wins (ties count half) and comparisons, each of shape (system, opponent)."""
    place = {name: k for k, name in enumerate(systems)}
    a, b = compared["a"].map(place).to_numpy(int), compared["b"].map(place).to_numpy(int)
    outcome = compared["outcome"].to_numpy(float)
    wins, totals = np.zeros((len(systems),) * 2), np.zeros((len(systems),) * 2)
    np.add.at(wins, (a, b), outcome)
    np.add.at(wins, (b, a), 1 - outcome)
    np.add.at(totals, (a, b), 1)
    np.add.at(totals, (b, a), 1)
    return wins, totals


def bradley_terry_strengths(compared: pd.DataFrame, systems: Sequence[str]) -> np.ndarray | None:
    """Return log strengths of the Bradley-Terry fit, mean 0, shape (system,).

    None where the likelihood has no finite maximum: some systems won, or lost, all comparisons with the others
    (Ford 1957).
    """
    wins, _ = _win_matrices(compared, systems)
    if not _connected(wins[None])[0]:
        return None
    from evalica import Winner, bradley_terry  # a compiled library, needed here alone

    kinds = {WIN: Winner.X, TIE: Winner.Draw, LOSS: Winner.Y}
    fit = bradley_terry(compared["a"].tolist(), compared["b"].tolist(), [kinds[each] for each in compared["outcome"]],
                        tolerance=_TOLERANCE, limit=_MOST_STEPS)  # fmt: skip
    logs = np.log(fit.scores.reindex(list(systems)).to_numpy(float))
    return logs - logs.mean()


def _bootstrap(compared: pd.DataFrame, systems: Sequence[str], settings: Settings) -> np.ndarray:
    """Return strengths on items drawn with replacement, shape (draw, system); NaN where a draw has no fit."""
    items = pd.factorize(compared["item"])[0]
    n_items, n_systems = int(items.max()) + 1, len(systems)
    place = {name: k for k, name in enumerate(systems)}
    a, b = compared["a"].map(place).to_numpy(int), compared["b"].map(place).to_numpy(int)
    outcome = compared["outcome"].to_numpy(float)
    by_item = np.zeros((n_items, n_systems**2))
    np.add.at(by_item, (items, a * n_systems + b), outcome)
    np.add.at(by_item, (items, b * n_systems + a), 1 - outcome)
    draws = [
        fit_many((bootstrap_counts(settings.seed, Stream.BOOTSTRAP_SEGMENT, chunk, n_items) @ by_item).reshape(
            -1, n_systems, n_systems))
        for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(n_items))
    ]  # fmt: skip
    return np.concatenate(draws)


def fit_many(wins: np.ndarray) -> np.ndarray:
    """Return log strengths of many Bradley-Terry fits at once, mean 0, shape (fit, system).

    A library fits one table of wins at a time, which takes seconds for a bootstrap; the point estimate is the
    library's, and this iteration agrees with it.

    Parameters
    ----------
    wins : ndarray of shape (fit, system, opponent)
        Ties count half a win for each.

    Returns
    -------
    ndarray of shape (fit, system)
        NaN where the likelihood has no finite maximum.

    References
    ----------
    Newman 2023, "Efficient computation of rankings from pairwise comparisons", equation 27.
    """
    logs = np.full(wins.shape[:2], np.nan)
    fits = np.flatnonzero(_connected(wins))
    own = wins[fits]
    strength = np.ones(own.shape[:2])
    for _ in range(_MOST_STEPS):
        pairs = strength[:, :, None] + strength[:, None, :]
        gained = (own * strength[:, None, :] / pairs).sum(axis=2)
        lost = (own / pairs).sum(axis=1)
        updated = gained / lost
        updated /= np.exp(np.log(updated).mean(axis=1, keepdims=True))
        change = np.abs(updated - strength).max(initial=0.0)
        strength = updated
        if change < _TOLERANCE:
            break
    logs[fits] = np.log(strength)
    return logs


def _connected(wins: np.ndarray) -> np.ndarray:
    """Say for each table of wins whether every system can be reached from every other by wins, shape (fit,)."""
    reach = (wins > 0) | np.eye(wins.shape[1], dtype=bool)
    for _ in range(max(1, int(np.ceil(np.log2(wins.shape[1]))))):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return np.asarray(reach.all(axis=(1, 2)))
