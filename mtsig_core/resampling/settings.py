"""The settings of every resampling analysis, with the product's defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

from mtsig_core.experiment.varied import get_varied


@dataclass(frozen=True)
class Settings:
    """How many draws, from which seed, judged at which significance level.

    Parameters
    ----------
    n_bootstrap : int
        Number B of bootstrap resamples.
    n_permutations : int
        Number R of permutations of approximate randomization.
    alpha : float
        Significance level of tests; intervals have confidence level 1 - alpha.
    seed : int
    paired : bool
        Replicas of equal index share a seed or base model (declared by the user).
    assume_equal_variation : bool
        Where one of two systems has one replica: assume, untestably, that its replicas vary as the other's do.
    margin : float, optional
        Smallest difference that matters to the user, in points of the metric; equivalence needs it.
    replicas_are : str
        What replicas differ by: a key of `mtsig_core.experiment.varied.KINDS`.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import mtsig_core
    >>> replace(mtsig_core.Settings(), alpha=0.01).alpha
    0.01
    """

    n_bootstrap: int = 1000
    n_permutations: int = 10000
    alpha: float = 0.05
    seed: int = 12345
    paired: bool = False
    assume_equal_variation: bool = False
    margin: float | None = None
    replicas_are: str = "unknown"

    def __post_init__(self) -> None:
        for name in ("n_bootstrap", "n_permutations", "seed"):
            if not isinstance(value := getattr(self, name), Integral):
                raise ValueError(f"{name} must be a whole number; got {value!r}.")
        if self.n_bootstrap < 1 or self.n_permutations < 1:
            raise ValueError(
                f"n_bootstrap and n_permutations must be at least 1; got {self.n_bootstrap}, {self.n_permutations}."
            )
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha must lie between 0 and 1; got {self.alpha}.")
        if self.seed < 0:
            raise ValueError(f"the seed must be 0 or more; got {self.seed}.")
        if self.margin is not None and not (math.isfinite(self.margin) and self.margin > 0):
            raise ValueError(
                "The margin is the smallest difference that matters, in points of the metric: expected a number above "
                f"0; got {self.margin}."
            )
        get_varied(self.replicas_are)
