"""What a metric is, as a table for people."""

from __future__ import annotations

from dataclasses import dataclass

from mtsig_core.metrics.base import Metric


@dataclass(frozen=True)
class Told:
    """A metric in words.

    Parameters
    ----------
    name, label : str
    direction : str
        Which direction is better.
    scale : str
    explanation : str
        What it measures, with its source.
    weakness : str
    """

    name: str
    label: str
    direction: str
    scale: str
    explanation: str
    weakness: str


def told(metric: Metric) -> Told:
    """Return a metric in words."""
    better = "higher is better" if metric.higher_is_better else "lower is better"
    direction = better if metric.is_quality else "neither direction is better"
    return Told(metric.name, metric.label, direction, metric.scale, metric.explanation, metric.weakness)
