from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_ind

from mtsig_core.resampling import ExchangeDesign, exchange, random_streams, schemes
from mtsig_core.resampling.random_streams import Chunk

TINY = {"equal": {"A": 2, "B": 2}, "unequal": {"A": 2, "B": 3}, "single": {"A": 1, "B": 1}}


def pooled(statistics, a, b):
    """D of pooled scores of a and b, each (replica, segment, statistic)."""
    score = statistics.metric.score
    return score(b.mean(axis=0).sum(axis=0)) - score(a.mean(axis=0).sum(axis=0))


def brute_blocks(statistics, units):
    """Every swap of blocks, each unit a list of segments."""
    a, b = statistics.of("A"), statistics.of("B")
    for swaps in product([False, True], repeat=len(units)):
        to_a = [(b if swap else a)[:, unit].mean(axis=0).sum(axis=0) for swap, unit in zip(swaps, units, strict=True)]
        to_b = [(a if swap else b)[:, unit].mean(axis=0).sum(axis=0) for swap, unit in zip(swaps, units, strict=True)]
        yield statistics.metric.score(np.sum(to_b, axis=0)) - statistics.metric.score(np.sum(to_a, axis=0))


def brute_pairs(statistics, seed):
    """Every swap of pairs of hypotheses."""
    a, b = statistics.of("A"), statistics.of("B")
    pairs = random_streams.pairings(seed, statistics.n_segments, len(a))
    b = np.stack([b[pairs[:, i], np.arange(statistics.n_segments)] for i in range(len(a))])
    for swaps in product([False, True], repeat=a.shape[0] * a.shape[1]):
        swap = np.reshape(swaps, (*a.shape[:2], 1))
        yield pooled(statistics, np.where(swap, b, a), np.where(swap, a, b))


def brute_deals(statistics):
    """Every deal of each segment's outputs."""
    n_a = len(statistics.of("A"))
    everything = np.concatenate([statistics.of("A"), statistics.of("B")])
    options = list(combinations(range(len(everything)), n_a))
    for deal in product(options, repeat=statistics.n_segments):
        a = np.stack([everything[list(cards), s] for s, cards in enumerate(deal)], axis=1)
        rest = [[o for o in range(len(everything)) if o not in cards] for cards in deal]
        yield pooled(statistics, a, np.stack([everything[cards, s] for s, cards in enumerate(rest)], axis=1))


@pytest.mark.parametrize("n", TINY.values(), ids=TINY)
def test_enumerates_blocks_of_segments(n, counts):
    statistics = counts(1, n, 6)
    result = exchange(statistics, "A", "B", ExchangeDesign("segment", 64, 1))
    assert (result.exact, result.n_distinct, result.statistic) == (True, 64, "difference")
    np.testing.assert_allclose(np.sort(result.values), sorted(brute_blocks(statistics, [[s] for s in range(6)])))
    assert result.observed == result.values[0] == result.difference
    assert result.observed == pytest.approx(pooled(statistics, statistics.of("A"), statistics.of("B")))


def test_enumerates_documents(counts):
    statistics = counts(2, {"A": 2, "B": 3}, 6, documents=np.array([2, 0, 0, 1, 2, 1]))
    result = exchange(statistics, "A", "B", ExchangeDesign("document", 100, 1))
    assert result.n_distinct == 8
    np.testing.assert_allclose(np.sort(result.values), sorted(brute_blocks(statistics, [[1, 2], [3, 5], [0, 4]])))


def test_enumerates_pairs_of_hypotheses(counts):
    statistics = counts(3, {"A": 2, "B": 2}, 4)
    result = exchange(statistics, "A", "B", ExchangeDesign("hypothesis", 256, 7))
    assert result.exact
    assert "swapped" in result.scheme
    np.testing.assert_allclose(np.sort(result.values), sorted(brute_pairs(statistics, 7)))


def test_enumerates_deals_of_hypotheses(counts):
    statistics = counts(4, {"A": 2, "B": 3}, 3)
    result = exchange(statistics, "A", "B", ExchangeDesign("hypothesis", 1000, 7))
    assert (result.exact, result.n_distinct) == (True, 1000)
    assert "assigned at random" in result.scheme
    np.testing.assert_allclose(np.sort(result.values), sorted(brute_deals(statistics)))
    assert result.values[0] == pytest.approx(result.observed, abs=1e-12)


def test_deals_whole_outputs(counts):
    statistics = counts(5, {"A": 3, "B": 3}, 20)
    result = exchange(statistics, "A", "B", ExchangeDesign("replica", 100, 1))
    scores = statistics.scores
    expected = [
        np.delete(scores, cards).mean() - scores[list(cards)].mean() for cards in combinations(range(6), 3)
    ]
    np.testing.assert_allclose(np.sort(result.values), sorted(expected))


def test_unequal_numbers_of_whole_outputs_compare_by_welch(counts):
    statistics = counts(6, {"A": 2, "B": 4}, 20)
    result = exchange(statistics, "A", "B", ExchangeDesign("replica", 100, 1))
    assert (result.statistic, result.n_distinct) == ("welch-t", 15)
    scores = statistics.scores
    expected = [
        ttest_ind(np.delete(scores, cards), scores[list(cards)], equal_var=False).statistic
        for cards in combinations(range(6), 2)
    ]
    np.testing.assert_allclose(np.sort(result.values), sorted(expected), rtol=1e-8)
    assert result.difference == pytest.approx(scores[2:].mean() - scores[:2].mean())


