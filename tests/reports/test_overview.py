"""Sentences of the first screen about several systems."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mtsig_core.analysis.systems.pairwise import PairRow
from mtsig_core.reports.overview import leader_sentence


def pairwise_of(p_of: dict[tuple[str, str], float], systems: tuple[str, ...]):
    rows = tuple(PairRow(a, b, 1.0, p, p, p, None, True, b, None) for (a, b), p in p_of.items())
    by_pair = {frozenset((r.a, r.b)): r for r in rows}
    return SimpleNamespace(systems=systems, rows=rows, alpha=0.05, row=lambda *pair: by_pair[frozenset(pair)])


@pytest.mark.parametrize(
    ("p_of", "sentence"),
    [
        ((0.2, 0.2, 0.2), "no system is separated from the others"),
        ((0.01, 0.01, 0.2), "x leads, separated from all others"),
        ((0.2, 0.01, 0.2), "x leads, but is not separated from y"),
        ((0.2, 0.2, 0.01), "x leads, but is not separated from y, z"),
    ],
)
def test_the_leader_and_who_is_not_separated_from_it(p_of, sentence):
    pairs = dict(zip([("x", "y"), ("x", "z"), ("y", "z")], p_of, strict=True))
    assert leader_sentence(pairwise_of(pairs, ("x", "y", "z"))) == sentence


def test_a_long_list_of_systems_is_cut():
    names = tuple("abcdefgh")
    p_of = {(a, b): 0.9 for i, a in enumerate(names) for b in names[i + 1 :]} | {("g", "h"): 0.001}
    assert leader_sentence(pairwise_of(p_of, names)).endswith("from b, c, d, e, f and 2 more")
