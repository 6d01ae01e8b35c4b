"""Annotators: who judged what, how strictly, how fast, and whether they noticed what was damaged on purpose."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import item_names, of_dimension, outputs_only
from mtsig_core.loading.judgements.frame import DAMAGED
from mtsig_core.significance.scope import Result

#: Fewest damaged and intact judgements of which a rank-sum test can reach p < .05 one-sided.
_FEWEST = 3


@dataclass(frozen=True)
class Annotator:
    """One annotator in one dimension.

    Attributes
    ----------
    name : str
    n : int
        Judgements of outputs with a score.
    n_systems : int
    mean, sd : float or None
        Of the scores; sd with ddof = 1, None for a single judgement.
    seconds : float or None
        Median time per judgement; None where the file has no times.
    n_repeats : int
        Judgements of an output that the annotator had judged before.
    repeat_difference : float or None
        Mean absolute difference of a repeat from the annotator's first score of that output.
    n_damaged, n_intact : int
        Judgements of damaged copies, and of the intact outputs they were made from.
    damage_gap : float or None
        Mean of the intact minus mean of the damaged, positive where damage was scored worse.
    damage_p : float or None
        One-sided rank-sum test that damaged copies are scored worse.
    note : str
        What to look at; may be empty.
    """

    name: str
    n: int
    n_systems: int
    mean: float | None
    sd: float | None
    seconds: float | None
    n_repeats: int
    repeat_difference: float | None
    n_damaged: int
    n_intact: int
    damage_gap: float | None
    damage_p: float | None
    note: str = ""


@dataclass(frozen=True, eq=False)
class AnnotatorOverview(Result):
    """All annotators of one dimension.

    Attributes
    ----------
    dimension : str
    alpha : float
        Significance level of the check with damaged copies.
    annotators : tuple of Annotator
        In the order of the frame.
    balance : DataFrame
        Judgements of outputs, annotators as rows and systems as columns.
    n_unnamed : int
        Judgements that name no annotator.
    """

    dimension: str
    alpha: float
    annotators: tuple[Annotator, ...]
    balance: pd.DataFrame
    n_unnamed: int

    @property
    def suspects(self) -> tuple[str, ...]:
        """Annotators whose damaged copies are not scored worse at level alpha, where the check was possible."""
        return tuple(a.name for a in self.annotators if a.damage_p is not None and a.damage_p >= self.alpha)

    @property
    def imbalance(self) -> float | None:
        """Cramer's V of annotators by systems: 0 when all annotators see equal shares of the systems, 1 at most."""
        table = self.balance.to_numpy(float)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) < 2:
            return None
        expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
        chi2 = float(((table - expected) ** 2 / expected).sum())
        return float(np.sqrt(chi2 / (table.sum() * (min(table.shape) - 1))))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per annotator, with the fields of `Annotator` as columns."""
        names = [each.name for each in fields(Annotator)]
        frame = pd.DataFrame([[getattr(a, name) for name in names] for a in self.annotators], columns=names)
        numbers = ["mean", "sd", "seconds", "repeat_difference", "damage_gap", "damage_p"]
        return frame.astype(dict.fromkeys(numbers, float))


def annotator_overview(
    frame: pd.DataFrame, dimension: str, *, higher_is_better: bool = True, alpha: float = 0.05
) -> AnnotatorOverview:
    """Describe the annotators of one dimension.

    Parameters
    ----------
    frame : DataFrame
        Judgements with their control items.
    dimension : str
    higher_is_better : bool
    alpha : float

    References
    ----------
    Graham, Baldwin, Moffat and Zobel 2013, "Continuous measurement scales in human evaluation of machine
    translation", section 3.2 (damaged copies, repeats).
    """
    chosen = of_dimension(frame, dimension)
    outputs = outputs_only(chosen)
    sign = 1.0 if higher_is_better else -1.0
    people = []
    for name, own in chosen[chosen["annotator"].notna()].groupby("annotator", sort=False):
        people.append(_annotator(str(name), own, sign, alpha))
    named = outputs[outputs["annotator"].notna()]
    balance = pd.crosstab(named["annotator"], named["system"])
    order = [a.name for a in people if a.name in balance.index]
    balance = balance.reindex(index=order, columns=list(dict.fromkeys(named["system"])))
    return AnnotatorOverview(dimension, alpha, tuple(people), balance, int(outputs["annotator"].isna().sum()))


def _annotator(name: str, own: pd.DataFrame, sign: float, alpha: float) -> Annotator:
    outputs = outputs_only(own)
    scores = outputs["score"].to_numpy(float)
    sd = float(scores.std(ddof=1)) if len(scores) > 1 else None
    seconds = own["seconds"].dropna()
    n_repeats, difference = _repeats(outputs)
    damaged, intact = damaged_and_intact(own)
    gap = p = None
    if min(len(damaged), len(intact)) >= 1:
        gap = sign * float(intact.mean() - damaged.mean())
    if min(len(damaged), len(intact)) >= _FEWEST:
        p = _worse(sign * damaged, sign * intact)
    notes = []
    if sd is not None and sd <= 1e-12 * max(1.0, float(np.abs(scores).max())):
        notes.append("all scores are equal")
    if p is not None and p >= alpha:
        notes.append("damaged copies are not scored worse")
    return Annotator(
        name, len(outputs), outputs["system"].nunique(), float(scores.mean()) if len(scores) else None, sd,
        float(seconds.median()) if len(seconds) else None, n_repeats, difference, len(damaged), len(intact), gap, p,
        "; ".join(notes),
    )  # fmt: skip


def _repeats(outputs: pd.DataFrame) -> tuple[int, float | None]:
    """Return the number of repeated judgements of one annotator, and their mean distance from the first ones."""
    key = [item_names(outputs), outputs["system"], outputs["replica"].fillna("")]
    groups = outputs["score"].groupby(key, sort=False)
    later = groups.cumcount() > 0
    if not later.any():
        return 0, None
    distance = (outputs["score"] - groups.transform("first")).abs()
    return int(later.sum()), float(distance[later].mean())


def damaged_and_intact(own: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of damaged copies, and of the same annotator's intact outputs that they were made from.

    A copy belongs to the output of the same system in the same document, and of the same segment where no document
    is named: within a document, files number copies and outputs apart.

    Parameters
    ----------
    own : DataFrame
        Judgements of one annotator in one dimension.
    """
    scored = own[own["score"].notna()]
    place = scored["document"].where(scored["document"].notna(), scored["segment"]).fillna("").astype(str)
    key = scored["test_set"].fillna("").astype(str) + "\t" + place + "\t" + scored["system"].astype(str)
    is_damaged = scored["item_type"] == DAMAGED
    damaged = scored[is_damaged]
    outputs = outputs_only(scored)
    intact = outputs[key[outputs.index].isin(set(key[is_damaged]))]
    return damaged["score"].to_numpy(float), intact["score"].to_numpy(float)


def _worse(damaged: np.ndarray, intact: np.ndarray) -> float:
    from scipy.stats import mannwhitneyu  # takes a second to import

    if np.ptp(np.concatenate([damaged, intact])) == 0:
        return 1.0
    return float(mannwhitneyu(damaged, intact, alternative="less").pvalue)
