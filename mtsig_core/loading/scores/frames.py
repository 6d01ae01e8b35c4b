"""Scores that are already in memory, as a table or an array: an Experiment without text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from mtsig_core.experiment import Experiment, ExperimentError, Replica, Role, System, TestSet, natural_key

KEYS = ("test_set", "system", "replica", "segment")
AXES = (*KEYS, "metric")
REQUIRED = ("system", "replica")
FORM = (
    "A table has one row for each system, replica and segment, or for each whole run without a column 'segment': "
    "rename columns by .rename(columns={...}), and bring a wide table into this form by .melt(...)."
)
DEFAULT_SET = "test"
Axes = Sequence[str] | Mapping[str, Sequence[Any] | None]
Values = dict[tuple[str, str], dict[str, dict[str, dict[Any, float]]]]  # (system, replica) -> set -> metric -> segment


def load_scores(
    scores: pd.DataFrame | pd.Series | np.ndarray, *, axes: Axes | None = None, roles: Mapping[str, Role] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True, baseline: str = "", paired: bool = False,
) -> Experiment:  # fmt: skip
    """Return an experiment of scores that are already in memory: of segments, or of whole runs.

    The score of a replica under such a metric is the mean over its segments. Scores of whole runs answer what new runs
    would give, not what other text would.

    Parameters
    ----------
    scores : DataFrame, Series or ndarray
        A DataFrame has one row per system, replica and segment, in columns or index levels of these names, and the
        scores in every other column: ``score``, or one column per metric. Without ``segment`` a row is a whole run.
        ``test_set`` is optional. A missing score is NaN. An array has one axis for each name in ``axes``.
    axes : sequence of str, or mapping of str to sequence of str or None, optional
        Of an array: ``"system"``, ``"replica"`` and ``"segment"``, in any order; ``"segment"`` (without it: whole
        runs), ``"test_set"`` and ``"metric"`` are optional. Where systems differ in replicas, or test sets in
        segments, what is missing is all NaN. A mapping names what is along an axis:
        ``{"system": ["old", "new"], "replica": None, "segment": None}``; others are numbered.
    roles : mapping of test set to {"dev", "test", "other"}, optional
        ``"dev"`` for the set that the systems were tuned on; by default every set is a test set.
    higher_is_better : bool or mapping of metric to bool
        False for error rates.
    baseline : str, optional
        The system that others are compared with; by default the first by name.
    paired : bool
        Replicas of equal name share a seed or a base model across systems.

    Returns
    -------
    Experiment
        For `Workbench`. Segments are numbered by their order: numbers ascending, others as they first appear.

    Raises
    ------
    ExperimentError
        When a column, an axis or a test set is missing, an axis has another length, a row occurs twice, or a score is
        no finite number; the message says which.

    Examples
    --------
    >>> import pandas as pd, mtsig_core
    >>> frame = pd.DataFrame({"system": ["old"] * 4 + ["new"] * 4, "replica": [1, 1, 2, 2] * 2,
    ...                       "segment": [1, 2] * 4, "COMET": [.7, .8, .6, .9, .8, .9, .7, .9]})
    >>> experiment = mtsig_core.load_scores(frame, baseline="old")
    >>> [(system.name, len(system.replicas)) for system in experiment.systems], list(experiment.outside_metrics)
    ([('new', 2), ('old', 2)], ['COMET'])

    >>> import numpy as np
    >>> array = np.arange(24.0).reshape(2, 3, 4)
    >>> mtsig_core.load_scores(array, axes=("system", "replica", "segment")).test_sets[0].n_segments
    4
    >>> axes = {"test_set": ["dev", "news"], "system": ["old", "new"], "replica": None, "segment": None}
    >>> experiment = mtsig_core.load_scores(array.reshape(2, 2, 2, 3), axes=axes, roles={"dev": "dev"})
    >>> [(test_set.name, test_set.role) for test_set in experiment.test_sets]
    [('news', 'test'), ('dev', 'dev')]
    """
    if isinstance(scores, pd.DataFrame | pd.Series):
        if axes is not None:
            raise ExperimentError("axes describe an array; a DataFrame has its columns.")
        frame = _with_index_as_columns(scores)
    else:
        frame = _frame_of(_array_of(scores), axes)
    table = _Table.of(frame)
    if isinstance(higher_is_better, bool):
        higher_is_better = dict.fromkeys(table.metrics, higher_is_better)
    if unknown := sorted(set(higher_is_better) - set(table.metrics)):
        raise ExperimentError(
            f"higher_is_better: no scores in a column {unknown[0]!r}; there are {', '.join(map(repr, table.metrics))}."
        )
    return Experiment(
        "scores", table.test_sets(roles or {}), table.systems(), baseline=baseline, paired=paired,
        outside_metrics=dict(higher_is_better),
    )  # fmt: skip


def _with_index_as_columns(scores: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Return a table whose index levels of known names are columns."""
    frame = scores.to_frame(scores.name or "score") if isinstance(scores, pd.Series) else scores
    if frame.columns.nlevels > 1:
        raise ExperimentError(f"The columns have {frame.columns.nlevels} levels. {FORM}")
    levels = [name for name in frame.index.names if name in KEYS and name not in frame.columns]
    return frame.reset_index(levels) if levels else frame


