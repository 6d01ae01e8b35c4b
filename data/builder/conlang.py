"""The toy source language: glosses become words that look like words."""

from __future__ import annotations

import hashlib
import re

from data.builder.grammar import Node

_ONSETS = ("t", "k", "m", "n", "s", "l", "v", "r", "p", "d", "h", "b", "f", "g", "z", "y", "j", "t", "n", "s")
_VOWELS = ("a", "e", "i", "o", "u", "a", "e", "i", "o", "ai")
_CODAS = ("", "", "", "", "n", "r", "l", "s", "", "m")
_SLOT = re.compile(r"^\[(.+)\]$")


def word(gloss: str) -> str:
    """Return the word of a gloss: a name or punctuation as it is, a particle (CAPITALS) short, else two syllables.

    The word is read off a digest of the gloss, so it never changes when a grammar grows.
    """
    if not gloss.isalpha() and "-" not in gloss:
        return gloss
    if gloss[0].isupper() and not gloss.isupper():
        return gloss
    digits = int.from_bytes(hashlib.sha256(gloss.encode()).digest()[:16], "big")
    letters = []
    for last in (True,) if gloss.isupper() else (False, True):
        for choices in (_ONSETS, _VOWELS, _CODAS if last else ("", "", "", "n", "r")):
            letters.append(choices[digits % len(choices)])
            digits //= len(choices)
    return "".join(letters)


def source_text(node: Node) -> str:
    """Return the source sentence of a derivation; ``+`` glues words into one."""
    return " ".join("".join(_part(part, node) for part in item.split("+")) for item in node.rule.source)


def _part(part: str, node: Node) -> str:
    slot = _SLOT.match(part)
    return source_text(node.children[slot.group(1)]) if slot else word(part)


def is_compound(node: Node) -> bool:
    """Whether the source of this node is one glued word of two stems or more (case endings do not count)."""
    source = node.rule.source
    stems = [part for part in source[0].split("+") if not part.isupper()]
    return len(source) == 1 and not node.children and len(stems) > 1
