"""Means over redrawn replicas: compiled or not, the same draws and the same sums."""

from types import SimpleNamespace

import numpy as np
import pytest

from mtsig_core.resampling import bootstrap_means, random_streams, replica_resampling
from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.random_streams import Chunk


@pytest.fixture(scope="module")
def compiled():
    pytest.importorskip("numba")
    module = SIGNED_SUMS.wait(120)
    assert module is not None, SIGNED_SUMS.problem
    return module


def by_definition(scores: np.ndarray, n_draws: int, seed: int, system: int) -> np.ndarray:
    """Draw places by numpy alone, chunk by chunk."""
    n = scores.shape[-1]
    chunks = random_streams.chunks(n_draws, random_streams.replica_chunk_size(n))
    places = np.concatenate([random_streams.replica_places(seed, c, n, system) for c in chunks])
    rows = np.broadcast_to(scores, (n_draws, n))
    return np.take_along_axis(rows, places, axis=1).sum(axis=1) / n


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 50, 127, 128, 129, 300])
@pytest.mark.parametrize("each_draw", [False, True])
def test_compiled_means_are_numpys_to_the_last_bit(n, each_draw, compiled, monkeypatch):
    rng = np.random.default_rng(n)
    shape = (1500, n) if each_draw else (n,)
    scores = rng.normal(size=shape) * 10.0 ** rng.integers(-4, 5, shape)
    found = bootstrap_means(scores, 1500, 7, system=2)
    with monkeypatch.context() as patched:
        patched.setattr(replica_resampling, "SIGNED_SUMS", SimpleNamespace(loaded=None, start=None))
        np.testing.assert_array_equal(bootstrap_means(scores, 1500, 7, system=2), found)
    np.testing.assert_array_equal(by_definition(scores, 1500, 7, 2), found)


@pytest.mark.parametrize("n", [3, 50, 100])
def test_bits_are_those_that_places_are_made_of(n):
    chunk = Chunk(3, 0, 77)
    bits = random_streams.replica_bits(5, chunk, n, 1)
    places = (bits.astype(np.uint64) * np.uint64(n)) >> np.uint64(32)
    np.testing.assert_array_equal(places.reshape(77, n), random_streams.replica_places(5, chunk, n, 1))


def test_bits_that_numpy_rejects_are_noticed(compiled):
    scores, out = np.arange(50.0)[None], np.empty(1)
    rejected = 2**32 % 50
    bits = np.full(50, 2**31 + 12345, dtype=np.uint32)
    assert compiled.add_resampled(bits, scores, out)
    assert out[0] == 50 * ((50 * (2**31 + 12345)) >> 32)
    bits[49] = 0  # the low half of its product is 0, below what is rejected
    assert rejected > 0
    assert not compiled.add_resampled(bits, scores, out)


def test_where_numpy_rejects_bits_numpy_draws(compiled, monkeypatch):
    scores = np.random.default_rng(0).normal(size=50)
    expected = bootstrap_means(scores, 100, 1)
    monkeypatch.setattr(random_streams, "replica_bits", lambda *given: np.zeros(5000, dtype=np.uint32))
    np.testing.assert_array_equal(bootstrap_means(scores, 100, 1), expected)