def test_swaps_whole_outputs_by_index(counts):
    statistics = counts(7, {"A": 4, "B": 4}, 20)
    result = exchange(statistics, "A", "B", ExchangeDesign("replica-paired", 100, 1))
    d = statistics.scores_of("B") - statistics.scores_of("A")
    expected = [np.mean(d * signs) for signs in product([1, -1], repeat=4)]
    np.testing.assert_allclose(np.sort(result.values), sorted(expected), atol=1e-13)
    with pytest.raises(ValueError, match="A has 2 and B has 3"):
        exchange(counts(0, {"A": 2, "B": 3}, 4), "A", "B", ExchangeDesign("replica-paired", 10, 1))


@pytest.mark.slow
def test_agrees_with_scipy_on_means(means):
    rng = np.random.default_rng(8)
    y = {"A": rng.normal(size=(1, 12)), "B": rng.normal(0.4, size=(1, 12))}
    result = exchange(means(y), "A", "B", ExchangeDesign("segment", 5000, 1))
    peer = permutation_test(
        (y["B"][0], y["A"][0]), lambda b, a: b.mean() - a.mean(), permutation_type="samples", n_resamples=np.inf
    )
    assert result.exact
    np.testing.assert_allclose(np.sort(result.values), np.sort(peer.null_distribution), atol=1e-12)


def test_drawn_exchanges_have_the_distribution_of_all(counts):
    for unit, n in (("segment", "unequal"), ("hypothesis", "equal"), ("hypothesis", "unequal"), ("replica", "equal")):
        statistics = counts(9, TINY[n], 4)
        every = exchange(statistics, "A", "B", ExchangeDesign(unit, 10**5, 1))
        drawn = exchange(statistics, "A", "B", ExchangeDesign(unit, 6000, 1, exact=False))
        assert every.exact
        assert not drawn.exact
        assert np.isin(np.round(drawn.values, 8), np.round(every.values, 8)).all()
        assert abs(drawn.values.mean() - every.values.mean()) < 5 * every.values.std() / np.sqrt(6000)
        assert drawn.values.std() == pytest.approx(every.values.std(), rel=0.05)


def test_both_sides_partition_the_pool(counts):
    statistics = counts(10, {"A": 2, "B": 3}, 50)
    a, b = statistics.of("A"), statistics.of("B")
    scheme = schemes.PairSwaps(3 * a.sum(axis=0), 2 * b.sum(axis=0), 6, statistics.metric.score)
    x, y = scheme.sums(scheme.moved_sums(1, [Chunk(0, 0, 100)]))
    assert (x + y == 3 * a.sum(axis=(0, 1)) + 2 * b.sum(axis=(0, 1))).all()
    assert len(np.unique(x[:, 0])) > 50


@pytest.mark.parametrize("unit", ["segment", "hypothesis", "replica"])
def test_identical_systems_never_differ(unit, counts):
    one = counts(11, {"A": 3}, 30)
    statistics = type(one)(
        one.metric, "test", "", ("A", "B"), one.replicas * 2, np.concatenate([one.values, one.values])
    )
    result = exchange(statistics, "A", "B", ExchangeDesign(unit, 200, 1))
    assert result.observed == 0
    if unit == "segment":
        assert (result.exact, result.n_distinct) == (True, 1)


def test_rows_that_do_not_differ_drop_out(counts):
    statistics = counts(12, {"A": 1, "B": 1}, 30)
    statistics.values[1, 4:] = statistics.values[0, 4:]
    assert exchange(statistics, "A", "B", ExchangeDesign("segment", 100, 1)).n_distinct == 16


def test_draws_are_reproducible_in_chunks_and_apart_from_other_systems(counts):
    three = counts(13, {"A": 2, "C": 3, "B": 2}, 40)
    two = type(three)(
        three.metric,
        "test",
        "",
        ("B", "A"),
        (three.names("B"), three.names("A")),
        np.concatenate([three.of("B"), three.of("A")]),
    )
    for unit in ("segment", "hypothesis", "replica"):
        whole = exchange(three, "A", "B", ExchangeDesign(unit, 700, 5, exact=False)).values
        assert (exchange(two, "A", "B", ExchangeDesign(unit, 300, 5, exact=False)).values == whole[:300]).all()
    dealt = [exchange(three, "A", "C", ExchangeDesign("hypothesis", 300, seed)).values for seed in (5, 5, 6)]
    assert (dealt[0] == dealt[1]).all()
    assert (dealt[0] != dealt[2]).any()


@pytest.mark.slow
def test_blocks_of_rows_leave_the_distribution_alone(counts, monkeypatch):
    for n in (TINY["equal"], TINY["unequal"]):
        statistics = counts(14, n, 200)
        whole = exchange(statistics, "A", "B", ExchangeDesign("hypothesis", 4000, 1)).values
        monkeypatch.setattr(schemes, "ROW_BLOCK", 64)
        pieces = exchange(statistics, "A", "B", ExchangeDesign("hypothesis", 4000, 1)).values
        monkeypatch.undo()
        assert pieces.std() == pytest.approx(whole.std(), rel=0.06)
        assert abs(pieces.mean() - whole.mean()) < 6 * whole.std() / np.sqrt(4000)


def test_welch_t_of_constants():
    a, b = np.array([[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]]), np.array([[0.1, 0.1], [0.3, 0.3]])
    assert schemes.welch_t(a, b).tolist() == [0, np.inf]


def test_says_what_is_wrong(counts):
    statistics = counts(15, {"A": 1, "B": 1}, 5)
    with pytest.raises(ValueError, match="hypothesis, replica, replica-paired; not 'word'"):
        exchange(statistics, "A", "B", ExchangeDesign("word", 10, 1))
    with pytest.raises(ValueError, match="at least 1; got 0"):
        exchange(statistics, "A", "B", ExchangeDesign("segment", 0, 1))


def test_the_number_of_exchanges_may_be_beyond_a_float():
    assert schemes.power(2, 10) == 1024
    assert schemes.power(2, 5000) == np.inf
