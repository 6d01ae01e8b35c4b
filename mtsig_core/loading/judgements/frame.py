"""The table of human judgements that every reader of this folder returns: one row per judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from mtsig_core.formatting import count

#: Columns of the frame of a `JudgementTable`, in order; see there.
COLUMNS = (
    "test_set", "document", "segment", "system", "replica", "annotator", "dimension", "score", "item_type", "seconds",
    "task", "spans",
)  # fmt: skip
_NUMBERS = ("score", "seconds")
#: Item types. The first two are judgements of outputs; the others check annotators and are set aside.
OUTPUT, REPEAT, DAMAGED, REFERENCE, TUTORIAL, ATTENTION = (
    "output", "repeat", "damaged", "reference", "tutorial", "attention check",
)  # fmt: skip
OF_OUTPUTS = (OUTPUT, REPEAT)
#: Dimension of judgements that are marked errors alone, without a score.
SPANS = "mqm spans"
CONTROLS = (DAMAGED, REFERENCE, TUTORIAL, ATTENTION)


@dataclass(frozen=True)
class Span:
    """One error that an annotator marked.

    Parameters
    ----------
    severity : str
        Lower case: ``minor``, ``major``, ``critical``, ``neutral``, ...
    category : str
        Lower case, levels separated by a slash (``fluency/punctuation``); ``""`` where the protocol has none.
    start, end : int or None
        Characters of the output, from 0, the end excluded; None for an omission, which stands nowhere.
    text : str
        What was marked, where the file quotes it.
    """

    severity: str
    category: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""


def span_of(each: Mapping[str, Any]) -> Span:
    """Return a span as Appraise and Pearmut write it: ``start_i``, ``end_i``, ``severity``, and its category."""
    category = each.get("error_type") or each.get("category") or ""
    levels = category if isinstance(category, list) else [category]
    start, end = (each.get(name) if isinstance(each.get(name), int) else None for name in ("start_i", "end_i"))
    name = "/".join(str(level).strip().casefold() for level in levels if level)
    return Span(str(each.get("severity") or "").strip().casefold(), name, start, end)


@dataclass(frozen=True, eq=False)
class JudgementTable:
    """The judgements of one file or of several files of one kind.

    Parameters
    ----------
    file : str
    format : str
        Name of the format that was recognised.
    frame : DataFrame
        One row per judgement, in the order of the file, with the columns `COLUMNS`:

        ``test_set``, ``document``, ``segment``
            Names as in the file, missing where it does not say; a segment without a document is one of the test set,
            both missing is a judgement of a whole system.
        ``system``, ``replica``
            What was judged; the replica may be missing.
        ``annotator``
            Missing where nobody is named, as for scores that are already averaged.
        ``dimension``
            ``score``, ``z``, ``adequacy``, ``fluency``, ``mqm``, ``rank`` (1 is best; outputs of one ``task`` were
            ranked together), ...
        ``score``
            Number, NaN where missing; never minus zero.
        ``item_type``
            One of `OF_OUTPUTS` or `CONTROLS`.
        ``seconds``
            Time that the judgement took, NaN where unknown.
        ``task``
            Id of what was judged together: a screen, a HIT, a ranking.
        ``spans``
            Tuple of `Span`, empty where nothing was marked; None where the protocol marks nothing.
    higher_is_better : mapping of dimension to bool
    reasons : mapping of dimension to str
        Why that direction was assumed; ``""`` where the file states it or it is well known.
    standardised : tuple of str
        Dimensions whose values are standardised by annotator already.
    notes : tuple of str
        What was recognised, assumed, repaired and set aside, for people.

    Raises
    ------
    ValueError
        When the frame has other columns, an unknown item type, or a dimension without a direction.
    """

    file: str
    format: str
    frame: pd.DataFrame
    higher_is_better: Mapping[str, bool]
    reasons: Mapping[str, str] = field(default_factory=dict)
    standardised: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if tuple(self.frame.columns) != COLUMNS:
            raise ValueError(f"the frame needs the columns {', '.join(COLUMNS)}; not {', '.join(self.frame.columns)}.")
        unknown = set(self.frame["item_type"]) - set(OF_OUTPUTS + CONTROLS)
        if unknown:
            raise ValueError(f"item types are {', '.join(OF_OUTPUTS + CONTROLS)}; not {sorted(unknown)[0]!r}.")
        missing = set(self.frame["dimension"]) - set(self.higher_is_better)
        if missing:
            raise ValueError(f"no direction is given for the dimension {sorted(missing)[0]!r}.")

    @property
    def outputs(self) -> pd.DataFrame:
        """Judgements of outputs alone: without damaged copies, references, tutorials and attention checks."""
        return self.frame[self.frame["item_type"].isin(OF_OUTPUTS)]

    @property
    def set_aside(self) -> Counter[str]:
        """How many judgements each control item type has."""
        types = self.frame.loc[~self.frame["item_type"].isin(OF_OUTPUTS), "item_type"]
        return Counter({name: int(n) for name, n in types.value_counts().items()})

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems whose outputs were judged, in the order of the file."""
        return tuple(self.outputs["system"].dropna().unique())

    @property
    def annotators(self) -> tuple[str, ...]:
        """Named annotators, in the order of the file."""
        return tuple(self.frame["annotator"].dropna().unique())

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Dimensions, in the order of the file."""
        return tuple(self.frame["dimension"].unique())

    @property
    def summary(self) -> str:
        """How many outputs of how many systems were judged, how many scores are missing, and what is set aside."""
        frame = self.outputs
        missing = int(frame["score"].isna().sum()) if self.dimensions != (SPANS,) else 0
        n = len(frame) - missing
        sentence = f"{n:,} judgement{'' if n == 1 else 's'} of {count(len(self.systems), 'system')}"
        sentence += f" ({missing:,} missing)" if missing else ""
        return sentence + (f", {self.set_aside.total():,} more set aside" if self.set_aside else "")

    def with_systems(self, names: Mapping[str, str]) -> JudgementTable:
        """Return the same judgements with systems renamed; names that are not in the mapping stay."""
        frame = self.frame.assign(system=self.frame["system"].map(lambda name: names.get(name, name)))
        return replace(self, frame=frame)

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the frame, one row per judgement."""
        return self.frame.copy()


def judgement_frame(columns: Mapping[str, object], n_rows: int) -> pd.DataFrame:
    """Return a frame with all of `COLUMNS`: those given, and missing values in the others.

    Parameters
    ----------
    columns : mapping of column to a sequence of n_rows values, or one value for all rows
        ``item_type`` is `OUTPUT` where it is not given.
    n_rows : int
    """
    data: dict[str, pd.Series] = {}
    for name in COLUMNS:
        values = columns.get(name, OUTPUT if name == "item_type" else None)
        listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values] * n_rows
        kind = float if name in _NUMBERS else object
        data[name] = pd.Series(np.nan if values is None and kind is float else listed, index=range(n_rows), dtype=kind)
    frame = pd.DataFrame(data)
    frame["score"] = frame["score"] + 0.0  # no minus zero
    return frame
