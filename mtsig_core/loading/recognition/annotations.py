"""Files beside text that are no text: word alignments, tags and parses, recognised by their content."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.sources.tree import FileTree

#: Lines of a file that are looked at, and the share of them that must look the same.
N_LINES, MOST = 200, 0.9
#: Words of those lines that are looked at, evenly spaced.
N_WORDS = 1000
#: What a file of lines of numbers is.
NUMBERS = "numbers"
_ALIGNMENT = re.compile(r"\s*\d+[-?:]\d+(?::\d+(?:\.\d+)?)?(?:\s+\d+[-?:]\d+(?::\d+(?:\.\d+)?)?)*\s*")
_PARSE = re.compile(r"\s*\(+\s*[A-Z][A-Z$.|=:-]*\s*[( ].*\)\s*")
_TAG = re.compile(r"[^\s_|/]*\S[_|/][A-Z][A-Z0-9$.:-]{0,7}|[^\w\s]{1,4}[_|/][^\w\s]{1,4}")
_TAG_ONLY = re.compile(
    r"(?:CC|CD|DT|EX|FW|IN|JJ[RS]?|LS|MD|NNP?S?|PDT|POS|PRP\$?|RB[RS]?|RP|SYM|TO|UH|VB[DGNPZ]?|W(?:DT|P\$?|RB)|"
    r"ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|VERB|X|[-,.:;$#'`\"()]+|-[LR]RB-)|"
    r"O|[BIESLU]-[A-Za-z_]+"
)
_TAGS = (_TAG, _TAG_ONLY)
_GIZA = re.compile(r"NULL \(\{|# Sentence pair \(")
_NUMBER = r"(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-?inf|nan)"
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,;]+{_NUMBER})*\s*", re.IGNORECASE)
_CONLL = re.compile(r"\d+(?:[-.]\d+)?(?:\t[^\t]*){7,}")


def annotation_kind(head: str) -> str:
    """Return what the beginning of a file holds that is no text: "word alignments", "parses", "tags", "numbers"."""
    lines = [line for line in head.split("\n")[:N_LINES] if line.strip()]
    if len(lines) < 2:
        return ""
    if _most(sum(_ALIGNMENT.fullmatch(line) is not None for line in lines), len(lines)):
        return "word alignments"
    if sum(_GIZA.match(line) is not None for line in lines) >= len(lines) // 2:
        return "word alignments"
    if _NUMBERS.fullmatch(lines[0]) and _most(sum(_NUMBERS.fullmatch(line) is not None for line in lines), len(lines)):
        return NUMBERS
    if _most(
        sum(_PARSE.fullmatch(line) is not None and line.count("(") == line.count(")") for line in lines), len(lines)
    ):
        return "parses"
    if _most(sum(_CONLL.fullmatch(line) is not None or line.startswith("#") for line in lines), len(lines)):
        return "parses"
    tokens = [token for line in lines for token in line.split()]
    if len(tokens) <= len(lines):
        return ""
    seen = tokens[:: -(-len(tokens) // N_WORDS)]
    is_tagged = (_most(sum(pattern.fullmatch(token) is not None for token in seen), len(seen)) for pattern in _TAGS)
    return "tags" if any(is_tagged) else ""


def _most(n: int, of: int) -> bool:
    return n >= MOST * of


def annotations_of(files: FileTree, paths: Collection[str], references: Collection[str]) -> dict[str, str]:
    """Return what files hold that is no text, by path; files of text are not in it.

    Lines of numbers are the text where references are numbers, too.
    """
    kinds = {path: annotation_kind(files.head(path)) for path in paths}
    are_numbers = any(kinds.get(path) == NUMBERS for path in references)
    return {path: kind for path, kind in kinds.items() if kind and not (are_numbers and kind == NUMBERS)}


def reason(kind: str) -> str:
    """Return why a file of this kind is not used."""
    if kind == NUMBERS:
        return "numbers, no text; scores of segments belong into scores/METRIC/SYSTEM/REPLICA.txt"
    return f"{kind}, no text"


def leave_out(files: FileTree, plan: Plan) -> Plan:
    """Return the plan without outputs, references and sources that are annotations of text."""
    read = [role for role in plan.roles if role.path in files and role.path not in plan.texts]
    texts = [role.path for role in read if role.kind in ("output", "reference", "source")]
    kinds: Mapping[str, str] = annotations_of(files, texts, [role.path for role in read if role.kind == "reference"])
    roles = tuple(
        replace(role, kind="ignored", reason=reason(kinds[role.path])) if role.path in kinds else role
        for role in plan.roles
    )
    return replace(plan, roles=roles)
