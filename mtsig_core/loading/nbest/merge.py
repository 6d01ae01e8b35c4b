"""The lists of several tuning iterations -> one list, each distinct candidate once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mtsig_core.formatting import count
from mtsig_core.loading.nbest.lines import Groups
from mtsig_core.loading.nbest.lists import NbestList
from mtsig_core.loading.report import LoadError


def merge_lists(lists: Sequence[NbestList]) -> NbestList:
    """Return all candidates of several lists of the same segments, as iterated tuning collects them.

    The last list comes first, and only its totals stay: those of earlier iterations come from other weights. A
    candidate with the text and the features of an earlier one of its segment is left out. Features that a list lacks
    are 0.

    Parameters
    ----------
    lists : sequence of NbestList
        In the order of the iterations.

    Raises
    ------
    LoadError
        When the lists have different numbers of segments, or a feature has different numbers of values.
    """
    first = lists[0]
    if len(lists) == 1:
        return first
    groups = _all_groups(lists)
    aligned = [one.with_groups(groups) for one in reversed(lists)]
    totals = [aligned[0].totals, *(np.full(len(one.texts), np.nan) for one in aligned[1:])]
    rows = [_distinct_rows(aligned, segment) for segment in range(first.n_segments)]
    starts = np.cumsum([0, *(len(one.texts) for one in aligned)])
    texts = [text for one in aligned for text in one.texts]
    order = np.array([starts[which] + row for own in rows for which, row in own], dtype=np.int64)
    n_left_out = len(texts) - len(order)
    note = f"{len(lists)} lists merged: {len(order):,} distinct candidates, {n_left_out:,} repeated ones left out."
    return replace(
        aligned[0],
        name=" + ".join(one.name for one in lists),
        offsets=np.concatenate([[0], np.cumsum([len(own) for own in rows])]).astype(np.int64),
        features=np.concatenate([one.features for one in aligned])[order],
        texts=tuple(texts[row] for row in order),
        totals=np.concatenate(totals)[order],
        notes=(*dict.fromkeys(text for one in lists for text in one.notes), note),
    )


def _all_groups(lists: Sequence[NbestList]) -> Groups:
    """Return the features of all lists, or raise LoadError where lists do not belong together."""
    first = lists[0]
    sizes: dict[str, int] = {}
    for one in lists:
        if one.n_segments != first.n_segments:
            message = f"{one.name}: {one.n_segments:,} segments, but {first.n_segments:,} in {first.name}."
            raise LoadError(f"{message} Merge lists of one test set only.", one.name)
        for name, size in one.groups:
            if sizes.setdefault(name, size) != size:
                message = f"{one.name}: feature {name!r} has {count(size, 'value')}, but {sizes[name]} before."
                raise LoadError(f"{message} Merge lists of one system only.", one.name)
    return tuple(sizes.items())


def _distinct_rows(lists: Sequence[NbestList], segment: int) -> list[tuple[int, int]]:
    """Return (list, candidate) of each distinct candidate of a segment, in the order of the lists."""
    seen: dict[tuple[str, bytes], tuple[int, int]] = {}
    for which, one in enumerate(lists):
        for row in range(one.offsets[segment], one.offsets[segment + 1]):
            if not one.texts[row] and np.isnan(one.totals[row]) and _has_other(lists, segment):
                continue  # stands for a segment without candidates, which another list has
            seen.setdefault((one.texts[row], one.features[row].tobytes()), (which, row))
    return list(seen.values())


def _has_other(lists: Sequence[NbestList], segment: int) -> bool:
    return any(any(one.texts[one.offsets[segment] : one.offsets[segment + 1]]) for one in lists)
