"""What frames of pairs of systems must hold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def check_columns(frame: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    """Raise a ValueError that names the first column a frame lacks; `what` says what the frame is of."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise ValueError(f"the frame of {what} needs the columns {', '.join(columns)}; there is no {missing[0]!r}.")
