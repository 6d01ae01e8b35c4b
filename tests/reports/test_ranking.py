"""Sentences on a ranking of several systems."""

from __future__ import annotations

from itertools import combinations

import pytest

from mtsig_core.reports.ranking import groups_sentence, leader_sentence, pairs_sentence


@pytest.mark.parametrize(
    ("separated", "sentence"),
    [
        ("", "no system is separated from the others"),
        ("xy xz", "x leads, separated from all others"),
        ("xz", "x leads, but is not separated from y"),
        ("yz", "x leads, but is not separated from y and z"),
    ],
)
def test_the_leader_and_who_is_not_separated_from_it(separated, sentence):
    assert leader_sentence("xyz", {frozenset(pair) for pair in separated.split()}) == sentence


def test_two_systems_are_told_apart_without_others():
    assert leader_sentence("xy", {frozenset("xy")}) == "x leads, separated from y"
    assert leader_sentence("xy", ()) == "the two systems are not separated"
    assert groups_sentence(["x", "y"]) == ""


@pytest.mark.parametrize(
    ("apart", "pairs", "sentence"),
    [(1, 1, "the pair differs"), (0, 1, "the pair does not differ"), (1, 3, "1 of 3 pairs differs")],
)
def test_how_many_pairs_differ(apart, pairs, sentence):
    assert pairs_sentence(apart, pairs) == sentence


def test_a_long_list_of_systems_is_cut():
    assert leader_sentence("abcdefgh", {frozenset("gh")}).endswith("from b, c, d, e, f and 2 more")


def test_systems_that_chain_into_one_group_are_still_told_apart():
    """Neighbours are not separated, all others are: one group, in which the first beats all but the second."""
    names = "abcdef"
    separated = {frozenset(pair) for pair in combinations(names, 2) if abs(ord(pair[0]) - ord(pair[1])) > 1}
    assert leader_sentence(names, separated) == "a leads, but is not separated from b"
    assert groups_sentence([list(names)]) == ""
