"""Judged replicas: what people gave, as the statistics that every replica-aware test takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import item_names, item_scores, of_dimension, outputs_only
from mtsig_core.metrics.base import SegmentStatistics, document_numbers
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS, TestResult, holm, run_preset
from mtsig_core.significance.scope import Result

#: Tests that count the spread of replicas, in the order in which they are shown; Holm corrects the first.
REPLICA_TESTS = ("coherent", "crossed", "welch-replicas", "ar-replica")


@dataclass(frozen=True, eq=False)
class JudgedReplicas(Result):
    """Which replicas people judged, and their scores for the tests that metrics have.

    Attributes
    ----------
    statistics : SegmentStatistics or None
        Scores of all judged outputs on the items on which all were judged; None where there is no such item.
    replicas : mapping of system to tuple of str
    note : str
        What the judgements can answer: the training setup, or this output alone.
    """

    statistics: SegmentStatistics | None
    replicas: dict[str, tuple[str, ...]]
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: number of judged replicas and their names."""
        rows = [(name, len(own), ", ".join(own)) for name, own in self.replicas.items()]
        return pd.DataFrame(rows, columns=["system", "judged replicas", "names"])


def judged_replicas(frame: pd.DataFrame, dimension: str, *, higher_is_better: bool = True) -> JudgedReplicas:
    """Return what people gave as statistics of outputs, so that the tests of metrics apply.

    Parameters
    ----------
    frame : DataFrame
    dimension : str
    higher_is_better : bool
    """
    chosen = outputs_only(of_dimension(frame, dimension))
    own = pd.DataFrame({
        "system": chosen["system"], "replica": chosen["replica"].fillna("").astype(str), "item": item_names(chosen),
        "score": chosen["score"],
    })  # fmt: skip
    order = {name: k for k, name in enumerate(own["system"].unique())}
    outputs = own[["system", "replica"]].drop_duplicates()
    outputs = outputs.sort_values("system", key=lambda names: names.map(order), kind="stable")
    wide = own.pivot_table(index=["system", "replica"], columns="item", values="score", aggfunc="mean")
    wide = wide.reindex(pd.MultiIndex.from_frame(outputs))
    replicas: dict[str, tuple[str, ...]] = {}
    for system, replica in wide.index:
        replicas[system] = (*replicas.get(system, ()), replica)
    shared = wide.dropna(axis=1)
    statistics = None
    if shared.shape[1]:
        values = np.stack([shared.to_numpy(float), np.ones(shared.shape)], axis=-1)
        documents = _documents(chosen, shared)
        left = ""
        if shared.shape[1] < wide.shape[1]:
            left = f"{shared.shape[1]} of {wide.shape[1]} items were judged for every output; the others are left out."
        metric = OutsideMetric(dimension, higher_is_better)
        statistics = SegmentStatistics(metric, "judged items", metric.signature([]), tuple(replicas),
                                       tuple(replicas.values()), values, documents, note=left)  # fmt: skip
    return JudgedReplicas(statistics, replicas, _note(replicas, statistics is None))


