"""Metrics that other packages add, by entry points of the group ``mtsig.metrics``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from mtsig_core.metrics.base import Metric

GROUP = "mtsig.metrics"


@dataclass(frozen=True)
class PluginMetrics:
    """Metrics that installed packages add.

    Parameters
    ----------
    factories : dict of name to class or function that returns a Metric
    problems : tuple of str
        Which entry points were left out, and why.
    """

    factories: dict[str, Callable[..., Metric]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


_cached: list[PluginMetrics] = []


def plugin_metrics(taken: Collection[str] = ()) -> PluginMetrics:
    """Return the metrics that installed packages add; looked up once, until `forget_plugins`.

    An entry point that cannot be loaded, or that gives no usable metric, is left out with a warning: it
    never keeps the others from working.

    Parameters
    ----------
    taken : collection of str
        Names that are used already.
    """
    if not _cached:
        _cached.append(_look_up(taken))
    return _cached[0]


def forget_plugins() -> None:
    """Look up entry points again at the next call, for programs that install packages while they run."""
    _cached.clear()


def _look_up(taken: Collection[str]) -> PluginMetrics:
    factories: dict[str, Callable[..., Metric]] = {}
    problems = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            if entry.name in taken or entry.name in factories:
                raise ValueError("a metric of this name exists already")
            factories[entry.name] = _loaded(entry)
        except Exception as error:  # anything may go wrong in the code of others
            why = " ".join(f"{type(error).__name__}: {error}".split())
            problems.append(f"Metric {entry.name!r} of {_package(entry)} ({entry.value}) is left out: {why}.")
            warnings.warn(problems[-1], stacklevel=4)
    return PluginMetrics(factories, tuple(problems))


def _loaded(entry: EntryPoint) -> Callable[..., Metric]:
    factory = entry.load()
    if not callable(factory):
        raise TypeError("expected a class derived from mtsig_core.metrics.Metric, or a function that returns one")
    _check(factory(), entry.name)
    return factory


def _check(metric: Any, name: str) -> None:
    """Raise unless this is a metric of that name with all that a metric must have."""
    if not isinstance(metric, Metric):
        raise TypeError(f"it gives a {type(metric).__name__}, not a mtsig_core.metrics.Metric")
    missing = [what for what in ("name", "label", "n_statistics") if not getattr(metric, what, None)]
    if missing:
        raise TypeError(f"{type(metric).__name__} lacks {' and '.join(missing)}")
    if metric.name != name:
        raise ValueError(f"its name is {metric.name!r}; name and entry point must be the same")


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"
