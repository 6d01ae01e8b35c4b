"""Clusters of ranks: groups of systems that the pairwise verdicts separate completely."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def rank_clusters(systems: Sequence[str], beats: Collection[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return clusters of systems, the best first: a new one starts where all above beat all below.

    Parameters
    ----------
    systems : sequence of str
        Best first.
    beats : collection of (str, str)
        Pairs (better, worse) of which the difference is significant, after the correction that the caller chose.
    """
    clusters: list[list[str]] = [[]]
    for k, name in enumerate(systems):
        if k and all((above, below) in beats for above in systems[:k] for below in systems[k:]):
            clusters.append([])
        clusters[-1].append(name)
    return tuple(tuple(cluster) for cluster in clusters)
