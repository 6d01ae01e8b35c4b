"""Human judgements without outputs: their means by segment are the scores of an experiment, so that all of it opens.

Exports of annotation tools, tables, MQM, mt-metrics-eval's files. Any layout with outputs or scores of metrics wins.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from mtsig_core.loading.judgements.find import judgements_in, kind_of
from mtsig_core.loading.judgements.frame import SPANS, JudgementTable
from mtsig_core.loading.judgements.system_names import plain_system_names
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import SHOWN, FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import FileTree

#: Layout of an experiment whose scores are those that people gave.
NAME = "human judgements"
MARKED = "marked errors"
_TEST_SET, _REPLICA, _WHOLE = "judged", "1", "whole test set"


def recognise(files: FileTree) -> int:
    """Return 5 when some file holds human judgements, else 0: any other layout wins."""
    return 5 if any(kind_of(path, files) for path in files) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Return a plan whose scores are means of judgements by segment, one metric per dimension.

    Control items are left out. Where judgements are marked errors alone, their number is the score; lower is better.

    Raises
    ------
    LoadError
        When no judgement can be read, or fewer than one output has a score.
    """
    judgements = judgements_in(files)
    first, blocks = "", []
    # file by file: two files may spell one system apart
    tables = [each.with_systems(plain_system_names(each.systems)) for each in judgements.tables]
    for table in tables:
        for dimension in table.dimensions:
            label = MARKED if dimension == SPANS else dimension
            if any(_clash(table, other, dimension) for other in tables if other is not table):
                label = f"{label} ({table.file})"
            blocks += list(_blocks(table, dimension, label))
    judged = [path for path in files if kind_of(path, files)] or list(files)
    if not blocks:
        raise LoadError(
            f"{judged[0]}: no judgement has a score, so there is nothing to show. Add the outputs that were judged or "
            "edited, with their references.", judged[0],
        )  # fmt: skip
    first = judged[0]
    report.add(
        "recognised", "judgements-alone",
        "Human judgements without outputs: their means by segment are the scores. Add outputs, or scores of metrics, "
        "to compare metrics with people.", judged,
    )  # fmt: skip
    reason = f"human judgements, {SHOWN}"
    roles = tuple(
        FileRole(path, "scores") if path == first
        else FileRole(path, "ignored", reason=reason if path in judged else "holds no judgements")
        for path in files
    )  # fmt: skip
    return Plan(roles, blocks={first: blocks})


def _clash(table: JudgementTable, other: JudgementTable, dimension: str) -> bool:
    """Say whether two files judge a dimension on one test set, or call different directions better."""
    if dimension not in other.dimensions:
        return False
    same = dimension == SPANS or table.higher_is_better[dimension] == other.higher_is_better[dimension]
    return not same or bool(_sets(table, dimension) & _sets(other, dimension))


def _sets(table: JudgementTable, dimension: str) -> set[str]:
    own = table.outputs[table.outputs["dimension"] == dimension]
    return set(own["test_set"].fillna(_TEST_SET))


def _blocks(table: JudgementTable, dimension: str, label: str) -> Iterator[ScoreBlock]:
    own = table.outputs[table.outputs["dimension"] == dimension]
    if dimension == SPANS:
        own = own.assign(score=[float(len(spans or ())) for spans in own["spans"]])
    own = own[own["score"].notna()]
    keyed = pd.DataFrame({
        "test_set": own["test_set"].fillna(_TEST_SET), "system": own["system"],
        "replica": own["replica"].fillna(_REPLICA), "item": _items(own), "score": own["score"],
    })  # fmt: skip
    means = keyed.groupby(["test_set", "system", "replica", "item"], sort=False)["score"].mean()
    for key, values in means.groupby(level=["test_set", "system", "replica"], sort=False):
        test_set, system, replica = map(str, key)
        by_id = dict(zip(values.index.get_level_values("item"), values.tolist(), strict=True))
        higher = dimension != SPANS and table.higher_is_better[dimension]
        yield ScoreBlock(table.file, label, system, replica, test_set, by_id=by_id, higher_is_better=higher, exact=True)


def _items(frame: pd.DataFrame) -> pd.Series:
    """Return the name of what each judgement is about: document and segment, or the one that it names."""
    document, segment = frame["document"].fillna("").astype(str), frame["segment"].fillna("").astype(str)
    return (document + " / " + segment).str.strip(" /").replace("", _WHOLE)
