import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as formulas

from mtsig_core.analysis.planning.components import shared_seeds, variance_components
from mtsig_core.resampling import Settings
from mtsig_core.significance import Scope


def world(rng, n_a, n_b, length, *, replica=1.5, segment=6.0, interaction=3.0, residual=5.0, gain=0.0):
    shared = rng.normal(0, segment, length)

    def system(n):
        return (
            shared + rng.normal(0, replica, (n, 1)) + rng.normal(0, interaction, length)
            + rng.normal(0, residual, (n, length))
        )  # fmt: skip

    return system(n_a), system(n_b) + gain


def sds(found):
    return {(row.name, row.system): row.sd for row in found.rows}


def test_replica_and_residual_are_those_of_a_mixed_model():
    a, b = world(np.random.default_rng(3), 6, 5, 40, replica=4.0)
    found = sds(variance_components(a, b))
    long = pd.DataFrame(
        [(i, f"s{k}", v) for i, row in enumerate(a) for k, v in enumerate(row)], columns=["replica", "segment", "y"]
    )
    # replicas are groups; the crossed segments are fixed effects, which leaves the same two variances
    fitted = formulas.mixedlm("y ~ C(segment)", long, groups="replica").fit(reml=True)
    assert found["replica", "A"] ** 2 == pytest.approx(float(fitted.cov_re.iloc[0, 0]), rel=1e-3)
    assert found["residual", "A"] ** 2 == pytest.approx(fitted.scale, rel=1e-4)


@pytest.mark.slow
def test_known_components_come_back_on_average():
    rng = np.random.default_rng(4)
    made = [variance_components(*world(rng, 4, 6, 60)) for _ in range(80)]
    means = pd.DataFrame([sds(m) for m in made]).pow(2).mean()
    # the systems' difference over segments has twice the variance of one system's strengths
    truth = {("replica", "A"): 1.5**2, ("replica", "B"): 1.5**2, ("residual", "A"): 25, ("residual", "B"): 25,
             ("system by segment", ""): 2 * 9, ("segment", ""): 36}  # fmt: skip
    for key, value in truth.items():
        assert means[key] == pytest.approx(value, rel=0.15), key


@pytest.mark.slow
def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(5)
    truth = {"replica": 1.5, "residual": 5.0, "system by segment": np.sqrt(2) * 3, "segment": 6.0}
    inside = pd.DataFrame([
        {(r.name, r.system): r.low <= truth[r.name] <= r.high for r in variance_components(*world(rng, 4, 4, 80)).rows}
        for _ in range(300)
    ]).mean()  # fmt: skip
    assert ((inside > 0.915) & (inside < 0.985)).all(), inside


def test_shares_add_up_and_lie_inside_their_intervals():
    found = variance_components(*world(np.random.default_rng(6), 3, 4, 50))
    shares = [row.share for row in found.rows if row.share is not None]
    assert sum(shares) == pytest.approx(1)
    for row in found.rows:
        assert row.low <= row.sd <= row.high
        assert (row.share is None) == (row.name == "segment")


def test_an_estimate_below_zero_counts_as_zero_and_says_so():
    y = np.array([[1.0, 2, 3, 4], [4, 3, 2, 1], [1, 3, 2, 4]])  # equal means: MSa = 0 < MSe
    found = variance_components(y, y[::-1] + 1)
    replica = [row for row in found.rows if row.name == "replica"]
    assert all(row.negative and row.sd == 0 for row in replica)
    assert found.to_frame()["estimate below 0"].any()


def test_one_replica_on_one_side_leaves_out_what_is_not_known():
    a, b = world(np.random.default_rng(7), 1, 4, 50)
    found = variance_components(a, b, scope=Scope(systems=("old", "new")))
    assert {row.system for row in found.rows if row.name == "replica"} == {"new"}
    assert "old has one replica" in found.note


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "documents", "word"),
    [((1, 9), (1, 9), None, "one replica"), ((3, 1), (3, 1), None, "one segment"),
     ((3, 4), (3, 4), np.zeros(4, int), "one document")],
)  # fmt: skip
def test_what_is_not_defined_says_why(shape_a, shape_b, documents, word):
    found = variance_components(np.ones(shape_a), np.ones(shape_b), documents=documents)
    assert not found.rows
    assert word in found.note
    assert found.to_frame().empty


def test_constant_data_have_no_luck_and_no_shares():
    found = variance_components(np.ones((3, 5)), np.ones((3, 5)))
    assert all(row.sd == 0 and row.share is None for row in found.rows)


def test_documents_count_as_what_varies_together():
    rng = np.random.default_rng(8)
    documents = np.repeat(np.arange(20), 10)
    a, b = world(rng, 3, 3, 200, interaction=0.1)
    b = b + rng.normal(0, 3, 20)[documents]
    plain, clustered = (variance_components(a, b, documents=d) for d in (None, documents))
    assert clustered.n_units == 20
    assert clustered.interaction > 4 * plain.interaction


def test_pairs_are_judged_by_differences_where_the_numbers_are_equal():
    rng = np.random.default_rng(9)
    a, b = world(rng, 4, 4, 60)
    shared = rng.normal(0, 20, (4, 1))
    loose, tied = (variance_components(a + shared, b + shared, Settings(paired=p)) for p in (False, True))
    assert tied.paired
    assert len(tied.replica) == 1
    assert tied.replica[0] < loose.replica[0] / 5
    assert "Pairs are not used" in variance_components(a, b[:3], Settings(paired=True)).note


def test_shared_seeds_show_at_equal_index():
    rng = np.random.default_rng(10)
    noise = rng.normal(0, 3, (4, 100))
    y_a, y_b = noise + rng.normal(0, 1, (4, 100)), noise + rng.normal(0, 1, (4, 100))
    found = shared_seeds([], [], y_a, y_b)
    assert found.suspicious
    assert found.correlation_equal > 0.8 > 0.1 > found.correlation_unequal
    assert not shared_seeds([], [], y_a, y_b[[1, 2, 3, 0]]).suspicious
    assert shared_seeds([], [], y_a, y_b[:3]) is None
    texts = [["a", "b"], ["c", "d"]]
    assert shared_seeds(texts, texts, y_a[:2, :2], y_a[:2, :2]).identical_equal == 1


def test_identical_replicas_have_no_correlation():
    assert shared_seeds([], [], np.ones((2, 3)), np.ones((2, 3))).correlation_equal is None


def test_identical_outputs_are_counted_pair_by_pair():
    a, b = [("x", "y", "z"), ("x", "q", "z")], [("x", "y", "q"), ("q", "q", "z")]
    y = np.arange(6.0).reshape(2, 3)
    found = shared_seeds(a, b, y, y)
    assert found.identical_equal == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert found.identical_unequal == pytest.approx((1 / 3 + 1 / 3) / 2)
