"""Candidate lists of a system: texts and feature scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.builder.channel import KINDS, Candidate, Channel, Draws, draw, redraw, translate
from data.builder.language_model import LanguageModel
from data.builder.text import Text

FEATURES = ("language model", "phrase", "lexical", "lexical inverse", "distortion", "length", "unknown", "phrase count")
UNIT = 100  # features are whole numbers of 1/UNIT, and so are short in a list


@dataclass(frozen=True)
class Lists:
    """The candidates of one system on one test set.

    Parameters
    ----------
    texts : tuple of L tuples of C str
    features : ndarray of shape (segment, candidate, feature), float64 holding whole numbers
    """

    texts: tuple[tuple[str, ...], ...]
    features: np.ndarray


@dataclass(frozen=True)
class ListSettings:
    """How long candidate lists are, how unlike each other their members, and how blurred the features.

    Parameters
    ----------
    length : int
    fresh : tuple of two float
        Share of its draws that the second and the last candidate make anew; the first is what the others vary.
    noise, own_noise : float
        Standard deviation of the features' blur that systems share, and of each system's own.
    """

    length: int
    fresh: tuple[float, float]
    noise: float
    own_noise: float


def candidate_lists(
    text: Text, channels: Sequence[Channel], settings: ListSettings, model: LanguageModel, rng: np.random.Generator
) -> list[Lists]:
    """Return each system's candidates; all systems share the draws and most of the features' blur."""
    draws = [_neighbors(draw(tree, rng), settings, rng) for tree in text.trees]
    shared = settings.noise * rng.standard_normal((len(draws), settings.length, len(FEATURES)))
    lists = []
    for channel in channels:
        candidates = [
            [translate(tree, one, channel) for one in many] for tree, many in zip(text.trees, draws, strict=True)
        ]
        blur = shared + settings.own_noise * rng.standard_normal(shared.shape)
        lists.append(_scored(candidates, model, blur))
    return lists


def _neighbors(first: Draws, settings: ListSettings, rng: np.random.Generator) -> list[Draws]:
    shares = np.linspace(*settings.fresh, settings.length - 1)
    return [first, *(redraw(first, share, rng) for share in shares)]


def _scored(candidates: Sequence[Sequence[Candidate]], model: LanguageModel, blur: np.ndarray) -> Lists:
    clean = np.array([[_features(candidate, model) for candidate in row] for row in candidates])
    # the language model and the length are computed, not estimated: they carry no blur
    blur = blur * np.array([0, 1, 1, 1, 1, 0, 0.3, 1])
    features = np.round(UNIT * (clean - clean.mean(axis=1, keepdims=True) + blur))
    _merge_equal(candidates, features)
    texts = tuple(tuple(candidate.text for candidate in row) for row in candidates)
    return Lists(texts, features)


def _features(candidate: Candidate, model: LanguageModel) -> list[float]:
    """Return a decoder's view of a candidate, each score on a scale of about one."""
    count = dict(zip(KINDS, candidate.errors, strict=True))
    slips = count["inflect"] + count["preposition"]
    return [
        model.score(candidate.text) / 8,
        -0.8 * count["wrong"] - 0.5 * candidate.unusual - 0.3 * slips,
        -0.6 * count["wrong"] - 0.6 * slips - 0.2 * candidate.unusual,
        -0.6 * count["drop"] - 0.4 * count["insert"] - 0.4 * count["wrong"],
        -0.9 * count["reorder"],
        len(candidate.text.split()) / 3,
        -0.7 * count["copy"],
        -0.3 * sum(candidate.errors),
    ]


def _merge_equal(candidates: Sequence[Sequence[Candidate]], features: np.ndarray) -> None:
    """Give equal texts of a list equal features, those of the first."""
    for row, values in zip(candidates, features, strict=True):
        first: dict[str, int] = {}
        for i, candidate in enumerate(row):
            values[i] = values[first.setdefault(candidate.text, i)]
