"""What a lesson is made of: its words, controls, simulation and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from mtsig_core.metrics import SegmentStatistics
from mtsig_core.teaching import Run, Simulation
from mtsig_core.workbench import Pair
from pages.parts.learn.controls import Control


@dataclass(frozen=True, eq=False)
class Opened:
    """The chosen pair of the open experiment under one metric: the other population of a lesson.

    Parameters
    ----------
    statistics : SegmentStatistics
    pair : Pair
        Where they come from; lessons on texts read its experiment.
    """

    statistics: SegmentStatistics
    pair: Pair

    @property
    def a(self) -> str:
        """The baseline."""
        return self.pair.a

    @property
    def b(self) -> str:
        """The system."""
        return self.pair.b


@dataclass(frozen=True)
class Picture:
    """One figure of a lesson; the first one stands beside the controls, the others follow below.

    Parameters
    ----------
    name : str
        Of its files.
    draw : callable (run, height) -> plotly Figure
        A function of `mtsig_core.figures.learn`; must cope with a run of no draws.
    alt : str
        What a screen reader says.
    height : int
        Pixels.
    """

    name: str
    draw: Callable[[Run[Any], int], go.Figure]
    alt: str
    height: int = 370


@dataclass(frozen=True)
class Lesson:
    """One lesson; its words are in `pages/parts/learn/texts/SLUG.md`.

    Parameters
    ----------
    slug : str
        Its address.
    noun : str
        What one step draws, in the singular.
    controls : callable (opened) -> sequence of Control
        By the population: None is the small, invented one.
    simulate : callable (values, opened, seed) -> Simulation
        Raises ValueError with a sentence for people where these data do not suffice.
    pictures : sequence of Picture
    says : callable (run) -> str
        What the picture shows right now, as Markdown in one or two lines; called with one draw or more.
    answer_after : int
        Draws after which the answer is given.
    most_linked : int
        Draws that a link, or a changed setting, makes again at most.
    speeds : sequence of float
        Draws per second that one can choose from.
    speed : float
        The first choice.
    """

    slug: str
    noun: str
    controls: Callable[[Opened | None], Sequence[Control]]
    simulate: Callable[[Mapping[str, Any], Opened | None, int], Simulation]
    pictures: Sequence[Picture]
    says: Callable[[Run[Any]], str]
    answer_after: int = 200
    most_linked: int = 2000
    speeds: Sequence[float] = (0.5, 2, 10, 50, 200)
    speed: float = 2
