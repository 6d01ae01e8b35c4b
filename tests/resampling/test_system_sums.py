"""Sums made once a system give every pair the very exchanges that it has alone."""

import numpy as np
import pytest

from mtsig_core.resampling import ExchangeDesign, SystemSums, exchange
from mtsig_core.resampling.memory import SETTING

SIZES = {"a": 3, "b": 3, "c": 2}
PAIRS = [("a", "b"), ("a", "c"), ("c", "b")]


@pytest.fixture(params=["counts", "means"])
def statistics(request, counts, means):
    if request.param == "counts":
        return counts(4, SIZES, 70)
    rng = np.random.default_rng(4)
    return means({name: rng.normal(size=(n, 70)) for name, n in SIZES.items()})


@pytest.mark.parametrize("row_block", [2**16, 16])
def test_shared_sums_change_nothing(statistics, row_block, monkeypatch):
    for module in ("schemes", "system_sums"):
        monkeypatch.setattr(f"mtsig_core.resampling.{module}.ROW_BLOCK", row_block)
    shared = SystemSums(statistics, 600, 7)
    assert shared.fits
    whole = np.array_equal(statistics.values, np.rint(statistics.values))
    for a, b in PAIRS:
        alone = exchange(statistics, a, b, ExchangeDesign("segment", 600, 7))
        together = exchange(statistics, a, b, ExchangeDesign("segment", 600, 7), shared=shared)
        np.testing.assert_allclose(together.values, alone.values, rtol=0, atol=0 if whole else 1e-9)
        assert (together.observed, together.n_distinct, together.exact) == (alone.observed, alone.n_distinct, False)


def test_few_exchanges_are_enumerated_as_before(counts):
    statistics = counts(5, {"a": 2, "b": 2}, 6)
    shared = SystemSums(statistics, 600, 7)
    found = exchange(statistics, "a", "b", ExchangeDesign("segment", 600, 7), shared=shared)
    assert found.exact
    alone = exchange(statistics, "a", "b", ExchangeDesign("segment", 600, 7))
    np.testing.assert_array_equal(found.values, alone.values)


def test_sums_that_do_not_fit_are_made_pair_by_pair(statistics, monkeypatch):
    monkeypatch.setattr("mtsig_core.resampling.memory.LEAST", 1)
    monkeypatch.setenv(SETTING, "1kB")
    shared = SystemSums(statistics, 600, 7)
    monkeypatch.setattr(SystemSums, "of", lambda *given: pytest.fail("nothing may be held"))
    assert not shared.fits
    assert len(exchange(statistics, "a", "b", ExchangeDesign("segment", 600, 7), shared=shared).values) == 600
