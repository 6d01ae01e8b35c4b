from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream


def test_a_generator_belongs_to_its_seed_stream_chunk_and_block():
    def first(*key):
        return random_streams.generator(*key).random()

    same = first(1, Stream.SWAP, 2, 3)
    assert first(1, Stream.SWAP, 2, 3) == same
    others = [(2, Stream.SWAP, 2, 3), (1, Stream.ASSIGNMENT, 2, 3), (1, Stream.SWAP, 3, 3), (1, Stream.SWAP, 2, 2)]
    assert same not in [first(*key) for key in others]


def test_chunks_cover_every_draw_once():
    parts = list(random_streams.chunks(10, 4))
    assert [(c.index, c.start, c.stop) for c in parts] == [(0, 0, 4), (1, 4, 8), (2, 8, 10)]
    assert [c.size for c in parts] == [4, 4, 2]


def test_bootstrap_chunks_shrink_with_the_test_set_only():
    assert random_streams.bootstrap_chunk_size(3003) == 256
    assert random_streams.bootstrap_chunk_size(2**20) == 4
    assert random_streams.bootstrap_chunk_size(2**30) == 1


def test_bootstrap_counts_are_draws_with_replacement():
    counts = random_streams.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(0, 0, 2000), 20)
    assert counts.shape == (2000, 20)
    assert (counts.sum(axis=1) == 20).all()
    assert counts.mean() == 1
    assert counts.var() == pytest.approx(1 - 1 / 20, rel=0.05)
    assert np.abs(counts.mean(axis=0) - 1).max() < 0.1


def test_a_shorter_last_chunk_draws_the_same_first_test_sets():
    long = random_streams.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(3, 30, 40), 33)
    short = random_streams.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(3, 30, 33), 33)
    assert (long[:3] == short).all()
    bits = [random_streams.swap_bits(5, Stream.SWAP, Chunk(3, 0, size), 0, 70) for size in (10, 3)]
    assert (bits[0][:3] == bits[1]).all()


def test_swap_bits_are_fair_and_unrelated():
    bits = np.unpackbits(random_streams.swap_bits(1, Stream.SWAP, Chunk(0, 0, 4000), 0, 100), axis=1).astype(float)
    assert bits.shape == (4000, 128)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.04
    off_diagonal = np.corrcoef(bits.T) - np.eye(128)
    assert np.abs(off_diagonal).max() < 0.08


def test_all_swaps_begin_with_none_and_are_distinct():
    patterns = np.unpackbits(random_streams.all_swaps(0, 16), axis=1, count=4, bitorder="little")
    assert patterns[0].sum() == 0
    assert len({tuple(row) for row in patterns}) == 16


def test_all_assignments_begin_with_the_observed_one_and_may_be_cut():
    table = random_streams.all_assignments(5, 2)
    assert table[0].tolist() == [1, 1, 0, 0, 0]
    assert len({tuple(row) for row in table}) == comb(5, 2)
    assert (table.sum(axis=1) == 2).all()
    pieces = [random_streams.all_assignments(5, 2, start, stop) for start, stop in ((0, 4), (4, 10))]
    assert (np.concatenate(pieces) == table).all()


def test_pairings_are_permutations_that_depend_on_the_seed():
    first, second = random_streams.pairings(1, 50, 4), random_streams.pairings(2, 50, 4)
    assert (np.sort(first, axis=1) == np.arange(4)).all()
    assert (first != second).any()
    assert (first == random_streams.pairings(1, 50, 4)).all()


@pytest.mark.parametrize("n_outputs", [3, 8, 9, 32, 33, 64, 65, 130])
def test_packed_assignments_can_be_read_back(n_outputs):
    chosen = np.random.default_rng(0).integers(0, 2, (6, 5, n_outputs), dtype=np.uint8)
    packed = random_streams.pack_assignments(chosen)
    assert packed.shape[-1] * 8 == random_streams.slot_bits(n_outputs) >= n_outputs
    assert (np.unpackbits(packed, axis=-1, count=n_outputs, bitorder="little") == chosen).all()


@pytest.mark.parametrize(("n_outputs", "n_chosen"), [(5, 3), (40, 7), (40, 33), (64, 32), (70, 30)])
def test_assignments_choose_so_many_outputs_and_each_output_equally_often(n_outputs, n_chosen):
    rng = random_streams.generator(7, Stream.ASSIGNMENT)
    packed = random_streams.random_assignments(rng, (200, 60), n_outputs, n_chosen)
    chosen = np.unpackbits(packed, axis=-1, bitorder="little")
    assert (chosen.sum(axis=-1) == n_chosen).all()
    assert chosen[..., n_outputs:].sum() == 0
    share = n_chosen / n_outputs
    error = np.sqrt(share * (1 - share) / 12000)
    assert np.abs(chosen[..., :n_outputs].mean(axis=(0, 1)) - share).max() < 5 * error


def selected(rng, shape, n_outputs, n_chosen):
    return random_streams._selection(rng.random((n_outputs, *shape), dtype=np.float32), n_outputs, n_chosen)


@pytest.mark.parametrize(("n_outputs", "n_chosen"), [(4, 2), (20, 10), (40, 33), (70, 30), (600, 300)])
def test_whole_outputs_are_assigned_as_one_unit_in_each_chunk(n_outputs, n_chosen):
    chunks = list(random_streams.chunks(600, random_streams.EXCHANGE_CHUNK))
    packed = []
    for chunk in chunks:
        rng = random_streams.generator(7, Stream.REPLICA_ASSIGNMENT, chunk.index)
        packed.append(random_streams.random_assignments(rng, (chunk.size, 1), n_outputs, n_chosen)[:, 0])
    one_by_one = np.unpackbits(np.concatenate(packed), axis=1, count=n_outputs, bitorder="little")
    assert (random_streams.output_assignments(7, chunks, n_outputs, n_chosen) == one_by_one).all()


@pytest.mark.slow
@pytest.mark.parametrize("method", [random_streams._distinct, selected])
def test_every_assignment_is_equally_likely(method):
    chosen = method(np.random.default_rng(3), (100, 200), 5, 2)
    keys = chosen.ravel().tolist() if chosen.ndim == 2 else map(tuple, chosen.reshape(-1, 5).tolist())
    frequencies = Counter(keys)
    assert len(frequencies) == comb(5, 2)
    assert chisquare(list(frequencies.values())).pvalue > 0.001
