import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import permutation_test

from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance import PRESETS, Pair, applicable, run_on

QUICK = Settings(n_bootstrap=200, n_permutations=300)


def run(name, statistics, chosen=QUICK, bootstrap=None, **options):
    return run_on(Pair(statistics, "A", "B", chosen, bootstrap), name, **options)


def test_exact_p_agrees_with_scipy(means):
    rng = np.random.default_rng(1)
    for _ in range(5):
        a, b = rng.normal(size=(2, 9)).round(1)
        peer = permutation_test(
            (b, a), lambda x, y: x.mean() - y.mean(), permutation_type="samples", n_resamples=np.inf
        )
        result = run("ar-segment", means({"A": a[None], "B": b[None]}), Settings(n_permutations=512))
        assert result.exact
        assert result.p == pytest.approx(peer.pvalue)


def test_exact_p_of_whole_outputs_agrees_with_scipy(means, pair):
    statistics = pair(np.random.default_rng(2), 4, 4, 20, replica=3, gain=4)
    scores = statistics.scores_of("B"), statistics.scores_of("A")
    peer = permutation_test(scores, lambda x, y: x.mean() - y.mean(), n_resamples=np.inf)
    result = run("ar-replica", statistics)
    assert result.p == pytest.approx(peer.pvalue)
    assert (result.exact, result.draws, result.smallest_p) == (True, 70, 2 / 70)


@pytest.mark.parametrize(
    ("name", "n_a", "n_b", "n_segments", "smallest"),
    [
        ("ar-segment", 2, 2, 5, 2 / 2**5),
        ("ar-segment", 2, 3, 5, 2 / 2**5),
        ("ar-segment", 2, 3, 50, 1 / 301),
        ("ar-hypothesis", 2, 2, 3, 2 / 2**6),
        ("ar-hypothesis", 1, 2, 3, 1 / 3**3),
        ("ar-replica", 3, 3, 9, 0.10),
        ("ar-replica", 4, 4, 9, 2 / 70),
        ("ar-replica", 3, 1, 9, 0.25),
        ("ar-replica", 2, 10, 9, 1 / 66),
        ("ar-replica-paired", 5, 5, 9, 2 / 2**5),
        ("bootstrap-centred", 2, 2, 9, 1 / 201),
        ("bootstrap-paired", 2, 2, 9, 2 / 201),
    ],
)
def test_smallest_p_is_reached_by_a_clear_difference(name, n_a, n_b, n_segments, smallest, pair):
    statistics = pair(np.random.default_rng(3), n_a, n_b, n_segments, residual=1, gain=1000)
    result = run(name, statistics, Settings(n_bootstrap=200, n_permutations=300, paired=n_a == n_b))
    assert result.smallest_p == pytest.approx(smallest)
    assert result.p == pytest.approx(smallest)


def test_draws_may_be_used_again(pair):
    statistics = pair(np.random.default_rng(4), 2, 3, 40, gain=1)
    scores = bootstrap_scores(statistics, QUICK.n_bootstrap, QUICK.seed)
    for name in ("bootstrap-centred", "bootstrap-paired"):
        assert run(name, statistics).p == run(name, statistics, bootstrap=scores).p
    with pytest.raises(ValueError, match=r"shape \(200, 4\); expected \(draw, 5\)"):
        run("bootstrap-paired", statistics, bootstrap=scores[:, :4])


DOCUMENTS = np.repeat(np.arange(6), 5)


@pytest.mark.parametrize("name", PRESETS)
def test_identical_outputs_give_p_1(name, means):
    y = np.random.default_rng(5).normal(50, 10, (3, 30))
    result = run(name, means({"A": y, "B": y}, DOCUMENTS), Settings(n_bootstrap=100, n_permutations=100, paired=True))
    assert result.p == 1
    assert result.difference == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", PRESETS)
def test_constant_outputs_give_p_1(name, means):
    y = np.full((3, 30), 0.1)
    result = run(
        name, means({"A": y, "B": y.copy()}, DOCUMENTS), Settings(n_bootstrap=100, n_permutations=100, paired=True)
    )
    assert result.p == 1


