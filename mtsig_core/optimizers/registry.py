"""The optimizers by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from mtsig_core.optimizers.base import Optimizer
from mtsig_core.optimizers.mert import MERT
from mtsig_core.optimizers.minimum_risk import MinimumRisk
from mtsig_core.optimizers.mira import BatchMIRA
from mtsig_core.optimizers.pro import PRO
from mtsig_core.optimizers.random_search import RandomSearch

OPTIMIZERS: Mapping[str, type[Optimizer]] = MappingProxyType(
    {optimizer.name: optimizer for optimizer in (MERT, PRO, BatchMIRA, MinimumRisk, RandomSearch)}
)


def get_optimizer(name: str, **options: Any) -> Optimizer:
    """Return an optimizer by its name.

    Parameters
    ----------
    name : {"mert", "pro", "mira", "risk", "random"}
    **options
        Fields of the optimizer; those left out have the papers' usual values.

    Raises
    ------
    ValueError
        For an unknown name, an unknown option, or a value out of range.
    """
    if name not in OPTIMIZERS:
        raise ValueError(f"The optimizer must be one of {', '.join(OPTIMIZERS)}; not {name!r}.")
    kind = OPTIMIZERS[name]
    known = [field.name for field in fields(kind)]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise ValueError(f"{kind.label} has no option {unknown[0]!r}; it has {', '.join(known)}.")
    return kind(**options)
