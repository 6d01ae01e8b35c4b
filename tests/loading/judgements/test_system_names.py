"""Names of judged systems against names of outputs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.loading.judgements.system_names import match_systems, plain_system_names


def test_campaigns_submissions_and_file_names():
    judged = ["wmt23.AIRC", "TartuNLP.1", "generaltest2022.en-liv.hyp.NiuTrans.liv.txt", "online-a", "refA", "other"]
    outputs = ["AIRC", "TartuNLP", "NiuTrans", "Online-A", "unjudged"]
    match = match_systems(judged, outputs)
    assert match.names == {
        "wmt23.AIRC": "AIRC",
        "TartuNLP.1": "TartuNLP",
        judged[2]: "NiuTrans",
        "online-a": "Online-A",
    }
    assert match.unmatched == ("refA", "other")
    assert match.not_judged == ("unjudged",)
    assert "wmt23.AIRC" in match.changed
    assert len(match.to_frame()) == 7


def test_equal_names_go_first_and_nothing_is_guessed_between_two():
    assert match_systems(["A", "wmt23.A"], ["A"]).unmatched == ("wmt23.A",)
    assert match_systems(["x.1"], ["x", "X"]).names == {}
    assert match_systems(["x.1"], ["x", "y"]).names == {"x.1": "x"}
    two = match_systems(["sys.1", "sys.2"], ["sys"])
    assert two.names == {}
    assert two.unmatched == ("sys.1", "sys.2")


def test_plain_names_stay_distinct():
    assert plain_system_names(["wmt23.A", "wmt23.B"]) == {"wmt23.A": "A", "wmt23.B": "B"}
    assert plain_system_names(["wmt23.A", "A"]) == {"wmt23.A": "wmt23.A", "A": "A"}


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.text("aAb1.-_", min_size=1, max_size=6), unique=True, max_size=6),
       st.lists(st.text("aAb1.-_", min_size=1, max_size=6), unique=True, max_size=6))  # fmt: skip
def test_a_match_is_one_to_one_and_complete(judged, outputs):
    match = match_systems(judged, outputs)
    assert len(set(match.names.values())) == len(match.names)
    assert {*match.names, *match.unmatched} == set(judged)
    assert {*match.names.values(), *match.not_judged} == set(outputs)
    assert all(match.names.get(name) == name for name in set(judged) & set(outputs))