@pytest.mark.parametrize(
    "name",
    [n for n, p in PRESETS.items() if p.family == "bootstrap" and not p.needs.documents]
    + ["crossed", "crossed-paired", "welch-replicas"],
)
def test_a_difference_without_any_variance_is_not_defined(name, means):
    result = run(name, means({"A": np.full((3, 9), 0.1), "B": np.full((3, 9), 0.7)}), Settings(paired=True))
    assert result.p is None
    assert result.difference == pytest.approx(0.6)
    assert "Not defined" in result.note


@pytest.mark.parametrize("name", ["bootstrap-centred", "bootstrap-paired", "koehn", "sacrebleu-bootstrap"])
def test_one_segment_can_only_be_drawn_again(name, means):
    result = run(name, means({"A": np.array([[0.1], [0.2]]), "B": np.array([[0.7], [0.9]])}), Settings(n_bootstrap=50))
    assert result.p is None
    assert "one segment" in result.note
    same = run(name, means({"A": np.array([[0.1], [0.2]]), "B": np.array([[0.1], [0.2]])}), Settings(n_bootstrap=50))
    assert same.p == 1


@pytest.mark.parametrize("name", ["bootstrap-centred", "bootstrap-paired", "koehn", "bootstrap-document"])
def test_a_bootstrap_of_few_units_says_that_it_finds_too_much(name, means):
    y = {s: np.random.default_rng(k).normal(50, 10, (2, 30)) for k, s in enumerate("AB")}
    few = {"documents": 6, "segments": 30} if name == "bootstrap-document" else {"documents": 6, "segments": 12}
    result = run(name, means({s: x[:, : few["segments"]] for s, x in y.items()}, DOCUMENTS[: few["segments"]]))
    assert result.p is not None
    assert f"There are {6 if name == 'bootstrap-document' else 12} " in result.note
    assert "finds too much" not in run("bootstrap-centred", means(y)).note


@pytest.mark.slow
def test_what_is_said_of_few_units_is_what_a_t_distribution_says(means):
    # the bootstrap's sd is sd(ddof 0)/sqrt(n) and its tail normal, so it rejects where |t(n-1)| > z sqrt((n-1)/n)
    expected = {n: 2 * stats.t.sf(1.96 * np.sqrt((n - 1) / n), n - 1) for n in (5, 10, 20)}
    assert [round(x, 2) for x in expected.values()] == [0.15, 0.1, 0.07]
    rng, few = np.random.default_rng(9), Settings(n_bootstrap=300)
    p = [run("bootstrap-centred", means({s: rng.normal(50, 10, (1, 5)) for s in "AB"}), few).p for _ in range(400)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.16, abs=0.05)


def test_a_score_that_is_not_defined_gives_no_p(means):
    statistics = means({"A": np.zeros((2, 4)), "B": np.ones((2, 4))})
    statistics.values[:, :3] = 0  # ratings of one segment only: most drawn test sets have none
    result = run("bootstrap-centred", statistics, bootstrap=np.array([[0.0, 0, 1, 1], [np.nan] * 4]))
    assert result.p is None
    assert "1 of 2 draws" in result.note


def test_welch_statistic_is_told_from_the_difference(pair):
    statistics = pair(np.random.default_rng(6), 2, 5, 20, replica=2, gain=3)
    result = run("ar-replica", statistics)
    assert "Welch" in result.scheme
    assert result.difference == pytest.approx(statistics.scores_of("B").mean() - statistics.scores_of("A").mean())
    assert result.observed != pytest.approx(result.difference)


def test_pairs_matter_to_replica_tests_only_where_declared(means):
    rng = np.random.default_rng(7)
    base = rng.normal(0, 5, (6, 1))
    y = {s: base + gain + rng.normal(0, 1, (6, 50)) for s, gain in (("A", 0), ("B", 0.5))}
    free, paired = (run("welch-replicas", means(y), Settings(paired=p)) for p in (False, True))
    assert paired.p < 0.05 < free.p
    assert run("crossed-paired", means(y)).p is None
    assert run("crossed-paired", means(y), Settings(paired=True)).p < run("crossed", means(y)).p


def test_documents_enter_the_crossed_test(means):
    rng = np.random.default_rng(8)
    documents = np.repeat(np.arange(20), 10)
    shift = rng.normal(0, 5, 20)[documents]
    y = {"A": rng.normal(0, 1, (3, 200)), "B": shift + rng.normal(0, 1, (3, 200))}
    apart, together = means(y), means(y, documents=documents)
    width = [np.diff(run("crossed", s).interval)[0] for s in (apart, together)]
    assert width[1] > 2 * width[0]


