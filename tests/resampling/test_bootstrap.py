import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap

from mtsig_core.resampling import Sampling, bootstrap, bootstrap_scores, random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.runtime.jobs import Cancelled


def slow_bootstrap(statistics, n_draws, seed):
    """Gather each drawn test set's segments and score them, output by output."""
    scores = np.empty((n_draws, len(statistics.values)))
    size = random_streams.bootstrap_chunk_size(statistics.n_segments)
    for d in range(n_draws):
        index, within = divmod(d, size)
        rng = random_streams.generator(seed, Stream.BOOTSTRAP_SEGMENT, index)
        drawn = rng.integers(0, statistics.n_segments, size=(size, statistics.n_segments))[within]
        for o, values in enumerate(statistics.values):
            scores[d, o] = statistics.metric.score(values[drawn].sum(axis=0))
    return scores


def test_equals_the_obvious_slow_one(counts):
    statistics = counts(0, {"A": 2, "B": 3}, 40)
    assert (bootstrap_scores(statistics, 300, 9) == slow_bootstrap(statistics, 300, 9)).all()


def test_more_draws_begin_with_the_same_draws(counts):
    statistics = counts(1, {"A": 1, "B": 2}, 30)
    assert (bootstrap_scores(statistics, 700, 3)[:300] == bootstrap_scores(statistics, 300, 3)).all()


@pytest.mark.parametrize("kind", ["whole numbers", "fractions"])
def test_other_systems_change_nothing(kind, counts, means):
    if kind == "whole numbers":
        statistics = counts(2, {"A": 2, "B": 3, "C": 1}, 50)
    else:
        statistics = means({s: np.random.default_rng(k).normal(size=(2, 50)) for k, s in enumerate("ABC")})
    everything = bootstrap_scores(statistics, 100, 4)
    some = bootstrap_scores(statistics, 100, 4, systems=("C", "A"))
    expected = np.concatenate([everything[:, statistics.rows("C")], everything[:, statistics.rows("A")]], axis=1)
    assert (some == expected).all()


def test_blocks_of_outputs_change_nothing(counts, monkeypatch):
    statistics = counts(3, {"A": 3, "B": 4}, 50)
    whole = bootstrap_scores(statistics, 100, 4)
    monkeypatch.setattr(bootstrap, "_OUTPUT_BLOCK", 2 * 50 * 3)
    assert (bootstrap_scores(statistics, 100, 4) == whole).all()


def test_seeds_differ_and_repeat(counts):
    statistics = counts(4, {"A": 1}, 50)
    assert (bootstrap_scores(statistics, 50, 1) == bootstrap_scores(statistics, 50, 1)).all()
    assert (bootstrap_scores(statistics, 50, 1) != bootstrap_scores(statistics, 50, 2)).any()


def test_spread_agrees_with_the_delta_method(counts):
    statistics = counts(5, {"A": 2}, 800)
    drawn = bootstrap_scores(statistics, 4000, 1)
    closed = statistics.pseudo_values("A").std(axis=1) / np.sqrt(800)
    np.testing.assert_allclose(drawn.std(axis=0, ddof=1), closed, rtol=0.04)
    assert np.abs(drawn.mean(axis=0) - statistics.scores).max() < 0.1 * closed.max()


def test_spread_agrees_with_scipy_for_a_mean(means):
    y = np.random.default_rng(6).exponential(size=(1, 120))
    drawn = bootstrap_scores(means({"A": y}), 5000, 1)[:, 0]
    peer = scipy_bootstrap((y[0],), np.mean, n_resamples=5000, method="percentile", rng=np.random.default_rng(0))
    assert drawn.std(ddof=1) == pytest.approx(peer.standard_error, rel=0.04)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (low, high) == pytest.approx(tuple(peer.confidence_interval), abs=0.01)


def test_documents_are_drawn_whole(means):
    # Segments of a document agree and documents differ, so a draw of documents varies sqrt(10) times as much.
    level = np.random.default_rng(7).normal(size=40)
    documents = np.repeat(np.arange(40), 10)
    statistics = means({"A": level[documents][None]}, documents=np.random.default_rng(1).permutation(40)[documents])
    by_segment = bootstrap_scores(statistics, 3000, 1).std()
    by_document = bootstrap_scores(statistics, 3000, 1, sampling=Sampling(unit="document")).std()
    assert by_document / by_segment == pytest.approx(np.sqrt(10), rel=0.05)


def test_one_segment_a_document_sums_to_the_same_units(means):
    y = np.arange(12.0)[None]
    statistics = means({"A": y}, documents=np.arange(12))
    counts = random_streams.bootstrap_counts(3, Stream.BOOTSTRAP_DOCUMENT, Chunk(0, 0, 20), 12)
    scores = bootstrap_scores(statistics, 20, 3, sampling=Sampling(unit="document"))
    np.testing.assert_allclose(scores[:, 0], counts @ y[0] / 12)


def test_progress_is_reported_and_may_cancel(counts):
    seen = []
    statistics = counts(8, {"A": 1}, 20)
    bootstrap_scores(statistics, 600, 1, progress=lambda fraction, what="": seen.append(fraction))
    assert seen == sorted(seen)
    assert len(seen) == 3
    assert seen[-1] == 1

    def cancel(fraction, what=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        bootstrap_scores(statistics, 600, 1, progress=cancel)


def test_says_what_is_wrong(counts):
    statistics = counts(9, {"A": 1}, 20)
    with pytest.raises(ValueError, match="no document ids"):
        bootstrap_scores(statistics, 10, 1, sampling=Sampling(unit="document"))
    with pytest.raises(ValueError, match="'segment' or 'document'; not 'word'"):
        bootstrap_scores(statistics, 10, 1, sampling=Sampling(unit="word"))
    with pytest.raises(ValueError, match="at least 1; got 0"):
        bootstrap_scores(statistics, 0, 1)


@pytest.mark.parametrize("kind", ["counts", "means"])
@pytest.mark.parametrize("first", [1, 200, 256, 299])
def test_draws_known_from_before_are_left_out(kind, first, counts, means):
    if kind == "counts":
        statistics = counts(5, {"a": 2, "b": 1}, 30)
    else:
        rng = np.random.default_rng(5)
        statistics = means({"a": rng.normal(size=(2, 301)), "b": rng.normal(size=(1, 301))})
    known = bootstrap_scores(statistics, first, 7)
    assert (np.concatenate([known, bootstrap_scores(statistics, 300, 7, sampling=Sampling(first=first))])
            == bootstrap_scores(statistics, 300, 7)).all()


def test_says_that_nothing_is_left_to_draw(counts):
    with pytest.raises(ValueError, match="between 0 and 9; got 10"):
        bootstrap_scores(counts(0, {"a": 1}, 5), 10, 1, sampling=Sampling(first=10))