def _array_of(scores: Any) -> np.ndarray:
    """Return nested lists, or what numpy takes for an array, as one."""
    try:
        array = np.asarray(scores)
    except ValueError:
        array = np.array(None)
    if array.ndim == 0 or isinstance(array.flat[0] if array.size else None, dict):
        raise ExperimentError(
            f"Give a DataFrame, or an array whose rows are equally long (NaN where a score is missing); not "
            f"{type(scores).__name__}. For files there is mtsig_core.load(path), for records pandas.DataFrame(records)."
        )
    return array


def _frame_of(array: np.ndarray, axes: Axes | None) -> pd.DataFrame:
    """Return one row per cell of an array."""
    if axes is None:
        raise ExperimentError(
            f"Name the {array.ndim} axes of the array, as in axes=('system', 'replica', 'segment'); without 'segment', "
            "scores are of whole runs."
        )
    names = axes if isinstance(axes, Mapping) else {}
    axes = list(axes)
    unknown = [axis for axis in axes if axis not in AXES]
    missing = [axis for axis in REQUIRED if axis not in axes]
    if unknown or missing or len(set(axes)) < len(axes):
        raise ExperimentError(
            f"axes must name system and replica once each, and may name segment, test_set and metric; got "
            f"{', '.join(map(repr, axes))}."
        )
    if array.ndim != len(axes):
        raise ExperimentError(f"The array has {array.ndim} axes, of shape {array.shape}; {len(axes)} are named.")
    labels = [list(names.get(axis) or _numbered(axis, size)) for axis, size in zip(axes, array.shape, strict=True)]
    for axis, size, given in zip(axes, array.shape, labels, strict=True):
        if len(given) != size:
            raise ExperimentError(f"axes: {len(given)} names for the axis {axis!r}, whose length is {size}.")
    index = pd.MultiIndex.from_product(labels, names=list(axes))
    long = pd.DataFrame({"score": array.reshape(-1)}, index=index)
    if "metric" in axes:
        long = long["score"].unstack("metric")
        long.columns.name = None
    return long.reset_index()


def _numbered(axis: str, size: int) -> Sequence[Any]:
    if axis in ("system", "metric"):
        return [f"{axis}{k}" for k in range(1, size + 1)]
    if axis == "test_set":
        return [DEFAULT_SET] if size == 1 else [f"{DEFAULT_SET}{k}" for k in range(1, size + 1)]
    return range(1, size + 1)


