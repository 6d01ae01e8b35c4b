"""What is said and tabulated of tuned replicas."""

import numpy as np
import pytest

from mtsig_core.analysis.tuning import Generalisation, GeneralisationRow, LeastVariance, SpreadRow
from mtsig_core.analysis.tuning.scope import TuningScope
from mtsig_core.optimizers import Baselines
from mtsig_core.reports.tuning import generalisation_table, least_variance_sentence, least_variance_table

SCOPE = TuningScope("words", "dev", "test", "bleu", "BLEU", True, ("lm", "tm"))
PRO = SpreadRow("PRO", 10, 26.614, 0.0131, 0.009, 0.0239)


def risk(p: float, p_robust: float) -> SpreadRow:
    return SpreadRow("risk", 10, 26.0, 0.069, 0.0474, 0.1259, 5.27, 2.62, 10.55, p, p_robust)


@pytest.mark.parametrize(
    ("p", "p_robust", "said"),
    [
        (1e-6, 0.111, "may vary as little, by the F test or Brown and Forsythe's: risk (p < 0.001 and 0.111)"),
        (0.3, 0.01, "risk (p 0.300 and 0.010)"),
        (1e-6, 0.01, "every other optimizer varies significantly more (both tests, level 0.05)"),
    ],
)
def test_the_sentence_names_both_tests_where_they_decide(p, p_robust, said):
    sentence = least_variance_sentence(LeastVariance(SCOPE, "test", (PRO, risk(p, p_robust))))
    assert sentence.startswith("On test, PRO varies least from run to run (sd 0.013)")
    assert said in sentence


def test_replicas_that_all_agree_are_compared_by_no_test():
    rows = (SpreadRow("PRO", 5, 26.0, 0.0, 0.0, 0.0), SpreadRow("risk", 5, 26.0, 0.1, 0.05, 0.2))
    assert "all its runs score the same" in least_variance_sentence(LeastVariance(SCOPE, "test", rows))
    still = (rows[0], SpreadRow("risk", 5, 26.0, 0.0, 0.0, 0.0))
    assert least_variance_sentence(LeastVariance(SCOPE, "test", still)) == (
        "On test, the runs of every optimizer score the same."
    )


def test_no_p_is_shown_as_zero():
    table = least_variance_table(LeastVariance(SCOPE, "test", (PRO, risk(1e-9, 0.02))))
    assert table["p, F test"].tolist() == ["—", "< 0.001"]
    assert table["s_test (95%)"].tolist() == ["0.013 (0.009 to 0.024)", "0.069 (0.047 to 0.126)"]
    assert table["times the least (95%)"].tolist() == ["—", "5.3 (2.6 to 10.6)"]


def test_gains_stand_beside_the_scores():
    row = GeneralisationRow("PRO", np.array([27.0, 28.0]), np.array([25.0, 25.5]), 0.7, 0.35, (0.5, 0.1, 9.0), -0.5)
    alone = GeneralisationRow("one", np.array([26.0]), np.array([26.0]), None, None, None, None)
    dev, test = Baselines("dev", 5, 26.5, 30.0, 20.0, 0.5), Baselines("test", 5, 25.75, 30.0, 20.0, 0.5)
    table = generalisation_table(Generalisation(SCOPE, (row, alone), dev, test))
    assert table["dev (over the 1-best)"].tolist() == ["27.50 (+1.00)", "26.00 (−0.50)"]
    assert table["test (over the 1-best)"].tolist() == ["25.25 (−0.50)", "26.00 (+0.25)"]
    assert table["gain kept"].tolist() == ["−50%", "—"]
    assert table["s_test / s_dev (95%)"].tolist() == ["0.5 (0.1 to 9.0)", "—"]