@dataclass(frozen=True, eq=False)
class ReplicaPair:
    """What the replica-aware tests say of one pair of systems by people.

    Attributes
    ----------
    a, b : str
    replicas : tuple of two int
        Judged replicas of a and of b.
    n_items : int
        Items on which every judged replica of both was judged; the tests use these.
    tests : mapping of preset to TestResult
        Empty without such an item.
    p_holm : float or None
        Of the first of `REPLICA_TESTS`, over all pairs.
    note : str
        Why there is no p, or what it says nothing about.
    """

    a: str
    b: str
    replicas: tuple[int, int]
    n_items: int
    tests: dict[str, TestResult]
    p_holm: float | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class ReplicaPairs(Result):
    """All pairs of systems by people, with the tests that count the spread of replicas.

    Attributes
    ----------
    dimension : str
    alpha : float
    rows : tuple of ReplicaPair
    """

    dimension: str
    alpha: float
    rows: tuple[ReplicaPair, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair: difference and interval by the first test, and the p of every test."""
        rows: list[dict[str, object]] = []
        for row in self.rows:
            first = row.tests.get(REPLICA_TESTS[0])
            low, high = (first.interval if first else None) or (None, None)
            cells = {"A": row.a, "B": row.b, "B − A": first.difference if first else None, "low": low, "high": high}
            p = {f"p, {PRESETS[name].label}": row.tests[name].p if row.tests else None for name in REPLICA_TESTS}
            rows.append({**cells, **p, "p, Holm": row.p_holm, "replicas A": row.replicas[0],
                         "replicas B": row.replicas[1], "items": row.n_items, "note": row.note})  # fmt: skip
        frame = pd.DataFrame(rows)
        return frame.astype({name: float for name in frame.columns if name.startswith("p, ")} | dict.fromkeys(
            ("B − A", "low", "high"), float))  # fmt: skip


def replica_pairs(
    frame: pd.DataFrame, dimension: str, settings: Settings, *, higher_is_better: bool = True
) -> ReplicaPairs | None:
    """Test all pairs of systems by people with the tests that count the spread of replicas.

    The better system by its mean comes first in each pair. Each pair is tested on the items on which every judged
    replica of both systems was judged. None where every system has one judged replica, as nothing is known about the
    spread then, and for one system.

    Parameters
    ----------
    frame : DataFrame
    dimension : str
    settings : Settings
    higher_is_better : bool
    """
    replicas = judged_replicas(frame, dimension, higher_is_better=higher_is_better).replicas
    if len(replicas) < 2 or all(len(own) < 2 for own in replicas.values()):
        return None
    rows = []
    order = item_scores(frame, dimension, higher_is_better=higher_is_better).best_first
    for pair in combinations(order, 2):
        own = judged_replicas(frame[frame["system"].isin(pair)], dimension, higher_is_better=higher_is_better)
        rows.append(_tested(pair, own, settings))
    return ReplicaPairs(dimension, settings.alpha, tuple(_corrected(rows)))


def _tested(pair: tuple[str, str], judged: JudgedReplicas, settings: Settings) -> ReplicaPair:
    numbers = (len(judged.replicas[pair[0]]), len(judged.replicas[pair[1]]))
    if judged.statistics is None:
        return ReplicaPair(*pair, numbers, 0, {}, note="No item was judged for every replica of both systems.")
    tests = {name: run_preset(name, judged.statistics, *pair, settings) for name in REPLICA_TESTS}
    first = tests[REPLICA_TESTS[0]]
    return ReplicaPair(*pair, numbers, judged.statistics.n_segments, tests, note=first.note)


def _corrected(rows: list[ReplicaPair]) -> Iterator[ReplicaPair]:
    p = [row.tests[REPLICA_TESTS[0]].p if row.tests else None for row in rows]
    corrected = iter(holm([value for value in p if value is not None]).tolist())
    for row, value in zip(rows, p, strict=True):
        yield row if value is None else replace(row, p_holm=next(corrected))


def _documents(chosen: pd.DataFrame, shared: pd.DataFrame) -> np.ndarray | None:
    if chosen["document"].isna().any():
        return None
    of_item = dict(zip(item_names(chosen), chosen["document"].astype(str), strict=True))
    return document_numbers([of_item[item] for item in shared.columns])


def _note(replicas: dict[str, tuple[str, ...]], nothing_shared: bool) -> str:
    sizes = {len(own) for own in replicas.values()}
    if sizes == {1}:
        return (
            "One output of each system was judged. The tests answer whether this output is better than that one on new "
            "text, not whether the training setup is: other replicas may be better or worse."
        )
    if nothing_shared:
        return "No item was judged for every output, so the replica-aware tests do not apply."
    if min(sizes) == 1:
        return "Some systems have one judged replica: nothing is known about how their other replicas would be judged."
    return "Several replicas of each system were judged, so the replica-aware tests apply."
