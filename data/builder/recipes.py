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
    {"wrong": 0.12, "reorder": 0.10, "drop": 0.037, "insert": 0.04, "inflect": 0.05, "preposition": 0.045}, usual=0.7
)

TRAVEL = Recipe(
    name="travel",
    title="Travel phrasebook: phrase-based against hierarchical",
    seed=1,
    sizes={"dev": 150, "test": 180, "test-second": 180},
    systems={"phrase": _PHRASE, "hierarchical": _with(_PHRASE, reorder=0.08)},
    style=Style(topics=("sentence",), constant=(), document_length=None, usual=0.75),
    lists=ListSettings(length=40, fresh=(0.12, 0.35), noise=0.7, own_noise=0.3),
    tuning=Tuning(replicas=100, spare=60, options={"restarts": 5, "iterations": 2, "random_directions": 4}),
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
    sizes={"dev": 200, "test": 280, "test-second": 240},
    systems={"words": _WORDS, "segmented": _with(_WORDS, copy=0.07)},
    style=Style(
        topics=("economy", "weather", "traffic", "council", "culture", "sport"),
        constant=("city", "office"),
        document_length=8,
        usual=0.35,
    ),
    lists=ListSettings(length=20, fresh=(0.03, 0.08), noise=0.5, own_noise=0.1),
    tuning=Tuning(replicas=50, spare=20, options={"restarts": 2, "iterations": 2, "random_directions": 4}),
)

RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (TRAVEL, NEWS)}
