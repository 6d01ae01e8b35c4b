"""What a comparison of two systems rests on: the segments that both have, and which replica is whose partner.

A third system that lacks segments must not change what is said of the other two, and declared pairs are matched by
the replicas' names or numbers, never by rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtsig_core.experiment.partners import matched_replicas
from mtsig_core.metrics.base import SegmentStatistics

_LISTED = 5  # names in a sentence


class PairingError(ValueError):
    """Replicas were declared as pairs, and fewer than two of them have a partner."""


@dataclass(frozen=True)
class Basis:
    """The segments and replicas that a comparison uses.

    Parameters
    ----------
    n_segments : int
        Of the test set.
    n_used : int
        Segments that all compared outputs have.
    lacking : tuple of (str, int)
        Replicas (as system/replica) that lack segments, and how many.
    without_partner : tuple of str
        Replicas (as system/replica) left out because the other system has no partner of theirs.
    copies : tuple of (str, int)
        Systems whose replicas, so many, are copies of one another and count as one run.
    """

    n_segments: int
    n_used: int
    lacking: tuple[tuple[str, int], ...] = ()
    without_partner: tuple[str, ...] = ()
    copies: tuple[tuple[str, int], ...] = ()

    @property
    def n_left_out(self) -> int:
        """Segments left out."""
        return self.n_segments - self.n_used

    def sentences(self) -> tuple[str, ...]:
        """Return what was left out and why, for people; nothing where all is used."""
        lines = []
        if self.n_left_out:
            because = _listed([f"{name} ({n:,})" for name, n in self.lacking])
            lines.append(
                f"{self.n_used:,} of {self.n_segments:,} segments are used; the others lack a score of {because}."
            )
        if self.without_partner:
            lines.append(f"Replicas without a partner are left out: {_listed(self.without_partner)}.")
        for system, n in self.copies:
            lines.append(f"The {n} replicas of {system} have equal scores in every segment: they count as one run.")
        return tuple(lines)


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def narrowed(
    statistics: SegmentStatistics, systems: Sequence[str], rows: Sequence[Sequence[int]] | None = None
) -> SegmentStatistics:
    """Return the statistics of some systems, and of these some replicas; the same object where that is all.

    Parameters
    ----------
    statistics : SegmentStatistics
    systems : sequence of str
    rows : sequence of sequences of int, optional
        Indices of the replicas of each system; all where left out.
    """
    chosen = [range(len(statistics.names(name))) for name in systems] if rows is None else rows
    whole = all(list(r) == list(range(len(statistics.names(name)))) for name, r in zip(systems, chosen, strict=True))
    if whole and tuple(systems) == statistics.systems:
        return statistics
    outputs = [statistics.rows(name).start + k for name, r in zip(systems, chosen, strict=True) for k in r]
    names = tuple(tuple(statistics.names(name)[k] for k in r) for name, r in zip(systems, chosen, strict=True))
    return replace(statistics, systems=tuple(systems), replicas=names, values=statistics.values[np.array(outputs)])


def paired_statistics(statistics: SegmentStatistics, a: str, b: str) -> tuple[SegmentStatistics, tuple[str, ...]]:
    """Return the statistics of two systems whose replicas of equal index are partners, and who was left out.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        The two systems, in the order of the result.

    Returns
    -------
    statistics : SegmentStatistics
        Of the two systems; unchanged where one of them has one replica, which needs no partners.
    left_out : tuple of str
        Replicas without a partner, as system/replica.

    Raises
    ------
    PairingError
        When fewer than two replicas have a partner.
    """
    names = statistics.names(a), statistics.names(b)
    if min(map(len, names)) < 2:
        return narrowed(statistics, (a, b)), ()
    pairs = matched_replicas(*names)
    if len(pairs) < 2:
        how_many = "only one" if pairs else "none"
        raise PairingError(
            f"Replicas of {a} and {b} were declared as pairs, but {how_many} of them has a partner by name or number "
            f"({_listed(names[0])}; {_listed(names[1])}). Give partners the same name or number, or compare without "
            "pairing."
        )
    places = [i for i, _ in pairs], [j for _, j in pairs]
    left_out = tuple(
        f"{system}/{name}"
        for system, own, rows in zip((a, b), names, places, strict=True)
        for k, name in enumerate(own)
        if k not in rows
    )
    return narrowed(statistics, (a, b), places), left_out


def prepared(
    statistics: SegmentStatistics, a: str, b: str, *, paired: bool = False, copies: bool = True
) -> tuple[SegmentStatistics, Basis]:
    """Return the statistics that a comparison of two systems uses, and what they rest on.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    paired : bool
        Replicas are declared as pairs: those without a partner are left out.
    copies : bool
        Count replicas that are copies of one another as one run. Copies show nothing of how runs vary, and n of them
        are no more than one.

    Raises
    ------
    PairingError
        When fewer than two declared pairs have partners.
    ValueError
        When a system is unknown.
    """
    total = statistics.n_segments if statistics.n_total is None else statistics.n_total
    outputs = {f"{system}/{name}" for system in (a, b) for name in statistics.names(system)}
    lacking = tuple((name, n) for name, n in statistics.lacking if name in outputs)
    chosen, left_out = paired_statistics(statistics, a, b) if paired else (narrowed(statistics, (a, b)), ())
    copied = tuple((name, len(chosen.names(name))) for name in (a, b) if copies and are_copies(chosen, name))
    if copied:
        alone = {name for name, _ in copied}
        rows = [[0] if name in alone else list(range(len(chosen.names(name)))) for name in (a, b)]
        chosen = narrowed(chosen, (a, b), rows)
    return chosen, Basis(total, statistics.n_segments, lacking, left_out, copied)


def are_copies(statistics: SegmentStatistics, system: str) -> bool:
    """Return whether all of a system's replicas, two or more, have the same statistics in every segment."""
    values = statistics.of(system)
    return len(values) > 1 and bool((values == values[0]).all())
