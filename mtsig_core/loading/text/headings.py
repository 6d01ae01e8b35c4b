"""Checks of the heading of a table, whatever the table is for."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.loading.report import LoadError


def check_distinct(names: Sequence[str], place: str, file: str) -> None:
    """Check that no two columns have the same name; columns without a name do not count.

    Parameters
    ----------
    names : sequence of str
    place : str
        Where the heading is, for the message: ``scores.csv, line 1``.
    file : str

    Raises
    ------
    LoadError
        When a name occurs again.
    """
    repeated = next((name for i, name in enumerate(names) if name and name in names[:i]), None)
    if repeated is not None:
        raise LoadError(f"{place}: two columns are called {repeated!r}. Rename one.", file)
