"""Standardised scores: each annotator's judgements brought to mean 0 and standard deviation 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.people.items import outputs_only
from mtsig_core.significance.scope import Result


@dataclass(frozen=True, eq=False)
class Standardised(Result):
    """Judgements after standardisation by annotator.

    Attributes
    ----------
    frame : DataFrame
        Judgements of outputs, their scores standardised; those of annotators left out are missing.
    left_out : mapping of annotator to str
        Why an annotator cannot be standardised. The key ``""`` stands for judgements that name nobody.
    n_left_out : int
        Judgements left out with them.
    """

    frame: pd.DataFrame
    left_out: Mapping[str, str]
    n_left_out: int

    def to_frame(self) -> pd.DataFrame:
        """Return one row per annotator left out: name and reason."""
        return pd.DataFrame(list(self.left_out.items()), columns=["annotator", "reason"])


def standardise(frame: pd.DataFrame) -> Standardised:
    """Return each annotator's scores of outputs with mean 0 and standard deviation 1 (ddof = 1), by dimension.

    Mean and standard deviation are those of all judgements of outputs that the annotator made in the dimension.
    Annotators with fewer than two of them, or whose scores are all equal, are left out and named.

    Parameters
    ----------
    frame : DataFrame
        Judgements; control items are set aside first.

    References
    ----------
    Graham, Baldwin, Moffat and Zobel 2013, "Continuous measurement scales in human evaluation of machine
    translation", section 4.
    """
    outputs = outputs_only(frame)
    who = outputs["annotator"].fillna("").astype(str)
    by = [outputs["dimension"], who]
    groups = outputs["score"].groupby(by)
    mean, sd, size = groups.transform("mean"), groups.transform("std"), groups.transform("size")
    # equal scores may differ from their mean in the last digit
    constant = sd <= 1e-12 * outputs["score"].abs().groupby(by).transform("max")
    usable = (who != "") & (size >= 2) & ~constant
    standard = outputs.assign(score=(outputs["score"] - mean) / sd.where(usable))[usable]
    left_out: dict[str, str] = {}
    for name in dict.fromkeys(who[~usable]):
        if not name:
            left_out[name] = "no annotator is named"
        elif (size[who == name] < 2).any():
            left_out[name] = "fewer than two judgements"
        else:
            left_out[name] = "all scores are equal"
    return Standardised(standard, left_out, int((~usable).sum()))
