"""Who used a smaller scale than others is told, who is only strict is not."""

import numpy as np
import pytest

from mtsig_core.analysis.people.scales import smaller_scale
from mtsig_core.loading.judgements.frame import judgement_frame
from mtsig_core.reports.people import scale_sentence


def judged(**scores):
    rows = [(name, score) for name, own in scores.items() for score in own]
    return judgement_frame({
        "system": "a", "segment": [str(i) for i in range(len(rows))], "annotator": [name for name, _ in rows],
        "dimension": "adequacy", "score": [float(score) for _, score in rows],
    }, len(rows))  # fmt: skip


RNG = np.random.default_rng(1)
PERCENT = RNG.uniform(0, 100, 40)
FIVE = RNG.integers(1, 6, 40)


def test_points_up_to_five_beside_percents_are_told():
    found = smaller_scale(judged(x=FIVE, y=PERCENT, z=PERCENT), "adequacy")
    assert found.annotators == ("x",)
    assert (found.most, found.others_most) == (5, PERCENT.max())
    said = scale_sentence(found, "adequacy")
    assert said.startswith(f"adequacy: 1 annotator (x) gave at most 5, others up to {PERCENT.max():g}.")
    assert "standardised scores" in said


@pytest.mark.parametrize("scores", [
    {"x": FIVE, "y": FIVE},
    {"x": PERCENT * 0.3, "y": PERCENT},  # strict, on the same scale
    {"x": FIVE[:9], "y": PERCENT},  # too few to tell
    {"x": FIVE, "y": np.append(FIVE, 100)},  # a slip of the pen
    {"x": -FIVE, "y": -PERCENT},  # penalties have no top
    {"x": PERCENT},
])  # fmt: skip
def test_nothing_is_told_without_evidence(scores):
    assert smaller_scale(judged(**scores), "adequacy") is None
    assert scale_sentence(None, "adequacy") == ""
