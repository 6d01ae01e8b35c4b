"""What the readers of shapes share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.scores.columns import columns_of

Row = Mapping[str, object]


class NotClear(Exception):
    """Raised with the reason why a file of a shape that is nearly known is not read."""


@dataclass(frozen=True)
class Rows:
    """The rows of a file, and how they were read, as the rest of a sentence; "" where nothing was guessed."""

    rows: Sequence[Row]
    how: str = ""

    @property
    def is_known(self) -> bool:
        """Whether columns of a table of scores or of texts are among the keys."""
        return len(columns_of(list(self.rows[0])).places) > 1


def is_scalar(value: object) -> bool:
    """Say whether a value fills a cell."""
    return value is None or isinstance(value, str | int | float)


def runs_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return system and run of each name, as names of files beside each other say them; "" where no run is named."""
    split = split_names({name: name for name in names}, endings=False)
    return {name: (own.system, "" if own.why == "none" else own.replica) for name, own in split.items()}
