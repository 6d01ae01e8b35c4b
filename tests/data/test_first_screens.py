"""What is shipped for the first screen is what the code computes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from data import FIRST_SCREENS, first_screens
from pages.parts.overview.front import shipped

pytestmark = pytest.mark.slow


def same(one: Any, other: Any) -> bool:
    """Compare nested values; numbers to what another machine's arithmetic may change."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return one == pytest.approx(other, rel=1e-6)
    return one == other


@pytest.mark.parametrize("name", ["travel", "news"])
def test_shipped_first_screens_are_what_is_computed(name):
    computed, kept = first_screens.computed(name), dict(shipped()[name])
    assert FIRST_SCREENS.exists()
    version = r"sacrebleu=[\d.]+"
    assert re.sub(version, "", computed.pop("key")) == re.sub(version, "", kept.pop("key"))
    assert same(kept, computed), "build the demonstrations anew: make demo"
