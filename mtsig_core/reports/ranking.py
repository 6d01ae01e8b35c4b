"""A ranking of systems in words: who leads, who is not separated from the leader, and which groups are apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mtsig_core.formatting import count


def leader_sentence(systems: Sequence[str], separated: Collection[frozenset[str]], most: int = 5) -> str:
    """Return which system leads, and which others are not separated from it.

    Parameters
    ----------
    systems : sequence of str
        Best first, at least one.
    separated : collection of frozenset of two str
        Pairs whose difference is significant.
    most : int
        Names listed.

    Examples
    --------
    >>> leader_sentence(["a", "b", "c"], [frozenset("ac")])
    'a leads, but is not separated from b'
    """
    first, *others = systems
    if not separated:
        return "no system is separated from the others"
    close = [other for other in others if frozenset((first, other)) not in separated]
    if not close:
        return f"{first} leads, separated from all others"
    more = f" and {len(close) - most} more" if len(close) > most else ""
    return f"{first} leads, but is not separated from {', '.join(close[:most])}{more}"


def groups_sentence(clusters: Iterable[Sequence[str]]) -> str:
    """Return the groups of systems of which each beats all below it; empty where there is one.

    Examples
    --------
    >>> groups_sentence([["a", "b"], ["c"]])
    '2 groups, each better than all below it: {a, b} > {c}.'
    """
    names = ["{" + ", ".join(cluster) + "}" for cluster in clusters]
    if len(names) < 2:
        return ""
    return f"{count(len(names), 'group')}, each better than all below it: {' > '.join(names)}."
