"""Source sentences, references and documents of a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.builder.channel import Channel, draw, translate
from data.builder.conlang import source_text
from data.builder.grammar import Grammar, Node, Rule


@dataclass(frozen=True)
class Text:
    """L segments: derivations, their source and reference, and the document of each (empty without documents)."""

    trees: tuple[Node, ...]
    source: tuple[str, ...]
    reference: tuple[str, ...]
    documents: tuple[str, ...]


@dataclass(frozen=True)
class Style:
    """How texts of an experiment are composed.

    Parameters
    ----------
    topics : tuple of str
        Start categories; each document is on one of them.
    constant : tuple of str
        Categories that a document draws once.
    document_length : int or None
        Segments a document; None for text without documents.
    usual : float
        Probability that the human translator takes the usual form.
    """

    topics: tuple[str, ...]
    constant: tuple[str, ...]
    document_length: int | None
    usual: float


def write(
    grammar: Grammar, style: Style, n_segments: int, name: str, rng: np.random.Generator, seen: set[str]
) -> Text:
    """Compose a text of segments whose sources are not in `seen`, to which they are added."""
    trees: list[Node] = []
    documents: list[str] = []
    size = style.document_length or n_segments
    while len(trees) < n_segments:
        number = len(trees) // size
        topic = style.topics[number % len(style.topics)]
        trees += _document(grammar, topic, style, min(size, n_segments - len(trees)), rng, seen)
        documents += [f"{name}-{topic}-{number + 1}"] * (len(trees) - len(documents))
    human = Channel({}, style.usual)
    return Text(
        tuple(trees),
        tuple(source_text(tree) for tree in trees),
        tuple(translate(tree, draw(tree, rng), human).text for tree in trees),
        tuple(documents) if style.document_length else (),
    )


def _document(
    grammar: Grammar, topic: str, style: Style, size: int, rng: np.random.Generator, seen: set[str]
) -> list[Node]:
    fixed = {name: _pick(grammar.rules[name], rng) for name in style.constant}
    trees: list[Node] = []
    while len(trees) < size:
        for rule in _shuffled(grammar.rules[topic], rng)[: size - len(trees)]:
            tree = grammar.derive(rule, rng, fixed)
            # a rule with few fillers is soon used up; then it gives its place to the next one
            if source_text(tree) not in seen:
                seen.add(source_text(tree))
                trees.append(tree)
    return trees


def _pick(rules: Sequence[Rule], rng: np.random.Generator) -> Rule:
    return rules[int(rng.random() * len(rules))]


def _shuffled(rules: Sequence[Rule], rng: np.random.Generator) -> list[Rule]:
    return [rules[i] for i in np.argsort(rng.random(len(rules)), kind="stable")]
