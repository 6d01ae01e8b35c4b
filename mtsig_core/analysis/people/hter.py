"""HTER: edits that people made to an output, by the translation edit rate of the output against its own post-edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.metrics.ter import EDITS, REF_LEN, TER

#: Columns that `hter_judgements` needs besides the names of what was edited.
TEXT_COLUMNS = ("output", "post_edit")


def hter_judgements(edited: pd.DataFrame) -> pd.DataFrame:
    """Return post-edits as judgements of the dimension ``hter``; lower is better.

    The score of an output is its TER x 100 against its own post-edit alone: the edits that the person made per word of
    the post-edit. A post-edit without words scores 100 where the output has words, and 0 otherwise.

    Parameters
    ----------
    edited : DataFrame
        One row per post-edit: ``output`` and ``post_edit`` as text, and any of the columns of judgements that name
        what was edited, and by whom.

    Raises
    ------
    ValueError
        When a column of text is missing.

    References
    ----------
    Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, "A study of translation edit rate with targeted human
    annotation", section 4.
    """
    missing = [name for name in TEXT_COLUMNS if name not in edited.columns]
    if missing:
        raise ValueError(f"post-edits need the columns {' and '.join(TEXT_COLUMNS)}; there is no {missing[0]!r}.")
    pairs = edited[edited["post_edit"].notna() & edited["output"].notna()].reset_index(drop=True)
    metric = TER()
    statistics = metric.statistics(list(pairs["output"]), [[text] for text in pairs["post_edit"]])
    columns = {name: pairs[name].tolist() for name in pairs.columns if name not in TEXT_COLUMNS}
    scores = metric.score(statistics[:, [EDITS, REF_LEN]])
    return judgement_frame({**columns, "dimension": "hter", "score": scores.tolist()}, len(pairs))


def with_outputs(edited: pd.DataFrame, outputs: Mapping[tuple[str, str], Sequence[str | None]]) -> pd.DataFrame:
    """Return post-edits beside the outputs that were edited, by system, replica and line; others are left out.

    Parameters
    ----------
    edited : DataFrame
        One row per post-edit: ``system``, ``segment`` (the line, from 1), and ``replica`` where a system has several.
    outputs : mapping of (system, replica) to lines
        None for a line that was left out.

    Returns
    -------
    DataFrame
        The rows that have an output, with the column ``output``.
    """
    replicas: dict[str, list[str]] = {}
    for system, replica in outputs:
        replicas.setdefault(system, []).append(replica)
    places = pd.to_numeric(edited["segment"], errors="coerce") if "segment" in edited else pd.Series(dtype=float)
    texts: list[str | None] = []
    for row, place in zip(edited.to_dict("records"), places.reindex(edited.index), strict=True):
        own = replicas.get(row["system"], [])
        name = row.get("replica") or (own[0] if len(own) == 1 else None)
        lines = outputs.get((row["system"], name), ()) if name is not None else ()
        texts.append(lines[int(place) - 1] if 1 <= place <= len(lines) else None)
    beside = edited.assign(output=texts)
    return beside[beside["output"].notna()].reset_index(drop=True)
