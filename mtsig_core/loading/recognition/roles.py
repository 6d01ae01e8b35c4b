"""Which file is what: the only thing a layout has to say, and what a user corrects in a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

OutputKey = tuple[str, str, str]  # system, replica, test set
Kind = Literal["output", "reference", "source", "documents", "scores", "ignored"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: Ends the reason of a file that is no text and no score, and yet used.
SHOWN = "shown on the pages Human judgement and Metrics against people"


@dataclass(frozen=True)
class FileRole:
    """What one file is.

    Parameters
    ----------
    path : str
        Relative path in the file tree, or a key of `Plan.texts`.
    kind : {"output", "reference", "source", "documents", "scores", "ignored"}
        Scores say themselves which outputs and test sets they are of, unless `Plan.blocks` does.
    test_set : str
        The set that the file belongs to; ``test`` where a layout names none.
    system, replica : str
        Of an output.
    stream : str
        Name of a reference.
    reason : str
        Why a file is ignored, in a few words.
    checkpoint : str
        Step or epoch of the training that an output is of; "" where the name says none.
    columns : tuple of (column, role)
        Of a table of scores: what its columns are, where a person says so; see `declared_columns` of
        `mtsig_core.loading.scores.columns`.
    """

    path: str
    kind: Kind
    test_set: str = "test"
    system: str = ""
    replica: str = ""
    stream: str = ""
    reason: str = ""
    checkpoint: str = ""
    columns: tuple[tuple[str, str], ...] = ()
