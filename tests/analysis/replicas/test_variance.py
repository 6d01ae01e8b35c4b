import math

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap
from scipy.stats import f as f_distribution

from mtsig_core.analysis.replicas.variance import variance_table
from mtsig_core.resampling import Settings, bootstrap_scores

SETTINGS = Settings(n_bootstrap=2000, seed=5)


@pytest.fixture
def numbers():
    rng = np.random.default_rng(11)
    return {"A": rng.normal(20, 4, (3, 200)), "B": rng.normal(21, 8, (4, 200)), "C": rng.normal(19, 4, (1, 200))}


def test_average_and_s_test_over_replicas(statistics_of, numbers):
    rows = variance_table([statistics_of(numbers)], SETTINGS).rows
    for row, x in zip(rows, numbers.values(), strict=True):
        means = x.mean(axis=1)
        assert (row.n, row.avg) == (len(x), pytest.approx(means.mean()))
        assert list(row.scores.values()) == pytest.approx(means)
    assert rows[0].s_test == pytest.approx(numbers["A"].mean(axis=1).std(ddof=1))


def test_s_sel_equals_the_standard_error_of_a_mean(statistics_of, numbers):
    rows = variance_table([statistics_of(numbers)], SETTINGS).rows
    for row, x in zip(rows, numbers.values(), strict=True):
        exact = (x.std(axis=1) / math.sqrt(200)).mean()
        assert row.s_sel_closed == pytest.approx(exact, rel=1e-6)
        assert row.s_sel == pytest.approx(exact, rel=0.05)
        assert row.mean_over_draws == pytest.approx(row.avg, abs=6 * exact / math.sqrt(2000))
    peer = scipy_bootstrap((numbers["C"][0],), np.mean, n_resamples=2000, rng=np.random.default_rng(1))
    assert rows[2].s_sel == pytest.approx(peer.standard_error, rel=0.06)


def test_one_replica_has_no_s_test_and_says_why(statistics_of, numbers):
    row = variance_table([statistics_of(numbers)], SETTINGS).rows[2]
    assert row.s_test is None
    assert "one replica" in row.reasons["s_test"]
    assert row.s_sel is not None


def test_each_reason_names_the_columns_that_it_empties(statistics_of):
    reasons = variance_table([statistics_of({"A": [[1.0]], "B": [[1.0], [2.0]]})], SETTINGS).reasons
    assert {why.partition(":")[0]: columns for why, columns in reasons.items()} == {
        "it takes scores of two or more segments": "s_sel", "one replica has no spread": "s_test",
        "there is no tuning set": "s_dev",
    }  # fmt: skip


def test_copies_have_a_spread_of_exactly_zero(statistics_of):
    x = np.tile(np.arange(50) * 0.1, (3, 1))
    row = variance_table([statistics_of({"A": x})], SETTINGS).rows[0]
    assert row.s_test == 0.0


def test_one_segment_has_no_s_sel(statistics_of):
    row = variance_table([statistics_of({"A": [[1.0], [2.0]]})], SETTINGS).rows[0]
    assert row.s_sel is None
    assert row.s_sel_closed is None
    assert "two or more segments" in row.reasons["s_sel"]
    assert row.s_test == pytest.approx(math.sqrt(0.5))


def test_tuning_set_gives_s_dev_and_its_ratio(statistics_of, numbers):
    dev_numbers = {"A": numbers["A"][:, :80] + [[0], [1], [3]], "B": numbers["B"][:, :80]}
    dev = statistics_of(dev_numbers, test_set="tune")
    rows = variance_table([statistics_of(numbers)], SETTINGS, dev={"accuracy": dev}).rows
    s_dev = dev_numbers["A"].mean(axis=1).std(ddof=1)
    assert rows[0].s_dev == pytest.approx(s_dev)
    ratio = rows[0].dev_ratio
    assert ratio.value == pytest.approx(rows[0].s_test / s_dev)
    low, high = f_distribution.interval(0.95, 2, 2)
    assert (ratio.low, ratio.high) == pytest.approx((ratio.value / math.sqrt(high), ratio.value / math.sqrt(low)))
    assert rows[2].s_dev is None
    assert "no output on the tuning set (tune)" in rows[2].reasons["s_dev"]


