"""Tests that take whole documents: against the same rule on sums of documents, and under a null of documents."""

import numpy as np
import pytest

from mtsig_core.resampling import Settings
from mtsig_core.significance import run_preset

DOCUMENTS = np.repeat(np.arange(30), 6)
QUICK = Settings(n_bootstrap=399, n_permutations=399)


def clustered(rng, n=2):
    """Make replicas of one training setup whose strength differs from document to document."""
    return rng.normal(0, 4, 30)[DOCUMENTS] + rng.normal(0, 10, (n, 180))


def test_exact_p_of_few_documents_is_that_of_listing_all_swaps(means):
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(6), 5)
    a, b = rng.normal(0, 1, (2, 30)), rng.normal(0.3, 1, (2, 30))
    found = run_preset("ar-document", means({"A": a, "B": b}, documents), "A", "B", QUICK)
    sums = (b.mean(axis=0) - a.mean(axis=0)).reshape(6, 5).sum(axis=1)
    signs = 1 - 2 * ((np.arange(64)[:, None] >> np.arange(6)) & 1)
    flipped = np.abs(signs @ sums)
    assert found.exact
    assert found.p == np.mean(flipped >= abs(sums.sum()) - 1e-9)
    assert found.smallest_p == 2 / 64


def test_one_document_is_not_enough(means):
    rng = np.random.default_rng(0)
    statistics = means({"A": rng.normal(0, 1, (2, 9)), "B": rng.normal(1, 1, (2, 9))}, np.zeros(9, dtype=int))
    drawn = run_preset("bootstrap-document", statistics, "A", "B", QUICK)
    assert drawn.p is None
    assert "one document" in drawn.note
    assert run_preset("ar-document", statistics, "A", "B", QUICK).p == 1


def test_without_ids_the_reason_is_told(means):
    rng = np.random.default_rng(0)
    found = run_preset("ar-document", means({"A": rng.normal(0, 1, (2, 9)), "B": rng.normal(1, 1, (2, 9))}),
                       "A", "B", QUICK)
    assert found.p is None
    assert "document ids" in found.note


@pytest.mark.slow
@pytest.mark.parametrize(("name", "low", "high"), [
    ("ar-document", 0.03, 0.09), ("bootstrap-document", 0.03, 0.11), ("ar-segment", 0.12, 0.4),
])
def test_documents_whose_strengths_differ(name, low, high, means):
    rng = np.random.default_rng(1)
    hits = [
        run_preset(name, means({"A": clustered(rng), "B": clustered(rng)}, DOCUMENTS), "A", "B", QUICK).p <= 0.05
        for _ in range(400)
    ]
    assert low < np.mean(hits) < high
