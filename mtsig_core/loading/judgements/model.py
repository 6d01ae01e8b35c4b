"""Human judgements of one file, whatever its format: one object per judgement, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import pandas as pd

from mtsig_core.formatting import count


@dataclass(frozen=True, slots=True)
class Judgement:
    """One value that one person, or several on average, gave to one output.

    Parameters
    ----------
    annotator : str or None
        None where the table names nobody.
    system : str
    segment : str or None
        Id as in the table (whole numbers in one form); None for a judgement of a whole system.
    document : str or None
    dimension : str
        ``score``, ``z`` (a score standardised by annotator), ``adequacy``, ``fluency``, ``mqm``, ...
    value : float or None
        None where it is missing; never minus zero.
    item : str or None
        Id of the task that it was given in.
    replica, test_set : str or None
    """

    annotator: str | None
    system: str
    segment: str | None
    document: str | None
    dimension: str
    value: float | None
    item: str | None = None
    replica: str | None = None
    test_set: str | None = None


@dataclass(frozen=True)
class Judgements:
    """The judgements of one file.

    Parameters
    ----------
    file : str
    judgements : tuple of Judgement
        In the order of the file, with repeats.
    higher_is_better : mapping of dimension to bool
    reasons : mapping of dimension to str
        Why that direction was assumed; ``""`` where the file says so or it is well known.
    standardised : tuple of str
        Dimensions whose values are standardised by annotator already.
    notes : tuple of str
        What was recognised, assumed, repaired and left out, for people.
    """

    file: str
    judgements: tuple[Judgement, ...]
    higher_is_better: Mapping[str, bool]
    reasons: Mapping[str, str]
    standardised: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of the file."""
        return tuple(dict.fromkeys(j.system for j in self.judgements))

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Names of the dimensions."""
        return tuple(self.higher_is_better)

    @property
    def annotators(self) -> tuple[str, ...]:
        """Names of the annotators, as far as the file names them."""
        return tuple(dict.fromkeys(j.annotator for j in self.judgements if j.annotator is not None))

    @property
    def summary(self) -> str:
        """How many judgements of how many systems, and how many values are missing."""
        missing = sum(j.value is None for j in self.judgements)
        there = f"{len(self.judgements) - missing:,} judgement{'' if len(self.judgements) - missing == 1 else 's'}"
        return f"{there} of {count(len(self.systems), 'system')}" + (f" ({missing:,} missing)" if missing else "")

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judgement, with the fields of `Judgement` as columns; a missing value is NaN."""
        names = [each.name for each in fields(Judgement)]
        columns = {name: [getattr(j, name) for j in self.judgements] for name in names}
        frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
        return frame.astype({"value": float})
