import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_rel

from mtsig_core.significance import crossed_test
from mtsig_core.significance.closed_form.crossed import segment_mean_square, two_way


def draw(seed, n_a, n_b, n_segments, replica=2.0, segment=3.0, residual=5.0, gain=0.0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 4, n_segments)

    def system(n):
        return shared + rng.normal(0, replica, (n, 1)) + rng.normal(0, segment, n_segments) + rng.normal(
            0, residual, (n, n_segments)
        )

    return system(n_a), system(n_b) + gain


def test_mean_squares_are_those_of_the_two_way_table():
    y, _ = draw(1, 4, 2, 7)
    grand, rows, columns = y.mean(), y.mean(axis=1, keepdims=True), y.mean(axis=0, keepdims=True)
    ms_a, ms_e = two_way(y)
    assert ms_a == pytest.approx(7 * ((rows - grand) ** 2).sum() / 3)
    assert ms_e == pytest.approx(((y - rows - columns + grand) ** 2).sum() / 18)
    total = ((y - grand) ** 2).sum()
    assert 3 * ms_a + 18 * ms_e + 4 * ((columns - grand) ** 2).sum() == pytest.approx(total)


def test_unpaired_is_the_formula():
    a, b = draw(2, 3, 4, 60, gain=1)
    result = crossed_test(a, b, alpha=0.1)
    (msa_a, mse_a), (msa_b, mse_b) = two_way(a), two_way(b)
    msd = (b.mean(axis=0) - a.mean(axis=0)).var(ddof=1)
    terms = np.array([msa_a / 180, msa_b / 240, msd / 60, -mse_a / 180, -mse_b / 240])
    variance = max(terms.sum(), msd / 60)
    df = max(1, variance**2 / (terms**2 / [2, 3, 59, 2 * 59, 3 * 59]).sum())
    assert (result.variance, result.df) == pytest.approx((variance, df))
    assert result.difference == pytest.approx(b.mean() - a.mean())
    assert result.p == pytest.approx(2 * student.sf(abs(result.difference) / np.sqrt(variance), df))
    reach = student.ppf(0.95, df) * np.sqrt(variance)
    assert (result.low, result.high) == pytest.approx((result.difference - reach, result.difference + reach))
    assert result.smallest_detectable == pytest.approx(reach)
    assert result.components == pytest.approx(
        {"MSa_A": msa_a, "MSe_A": mse_a, "MSa_B": msa_b, "MSe_B": mse_b, "MSd": msd}
    )
    assert (result.kind, result.warning, result.note) == ("unpaired", "", "")


def test_paired_is_the_formula():
    a, b = draw(3, 4, 4, 50)
    result = crossed_test(a, b, paired=True)
    ms_a, ms_e = two_way(b - a)
    ms_l = 4 * (b - a).mean(axis=0).var(ddof=1)
    variance = max((ms_a + ms_l - ms_e) / 200, ms_l / 200)
    df = max(1, variance**2 / (np.array([ms_a, ms_l, ms_e]) ** 2 / 200**2 / [3, 49, 147]).sum())
    assert (result.variance, result.df) == pytest.approx((variance, df))
    assert result.components == pytest.approx({"MSa_d": ms_a, "MSl_d": ms_l, "MSe_d": ms_e})
    assert result.kind == "paired"


def test_one_replica_on_a_side_is_the_formula():
    a, b = draw(4, 1, 6, 50)
    result = crossed_test(a, b)
    ms_a, ms_e = two_way(b)
    msd = (b.mean(axis=0) - a[0]).var(ddof=1)
    terms = np.array([ms_a / 300, msd / 50, -ms_e / 300])
    variance = max(terms.sum(), msd / 50)
    assert result.variance == pytest.approx(variance)
    assert result.df == pytest.approx(max(1, variance**2 / (terms**2 / [5, 49, 245]).sum()))
    assert "nothing about A's training setup" in result.note
    assert result.warning == ""
    back = crossed_test(b, a)
    assert (back.p, back.difference) == pytest.approx((result.p, -result.difference))
    assert "nothing about B's training setup" in back.note

    alike = crossed_test(a, b, assume_equal_variation=True)
    assert alike.variance == pytest.approx(max(msd / 50, (ms_a - ms_e) * (1 + 1 / 6) / 50 + msd / 50))
    assert "cannot be tested" in alike.note


