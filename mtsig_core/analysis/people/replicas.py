"""Judged replicas: what people gave, as the statistics that every replica-aware test takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import item_names, of_dimension, outputs_only
from mtsig_core.metrics.base import SegmentStatistics, document_numbers
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.significance.scope import Result


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
