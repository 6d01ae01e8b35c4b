"""Human judgements and metrics against people: documents for programs and tables for the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from mtsig_core.formatting import count, format_percent, p_phrase
from mtsig_core.reports.documents import Document, plain, versions
from mtsig_core.resampling import Settings

Table = tuple[str, pd.DataFrame]


def records(frame: pd.DataFrame) -> list[Document]:
    """Return a frame as a list of objects; missing values are null."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [plain({str(name): value for name, value in row.items()}) for row in rows]


def tables_document(
    tables: Sequence[Table], settings: Settings, notes: Sequence[str] = (), facts: Mapping[str, object] | None = None
) -> Document:
    """Return the document of several tables: each under its name, with settings and versions."""
    return plain({
        **(facts or {}),
        "tables": {name: records(frame) for name, frame in tables},
        "notes": list(notes),
        "settings": {"seed": settings.seed, "n_bootstrap": settings.n_bootstrap,
                     "n_permutations": settings.n_permutations, "alpha": settings.alpha},
        "versions": versions(),
    })  # fmt: skip


def set_aside_sentence(set_aside: Mapping[str, int]) -> str:
    """Return what was set aside, or an empty text."""
    if not set_aside:
        return ""
    kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(set_aside.items()))
    return f"Set aside, as they check annotators: {kinds}."


def verdict_sentence(better: str, other: str, decided_by: str, p: float | None) -> str:
    """Return what people say of a pair."""
    if not better:
        return f"People see no significant difference between the two ({p_phrase(p)})."
    return f"People prefer {better} to {other} ({decided_by}, {p_phrase(p)})."


def spread_sentence(metric: str, averaged: float | None, interval: tuple[float, float] | None, level: float) -> str:
    """Return what one replica per system would have reported, or an empty text."""
    if averaged is None or interval is None:
        return ""
    low, high = interval
    return (
        f"{metric}: r = {averaged:.3f} over averaged replicas. A paper with one replica per system would have reported "
        f"r between {low:.3f} and {high:.3f} ({format_percent(level)} of the choices of replicas)."
    )


def unmatched_sentences(unmatched: Sequence[str], not_judged: Sequence[str]) -> list[str]:
    """Return which systems have only judgements, or only outputs."""
    lines = []
    if unmatched:
        lines.append(f"Judged, but without outputs: {', '.join(unmatched)}.")
    if not_judged:
        lines.append(f"{count(len(not_judged), 'system')} with outputs that nobody judged: {', '.join(not_judged)}.")
    return lines
