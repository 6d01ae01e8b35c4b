"""Synchronous grammars: one derivation gives a source sentence and several English ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Pattern = tuple[str, ...]
_SLOT = re.compile(r"\[([a-z.]+[0-9]?)\]")


class GrammarError(ValueError):
    """A grammar file is malformed; the message says at which line and what to write."""


@dataclass(frozen=True)
class Rule:
    """One way to express a category.

    Attributes
    ----------
    category : str
    source : Pattern
        Glosses and ``[slots]`` in the order of the source language; ``+`` glues.
    right : tuple of Pattern
        Acceptable English, the usual form first.
    wrong : tuple of Pattern
        Mistranslations.
    """

    category: str
    source: Pattern
    right: tuple[Pattern, ...]
    wrong: tuple[Pattern, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots, in source order (``city.2`` is a second city)."""
        return tuple(_SLOT.findall(" ".join(self.source)))


@dataclass(frozen=True)
class Node:
    """A rule with a subtree for each of its slots."""

    rule: Rule
    children: Mapping[str, Node] = field(default_factory=dict)

    def nodes(self) -> Iterator[Node]:
        """Yield this node and those below it, a parent before its children, in source order."""
        yield self
        for child in self.children.values():
            yield from child.nodes()


@dataclass(frozen=True)
class Grammar:
    """Rules by category."""

    rules: Mapping[str, tuple[Rule, ...]]

    def derive(self, rule: Rule, rng: np.random.Generator, fixed: Mapping[str, Rule]) -> Node:
        """Draw a derivation below `rule`; `fixed` holds the rule that a whole document uses for a category."""
        children: dict[str, Node] = {}
        for slot in rule.slots:
            children[slot] = self.derive(self._choose(slot, rng, fixed, children), rng, fixed)
        return Node(rule, children)

    def _choose(
        self, slot: str, rng: np.random.Generator, fixed: Mapping[str, Rule], siblings: Mapping[str, Node]
    ) -> Rule:
        if slot in fixed:
            return fixed[slot]
        taken = [node.rule for node in siblings.values()]
        # "city.2" may be of any city but the first one; "hour" and "hour.2" differ in the same way
        options = [rule for rule in self.rules[category_of(slot, self.rules)] if rule not in taken]
        options = [rule for rule in options if rule is not fixed.get(rule.category)] or options
        return options[int(rng.random() * len(options))]


def category_of(slot: str, known: Mapping[str, object]) -> str:
    """Return the category that a slot name stands for: itself, or itself without its number."""
    return slot if slot in known else slot.rsplit(".", 1)[0]


def read_grammar(path: Path) -> Grammar:
    """Read a grammar file: ``category: source => right / right ~ wrong / wrong`` a line, ``#`` for comments.

    Raises
    ------
    GrammarError
        When a line has no arrow, or an English form or the source names a slot that the other or the grammar lacks.
    """
    rules: dict[str, list[Rule]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            rule = _parse(line, f"{path.name} line {number}")
            rules.setdefault(rule.category, []).append(rule)
    for rule in (rule for group in rules.values() for rule in group):
        for slot in rule.slots:
            if category_of(slot, rules) not in rules:
                raise GrammarError(f"{path.name}: {rule.category!r} uses [{slot}], which has no rule; add one.")
    return Grammar({category: tuple(group) for category, group in rules.items()})


def _parse(line: str, where: str) -> Rule:
    head, arrow, english = line.partition(" => ")
    category, colon, source = head.partition(": ")
    if not arrow or not colon:
        raise GrammarError(f"{where}: expected 'category: source => english', got {line!r}.")
    right, _, wrong = english.partition(" ~ ")
    rule = Rule(category, tuple(source.split()), _forms(right), _forms(wrong))
    for form in (*rule.right, *rule.wrong):
        unknown = {item[1:-1] for item in form if item.startswith("[")} - set(rule.slots)
        if unknown:
            raise GrammarError(f"{where}: the source of {' '.join(form)!r} lacks {sorted(unknown)}; add it there.")
    return rule


def _forms(text: str) -> tuple[Pattern, ...]:
    return tuple(tuple(form.split()) for form in text.split(" / ")) if text else ()
