"""What the two demonstrations are made of.

The rates, and the options of the optimizer, were chosen by measuring; README.md says what came out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from data.builder.candidates import ListSettings
from data.builder.channel import Channel
from data.builder.text import Style
from data.builder.tuning import Tuning


@dataclass(frozen=True)
class Recipe:
    """Everything that decides an experiment, its seed included.

    Parameters
    ----------
    name : str
        Also that of the grammar file and the archive.
    title : str
    seed : int
    sizes : mapping of test set to number of segments
        The set named ``dev`` is tuned on.
    systems : mapping of system to its noise channel
        The first is the baseline.
    lists_shipped : tuple of str
        The sets whose n-best lists are stored, too.
    """

    name: str
    title: str
    seed: int
    sizes: Mapping[str, int]
    systems: Mapping[str, Channel]
    style: Style
    lists: ListSettings
    tuning: Tuning
    lists_shipped: tuple[str, ...] = ("dev", "test")


def _with(channel: Channel, **rates: float) -> Channel:
    """Return a channel that differs from another in these rates alone."""
    return Channel({**channel.rates, **rates}, channel.usual)


_PHRASE = Channel(
    {"wrong": 0.20, "reorder": 0.10, "drop": 0.05, "insert": 0.06, "inflect": 0.08, "preposition": 0.08}, usual=0.5
)

TRAVEL = Recipe(
    name="travel",
    title="Travel phrasebook: phrase-based against hierarchical",
    seed=1,
    sizes={"dev": 320, "test": 360, "test-second": 240},
    systems={
        "phrase": _PHRASE,
        "hierarchical": _with(
            _PHRASE, reorder=0.0955, drop=0.0472, insert=0.0567, inflect=0.0735, preposition=0.0735
        ),
    },
    style=Style(topics=("sentence",), constant=(), document_length=None, usual=0.75),
    lists=ListSettings(length=20, fresh=(0.08, 0.2), noise=0.8, own_noise=0.0),
    tuning=Tuning(replicas=100, spare=100, options={"restarts": 4, "iterations": 1, "random_directions": 4}),
)

_WORDS = Channel(
    {
        "wrong": 0.20,
        "copy": 0.10,
        "reorder": 0.09,
        "drop": 0.03,
        "insert": 0.05,
        "inflect": 0.06,
        "preposition": 0.08,
    },
    usual=0.5,
)

NEWS = Recipe(
    name="news",
    title="Local news: whole words against segmented words",
    seed=5,
    sizes={"dev": 360, "test": 360, "test-second": 280},
    systems={"words": _WORDS, "segmented": _with(_WORDS, copy=0.065, inflect=0.047, preposition=0.06)},
    style=Style(
        topics=("economy", "weather", "traffic", "council", "culture", "sport"),
        constant=("city", "office"),
        document_length=8,
        usual=0.35,
    ),
    lists=ListSettings(length=20, fresh=(0.03, 0.08), noise=0.5, own_noise=0.0),
    tuning=Tuning(replicas=50, spare=40, options={"restarts": 4, "iterations": 1, "random_directions": 4}),
)

RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (TRAVEL, NEWS)}
