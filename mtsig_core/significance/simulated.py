"""Tests on many simulated experiments at once: the rules of the presets as data, over arrays of trials.

The metric of a simulated experiment is the mean of segment scores, so every resampling is a product of matrices, and
the trials of a chunk share the drawn signs and counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance.conventions import Convention, why_not
from mtsig_core.significance.mean_squares import MeanSquares, of_scores, two_sided
from mtsig_core.significance.presets import PRESETS

Noise = Literal["normal", "t3", "lognormal"]
_STREAM = 400  # keeps simulated data and its draws apart from other draws of one seed
_MOST_ASSIGNMENTS = 1000  # of replicas to systems that are enumerated; more are drawn at random


@dataclass(frozen=True)
class World:
    """Parameters of simulated experiments, in score units.

    Parameters
    ----------
    n, segments : int
        Replicas of each system; segments of the test set.
    replica_sd : float
        Of the effect of a whole replica.
    strength_sd : float
        Of a system's strength on a segment, shared by its replicas.
    residual_sd : float
        Of a single output.
    gain : float
        By how much B is better.
    n_b : int, optional
        Replicas of B where they are not as many as A's.
    replica_sd_b : float, optional
        Of the effect of a whole replica of B where it differs from A's.
    noise : {"normal", "t3", "lognormal"}
        Shape of all three terms: normal, Student's t with 3 degrees of freedom, or the exponential of a normal; with
        mean 0 and the standard deviations above.
    """

    n: int = 3
    segments: int = 100
    replica_sd: float = 0.0
    strength_sd: float = 0.0
    residual_sd: float = 10.0
    gain: float = 0.0
    n_b: int | None = None
    replica_sd_b: float | None = None
    noise: Noise = "normal"

    def __post_init__(self) -> None:
        if min(self.replicas) < 1 or self.segments < 2:
            raise ValueError(f"expected at least 1 replica and 2 segments; got {self.replicas} and {self.segments}.")
        if min(*self.replica_sds, self.strength_sd, self.residual_sd) < 0:
            raise ValueError("standard deviations must be 0 or more.")
        if self.noise not in get_args(Noise):
            raise ValueError(f"expected noise of {', '.join(get_args(Noise))}; got {self.noise!r}.")

    @property
    def replicas(self) -> tuple[int, int]:
        """Replicas of A and of B."""
        return self.n, self.n if self.n_b is None else self.n_b

    @property
    def replica_sds(self) -> tuple[float, float]:
        """Standard deviations of whole replicas of A and of B."""
        return self.replica_sd, self.replica_sd if self.replica_sd_b is None else self.replica_sd_b


def _generator(seed: int, purpose: int, chunk: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM, purpose, chunk))))


def simulated(world: World, chunk: Chunk, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return segment scores of A and of B, each of shape (trial, replica, segment)."""
    rng = _generator(seed, 0, chunk.index)

    def system(gain: float, n: int, replica_sd: float) -> np.ndarray:
        y = world.residual_sd * _noise(rng, world.noise, (chunk.size, n, world.segments)) + gain
        y += replica_sd * _noise(rng, world.noise, (chunk.size, n, 1))
        y += world.strength_sd * _noise(rng, world.noise, (chunk.size, 1, world.segments))
        return y

    (n_a, n_b), (sd_a, sd_b) = world.replicas, world.replica_sds
    return system(0.0, n_a, sd_a), system(world.gain, n_b, sd_b)


def _noise(rng: np.random.Generator, noise: Noise, shape: tuple[int, ...]) -> np.ndarray:
    """Return noise of mean 0 and standard deviation 1."""
    if noise == "t3":
        return rng.standard_t(3, shape) / math.sqrt(3)
    normal = rng.standard_normal(shape, dtype=np.float32).astype(float)
    if noise == "normal":
        return normal
    return (np.exp(normal) - math.exp(0.5)) / math.sqrt(math.exp(2) - math.exp(1))


def simulated_presets(world: World) -> tuple[str, ...]:
    """Return the presets that apply to unpaired systems with these numbers of replicas, without documents.

    Permutations of single outputs or whole replicas are simulated for equal numbers only, closed forms for at least
    two replicas of each system.
    """
    n_a, n_b = world.replicas
    defined = [p for p in PRESETS.values() if not why_not(p, n_a, n_b, False) and (not p.form or min(n_a, n_b) > 1)]
    return tuple(p.name for p in defined if n_a == n_b or p.family != "exchange" or p.unit == "segment")


def p_values_of(
    names: Sequence[str], a: np.ndarray, b: np.ndarray, n_draws: int, seed: int, chunk: int = 0
) -> dict[str, np.ndarray]:
    """Return p of each test and trial, shape (trial,).

    Parameters
    ----------
    names : sequence of str
        Presets.
    a, b : ndarray of shape (trial, replica, segment)
    n_draws, seed, chunk : int
        Chunks of different numbers have draws of their own.
    """
    trials = _Trials(a, b, n_draws, seed, chunk)
    p_values = {}
    for name in names:
        preset = PRESETS[name]
        if preset.comparison is None:
            p_values[name] = trials.closed_form(preset.form)
            continue
        drawn, exact = trials.drawn(preset.family, preset.unit, preset.comparison.enumerate)
        p_values[name] = p_of_draws(drawn, trials.difference, preset.comparison, exact)
    return p_values


