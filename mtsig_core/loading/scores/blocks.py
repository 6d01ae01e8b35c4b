"""What a score file says: blocks of scores, to be attached to the outputs of a test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mtsig_core.experiment import Scores


@dataclass(frozen=True)
class ScoreBlock:
    """The scores of one output under one metric, as one file gives them.

    Parameters
    ----------
    file : str
    metric : str
    system, replica : str
        ``""`` where the file does not say.
    test_set : str
        ``""`` where the file does not say.
    in_order : tuple of float or None, optional
        Scores in the order of the test set, or
    by_id : mapping of segment id to float or None, optional
    output_path : str
        File of the output that was scored, as the score file names it.
    higher_is_better : bool or None
        None where the file does not say.
    documents : mapping of segment id to document id
    exact : bool
        The names are those of the output and the test set, letter for letter: nothing is matched or guessed.
    whole_run : bool
        The one score is that of the whole run: there are no segments.
    """

    file: str
    metric: str
    system: str = ""
    replica: str = ""
    test_set: str = ""
    in_order: Scores | None = None
    by_id: Mapping[str, float | None] | None = None
    output_path: str = ""
    higher_is_better: bool | None = None
    documents: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False
    whole_run: bool = False

    @property
    def label(self) -> str:
        """``file (system/replica, metric)`` for messages."""
        output = "/".join(part for part in (self.system, self.replica) if part) or self.output_path
        return f"{self.file} ({output}, {self.metric})"


@dataclass(frozen=True)
class TextSet:
    """The segments of a test set with text.

    Parameters
    ----------
    length : int
        Segments of its files.
    used : tuple of int, or None
        Indices of the segments that have a reference; None for all.
    """

    length: int
    used: tuple[int, ...] | None = None
