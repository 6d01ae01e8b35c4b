import dataclasses

import numpy as np
import pytest

from mtsig_core.analysis.reading.median import rank_table
from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.reports.reading import agreement_words, rank_frame
from mtsig_core.significance import Scope


@pytest.fixture
def table():
    zeros = np.zeros(4)
    spread = Spread(zeros, zeros, zeros)
    return SegmentTable(
        scope=Scope("news", "bleu", "BLEU", True, systems=("base", "new")), a=("base", "s1"), b=("new", "s1"),
        index=np.arange(4) + 1, document=None, source=None, references=((),) * 4, output_a=("x",) * 4,
        output_b=("y", "y", "x", "y"), score_a=zeros, score_b=zeros, gain=np.array([3.0, -2.0, 0.0, 0.0]),
        spread_a=spread, spread_b=spread, agree=("b", "", "", ""),
    )


def test_says_whether_a_difference_is_the_systems_or_of_the_replicas_shown(table):
    assert agreement_words(table, 0, 3, 2).startswith("All 2 replicas of new beat all 3 of base here")
    assert agreement_words(table, 0, 1, 2).startswith("All 2 replicas of new beat the one of base here")
    other = dataclasses.replace(table, agree=("a", "", "", ""))
    assert agreement_words(other, 0, 1, 2).startswith("The one replica of base beats all 2 of new here")
    assert "may be due to these two" in agreement_words(table, 1, 3, 2)


def test_one_replica_each_and_equal_outputs_and_scores_say_nothing_of_luck(table):
    assert agreement_words(table, 0, 1, 1).startswith("One replica of each system")
    assert agreement_words(table, 2, 3, 3) == "Both outputs are the same."
    assert agreement_words(table, 3, 3, 3) == "Both outputs have the same score here."


def test_ranks_stand_closest_to_the_medians_first_with_the_medians_named():
    bleu = {"s1": 30.0, "s2": 20.0, "s3": 10.0}
    ter = {"s1": 40.0, "s2": 60.0, "s3": 50.0}
    frame = rank_frame(rank_table({"bleu": bleu, "ter": ter}, {"bleu": True, "ter": False}), {"bleu": "B", "ter": "T"})
    assert frame.to_dict("list") == {
        "replica": ["s2", "s3", "s1"], "rank by B": ["2, median", "3", "1"], "rank by T": ["3", "2, median", "1"],
        "distance to medians": ["0.5", "0.5", "1.0"],
    }  # fmt: skip
