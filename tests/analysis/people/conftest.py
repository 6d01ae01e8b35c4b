"""Simulated judgements: systems of known quality, annotators of known strictness."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.loading.judgements.frame import judgement_frame


def simulated(n_items=60, quality=(0.0, 0.5, 1.0), n_annotators=3, seed=0, scale=10.0, **columns):
    """One annotator per item and system, drawn at random, with an own mean and spread."""
    rng = np.random.default_rng(seed)
    items = np.repeat(np.arange(n_items), len(quality))
    systems = np.tile(np.arange(len(quality)), n_items)
    who = rng.integers(0, n_annotators, len(items))
    noise = rng.normal(size=len(items)) + rng.normal(size=n_items)[items] / 2
    score = 50 + scale * (np.array(quality)[systems] + noise) + 15 * (who - 1)
    return judgement_frame(
        {
            "system": [f"s{k}" for k in systems],
            "segment": [str(i + 1) for i in items],
            "document": [f"d{i // 5}" for i in items],
            "annotator": [f"a{k}" for k in who],
            "dimension": "score",
            "score": score.tolist(),
            **columns,
        },
        len(items),
    )


@pytest.fixture
def judged():
    return simulated()
