"""A simulation that grows: some draws more, always the same ones for the same seed, never beyond its cap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from mtsig_core.resampling.random_streams import Chunk


class Simulation(Protocol):
    """What is drawn, and from what; derived classes are frozen dataclasses whose fields are the settings.

    Attributes
    ----------
    chunk_size : int
        Draws that are made at once: a run computes whole chunks and shows as many draws of them as were asked for.
    most : int
        The cap: a run has no more draws than this.
    """

    @property
    def chunk_size(self) -> int:
        """Draws that are made at once."""

    @property
    def most(self) -> int:
        """Draws that a run has at most."""

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the draws of a chunk by name, each of shape (draw, ...).

        The same chunk has the same draws: random numbers come from `random_streams`, by the number of the chunk.
        """


S = TypeVar("S", bound=Simulation)


@dataclass(frozen=True, eq=False)
class Run(Generic[S]):
    """The first n draws of a simulation; they do not depend on the steps in which they were made.

    Parameters
    ----------
    simulation : Simulation
    n : int
        Draws so far.
    computed : mapping of str to ndarray of shape (draw, ...)
        The draws of whole chunks, at least n.

    Examples
    --------
    >>> from mtsig_core.teaching.populations import shaped
    >>> from mtsig_core.teaching.sampling import RepeatedSamples
    >>> run = Run(RepeatedSamples(shaped("normal"), size=10, seed=1))
    >>> bool((run.step(1).step(999)["estimate"] == run.step(1000)["estimate"]).all())
    True
    """

    simulation: S
    n: int = 0
    computed: Mapping[str, np.ndarray] = field(default_factory=dict)

    def step(self, n: int) -> Run[S]:
        """Return the run with n draws more, or as many as its cap allows."""
        wanted = min(self.n + max(0, n), self.simulation.most)
        size = self.simulation.chunk_size
        done = len(next(iter(self.computed.values()), ()))
        parts = [
            self.simulation.draw(Chunk(index, index * size, (index + 1) * size))
            for index in range(done // size, -(-wanted // size))
        ]
        if not parts:
            return replace(self, n=wanted)
        before = [dict(self.computed)] if done else []
        columns = {name: np.concatenate([part[name] for part in [*before, *parts]]) for name in parts[0]}
        return replace(self, n=wanted, computed=columns)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the draws of a name so far, shape (n, ...)."""
        if not self.n:
            raise KeyError(f"nothing is drawn yet, so there is no {name!r}.")
        return self.computed[name][: self.n]

    @property
    def is_full(self) -> bool:
        """Whether the cap is reached."""
        return self.n >= self.simulation.most
