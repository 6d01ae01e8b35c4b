"""The columns by which an annotation sheet is recognised."""

from __future__ import annotations

from collections.abc import Sequence

ITEM, ANNOTATOR, BETTER = "item", "annotator", "better"
OUTPUTS = ("output 1", "output 2")


def is_sheet(header: Sequence[str]) -> bool:
    """Say whether a heading is that of an annotation sheet."""
    return {ITEM, *OUTPUTS} <= {name.strip().casefold() for name in header}
