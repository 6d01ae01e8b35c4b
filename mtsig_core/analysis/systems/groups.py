"""Groups of systems from the tests of all pairs: clusters of ranks, and sets of equivalent systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tested(Protocol):
    """What the groups need of a pair: see `mtsig_core.analysis.systems.pairwise.PairRow`."""

    @property
    def a(self) -> str:
        """One system."""

    @property
    def b(self) -> str:
        """The other system."""

    @property
    def better(self) -> str:
        """The system with the better mean score, or nothing."""

    @property
    def p_holm(self) -> float | None:
        """Corrected p of a difference."""

    @property
    def p_equivalent_holm(self) -> float | None:
        """Corrected p of equivalence."""


def clusters(systems: tuple[str, ...], rows: Sequence[Tested], alpha: float) -> tuple[tuple[str, ...], ...]:
    """Return clusters of ranks: a new one starts below a system when all above it beat all below it.

    Parameters
    ----------
    systems : tuple of str
        Best first.
    rows : sequence of PairRow
        Judged by Holm's p.
    alpha : float
    """
    beats = {(r.better, r.a if r.better == r.b else r.b) for r in rows if r.p_holm is not None and r.p_holm < alpha}
    groups: list[list[str]] = [[]]
    for k, name in enumerate(systems):
        if k and all((above, below) in beats for above in systems[:k] for below in systems[k:]):
            groups.append([])
        groups[-1].append(name)
    return tuple(tuple(cluster) for cluster in groups)


def equivalents(systems: tuple[str, ...], rows: Sequence[Tested], alpha: float) -> tuple[tuple[str, ...], ...]:
    """Return the largest sets of two or more systems that are all equivalent pairwise (Holm-corrected).

    Equivalence is not transitive: A and B, and B and C, may be equivalent, and A and C not.

    Parameters
    ----------
    systems : tuple of str
        Best first.
    rows : sequence of PairRow
    alpha : float
    """
    equal = {frozenset((r.a, r.b)) for r in rows if r.p_equivalent_holm is not None and r.p_equivalent_holm < alpha}
    sets: list[tuple[str, ...]] = []

    def grow(members: tuple[str, ...], candidates: list[str], tried: list[str]) -> None:
        # Bron and Kerbosch 1973: a set is largest when no other system fits it
        if not candidates and not tried and len(members) > 1:
            sets.append(members)
        for k, name in enumerate(candidates):
            fits = [other for other in candidates[k + 1 :] if frozenset((name, other)) in equal]
            grow((*members, name), fits, [o for o in [*tried, *candidates[:k]] if frozenset((name, o)) in equal])

    grow((), list(systems), [])
    return tuple(sets)
