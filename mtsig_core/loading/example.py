"""A small made-up experiment to try things on: scores, text, and what people say of its systems."""

from __future__ import annotations

import numpy as np

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading.scores.frames import load_scores

_N_SEGMENTS = 50


def load_example(n_replicas: int = 3, n_systems: int = 2) -> Experiment:
    """Return a made-up experiment of 50 segments with one score per segment and no text.

    Parameters
    ----------
    n_replicas, n_systems : int
        Each system is better than the one before it by half a standard deviation of the segments' scores.

    Returns
    -------
    Experiment

    Raises
    ------
    ValueError
        When either number is below 1.

    Examples
    --------
    >>> import mtsig_core
    >>> experiment = mtsig_core.load_example()
    >>> [(system.name, len(system.replicas)) for system in experiment.systems]
    [('system1', 3), ('system2', 3)]
    """
    noise = np.random.default_rng(1).normal(size=(n_systems, n_replicas, _N_SEGMENTS))
    values = noise + 0.5 * np.arange(n_systems)[:, None, None]
    return load_scores(values, axes=("system", "replica", "segment"))


def example_text() -> Experiment:
    """Return a made-up experiment of two systems with one replica each, and two segments of text."""
    texts = TestSet("news", "test", references=(("a b c", "d e"),))
    old, new = (
        System(name, (Replica("seed1", {"news": (first, "d e")}),))
        for name, first in (("old", "a c"), ("new", "a b c"))
    )
    return Experiment("example", (texts,), (old, new), baseline="old")


def example_judgements() -> bytes:
    """Return a made-up table of what people say of four systems of `load_example`: the later, the better."""
    rows = [f"system{s},{k},{s + k % 3}" for s in range(1, 5) for k in range(1, _N_SEGMENTS + 1)]
    return "\n".join(["system,segment,adequacy", *rows]).encode()
