"""Work side by side keeps products to a thread each, and gives back what it found."""

import numpy as np
import pytest

from mtsig_core.resampling import threads
from mtsig_core.resampling.threads import side_by_side


@pytest.fixture
def limits(monkeypatch):
    """Two cores, and a log of what products are held to."""
    told = []

    class Libraries:
        def limit(self, **how):
            told.append(how["limits"])
            return self

        def restore_original_limits(self):
            told.append("restored")

    monkeypatch.setattr(threads, "_libraries", Libraries)
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 2)
    return told


def test_the_last_one_out_restores(limits):
    outer, inner = side_by_side(abs, [-1, -2]), side_by_side(abs, [-3, -4])
    assert (next(outer), next(inner)) == (1, 3)
    assert limits == [1]
    assert (list(outer), limits) == ([2], [1])
    assert (list(inner), limits) == ([4], [1, "restored"])


def test_an_error_restores(limits):
    with pytest.raises(ZeroDivisionError):
        list(side_by_side(lambda k: 1 / k, [1, 0]))
    assert limits == [1, "restored"]


def test_alone_nothing_is_held(limits):
    assert list(side_by_side(abs, [-1])) == [1]
    assert limits == []


def test_numpys_own_products_are_held_to_one_thread():
    def of_products() -> set[int]:
        return {library["num_threads"] for library in threads._libraries().info() if library["user_api"] == "blas"}

    np.ones((2, 2)) @ np.ones((2, 2))
    with threads._libraries().limit(limits=2, user_api="blas"):  # also where the environment allows one only
        before = of_products()
        with threads.single_threaded_products():
            inside = of_products()
        assert of_products() == before
    assert (before, inside) in [({2}, {1}), (set(), set())]