def test_few_replicas_against_one_are_unreliable():
    assert crossed_test(*draw(5, 1, 4, 20)).warning.startswith("Unreliable: B has 4 replicas")


@pytest.mark.parametrize(("n_a", "n_b", "warned"), [(2, 10, True), (9, 4, True), (4, 8, False), (5, 20, False)])
def test_warns_of_very_unequal_numbers(n_a, n_b, warned):
    assert bool(crossed_test(*draw(6, n_a, n_b, 20)).warning) == warned


def test_never_below_the_part_of_the_segments():
    a, b = draw(7, 3, 3, 200, replica=0.0)
    a, b = (y - y.mean(axis=1, keepdims=True) for y in (a, b))  # all replicas score 0: MSa is 0
    result = crossed_test(a, b)
    assert result.variance == pytest.approx(result.components["MSd"] / 200)
    assert crossed_test(a, b, paired=True).variance == pytest.approx(result.variance)


def test_without_luck_of_replicas_it_is_the_paired_t_test_of_segments():
    a, b = draw(8, 1, 1, 40)
    result = crossed_test(np.repeat(a, 3, axis=0), np.repeat(b, 3, axis=0))
    peer = ttest_rel(b[0], a[0])
    assert (result.p, result.df) == pytest.approx((peer.pvalue, 39))


def test_not_defined_with_a_reason():
    one = crossed_test(*draw(9, 1, 1, 20))
    assert (one.p, one.se, one.low, one.kind) == (None, None, None, "one replica")
    assert "only the segment test is possible" in one.note
    assert "two or more segments" in crossed_test(*draw(9, 3, 3, 1)).note
    assert "one document" in crossed_test(*draw(9, 3, 3, 8), documents=np.zeros(8, dtype=int)).note


def test_nothing_varies():
    same = crossed_test(np.full((3, 9), 0.1), np.full((3, 9), 0.1))
    assert (same.p, same.low, same.high) == (1, 0, 0)
    different = crossed_test(np.full((3, 9), 0.1), np.full((3, 9), 0.4))
    assert different.p is None
    assert "Not defined" in different.note


def test_documents_of_one_segment_change_nothing():
    d = np.random.default_rng(10).normal(size=30)
    assert segment_mean_square(d, np.random.default_rng(0).permutation(30)) == pytest.approx(
        segment_mean_square(d, None)
    )


def test_documents_of_equal_size_are_units_of_their_own():
    d = np.random.default_rng(11).normal(size=(6, 5)) + np.arange(6)[:, None]
    mean_square, df = segment_mean_square(d.ravel(), np.repeat(np.arange(6), 5))
    assert mean_square / 30 == pytest.approx(d.mean(axis=1).var(ddof=1) / 6)
    assert df == 5


@pytest.mark.slow
def test_documents_agree_with_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(12)
    documents = rng.integers(0, 9, 60)
    d = rng.normal(size=60) + documents
    fit = api.OLS(d, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": documents, "use_correction": True})
    # statsmodels' correction for one coefficient is G / (G - 1) times (N - 1) / (N - 1).
    assert segment_mean_square(d, documents)[0] / 60 == pytest.approx(fit.cov_params()[0, 0])


def test_says_what_is_wrong():
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(2, 4\)"):
        crossed_test(np.zeros((2, 3)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="equal numbers; got 2 and 3"):
        crossed_test(np.zeros((2, 3)), np.zeros((3, 3)), paired=True)
    with pytest.raises(ValueError, match=r"per segment \(3\); got 2"):
        crossed_test(np.zeros((2, 3)), np.zeros((2, 3)), documents=np.zeros(2))


@pytest.mark.slow
@pytest.mark.parametrize("n", [(3, 3), (2, 5)])
def test_variance_is_unbiased(n):
    """With replicas that vary, the floor never acts and V is the variance of D over new replicas and segments."""
    results = [crossed_test(*draw(seed, *n, 40, replica=3.0)) for seed in range(2500)]
    true = 9 * (1 / n[0] + 1 / n[1]) + 2 * 9 / 40 + 25 * (1 / n[0] + 1 / n[1]) / 40
    assert np.var([r.difference for r in results], ddof=1) == pytest.approx(true, rel=0.08)
    assert np.mean([r.variance for r in results]) == pytest.approx(true, rel=0.05)
