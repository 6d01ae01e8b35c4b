"""Systems by people: mean scores, raw and standardised, with intervals over items; with and without annotators."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import ItemScores, Unit, interval, item_scores, of_dimension, outputs_only
from mtsig_core.analysis.people.standardise import standardise
from mtsig_core.resampling import Settings
from mtsig_core.significance.scope import Result

UNNAMED = "judgements without a name"


@dataclass(frozen=True)
class SystemMean:
    """What people gave to one system.

    Attributes
    ----------
    system : str
    n_items, n_judgements : int
    mean : float
        Over items, each the mean of its judgements.
    interval : tuple of two float, or None
        Percentile bootstrap over items (or documents); None with one unit.
    standardised : float or None
        The same with each annotator's scores standardised.
    standardised_interval : tuple of two float, or None
    rank, standardised_rank : int or None
        1 is best.
    judgement_mean : float
        Over judgements, each counted once: differs from `mean` where some items have more judgements than others.
    """

    system: str
    n_items: int
    n_judgements: int
    mean: float
    interval: tuple[float, float] | None
    standardised: float | None
    standardised_interval: tuple[float, float] | None
    rank: int
    standardised_rank: int | None
    judgement_mean: float


@dataclass(frozen=True, eq=False)
class SystemMeans(Result):
    """All systems of one dimension, the best raw mean first.

    Attributes
    ----------
    dimension : str
    higher_is_better : bool
    alpha : float
        Intervals have level 1 - alpha.
    unit : {"segment", "document"}
    systems : tuple of SystemMean
    left_out : tuple of str
        Annotators whose scores cannot be standardised.
    note : str
        Whether both rankings agree, or why there is only one.
    """

    dimension: str
    higher_is_better: bool
    alpha: float
    unit: Unit
    systems: tuple[SystemMean, ...]
    left_out: tuple[str, ...]
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: rank, means, ends of intervals, numbers of items and judgements."""
        rows = [
            (s.rank, s.system, s.n_items, s.n_judgements, s.mean, *(s.interval or (None, None)), s.standardised_rank,
             s.standardised, *(s.standardised_interval or (None, None)), s.judgement_mean)
            for s in self.systems
        ]  # fmt: skip
        names = [
            "rank",
            "system",
            "items",
            "judgements",
            "mean",
            "low",
            "high",
            "standardised rank",
            "standardised mean",
            "standardised low",
            "standardised high",
            "mean over judgements",
        ]
        numbers = [name for name in names[4:] if name != "standardised rank"]
        frame = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(numbers, float))
        return frame.astype({"standardised rank": "Int64"})


def system_means(
    frame: pd.DataFrame, dimension: str, settings: Settings, *, higher_is_better: bool = True, unit: Unit = "segment"
) -> SystemMeans:
    """Return the means of all systems, raw and standardised by annotator.

    Parameters
    ----------
    frame : DataFrame
        Judgements; control items are left out.
    dimension : str
    settings : Settings
        Number of bootstrap draws, significance level and seed.
    higher_is_better : bool
    unit : {"segment", "document"}
        What the bootstrap draws.
    """
    raw = item_scores(frame, dimension, higher_is_better=higher_is_better, unit=unit)
    standard = standardise(frame[frame["dimension"] == dimension])
    scaled: ItemScores | None = None
    if len(standard.frame):
        scaled = item_scores(standard.frame, dimension, higher_is_better=higher_is_better, unit=unit)
    ends = _intervals(raw, settings)
    scaled_ends = {} if scaled is None else _intervals(scaled, settings)
    scaled_ranks = {} if scaled is None else _ranks(scaled)
    scaled_means = {} if scaled is None else dict(zip(scaled.systems, scaled.means.tolist(), strict=True))
    judged = outputs_only(of_dimension(frame, dimension)).groupby("system")["score"].mean()
    means, ranks = dict(zip(raw.systems, raw.means.tolist(), strict=True)), _ranks(raw)
    systems = tuple(
        SystemMean(
            name, len(raw.of(name)), int(raw.n_judgements[raw.place(name)]), means[name], ends[name],
            scaled_means.get(name), scaled_ends.get(name), ranks[name], scaled_ranks.get(name),
            float(judged[name]),
        )
        for name in raw.best_first
    )  # fmt: skip
    note = _note(systems, standard.left_out)
    left_out = tuple(name or UNNAMED for name in standard.left_out)
    return SystemMeans(dimension, higher_is_better, settings.alpha, unit, systems, left_out, note)


