"""The verdict of people on each pair of systems: adequacy first, fluency where adequacy does not decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.people.pairs import SystemPairs, TestName
from mtsig_core.significance.scope import Result

Pair = tuple[str, str]


@dataclass(frozen=True)
class HumanVerdict:
    """What people say of one pair of systems.

    Attributes
    ----------
    a, b : str
        In the order of the first dimension's ranking.
    better : str
        The better system; ``""`` where no dimension decides.
    decided_by : str
        The dimension that decides; ``""`` where none does.
    p : mapping of dimension to float or None
        The two-sided p of each dimension.
    conflict : bool
        Whether a later dimension is significant in the opposite direction than the one that decides.
    """

    a: str
    b: str
    better: str
    decided_by: str
    p: Mapping[str, float | None]
    conflict: bool


@dataclass(frozen=True, eq=False)
class HumanVerdicts(Result):
    """Verdicts of people on all pairs.

    Attributes
    ----------
    dimensions : tuple of str
        In the order in which they decide.
    test : str
    alpha : float
    systems : tuple of str
    verdicts : tuple of HumanVerdict
    """

    dimensions: tuple[str, ...]
    test: TestName
    alpha: float
    systems: tuple[str, ...]
    verdicts: tuple[HumanVerdict, ...]

    @property
    def by_pair(self) -> dict[Pair, str]:
        """The better system of each pair, ``""`` for no significant difference."""
        return {(v.a, v.b): v.better for v in self.verdicts}

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair: verdict, the dimension that decided, p of each dimension."""
        rows = [
            {"A": v.a, "B": v.b, "better": v.better, "decided by": v.decided_by, "conflict": v.conflict,
             **{f"{name}: p": v.p[name] for name in self.dimensions}}
            for v in self.verdicts
        ]  # fmt: skip
        return pd.DataFrame(rows).astype({f"{name}: p": float for name in self.dimensions} if rows else {})


def human_verdicts(*dimensions: SystemPairs, test: TestName = "rank_sum", alpha: float | None = None) -> HumanVerdicts:
    """Combine dimensions into one verdict per pair: the first that is significant decides.

    Parameters
    ----------
    *dimensions : SystemPairs
        In the order in which they decide, for example adequacy and fluency; pairs of the first are judged.
    test : {"rank_sum", "signed_rank", "sign", "unpaired"}
    alpha : float, optional
        That of the first dimension when left out.

    Raises
    ------
    ValueError
        Without a dimension.

    References
    ----------
    Graham 2016, "MT significance testing", slides on evaluation methodology: adequacy, with fluency as fallback.
    """
    if not dimensions:
        raise ValueError("A verdict needs at least one dimension.")
    level = dimensions[0].alpha if alpha is None else alpha
    winners = [{frozenset(pair): name for pair, name in d.better(test, alpha=level).items()} for d in dimensions]
    p = [{frozenset((row.a, row.b)): row.tests[test].p for row in d.rows} for d in dimensions]
    verdicts = []
    for row in dimensions[0].rows:
        key = frozenset((row.a, row.b))
        named = {d.dimension: won.get(key, "") for d, won in zip(dimensions, winners, strict=True)}
        decided_by = next((name for name, winner in named.items() if winner), "")
        better = named.get(decided_by, "")
        conflict = any(winner not in ("", better) for winner in named.values())
        values = {d.dimension: own.get(key) for d, own in zip(dimensions, p, strict=True)}
        verdicts.append(HumanVerdict(row.a, row.b, better, decided_by, values, conflict))
    names = tuple(d.dimension for d in dimensions)
    return HumanVerdicts(names, test, level, dimensions[0].systems, tuple(verdicts))
