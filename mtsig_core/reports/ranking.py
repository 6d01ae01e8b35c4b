"""A ranking of systems in words: who leads, who is not separated from the leader, and which groups are apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.report import some


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
    >>> leader_sentence(["a", "b", "c", "d"], [frozenset("ad")])
    'a leads, but is not separated from b and c'
    """
    first, *others = systems
    if not separated:
        return "the two systems are not separated" if len(others) == 1 else "no system is separated from the others"
    close = [other for other in others if frozenset((first, other)) not in separated]
    if not close:
        return f"{first} leads, separated from {others[0] if len(others) == 1 else 'all others'}"
    more = len(close) - most
    *named, last = [*close[:most], f"{more} more"] if more > 0 else close
    return f"{first} leads, but is not separated from {' and '.join([', '.join(named), last] if named else [last])}"


def pairs_sentence(apart: int, pairs: int) -> str:
    """Return how many of the tested pairs of systems differ significantly.

    Examples
    --------
    >>> pairs_sentence(5, 6), pairs_sentence(1, 6), pairs_sentence(0, 1)
    ('5 of 6 pairs differ', '1 of 6 pairs differs', 'the pair does not differ')
    """
    if pairs == 1:
        return "the pair differs" if apart else "the pair does not differ"
    return f"{apart:,} of {count(pairs, 'pair')} {'differs' if apart == 1 else 'differ'}"


def untested_sentence(reasons: Sequence[str], pairs: int) -> str:
    """Return how many pairs could not be tested, and why the first could not; empty where all were.

    Parameters
    ----------
    reasons : sequence of str
        Of each pair without a p, a sentence.
    pairs : int
        All pairs.

    Examples
    --------
    >>> untested_sentence(["Not defined: needs two runs."], 1)
    'The pair could not be tested. Not defined: needs two runs.'
    >>> untested_sentence(["Not defined: needs two runs."] * 2, 6)
    '2 of 6 pairs could not be tested. Not defined: needs two runs.'
    """
    if not reasons:
        return ""
    which = "The pair" if pairs == 1 else f"{len(reasons):,} of {count(pairs, 'pair')}"
    return f"{which} could not be tested. {reasons[0]}".strip()


def single_runs_sentence(systems: Sequence[str]) -> str:
    """Return that the ranks of systems with one run each hold for these outputs only; empty where there are none.

    Examples
    --------
    >>> single_runs_sentence(["base"])
    'base has one run: its rank is that of this output, and says nothing about its training setup.'
    """
    if not systems:
        return ""
    if len(systems) == 1:
        return f"{systems[0]} has one run: its rank is that of this output, and says nothing about its training setup."
    return (
        f"{some(systems)} have one run each: their ranks are those of these outputs, and say nothing about their "
        "training setups."
    )


def groups_sentence(clusters: Iterable[Sequence[str]]) -> str:
    """Return the groups of systems of which each beats all below it; empty where there is one, or two systems.

    Examples
    --------
    >>> groups_sentence([["a", "b"], ["c"]])
    '2 groups, each better than all below it: {a, b} > {c}.'
    """
    groups = [list(cluster) for cluster in clusters]
    names = ["{" + ", ".join(group) + "}" for group in groups]
    if len(names) < 2 or sum(map(len, groups)) == 2:
        return ""
    return f"{count(len(names), 'group')}, each better than all below it: {' > '.join(names)}."