def _intervals(scores: ItemScores, settings: Settings) -> dict[str, tuple[float, float] | None]:
    draws = scores.bootstrap_means(settings)
    n_units = [len(np.unique(scores.units[np.isfinite(column)])) for column in scores.values.T]
    return {
        name: interval(draws[:, k], settings.alpha) if n_units[k] > 1 else None for k, name in enumerate(scores.systems)
    }


def _ranks(scores: ItemScores) -> dict[str, int]:
    return {name: k for k, name in enumerate(scores.best_first, 1)}


def _note(systems: tuple[SystemMean, ...], left_out: Collection[str]) -> str:
    if all(s.standardised is None for s in systems):
        return "No annotator's scores can be standardised, so there are raw means only."
    if len(systems) < 2:
        return ""
    both = [s for s in systems if s.standardised_rank is not None]
    order = {s.system: k for k, s in enumerate(sorted(both, key=lambda each: each.rank), 1)}
    unequal = [s.system for s in both if s.standardised_rank != order[s.system]]
    if unequal:
        return (
            f"Raw and standardised scores rank {', '.join(unequal)} differently: annotators of different strictness "
            "saw different shares of the systems. Prefer the standardised ranking."
        )
    return "Raw and standardised scores rank the systems in the same order."


@dataclass(frozen=True, eq=False)
class WithAndWithout(Result):
    """The means of all systems from all annotators, and without some of them.

    Attributes
    ----------
    removed : tuple of str
        Annotators left out of `without`.
    n_removed : int
        Judgements of outputs left out with them.
    everyone, without : SystemMeans
    """

    removed: tuple[str, ...]
    n_removed: int
    everyone: SystemMeans
    without: SystemMeans

    @property
    def moved(self) -> tuple[str, ...]:
        """Systems whose rank differs, the best of all annotators first."""
        ranks = {s.system: s.rank for s in self.without.systems}
        return tuple(s.system for s in self.everyone.systems if ranks.get(s.system) != s.rank)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: rank, mean and interval from everyone and without the removed annotators."""
        names = ["rank", "mean", "low", "high", "items"]
        both = [means.to_frame().set_index("system")[names] for means in (self.everyone, self.without)]
        joined = pd.concat(both, axis=1, keys=["everyone", "without"])
        joined.columns = [f"{name} ({which})" for which, name in joined.columns]
        return joined.reset_index()


def with_and_without(
    frame: pd.DataFrame, dimension: str, annotators: Collection[str], settings: Settings, *,
    higher_is_better: bool = True, unit: Unit = "segment",
) -> WithAndWithout:  # fmt: skip
    """Return system means from all annotators beside those without some of them.

    Raises
    ------
    ValueError
        When an annotator is unknown, or nobody is left.
    """
    named = set(frame["annotator"].dropna())
    unknown = [name for name in annotators if name not in named]
    if unknown:
        raise ValueError(f"No annotator {unknown[0]!r}; there are: {', '.join(sorted(map(str, named)))}.")
    rest = frame[~frame["annotator"].isin(list(annotators))]
    everyone = system_means(frame, dimension, settings, higher_is_better=higher_is_better, unit=unit)
    if not (rest["dimension"] == dimension).any():
        raise ValueError("No judgement is left without these annotators; keep at least one of them.")
    without = system_means(rest, dimension, settings, higher_is_better=higher_is_better, unit=unit)
    n_removed = sum(s.n_judgements for s in everyone.systems) - sum(s.n_judgements for s in without.systems)
    return WithAndWithout(tuple(annotators), n_removed, everyone, without)
