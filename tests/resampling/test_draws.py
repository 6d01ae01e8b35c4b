from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from mtsig_core.resampling import random_streams as draws
from mtsig_core.resampling.random_streams import Chunk, Stream


def test_a_generator_belongs_to_its_seed_stream_chunk_and_block():
    def first(*key):
        return draws.generator(*key).random()

    same = first(1, Stream.FLIP, 2, 3)
    assert first(1, Stream.FLIP, 2, 3) == same
    others = [(2, Stream.FLIP, 2, 3), (1, Stream.DEAL, 2, 3), (1, Stream.FLIP, 3, 3), (1, Stream.FLIP, 2, 2)]
    assert same not in [first(*key) for key in others]


def test_chunks_cover_every_draw_once():
    parts = list(draws.chunks(10, 4))
    assert [(c.index, c.start, c.stop) for c in parts] == [(0, 0, 4), (1, 4, 8), (2, 8, 10)]
    assert [c.size for c in parts] == [4, 4, 2]


def test_bootstrap_chunks_shrink_with_the_test_set_only():
    assert draws.bootstrap_chunk_size(3003) == 256
    assert draws.bootstrap_chunk_size(2**20) == 4
    assert draws.bootstrap_chunk_size(2**30) == 1


def test_bootstrap_counts_are_draws_with_replacement():
    counts = draws.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(0, 0, 2000), 20)
    assert counts.shape == (2000, 20)
    assert (counts.sum(axis=1) == 20).all()
    assert counts.mean() == 1
    assert counts.var() == pytest.approx(1 - 1 / 20, rel=0.05)
    assert np.abs(counts.mean(axis=0) - 1).max() < 0.1


def test_a_shorter_last_chunk_draws_the_same_first_test_sets():
    long = draws.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(3, 30, 40), 33)
    short = draws.bootstrap_counts(5, Stream.BOOTSTRAP_SEGMENT, Chunk(3, 30, 33), 33)
    assert (long[:3] == short).all()
    bits = [draws.flip_bits(5, Stream.FLIP, Chunk(3, 0, size), 0, 70) for size in (10, 3)]
    assert (bits[0][:3] == bits[1]).all()


def test_flip_bits_are_fair_and_unrelated():
    bits = np.unpackbits(draws.flip_bits(1, Stream.FLIP, Chunk(0, 0, 4000), 0, 100), axis=1).astype(float)
    assert bits.shape == (4000, 128)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.04
    off_diagonal = np.corrcoef(bits.T) - np.eye(128)
    assert np.abs(off_diagonal).max() < 0.08


def test_all_flips_begin_with_none_and_are_distinct():
    patterns = np.unpackbits(draws.all_flips(0, 16), axis=1, count=4, bitorder="little")
    assert patterns[0].sum() == 0
    assert len({tuple(row) for row in patterns}) == 16


def test_all_deals_begin_with_the_observed_one_and_may_be_cut():
    table = draws.all_deals(5, 2)
    assert table[0].tolist() == [1, 1, 0, 0, 0]
    assert len({tuple(row) for row in table}) == comb(5, 2)
    assert (table.sum(axis=1) == 2).all()
    assert (np.concatenate([draws.all_deals(5, 2, 0, 4), draws.all_deals(5, 2, 4, 10)]) == table).all()


def test_pairings_are_permutations_that_depend_on_the_seed():
    first, second = draws.pairings(1, 50, 4), draws.pairings(2, 50, 4)
    assert (np.sort(first, axis=1) == np.arange(4)).all()
    assert (first != second).any()
    assert (first == draws.pairings(1, 50, 4)).all()


@pytest.mark.parametrize("n_cards", [3, 8, 9, 32, 33, 64, 65, 130])
def test_packed_deals_can_be_read_back(n_cards):
    dealt = np.random.default_rng(0).integers(0, 2, (6, 5, n_cards), dtype=np.uint8)
    packed = draws.pack_deals(dealt)
    assert packed.shape[-1] * 8 == draws.slot_bits(n_cards) >= n_cards
    assert (np.unpackbits(packed, axis=-1, count=n_cards, bitorder="little") == dealt).all()


@pytest.mark.parametrize(("n_cards", "n_dealt"), [(5, 3), (40, 7), (40, 33), (64, 32), (70, 30)])
def test_deals_take_so_many_cards_and_each_card_alike(n_cards, n_dealt):
    packed = draws.deals(7, Stream.DEAL, Chunk(0, 0, 200), 0, 60, n_cards, n_dealt)
    dealt = np.unpackbits(packed, axis=-1, bitorder="little")
    assert (dealt.sum(axis=-1) == n_dealt).all()
    assert dealt[..., n_cards:].sum() == 0
    share = n_dealt / n_cards
    error = np.sqrt(share * (1 - share) / 12000)
    assert np.abs(dealt[..., :n_cards].mean(axis=(0, 1)) - share).max() < 5 * error


def selected(rng, shape, n_cards, n_dealt):
    return draws._selection(rng.random((n_cards, *shape), dtype=np.float32), n_cards, n_dealt)


@pytest.mark.parametrize(("n_cards", "n_dealt"), [(4, 2), (20, 10), (40, 33), (70, 30), (600, 300)])
def test_whole_outputs_are_dealt_as_one_unit_in_each_chunk(n_cards, n_dealt):
    chunks = list(draws.chunks(600, draws.EXCHANGE_CHUNK))
    packed = [draws.deals(7, Stream.REPLICA_DEAL, c, 0, 1, n_cards, n_dealt)[:, 0] for c in chunks]
    one_by_one = np.unpackbits(np.concatenate(packed), axis=1, count=n_cards, bitorder="little")
    assert (draws.whole_deals(7, chunks, n_cards, n_dealt) == one_by_one).all()


@pytest.mark.parametrize("method", [draws._distinct, selected])
def test_every_deal_is_equally_likely(method):
    dealt = method(np.random.default_rng(3), (100, 200), 5, 2)
    keys = dealt.ravel().tolist() if dealt.ndim == 2 else map(tuple, dealt.reshape(-1, 5).tolist())
    frequencies = Counter(keys)
    assert len(frequencies) == comb(5, 2)
    assert chisquare(list(frequencies.values())).pvalue > 0.001