def test_progress_reaches_the_end(pair):
    seen = []
    statistics = pair(np.random.default_rng(9), 1, 1, 50)
    run("ar-segment", statistics, progress=lambda fraction, what="": seen.append(fraction))
    assert seen[-1] == 1


@st.composite
def systems(draw):
    """Two systems of 1 to 3 replicas on 2 to 12 segments, in eighths so that sums are exact."""
    n_segments = draw(st.integers(2, 12))
    numbers = st.integers(-40, 40)

    def system():
        n = draw(st.integers(1, 3))
        values = draw(st.lists(numbers, min_size=n * n_segments, max_size=n * n_segments))
        return np.reshape(values, (n, n_segments)) / 8

    return system(), system()


# pairs of outputs are drawn for B, and replicas of A and B from streams of their own
_HANDED = {"ar-hypothesis", "multeval-ar", "bootstrap-replica", "fu-bootstrap", "two-way-bootstrap"}
SYMMETRIC = tuple(name for name in PRESETS if name not in _HANDED)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(systems())
def test_swapping_the_systems_turns_d_and_keeps_p(means, both):
    a, b = both
    chosen = Settings(n_bootstrap=50, n_permutations=64, paired=len(a) == len(b))
    forth, back = means({"A": a, "B": b}), means({"A": b, "B": a})
    for name in SYMMETRIC:
        one, other = run(name, forth, chosen), run(name, back, chosen)
        assert one.difference == pytest.approx(-other.difference, abs=1e-12)
        assert (one.p is None) == (other.p is None)
        if one.p is not None and (one.exact or "assigned" not in one.scheme):
            assert one.p == pytest.approx(other.p, rel=1e-9)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(systems(), st.integers(-10, 10))
def test_a_constant_added_to_both_changes_nothing(means, both, constant):
    a, b = both
    chosen = Settings(n_bootstrap=50, n_permutations=64, paired=len(a) == len(b))
    low, high = means({"A": a, "B": b}), means({"A": a + constant, "B": b + constant})
    for name in applicable(low, "A", "B", chosen):
        one, other = run(name, low, chosen), run(name, high, chosen)
        assert one.difference == pytest.approx(other.difference, abs=1e-11)
        if one.p is None:
            assert other.p is None
        else:
            assert one.p == pytest.approx(other.p, rel=1e-6)


def test_drawn_exchanges_give_no_p_below_what_all_of_them_can(means):
    a = np.array([[0, 0, 0, 0.25, 0, 0, 0]])
    b = np.array([[-0.375, -0.375, 0.125, 0, 0.125, -0.375, -0.375]])
    result = run("ar-segment", means({"A": a, "B": b}), Settings(n_bootstrap=50, n_permutations=64))
    assert not result.exact
    assert result.smallest_p == 2 / 2**7
    assert result.p >= result.smallest_p


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(systems())
def test_p_lies_above_0_and_its_floor_and_up_to_1(means, both):
    a, b = both
    chosen = Settings(n_bootstrap=50, n_permutations=64, paired=len(a) == len(b))
    statistics = means({"A": a, "B": b})
    for name in PRESETS:
        result = run(name, statistics, chosen)
        if result.p is None:
            assert result.note
        else:
            assert 0 < result.p <= 1
            assert result.smallest_p is None or result.p >= result.smallest_p - 1e-12


def test_no_floor_is_claimed_that_cannot_be_reached(means):
    y = np.random.default_rng(5).normal(size=(3, 12))
    same = means({"A": y, "B": y})
    tied = means({"A": np.repeat(y[:1], 3, axis=0), "B": np.repeat(y[1:2], 3, axis=0)})
    for name in ("ar-segment", "bootstrap-centred", "bootstrap-paired", "koehn"):
        assert run(name, same).smallest_p == 1
    # copies: of the 20 assignments of six replicas, only two leave the systems apart
    assert run("ar-replica", tied).smallest_p == pytest.approx(0.1)
    assert run("ar-replica", same).smallest_p >= run("ar-replica", tied).smallest_p