@dataclass
class _Table:
    """The scores of a long table, by output, test set, metric and segment."""

    metrics: list[str]
    has_segments: bool
    segments: dict[str, list[Any]] = field(default_factory=dict)
    values: Values = field(default_factory=dict)

    @classmethod
    def of(cls, frame: pd.DataFrame) -> _Table:
        """Read a table and check it."""
        columns = [str(column) for column in frame.columns]
        missing = [name for name in REQUIRED if name not in columns]
        metrics = [name for name in columns if name not in KEYS]
        if missing:
            given = ", ".join(map(repr, columns)) or "none"
            raise ExperimentError(f"No column {missing[0]!r}; the columns are {given}. {FORM}")
        if not metrics:
            raise ExperimentError("No column with scores: add one named 'score', or one for each metric.")
        if not len(frame):
            raise ExperimentError("The table has no rows.")
        frame = frame.set_axis(columns, axis=1)
        if "test_set" not in columns:
            frame = frame.assign(test_set=DEFAULT_SET)
        if "segment" not in columns:
            frame = frame.assign(segment="whole run")
        if len(set(columns)) < len(columns):
            raise ExperimentError(f"The column {next(c for c in columns if columns.count(c) > 1)!r} occurs twice.")
        frame = _checked(frame, metrics)
        metrics = [name for name in metrics if frame[name].notna().any()]
        table = cls(metrics, "segment" in columns)
        for name, rows in frame.groupby("test_set", sort=False):
            table.segments[str(name)] = _ordered(rows["segment"])
        for (system, replica, name), rows in frame.groupby(["system", "replica", "test_set"], sort=False):
            of_set = table.values.setdefault((str(system), str(replica)), {}).setdefault(str(name), {})
            for metric in metrics:
                of_set[metric] = dict(zip(rows["segment"], rows[metric].tolist(), strict=True))
        return table

    def test_sets(self, roles: Mapping[str, Role]) -> tuple[TestSet, ...]:
        """Return the test sets, which have no text."""
        unknown = sorted(set(roles) - set(self.segments))
        if unknown:
            raise ExperimentError(f"roles: no test set {unknown[0]!r}; there are {', '.join(self.segments)}.")
        return tuple(
            TestSet(name, roles.get(name, "test"), (), size=len(segments), has_segments=self.has_segments)
            for name, segments in self.segments.items()
        )

    def systems(self) -> tuple[System, ...]:
        """Return the systems with the replicas that have a score."""
        replicas: dict[str, list[Replica]] = {}
        for (system, replica), by_set in self.values.items():
            scores = {name: self._scores(name, by_metric) for name, by_metric in by_set.items()}
            if any(scores.values()):
                replicas.setdefault(system, []).append(Replica(replica, scores=scores))
        if not replicas:
            raise ExperimentError("Every score is missing.")
        return tuple(System(name, tuple(one)) for name, one in replicas.items())

    def _scores(
        self, test_set: str, by_metric: dict[str, dict[Any, float]]
    ) -> dict[str, tuple[float | None, ...]]:
        """Return the scores of all segments by metric, None where one is missing; metrics without any are left out."""
        scores = {}
        for metric, values in by_metric.items():
            row = [values.get(segment, math.nan) for segment in self.segments[test_set]]
            if not all(map(math.isnan, row)):
                scores[metric] = tuple(None if math.isnan(value) else value for value in row)
        return scores


def _checked(frame: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Return the table with numbers as scores and names as text; raise for the first row that is wrong."""
    for key in KEYS:
        if frame[key].isna().any():
            row = int(np.flatnonzero(frame[key].isna())[0])
            raise ExperimentError(f"Row {row + 1} of the table has no {key}.")
    for metric in metrics:
        if frame[metric].dtype.kind in "mMc":  # dates and complex numbers: pandas would make numbers of them
            raise ExperimentError(f"{metric} holds {frame[metric].dtype}, no scores: .drop(columns={metric!r}).")
        numbers = pd.to_numeric(frame[metric], errors="coerce").astype(float)
        wrong = (numbers.isna() & frame[metric].notna()) | np.isinf(numbers)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            value = frame[metric].iloc[row]
            place = f"Row {row + 1} of the table"
            raise ExperimentError(
                f"{place}: {metric} is {_shown(value)}; expected a finite number or NaN, with a decimal point. If the "
                f"column holds no scores, leave it out: .drop(columns={metric!r})."
            )
        frame = frame.assign(**{metric: numbers})
    frame = frame.assign(**{key: frame[key].map(_name) for key in ("test_set", "system", "replica")})
    twice = frame.duplicated(list(KEYS))
    if twice.any():
        row = frame[twice].iloc[0]
        cell = f"system {row['system']!r}, replica {row['replica']!r}, segment {_shown(row['segment'])}"
        raise ExperimentError(
            f"{cell} occurs more than once"
            + (f" on {row['test_set']!r}." if (frame["test_set"] != DEFAULT_SET).any() else ".")
            + " Tell its rows apart by replica, segment or test_set, or average them."
        )
    return frame


def _name(value: Any) -> str:
    """Return what a system, replica or test set is called: pandas makes 1.0 of 1 where another row lacks it."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _shown(value: Any) -> str:
    """Return a cell as Python shows it, without numpy's name."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def _ordered(segments: pd.Series) -> list[Any]:
    """Return the segments of a test set: numbers ascending, other names as they first appear."""
    labels = list(dict.fromkeys(segments.tolist()))
    if all(isinstance(label, int | float) for label in labels):
        return sorted(labels)
    if all(isinstance(label, str) and label.strip().isdigit() for label in labels):
        return sorted(labels, key=natural_key)
    return labels
