from types import SimpleNamespace

import numpy as np
import pytest

from mtsig_core.resampling import products
from mtsig_core.resampling.products import SubsetSums, WeightedSums, compact, subset_sums


def packed(chosen):
    return np.packbits(chosen, axis=1, bitorder="little")


@pytest.mark.parametrize("n_rows", [0, 1, 255, 256, 257, 5000])
@pytest.mark.parametrize("n_statistics", [1, 10, 40])
def test_subset_sums_of_whole_numbers_are_exact(n_rows, n_statistics):
    rng = np.random.default_rng(n_rows)
    rows = rng.integers(-50, 50, (n_rows, n_statistics))
    chosen = rng.integers(0, 2, (70, n_rows), dtype=np.uint8)
    sums = subset_sums(packed(chosen), compact(rows.astype(float)))
    assert sums.dtype == float
    assert (sums == chosen.astype(int) @ rows).all()


def test_subset_sums_of_fractions_keep_double_precision():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3000, 2))
    chosen = rng.integers(0, 2, (10, 3000), dtype=np.uint8)
    np.testing.assert_allclose(subset_sums(packed(chosen), compact(rows)), chosen @ rows, atol=1e-11)


def test_single_precision_only_where_no_sum_can_lose_a_unit():
    limit = 2**24
    assert compact(np.array([[limit - 1.0], [0.0]])).dtype == np.float32
    assert compact(np.array([[limit - 1.0], [-1.0]])).dtype == np.float64
    assert compact(np.array([[0.5]])).dtype == np.float64
    rows = np.full((3, 1), limit - 1.0)
    assert subset_sums(np.array([[7]], dtype=np.uint8), compact(rows))[0, 0] == 3 * (limit - 1)


@pytest.fixture(scope="module")
def compiled():
    pytest.importorskip("numba")
    module = products.SIGNED_SUMS.wait(120)
    assert module is not None, products.SIGNED_SUMS.problem
    return module


@pytest.mark.parametrize("n_rows", [0, 1, 31, 32, 33, 700])
@pytest.mark.parametrize("n_statistics", [1, 8, 9, 18])
@pytest.mark.parametrize("largest", [3, 400, 20_000])
def test_both_kernels_give_the_same_whole_numbers(n_rows, n_statistics, largest, compiled, monkeypatch):
    rng = np.random.default_rng(n_rows)
    rows = rng.integers(-largest, largest + 1, (n_rows, n_statistics))
    rows[:, -1] = rows[:, 0]  # equal columns are summed once
    chosen = rng.integers(0, 2, (300, n_rows), dtype=np.uint8)
    by_table = SubsetSums(rows.astype(float))(packed(chosen))
    assert (by_table == chosen.astype(int) @ rows).all()
    with monkeypatch.context() as patched:
        patched.setattr(products, "SIGNED_SUMS", SimpleNamespace(loaded=None))  # as long as it is being compiled
        assert (SubsetSums(rows.astype(float))(packed(chosen)) == by_table).all()


@pytest.mark.parametrize("n_rows", [1, 32, 33, 700, 1500])
@pytest.mark.parametrize("n_statistics", [1, 8, 9])
@pytest.mark.parametrize("largest", [3, 400])
def test_numpy_looks_up_the_same_sums_without_the_kernel(n_rows, n_statistics, largest, monkeypatch):
    monkeypatch.setattr(products, "SIGNED_SUMS", SimpleNamespace(loaded=None, start=lambda: None))
    rng = np.random.default_rng(n_rows)
    rows = rng.integers(-largest, largest + 1, (n_rows, n_statistics))
    chosen = rng.integers(0, 2, (600, n_rows), dtype=np.uint8)
    sums = SubsetSums(rows.astype(float))
    assert sums.packed.worth_tables(600)
    assert (sums(packed(chosen)) == chosen.astype(int) @ rows).all()
    assert "tables" in sums.packed.__dict__
    assert not sums.packed.worth_tables(10)  # tables would take longer than the product
    assert (sums(packed(chosen[:10])) == chosen[:10].astype(int) @ rows).all()


def test_the_compiled_kernel_answers_where_its_words_hold_the_sums(compiled):
    rng = np.random.default_rng(0)
    assert SubsetSums(rng.integers(-5, 6, (500, 3)).astype(float)).packed is not None
    extreme = SubsetSums(np.full((64, 1), 2.0**10))
    assert extreme.packed is None  # 32 rows alone would overflow a lane
    assert extreme(np.full((1, 8), 255, dtype=np.uint8))[0, 0] == 2.0**16
    tight = SubsetSums(np.full((64, 1), -1023.0))
    assert tight.packed is not None
    assert len(tight.packed.tiles) == 2
    assert tight(np.full((1, 8), 255, dtype=np.uint8))[0, 0] == -1023 * 64
    assert SubsetSums(np.full((64, 1), 0.5)).packed is None


@pytest.mark.parametrize("largest", [50, 2**22])
def test_weighted_sums_of_whole_numbers_are_exact(largest):
    rng = np.random.default_rng(2)
    values = rng.integers(0, largest, (4, 30, 3))
    counts = rng.multinomial(30, np.full(30, 1 / 30), size=9)
    sums = WeightedSums(values.astype(float))
    assert sums.exact == (largest == 50)
    assert (sums(counts) == np.einsum("du,ous->dos", counts, values)).all()


@pytest.mark.parametrize("n_outputs", [1, 2, 12])
@pytest.mark.parametrize("largest", [30, 2**24 // 80 - 1])
def test_redundant_columns_get_the_sums_of_all_others(n_outputs, largest):
    rng = np.random.default_rng(n_outputs)
    length = rng.integers(largest // 2, largest + 1, (n_outputs, 80, 1))
    length[:, :6] = rng.integers(0, 4, (n_outputs, 6, 1))  # so short that longer n-grams part from the length
    reference = np.broadcast_to(rng.integers(0, largest + 1, (1, 80, 1)), length.shape)
    totals = np.maximum(0, length - np.arange(4))
    values = np.concatenate([length, reference, totals, rng.integers(0, 9, (n_outputs, 80, 2))], axis=2)
    counts = rng.multinomial(80, np.full(80, 1 / 80), size=20)
    counts[0], counts[1] = 0, 0
    counts[0, 0], counts[1, 7] = 80, 80
    sums = WeightedSums(values.astype(float))
    assert sums.exact
    found = sums(counts)
    assert (found == np.einsum("du,ous->dos", counts, values)).all()
    assert (sums(counts, slice(3, 5)) == found[3:5]).all()
    if n_outputs > 1:
        assert len(sums.columns.summed) == 3
        assert sums.columns.corrections


def test_weighted_sums_of_fractions_do_not_depend_on_the_other_outputs():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(7, 301, 2))
    counts = rng.multinomial(301, np.full(301, 1 / 301), size=64)
    together = WeightedSums(values)(counts)
    np.testing.assert_allclose(together, np.einsum("du,ous->dos", counts, values), atol=1e-10)
    assert (WeightedSums(values[2:4])(counts) == together[:, 2:4]).all()