@pytest.mark.parametrize(
    ("factor", "word"), [(100.0, "poor generalisation"), (0.001, "less on the test set"), (1.0, "")]
)
def test_ratio_speaks_only_when_its_interval_excludes_one(statistics_of, factor, word):
    offsets = np.linspace(-1, 1, 5)[:, None]
    base = np.random.default_rng(2).normal(20, 1, 60)
    dev = statistics_of({"A": base + offsets}, test_set="tune")
    row = variance_table([statistics_of({"A": base + factor * offsets})], SETTINGS, dev={"accuracy": dev}).rows[0]
    assert row.dev_ratio.value == pytest.approx(factor)
    assert (word in row.dev_ratio.remark) if word else row.dev_ratio.remark == ""


def test_row_of_a_tuning_set_has_its_own_spread_as_s_dev(statistics_of, numbers):
    tune, news = statistics_of(numbers, test_set="tune"), statistics_of(numbers, test_set="news")
    rows = variance_table([tune, news], SETTINGS, roles={"tune": "dev", "news": "test"}).rows
    spread = numbers["A"].mean(axis=1).std(ddof=1)
    assert (rows[0].s_dev, rows[0].s_test) == (pytest.approx(spread), None)
    assert "tuning set" in rows[0].reasons["s_test"]
    assert (rows[3].s_dev, rows[3].s_test) == (pytest.approx(spread), pytest.approx(spread))


def test_without_a_tuning_set_s_dev_says_what_to_add(statistics_of, numbers):
    row = variance_table([statistics_of(numbers)], SETTINGS).rows[0]
    assert (row.s_dev, row.dev_ratio) == (None, None)
    assert "add the systems' outputs" in row.reasons["s_dev"]


def test_given_draws_are_used_and_equal_those_made_here(statistics_of, numbers):
    stats = statistics_of(numbers)
    draws = bootstrap_scores(stats, SETTINGS.n_bootstrap, SETTINGS.seed)
    given = variance_table([stats], SETTINGS, bootstrap={("news", "accuracy"): draws})
    assert given.rows[1].s_sel == variance_table([stats], SETTINGS).rows[1].s_sel
    wider = variance_table([stats], SETTINGS, bootstrap={("news", "accuracy"): 3 * draws})
    assert wider.rows[1].s_sel == pytest.approx(3 * given.rows[1].s_sel)


def test_a_system_does_not_depend_on_the_others(statistics_of, numbers):
    alone = variance_table([statistics_of({"B": numbers["B"]})], SETTINGS).rows[0]
    among = variance_table([statistics_of(numbers)], SETTINGS).rows[1]
    assert alone.s_sel == pytest.approx(among.s_sel, rel=1e-12)


def test_undefined_scores_are_none_with_a_reason(statistics_of, numbers):
    stats = statistics_of(numbers)
    draws = np.full((10, 8), np.nan)
    row = variance_table([stats], SETTINGS, bootstrap={("news", "accuracy"): draws}).rows[0]
    assert (row.s_sel, row.mean_over_draws) == (None, None)
    assert "not defined" in row.reasons["s_sel"]


def test_frame_is_for_people(statistics_of, numbers):
    frame = variance_table([statistics_of(numbers)], SETTINGS).to_frame()
    assert frame["system"].tolist() == ["A", "B", "C"]
    assert frame["metric"].tolist() == ["points"] * 3
    assert "one replica has no spread" in frame["note"][2]


@pytest.mark.slow
def test_multeval_example(multeval):
    rows = {row.system: row for row in variance_table([multeval], Settings(n_bootstrap=1000)).rows}
    base, sys1 = rows["baseline"], rows["sys1"]
    assert list(base.scores.values()) == pytest.approx([18.5389, 18.4645, 18.5771], abs=1e-4)
    assert list(sys1.scores.values()) == pytest.approx([18.9869, 18.4740, 18.9795], abs=1e-4)
    assert (base.avg, sys1.avg) == (pytest.approx(18.527, abs=1e-3), pytest.approx(18.814, abs=1e-3))
    assert (base.s_test, sys1.s_test) == (pytest.approx(0.057, abs=5e-4), pytest.approx(0.294, abs=5e-4))
    assert (base.s_sel, sys1.s_sel) == (pytest.approx(0.265, abs=0.01), pytest.approx(0.264, abs=0.01))
    assert base.s_sel == pytest.approx(base.s_sel_closed, rel=0.04)


@pytest.mark.slow
def test_e2e_replicas_spread_from_28_to_39(e2e_wide_spread):
    row = variance_table([e2e_wide_spread], Settings(n_bootstrap=100)).rows[0]
    assert min(row.scores.values()) == pytest.approx(28, abs=1)
    assert max(row.scores.values()) == pytest.approx(39, abs=1)
    assert row.s_test > 5 * row.s_sel
