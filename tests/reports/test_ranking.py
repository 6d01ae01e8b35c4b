"""Sentences on a ranking of several systems."""

from __future__ import annotations

from itertools import combinations

import pytest

from mtsig_core.reports.ranking import (
    groups_sentence,
    leader_sentence,
    pairs_sentence,
    single_runs_sentence,
    untested_sentence,
)


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


def test_pairs_without_a_test_are_not_said_to_be_alike():
    assert untested_sentence([], 3) == ""
    assert untested_sentence(["No runs."], 1) == "The pair could not be tested. No runs."
    assert untested_sentence(["No runs.", "No runs."], 3) == "2 of 3 pairs could not be tested. No runs."


def test_ranks_of_single_runs_are_those_of_outputs():
    assert single_runs_sentence([]) == ""
    assert single_runs_sentence("a").startswith("a has one run: its rank is that of this output")
    assert single_runs_sentence("ab").startswith("a, b have one run each: their ranks are those of these outputs")


def test_a_long_list_of_systems_is_cut():
    assert leader_sentence("abcdefgh", {frozenset("gh")}).endswith("from b, c, d, e, f and 2 more")


def test_systems_that_chain_into_one_group_are_still_told_apart():
    """Neighbours are not separated, all others are: one group, in which the first beats all but the second."""
    names = "abcdef"
    separated = {frozenset(pair) for pair in combinations(names, 2) if abs(ord(pair[0]) - ord(pair[1])) > 1}
    assert leader_sentence(names, separated) == "a leads, but is not separated from b"
    assert groups_sentence([list(names)]) == ""
