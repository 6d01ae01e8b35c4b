"""A report as a list of sections, each made of a few kinds of blocks; what writes a format knows nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mtsig_core.reports.documents import Document


@dataclass(frozen=True)
class Sentence:
    """A sentence and the works that it cites, as keys of `mtsig_core.reports.paper.bibliography`."""

    text: str
    cites: tuple[str, ...] = ()


def cited(sentence: Sentence, cite: Callable[[tuple[str, ...]], str]) -> str:
    """Return a sentence with its citation before the full stop."""
    mark = cite(sentence.cites) if sentence.cites else ""
    return f"{sentence.text.rstrip('.')} {mark}." if mark else sentence.text


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    sentences: tuple[Sentence, ...]

    @staticmethod
    def of(*texts: str) -> Prose:
        """Return a paragraph of sentences that cite nothing; empty ones are left out."""
        return Prose(tuple(Sentence(text) for text in texts if text))


@dataclass(frozen=True)
class Claim:
    """A sentence that stands out: a verdict."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Answers:
    """Questions with their answers."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """Text to be copied as it stands."""

    text: str


@dataclass(frozen=True, eq=False)
class Table:
    """A table as people read it, and its numbers in full precision.

    Parameters
    ----------
    name : str
        Of its file and its label: letters, digits and hyphens.
    title : str
    shown : DataFrame
    numbers : DataFrame, optional
        By default what is shown.
    bold : DataFrame of bool, optional
        Cells to print in bold, with any of the columns shown.
    notes : tuple of str
        Lines below the table.
    """

    name: str
    title: str
    shown: pd.DataFrame
    numbers: pd.DataFrame | None = None
    bold: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure, drawn when it is needed.

    Parameters
    ----------
    name : str
    title : str
    draw : callable
        Returns a Plotly figure.
    """

    name: str
    title: str
    draw: Callable[[], Any]


Block = Prose | Claim | Items | Answers | Code | Table | Figure


@dataclass(frozen=True)
class Section:
    """A section of a report.

    Parameters
    ----------
    name : str
        A key of `PARTS`.
    title : str
    blocks : tuple of Block
    """

    name: str
    title: str
    blocks: tuple[Block, ...]


#: What can go into a report: name -> title of the section.
PARTS = {
    "data": "Data",
    "verdict": "Is it better?",
    "table1": "Scores and their variation",
    "tests": "Tests",
    "pairs": "All pairs of systems",
    "runs": "What fewer runs would have shown",
    "plan": "Plan",
    "methods": "Methods",
    "checklist": "What reviewers ask",
}
#: Those that a report has unless somebody chooses.
DEFAULT_PARTS = ("data", "verdict", "table1", "tests", "pairs", "methods", "checklist")

#: Those that compare two systems.
COMPARING = ("verdict", "tests", "pairs", "runs", "plan")


@dataclass(frozen=True, eq=False)
class Report:
    """A report: sections for people, and all of their numbers as a document.

    Parameters
    ----------
    title : str
    sections : tuple of Section
    document : dict
        Everything that is printed, with settings, versions and hashes.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> request = mtsig_core.ReportRequest(parts=("verdict", "methods"))
    >>> report = mtsig_core.make_report(bench, request, n_bootstrap=100, n_permutations=100)
    >>> [section.title for section in report.sections]
    ['Is it better?', 'Methods']
    """

    title: str
    sections: tuple[Section, ...]
    document: Document

    def blocks(self, kind: type[Block] | tuple[type[Block], ...]) -> Iterator[Any]:
        """Yield the blocks of a kind."""
        return (block for section in self.sections for block in section.blocks if isinstance(block, kind))

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the works that are cited, in the order of their first citation."""
        cited = (key for prose in self.blocks(Prose) for sentence in prose.sentences for key in sentence.cites)
        return tuple(dict.fromkeys(cited))