@dataclass(eq=False)
class _Trials:
    """Differences by chance of every trial, computed once for all tests that use them."""

    a: np.ndarray
    b: np.ndarray
    n_draws: int
    seed: int
    chunk: int
    _cache: dict[tuple[str, str, bool], tuple[np.ndarray, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.n, self.segments = self.a.shape[1:]
        self.by_segment = self.b.mean(axis=1) - self.a.mean(axis=1)
        self.means = self.a.mean(axis=2), self.b.mean(axis=2)
        self.difference = self.by_segment.mean(axis=1)

    def closed_form(self, form: str) -> np.ndarray:
        """Return p of a closed form, shape (trial,)."""
        if form == "welch":
            return two_sided(self.difference, *self._squares.replicas_alone(capped=False))
        return self._squares.crossed_p() if form.startswith("crossed") else self._squares.coherent_p()

    @cached_property
    def _squares(self) -> MeanSquares:
        return of_scores(self.a, self.b)

    def drawn(self, family: str, unit: str, listed: bool) -> tuple[np.ndarray, bool]:
        """Return differences of shape (trial, draw), and whether all possible ones are enumerated."""
        key = (family, unit, listed)
        if key not in self._cache:
            self._cache[key] = self._exchanged(unit, listed) if family == "exchange" else (self._redrawn(unit), False)
        return self._cache[key]

    def _signs(self, size: int, purpose: int) -> np.ndarray:
        bits = _generator(self.seed, purpose, self.chunk).integers(0, 2, (size, self.n_draws), dtype=np.int8)
        return (1 - 2 * bits).astype(np.float32)

    def _exchanged(self, unit: str, listed: bool) -> tuple[np.ndarray, bool]:
        if unit == "segment":
            return _product(self.by_segment, self._signs(self.segments, 1)) / self.segments, False
        if unit == "hypothesis":
            single = (self.b - self.a).reshape(len(self.a), -1)
            return _product(single, self._signs(single.shape[1], 2)) / single.shape[1], False
        if unit == "replica-paired":
            return (self.means[1] - self.means[0]) @ self._signs(self.n, 3) / self.n, False
        weights, exact = self._assignments(listed)
        return np.concatenate(self.means, axis=1) @ weights, exact

    def _assignments(self, listed: bool) -> tuple[np.ndarray, bool]:
        """Return weights of the 2 n replicas, shape (replica, assignment): 1/n for B and -1/n for A."""
        n = self.n
        exact = listed and math.comb(2 * n, n) <= max(_MOST_ASSIGNMENTS, self.n_draws)
        if exact:
            to_a = random_streams.all_assignments(2 * n, n).T.astype(float)
        else:
            order = _generator(self.seed, 4, self.chunk).random((self.n_draws, 2 * n)).argsort(axis=1)
            to_a = (order < n).T.astype(float)
        return (1 - 2 * to_a) / n, exact

    def _counts(self, size: int, purpose: int) -> np.ndarray:
        """Return how often each of `size` units is drawn, as shares, shape (unit, draw)."""
        rng = _generator(self.seed, purpose, self.chunk)
        return rng.multinomial(size, np.full(size, 1 / size), self.n_draws).T / size

    def _redrawn(self, unit: str) -> np.ndarray:
        if unit == "segment":
            return _product(self.by_segment, self._counts(self.segments, 5))
        of_a, of_b = self._counts(self.n, 6), self._counts(self.b.shape[1], 7)
        if unit == "replica":
            return self.means[1] @ of_b - self.means[0] @ of_a
        counts = self._counts(self.segments, 5)
        on_a, on_b = (
            _product(x.reshape(-1, self.segments), counts).reshape(*x.shape[:2], -1) for x in (self.a, self.b)
        )
        return np.einsum("tir,ir->tr", on_b, of_b) - np.einsum("tir,ir->tr", on_a, of_a)


def _product(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return scores @ weights in single precision: nothing ties with what is drawn here, and it takes half the time."""
    return (scores.astype(np.float32) @ weights.astype(np.float32)).astype(float)


def p_of_draws(drawn: np.ndarray, observed: np.ndarray, convention: Convention, exact: bool = False) -> np.ndarray:
    """Return p by a convention, shape (trial,), of differences by chance, shape (trial, draw).

    Same rules as in `mtsig_core.significance.run`, for observed differences that are not 0.
    """
    n = drawn.shape[1]
    seen = observed[:, None]
    if convention.rule == "interval":
        below = np.minimum((drawn <= 0).sum(axis=1), (drawn >= 0).sum(axis=1))
        return np.minimum(1.0, 2 * (below + 1) / (n + 1))
    if convention.rule == "wins":
        count = n - (drawn * np.sign(seen) > 0).sum(axis=1)
        return np.where(count > 0, count / n, 1 / (n + 1))
    if convention.centre == "mean":
        drawn = drawn - drawn.mean(axis=1, keepdims=True)
    if convention.centre == "mean size":
        drawn, seen = np.abs(drawn) - np.abs(drawn).mean(axis=1, keepdims=True), np.abs(seen)
    elif convention.sides == "two":
        drawn, seen = np.abs(drawn), np.abs(seen)
    elif convention.sides == "winner":
        drawn, seen = drawn * np.sign(seen), np.abs(seen)
    slack = 1e-9 * np.abs(observed)[:, None]
    count = (drawn > seen + slack if convention.strict else drawn >= seen - slack).sum(axis=1)
    if exact:
        return count / n
    return (count + 1) / (n + 1) if convention.add_one else np.where(count > 0, count / n, 1 / (n + 1))
