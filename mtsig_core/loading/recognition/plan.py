"""What a layout recognised: the role of every file, and the texts and scores that it parsed on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mtsig_core.loading.recognition.roles import FileRole, OutputKey
from mtsig_core.loading.scores.blocks import ScoreBlock


@dataclass(frozen=True)
class ScoredNames:
    """New names of systems and test sets that occur only in files of scores, by the names there; ``""`` leaves one out.

    Parameters
    ----------
    systems, sets : mapping of name to name
    """

    systems: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """All roles of a tree, and lines of files that a layout had to parse itself.

    Parameters
    ----------
    roles : tuple of FileRole
    texts : mapping of path (as in a role) to lines
        For layouts whose files hold more than one text (columns of a table, say): such a role has a
        path like ``scores.tsv#system1`` and its lines are here. All other paths are read as text.
    blocks : mapping of path to score blocks
        Scores of files that were read already; all other files of scores are read when attached.
    renamed : mapping of (system, replica, test set) to the same
        Names in score files to the names that a correction gave to the outputs.
    scored : ScoredNames
        New names of systems and test sets that occur only in files of scores.
    """

    roles: tuple[FileRole, ...]
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    blocks: Mapping[str, Sequence[ScoreBlock]] = field(default_factory=dict)
    renamed: Mapping[OutputKey, OutputKey] = field(default_factory=dict)
    scored: ScoredNames = field(default_factory=ScoredNames)
