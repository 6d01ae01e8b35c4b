"""The noise channel: how a machine's candidate translations go wrong.

The random draws of a candidate are made once, before it is known which system asks. Two systems that
differ in one error rate therefore make the same errors except of that kind, as systems trained on the
same text do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.builder.conlang import is_compound, source_text
from data.builder.grammar import Node, Pattern

KINDS = ("wrong", "copy", "reorder", "drop", "insert", "inflect", "preposition")
PREPOSITIONS = ("to", "in", "on", "at", "for", "from", "of", "by", "with")
FUNCTION_WORDS = frozenset(("the", "a", "an", "is", "are", "be", "will", "has", "have", "and", "it", *PREPOSITIONS))
INSERTED = ("the", "of", "a", "to", "it", "for", "that", "in")
PUNCTUATION = frozenset(".,?")
_FORMS = {
    "is": "are",
    "are": "is",
    "was": "were",
    "were": "was",
    "has": "have",
    "have": "has",
    "a": "the",
    "this": "these",
    "will": "would",
    "could": "can",
    "can": "could",
    "does": "do",
    "do": "does",
    "there": "it",
    "my": "mine",
    "said": "says",
    "rose": "rise",
    "grew": "grow",
    "agreed": "agree",
    "found": "find",
    "made": "make",
}
_WIDTH = 24  # token draws a node can use: no form of a rule is longer


@dataclass(frozen=True)
class Channel:
    """Error rates, by kind, of one system's candidates.

    Parameters
    ----------
    rates : mapping of kind to rate
        Of a node (wrong, copy) or of a token (all others).
    usual : float
        Probability that a node takes its usual English form.
    """

    rates: Mapping[str, float]
    usual: float


@dataclass(frozen=True)
class Candidate:
    """One translation: its text, how often each kind of error was made, and how many forms were unusual."""

    text: str
    errors: tuple[int, ...]
    unusual: int


@dataclass(frozen=True)
class Draws:
    """Uniform draws of one candidate.

    Parameters
    ----------
    nodes : ndarray of shape (node, 5)
        Usual form or not, which other form, wrong or not, which wrong form, copied or not.
    tokens : ndarray of shape (node, position in the node's form, 8)
        One draw for each kind of token error and three for where and what.
    """

    nodes: np.ndarray
    tokens: np.ndarray


@dataclass(frozen=True)
class _Token:
    text: str
    draws: np.ndarray


def draw(tree: Node, rng: np.random.Generator) -> Draws:
    """Make the draws that decide one candidate of a sentence."""
    n_nodes = sum(1 for _ in tree.nodes())
    return Draws(rng.random((n_nodes, 5)), rng.random((n_nodes, _WIDTH, 8)))


def redraw(draws: Draws, share: float, rng: np.random.Generator) -> Draws:
    """Return a neighbor in an n-best list: a share of the nodes, and twice that share of their tokens, drawn anew."""
    new_nodes = rng.random(len(draws.nodes)) < share
    nodes = np.where(new_nodes[:, None], rng.random(draws.nodes.shape), draws.nodes)
    new_tokens = new_nodes[:, None] & (rng.random(draws.tokens.shape[:2]) < 2 * share)
    tokens = np.where(new_tokens[..., None], rng.random(draws.tokens.shape), draws.tokens)
    return Draws(nodes, tokens)


def translate(tree: Node, draws: Draws, channel: Channel) -> Candidate:
    """Return the candidate that these draws give under a channel."""
    rates = {kind: channel.rates.get(kind, 0.0) for kind in KINDS}
    counts = dict.fromkeys(KINDS, 0)
    index = {id(node): i for i, node in enumerate(tree.nodes())}
    unusual = [0]

    def spell(node: Node) -> list[_Token]:
        i = index[id(node)]
        form = _form(node, draws.nodes[i], channel.usual, rates, counts, unusual)
        tokens: list[_Token] = []
        for position, item in enumerate(form):
            if item.startswith("["):
                tokens += spell(node.children[item[1:-1]])
            else:
                tokens.append(_Token(item, draws.tokens[i, position]))
        return tokens

    tokens = _reorder(spell(tree), rates["reorder"], counts)
    words = [word for token in tokens for word in _noisy(token, rates, counts)]
    return Candidate(polish(words), tuple(counts[kind] for kind in KINDS), unusual[0])


def _form(
    node: Node, u: np.ndarray, usual: float, rates: Mapping[str, float], counts: dict[str, int], unusual: list[int]
) -> Pattern:
    """Choose the English form of a node, or its source word where a compound is left untranslated."""
    if u[4] < rates["copy"] and is_compound(node):
        counts["copy"] += 1
        return (source_text(node),)
    if node.rule.wrong and u[2] < rates["wrong"]:
        counts["wrong"] += 1
        return _pick(node.rule.wrong, u[3])
    if u[0] < usual or len(node.rule.right) == 1:
        return node.rule.right[0]
    unusual[0] += 1
    return _pick(node.rule.right[1:], u[1])


def _pick(options: tuple[Pattern, ...], u: float) -> Pattern:
    return options[int(u * len(options))]


def _reorder(tokens: list[_Token], rate: float, counts: dict[str, int]) -> list[_Token]:
    """Exchange neighboring spans of one to three words; the last mark stays last."""
    body, i = list(tokens), 0
    while i < len(body) - 2:
        u = body[i].draws
        length, shift = 1 + int(2 * u[5]), 1 + int(3 * u[6])
        end = i + length + shift
        if u[0] < rate and end < len(body):
            body[i:end] = body[i + length : end] + body[i : i + length]
            counts["reorder"] += 1
            i = end
        else:
            i += 1
    return body


def _noisy(token: _Token, rates: Mapping[str, float], counts: dict[str, int]) -> list[str]:
    """Return the words that one word becomes: none, itself, another form of it, or itself and one too many."""
    u, text = token.draws, token.text
    if text in PUNCTUATION:
        return [text]
    if u[1] < rates["drop"] * (2 if text in FUNCTION_WORDS else 0.4):
        counts["drop"] += 1
        return []
    if text in PREPOSITIONS and u[4] < 3 * rates["preposition"]:
        counts["preposition"] += 1
        text = PREPOSITIONS[int(u[7] * len(PREPOSITIONS))]
    elif u[3] < rates["inflect"] and inflected(text) != text:
        counts["inflect"] += 1
        text = inflected(text)
    if u[2] < rates["insert"]:
        counts["insert"] += 1
        return [text, INSERTED[int(u[7] * len(INSERTED))]]
    return [text]


def inflected(text: str) -> str:
    """Return a wrong form of a word: number or tense off; the word itself where no rule fits."""
    if text in _FORMS:
        return _FORMS[text]
    if text in FUNCTION_WORDS or text in INSERTED or not text.isalpha() or not text.islower() or len(text) < 4:
        return text
    if text.endswith(("ss", "us", "ly", "ed", "ing", "th", "t")):
        return text
    return text[:-1] if text.endswith("s") else text + "s"


def polish(words: list[str]) -> str:
    """Join words into a sentence: a capital first, "an" before a vowel."""
    words = [
        "an" if word == "a" and following[:1] in "aeiou" and following[:3] != "uni" and following else word
        for word, following in zip(words, [*words[1:], ""], strict=True)
    ]
    text = " ".join(words)
    return text[:1].upper() + text[1:]
