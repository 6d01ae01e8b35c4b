"""p-values against a plain reference that is given the same draws: lists and loops, nothing shared but the bits."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.resampling import Settings, random_streams
from mtsig_core.resampling.random_streams import EXCHANGE_CHUNK, Stream
from mtsig_core.resampling.schemes import PairSwaps, SegmentAssignments
from mtsig_core.significance import run_preset

SETTINGS = Settings(n_bootstrap=300, n_permutations=299, seed=11)
L = 10


def bits_of(packed, n):
    return [[(int(row[i // 8]) >> (i % 8)) & 1 for i in range(n)] for row in packed]


def drawn_bits(stream, n):
    found = []
    for chunk in random_streams.chunks(SETTINGS.n_permutations, EXCHANGE_CHUNK):
        found += bits_of(random_streams.swap_bits(SETTINGS.seed, stream, chunk, 0, n), n)
    return found


def score(outputs):
    """The metric of a list of segments' statistics, each a tuple of three numbers: 100 sqrt(s0 s1) / s2."""
    s0, s1, s2 = (sum(o[k] for o in outputs) for k in range(3))
    return 100 * (s0 * s1) ** 0.5 / s2


def p_of(observed, values, scale):
    extreme = sum(abs(v) >= abs(observed) - 1e-12 * scale for v in values)
    return (extreme + 1) / (len(values) + 1)


def lists(statistics, system):
    return [[tuple(segment) for segment in replica] for replica in statistics.of(system).tolist()]


def swapped_p(pairs, statistics, a, b, every):
    """Swap each pair where its bit is set, into two new sides; pairs that differ have one, or every one has."""
    differ = [k for k, (x, y) in enumerate(pairs) if every or x != y]
    values = []
    for bits in drawn_bits(Stream.SWAP, len(differ)):
        swap = dict(zip(differ, bits, strict=True))
        x = [pair[1] if swap.get(k) else pair[0] for k, pair in enumerate(pairs)]
        y = [pair[0] if swap.get(k) else pair[1] for k, pair in enumerate(pairs)]
        assert sorted(x + y) == sorted(itertools.chain.from_iterable(pairs))
        values.append(score(y) - score(x))
    observed = score([y for _, y in pairs]) - score([x for x, _ in pairs])
    scale = max(1, *(abs(float(statistics.scores_of(s).mean())) for s in (a, b)))
    return observed, p_of(observed, values, scale)


def test_segments_swapped_as_blocks(counts):
    statistics = counts(3, {"a": 3, "b": 3}, L)
    of_a, of_b = lists(statistics, "a"), lists(statistics, "b")

    def block(replicas, segment):
        return tuple(sum(r[segment][k] for r in replicas) for k in range(3))

    observed, p = swapped_p([(block(of_a, i), block(of_b, i)) for i in range(L)], statistics, "a", "b", True)
    found = run_preset("ar-segment", statistics, "a", "b", SETTINGS)
    assert found.difference == pytest.approx(observed, abs=1e-9)
    assert found.p == p


def test_pairs_of_hypotheses_swapped(counts):
    statistics = counts(4, {"a": 3, "b": 3}, L)
    of_a, of_b = lists(statistics, "a"), lists(statistics, "b")
    partner = random_streams.pairings(SETTINGS.seed, L, 3)
    pairs = [(of_a[k][i], of_b[partner[i][k]][i]) for i in range(L) for k in range(3)]
    observed, p = swapped_p(pairs, statistics, "a", "b", False)
    found = run_preset("ar-hypothesis", statistics, "a", "b", SETTINGS)
    assert found.difference == pytest.approx(observed, abs=1e-9)
    assert found.p == p


def test_hypotheses_dealt_again(counts):
    statistics = counts(5, {"a": 3, "b": 2}, L)
    cards = [[r[i] for r in lists(statistics, "a") + lists(statistics, "b")] for i in range(L)]
    active = [i for i in range(L) if len(set(cards[i])) > 1]
    values = []
    for chunk in random_streams.chunks(SETTINGS.n_permutations, EXCHANGE_CHUNK):
        rng = random_streams.generator(SETTINGS.seed, Stream.ASSIGNMENT, chunk.index)
        for deal in random_streams.random_assignments(rng, (chunk.size, len(active)), 5, 3):
            of = dict(zip(active, bits_of(deal, 5), strict=True))
            sides = [], []
            for i in range(L):
                for card, taken in zip(cards[i], of.get(i, (1, 1, 1, 0, 0)), strict=True):
                    sides[1 - taken].append(card)
            x, y = sides
            assert (len(x), len(y)) == (3 * L, 2 * L)
            values.append(score(y) - score(x))
    found = run_preset("ar-hypothesis", statistics, "a", "b", SETTINGS)
    observed = score([c[k] for c in cards for k in (3, 4)]) - score([c[k] for c in cards for k in (0, 1, 2)])
    scale = max(1, *(abs(float(statistics.scores_of(s).mean())) for s in "ab"))
    assert found.difference == pytest.approx(observed, abs=1e-9)
    assert found.p == p_of(observed, values, scale)


def test_bootstrap_of_segments(counts):
    statistics = counts(6, {"a": 2, "b": 3}, L)
    differences = []
    for chunk in random_streams.chunks(SETTINGS.n_bootstrap, random_streams.bootstrap_chunk_size(L)):
        for row in random_streams.bootstrap_counts(SETTINGS.seed, Stream.BOOTSTRAP_SEGMENT, chunk, L):
            drawn = [i for i in range(L) for _ in range(row[i])]
            of = {s: [score([r[i] for i in drawn]) for r in lists(statistics, s)] for s in "ab"}
            differences.append(sum(of["b"]) / 3 - sum(of["a"]) / 2)
    scores = {s: [score(r) for r in lists(statistics, s)] for s in "ab"}
    observed = sum(scores["b"]) / 3 - sum(scores["a"]) / 2
    centre = sum(differences) / len(differences)
    found = run_preset("bootstrap-centred", statistics, "a", "b", SETTINGS)
    assert found.p == p_of(observed, [d - centre for d in differences], 1)
    below, above = sum(d <= 0 for d in differences), sum(d >= 0 for d in differences)
    paired = run_preset("bootstrap-paired", statistics, "a", "b", SETTINGS)
    assert paired.p == min(1, 2 * (min(below, above) + 1) / (len(differences) + 1))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 4), st.integers(1, 30))
def test_both_sides_partition_the_pool(seed, n_a, n_b, n_segments):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 50, (n_segments, n_a + n_b, 3)).astype(float)
    chunk = next(random_streams.chunks(20, EXCHANGE_CHUNK))
    flips = PairSwaps(values[:, 0], values[:, -1], 1, lambda sums: sums.sum(axis=-1))
    x, y = flips.sums(flips.moved_sums(seed, [chunk]))
    assert (x + y == values[:, 0].sum(axis=0) + values[:, -1].sum(axis=0)).all()
    sides = []
    dealt = SegmentAssignments(values, n_a, lambda sums: sides.append(sums) or sums.sum(axis=-1))
    dealt.drawn(seed, [chunk])
    of_b, of_a = sides
    everything = np.broadcast_to(values.sum(axis=(0, 1)), of_a.shape)
    np.testing.assert_allclose(of_a * n_a + of_b * n_b, everything, rtol=1e-12)
    least, most = np.sort(values, axis=1)[:, :n_a].sum(axis=(0, 1)), np.sort(values, axis=1)[:, n_b:].sum(axis=(0, 1))
    assert (of_a * n_a >= least - 1e-9).all()
    assert (of_a * n_a <= most + 1e-9).all()
