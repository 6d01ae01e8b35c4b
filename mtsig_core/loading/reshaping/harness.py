"""Samples of lm-evaluation-harness of tasks that are scored as a whole -> the texts that they hold.

Of BLEU and the like the harness keeps no number per document, only the texts: ``target`` and ``filtered_resps``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.reshaping.shape import NotClear, Row, Rows

SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl?")
_NO_METRIC = frozenset(("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"))


def holds_texts(records: Sequence[Row]) -> bool:
    """Say whether records are samples without a number of their own, but with texts."""
    return bool(records) and all(_text(record) is not None for record in records) and not any(
        isinstance(value, int | float) for record in records for key, value in record.items() if key not in _NO_METRIC
    )


def from_samples(records: Sequence[Row], path: str) -> Rows:
    """Return one row per sample.

    Raises
    ------
    NotClear
        When a document has several samples, one for each filter.
    """
    match = SAMPLES.fullmatch(base_name(path))
    documents = [record.get("doc_id") for record in records]
    if len(set(map(str, documents))) < len(documents):
        raise NotClear("holds several samples of a document, one for each filter. Keep those of one filter.")
    task = match["task"] if match else "test"
    rows = [{"test_set": task, "segment_id": record["doc_id"], "hypothesis": _text(record),
             "reference": record["target"]} for record in records]  # fmt: skip
    how = "its metrics have no number per document: filtered_resps were read as outputs, target as reference"
    return Rows(rows, how)


def _text(record: Row) -> str | None:
    """Return the output of a sample whose target is a text, too; None for another record."""
    responses = record.get("filtered_resps")
    first = responses[0] if isinstance(responses, list) and len(responses) == 1 else responses
    is_sample = isinstance(record.get("target"), str) and "doc_id" in record
    return first if is_sample and isinstance(first, str) else None
