"""Outside metrics: segment scores that came with the experiment (COMET, a human rating, accuracy, ...).

Such a metric has two sufficient statistics, sum and count, and its score is their quotient; so it goes
through every analysis as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mtsig_core.experiment import Experiment, Scores
from mtsig_core.metrics.base import SegmentStatistics, document_numbers
from mtsig_core.metrics.mean import MeanMetric


@dataclass(frozen=True)
class OutsideMetric(MeanMetric):
    """The mean of segment scores that stand in `Replica.scores`.

    Parameters
    ----------
    column : str
        What `Experiment.outside_metrics` calls it; people read this name.
    higher_is_better : bool
    name : str
        As on the command line; the same as `column` unless a metric of text has that name.
    """

    column: str
    higher_is_better: bool = True
    name: str = ""
    label: str = field(init=False, default="")

    scale = "that of the scores loaded"
    explanation = (
        "Segment scores that were computed elsewhere and loaded with the experiment; the score of an output is their "
        "mean over the segments that every output has a score for."
    )
    weakness = (
        "mtsig sees the numbers only: it cannot tell how they were computed, nor whether two files were computed in "
        "the same way."
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.column)
        object.__setattr__(self, "label", self.name)

    @property
    def key(self) -> str:
        """Name and direction; the numbers themselves are in the experiment's digest."""
        return f"outside {self.name}|{self.column}|{'higher' if self.higher_is_better else 'lower'}"

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return its name and that it was not computed here."""
        return f"{self.column}|from file"

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Raise ValueError: its scores come with the experiment, never from text."""
        raise ValueError(f"{self.label} is read from files and cannot score text; load its segment scores.")


def outside_statistics(
    experiment: Experiment, test_set: str, metric: OutsideMetric, systems: Sequence[str] | None = None
) -> SegmentStatistics:
    """Return the statistics of every output that has scores of the metric on a test set.

    A segment that lacks a score of any of these outputs is left out for all of them, so that all are scored
    on the same text; the note of the result says how many are left.

    Parameters
    ----------
    experiment : Experiment
    test_set : str
    metric : OutsideMetric
    systems : sequence of str, optional
        Only these systems: segments that others lack are then used.

    Raises
    ------
    ExperimentError
        When there is no such test set.
    ValueError
        When no system has scores there, or no segment has a score of every output.
    """
    target = experiment.test_set(test_set)
    chosen = [
        s for s in experiment.systems_scored_on(test_set, metric.column) if systems is None or s.name in systems
    ]
    if not chosen:
        raise ValueError(f"No system has {metric.label} scores on test set {test_set!r}; choose another one.")
    replicas = [system.scored_on(test_set, metric.column) for system in chosen]
    table = np.array([_numbers(r.scores[test_set][metric.column]) for rs in replicas for r in rs])
    scored = np.flatnonzero(~np.isnan(table).any(axis=0))
    if not scored.size:
        raise ValueError(
            f"{metric.label} on {test_set}: no segment has a score of every output, so they cannot be compared on the "
            "same segments. Leave out the outputs with few scores."
        )
    complete = scored.size == target.n_segments
    values = table[:, scored]
    return SegmentStatistics(
        metric=metric,
        test_set=test_set,
        signature=metric.signature([]),
        systems=tuple(system.name for system in chosen),
        replicas=tuple(tuple(r.name for r in rs) for rs in replicas),
        values=np.stack([values, np.ones_like(values)], axis=-1),
        documents=document_numbers(target.documents if complete else _at(target.documents, scored)),
        segments=None if complete else scored,
        n_total=target.n_segments,
        lacking=_lacking([f"{s.name}/{r.name}" for s, rs in zip(chosen, replicas, strict=True) for r in rs], table),
        note="" if complete else _note(metric.label, test_set, scored.size, target.n_segments),
    )


def _numbers(scores: Scores) -> np.ndarray:
    """Return scores, shape (segment,), nan where one is missing."""
    return np.array([np.nan if score is None else score for score in scores], dtype=float)


def _lacking(names: Sequence[str], table: np.ndarray) -> tuple[tuple[str, int], ...]:
    """Return the outputs that lack segments, and how many."""
    missing = np.isnan(table).sum(axis=1)
    return tuple((name, int(n)) for name, n in zip(names, missing, strict=True) if n)


def _at(documents: tuple[str, ...] | None, scored: np.ndarray) -> list[str] | None:
    return None if documents is None else [documents[i] for i in scored]


def _note(label: str, test_set: str, left: int, of: int) -> str:
    gone = of - left
    lacking = "1 segment lacks a score of some output and is" if gone == 1 else (
        f"{gone:,} segments lack a score of some output and are"
    )
    return f"{label} on {test_set}: {left:,} of {of:,} segments used; {lacking} left out for all outputs."
