"""People's scores on the segments of a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import item_scores
from mtsig_core.experiment import TestSet
from mtsig_core.workbench.people import Campaign


def aligned(campaign: Campaign, systems: Sequence[str], test_set: TestSet) -> np.ndarray:
    """Return people's scores on the segments of a test set, higher is better, shape (segment, system).

    A judged segment is that line of the files of the test set, or that line of its document where judgements name
    documents and the test set knows them; judgements of lines that were left out stay out. NaN where a segment was not
    judged; all NaN where ids fit no segment.
    """
    segments = np.full(test_set.n_lines + 1, -1)  # of each line from 0; -1 where it is none, and at the end for no line
    segments[np.array(test_set.lines) - 1] = np.arange(test_set.n_segments)
    places = segments[_places(campaign.frame, test_set.line_documents, test_set.n_lines)]
    placed = campaign.frame[places >= 0]
    values = np.full((test_set.n_segments, len(systems)), np.nan)
    if placed.empty:
        return values
    keyed = placed.assign(segment=(places[places >= 0] + 1).astype(str), document=None, test_set=None)
    scores = item_scores(keyed, campaign.dimension, higher_is_better=campaign.higher_is_better)
    rows = np.array([int(item) - 1 for item in scores.items])
    for column, name in enumerate(systems):
        if name in scores.systems:
            values[rows, column] = scores.quality[:, scores.place(name)]
    return values


def of_segments(campaign: Campaign, test_set: TestSet) -> Campaign:
    """Return a campaign without the judgements of lines that were left out of the test set."""
    if not test_set.left_out:
        return campaign
    lines = _places(campaign.frame, test_set.line_documents, test_set.n_lines)
    return replace(campaign, frame=campaign.frame[~np.isin(lines + 1, [line for line, _ in test_set.left_out])])


def _places(frame: pd.DataFrame, documents: Sequence[str] | None, n_lines: int) -> np.ndarray:
    """Return the line of each judgement, counted from 0, or -1."""
    numbers = pd.to_numeric(frame["segment"], errors="coerce").to_numpy(float)
    # ids that start at 0 count lines from 0
    from_zero, from_one = (np.where(np.isfinite(numbers), numbers - first, -1).astype(int) for first in (0, 1))
    zero = bool((frame["segment"] == "0").any())
    counted = from_zero if zero else from_one
    if documents is not None and frame["document"].notna().all():
        all_fit = _n_in_place(frame["document"], counted, documents) == len(frame)
        counted = max((counted, from_one, from_zero), key=lambda own: _n_in_place(frame["document"], own, documents))
        within = _within_documents(frame["document"], numbers + zero, documents)
        # lines of the whole test set are lines of their documents by chance only, near its beginning
        n_within = int((within >= 0).sum())
        n_in_place = _n_in_place(frame["document"], counted, documents)
        likely = n_within == len(frame) if all_fit else 2 * n_within > n_in_place
        if n_within and likely:
            return within
    if frame["document"].notna().any() and frame.groupby("segment")["document"].nunique().max() > 1:
        return np.full(len(frame), -1)
    return np.where((counted >= 0) & (counted < n_lines), counted, -1).astype(int)


def _within_documents(judged: pd.Series, numbers: np.ndarray, documents: Sequence[str]) -> np.ndarray:
    """Return the line, from 0, of each number within its document, from 1; -1 where the document has no such line."""
    first: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for place, name in enumerate(documents):
        first.setdefault(name, place)
        sizes[name] = sizes.get(name, 0) + 1
    starts = judged.map(first).fillna(-1).to_numpy(float)
    inside = (numbers >= 1) & (numbers <= judged.map(sizes).fillna(0).to_numpy(float))
    return np.where((starts >= 0) & inside, starts + numbers - 1, -1).astype(int)


def _n_in_place(judged: pd.Series, places: np.ndarray, documents: Sequence[str]) -> int:
    """Return how many judgements stand in the document that they name, if they are of these lines."""
    inside = (places >= 0) & (places < len(documents))
    there = np.array([*documents, ""], dtype=object)[np.where(inside, places, len(documents))]
    return int((there == judged.to_numpy(object)).sum())
