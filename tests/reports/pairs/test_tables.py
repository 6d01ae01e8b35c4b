"""Tables of pairs say what the results say, with the digits that the draws support."""

import numpy as np
import pytest

import mtsig_core
from mtsig_core.analysis.calibration.arena import ArenaDesign, alarm_table
from mtsig_core.formatting import format_p, format_score, score_decimals
from mtsig_core.reports.pairs import tables
from mtsig_core.resampling import Settings


@pytest.fixture(scope="module")
def bench():
    values = np.random.default_rng(5).normal(size=(3, 4, 30)) + np.array([0, 0.1, 2.0])[:, None, None]
    experiment = mtsig_core.load_scores(values, axes=("system", "replica", "segment"))
    return mtsig_core.Workbench(experiment, settings=Settings(n_bootstrap=99, n_permutations=99))


@pytest.fixture(scope="module")
def pair(bench):
    return bench.pair(a="system1", b="system3")


def test_the_lottery_shows_no_p_below_what_the_permutations_allow(pair):
    result = pair.lottery()
    frame = tables.lottery_frame(result)
    assert frame["p"].tolist() == [format_p(s.p, 1 / 100) for s in result.scenarios]
    assert min(s.p for s in result.scenarios) == pytest.approx(1 / 100)
    texts, words = tables.lottery_matrix(result)
    assert texts.shape == words.shape == result.p.shape
    assert {text[-1] for text, word in zip(texts.stack(), words.stack(), strict=True) if word == "better"} == {"▲"}
    assert (words == "better").to_numpy().sum() == (result.p < result.alpha).sum() > 0


def test_p_by_n_leaves_out_numbers_that_there_are_not(pair):
    frame = tables.p_by_n_frame(pair.p_by_n([1, 2, 9], draws=20))
    assert sorted(set(frame["replicas"])) == ["1", "2"]
    assert set(frame["permuted"]) == {"segments as blocks", "single outputs"}
    assert not any("nan" in cell for cell in frame.astype(str).to_numpy().ravel())


def test_pairs_and_ranks_are_texts_of_every_row(bench):
    result = bench.pairwise()
    frame = tables.pairs_frame(result)
    assert frame["p, Holm"].tolist() == [format_p(r.p_holm, r.smallest_p, exact=r.exact) for r in result.rows]
    ranks = tables.ranks_frame(result)
    assert ranks["system"].tolist() == list(result.systems)
    assert [float(text.replace("−", "-")) for text in ranks[result.label]] == pytest.approx(
        [result.scores[name] for name in result.systems], abs=0.01
    )


def test_the_matrix_says_each_pair_from_both_sides(bench):
    result = bench.pairwise()
    texts, words = tables.p_matrix(result, "holm")
    first, second, last = result.systems
    assert texts.loc[first, first] == "·"
    assert words.loc[first, first] == "not defined"
    assert (words.loc[first, last], words.loc[last, first]) == ("better", "worse")
    row = result.row(first, last)
    assert texts.loc[first, last] == f"{format_p(row.p_holm, row.smallest_p, exact=row.exact)} ▲"
    assert texts.loc[last, first][:-1] == texts.loc[first, last][:-1]


def test_three_methods_and_thresholds_use_the_draws(bench, pair):
    settings = bench.settings
    result = bench.three_methods(systems=["system1", "system3"])
    row = tables.three_methods_frame(result, settings).iloc[0]
    assert row["p, randomization"] == format_p(float(result.pair_frame()["p, randomization"][0]), 1 / 100)
    decimals = score_decimals(i.score for i in result.intervals)
    assert row["B − A"] == format_score(float(result.pair_frame()["B − A"][0]), decimals)
    assert row["overlap ratio"] == f"{result.pair_frame()['overlap ratio'][0]:.2f}"
    curves = pair.observed_difference().curves
    frame = tables.threshold_frame(curves, 0.5)
    assert frame.iloc[:, 2].tolist() == [format_p(one.at(0.5)) for one in curves.curves]


def test_inflation_has_one_row_per_metric(pair):
    result = pair.inflation()
    frame = tables.inflation_frame([result, result])
    assert len(frame) == 2
    assert float(frame["VR"][0]) == pytest.approx(result.ratio, abs=0.01)


def test_alarms_far_above_alpha_are_marked():
    result = alarm_table(design=ArenaDesign(trials=40, n_draws=39))
    frame = tables.alarm_frame(result, alpha=0.05)
    for title, one in result.arenas:
        assert [text.endswith("⚠") for text in frame[title]] == [row.share > 0.075 for row in one.rows]
    assert any(text.endswith("⚠") for text in frame[result.arenas[-1][0]])


def test_intervals_in_a_file_say_over_what_they_hold(pair):
    found = pair.compare(presets=["coherent"])
    frame = tables.interval_numbers(found).set_index("over")
    assert tuple(frame.loc["both", ["low", "high"]]) == found.intervals.both
    assert tuple(frame.loc["other text", ["low", "high"]]) == found.intervals.test_set
    assert list(frame["difference"]) == [found.difference] * 3
