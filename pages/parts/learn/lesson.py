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
from pages.parts.learn.texts import HOW

PLAY, WORDS = "play", "how"  # the first and the last section, in the address


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
    """One figure of a lesson.

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
class Part:
    """One section of a lesson; its words, if any, are in the file of the lesson under its title.

    Parameters
    ----------
    slug : str
        In the address.
    title : str
        What one does or learns there.
    pictures : sequence of Picture
    plays : bool
        Whether its pictures grow with the draws.
    """

    slug: str
    title: str
    pictures: Sequence[Picture]
    plays: bool = True


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
    does : str
        Title of the first section: what one does there.
    pictures : sequence of Picture
        Of the first section, where the question is asked.
    says : callable (run) -> str
        What the picture shows right now, as Markdown in one or two lines; called with one draw or more.
    more : sequence of Part
        The sections between the first one and the words.
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
    does: str
    pictures: Sequence[Picture]
    says: Callable[[Run[Any]], str]
    more: Sequence[Part] = ()
    answer_after: int = 200
    most_linked: int = 2000
    speeds: Sequence[float] = (0.5, 2, 10, 50, 200)
    speed: float = 2

    @property
    def parts(self) -> tuple[Part, ...]:
        """The sections that play, in their order."""
        return (Part(PLAY, self.does, self.pictures), *self.more)

    def after(self, part: Part) -> tuple[str, str]:
        """Return slug and title of the section that follows one: in the end, the words."""
        slugs = [one.slug for one in self.parts]
        following = self.parts[slugs.index(part.slug) + 1 :]
        return (following[0].slug, following[0].title) if following else (WORDS, HOW)
