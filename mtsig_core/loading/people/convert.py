"""Judgements of the older readers (sheets, lists of scores, tables by metric) as a `JudgementTable`."""

from __future__ import annotations

from mtsig_core.loading.judgements import Judgements
from mtsig_core.loading.people.frame import JudgementTable, judgement_frame


def table_of(judgements: Judgements, format_name: str) -> JudgementTable:
    """Return the same judgements as a table; what the reader noted is kept."""
    old = judgements.to_frame()
    columns = {
        name: old[name].tolist()
        for name in ("test_set", "document", "segment", "system", "replica", "annotator", "dimension")
    }
    frame = judgement_frame({**columns, "score": old["value"].tolist(), "task": old["item"].tolist()}, len(old))
    return JudgementTable(judgements.file, format_name, frame, judgements.higher_is_better, judgements.reasons,
                          judgements.standardised, judgements.notes)  # fmt: skip
