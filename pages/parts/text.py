"""Text for Markdown on screen: names from files stay literal, and no line breaks inside "p = 0.001"."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$<&=^\"'@])")
_WORD_JOINER = "\u2060"
_NO_BREAK = "\u00a0"
_FORMULA = re.compile(r"(\$[^$]*\$|`[^`]*`)")  # blanks of a formula or of code are left alone
_NUMBER = r"(?=[+\-\u2212]?\.?\d)"
_BEFORE_NUMBER = re.compile(
    rf" ([=<>≤≥≈×±]) {_NUMBER}| (?=[↑↓])|(?<=[\d*]) (to|of) {_NUMBER}"
    rf"|\b(Tables?|Figures?|[Rr]eplica|[Rr]un|[Ss]egment|[Ll]ine|[Ss]eed|level) {_NUMBER}"
)
_AFTER_NUMBER = re.compile(
    r"(?<=\d%) (?=intervals?\b)"
    r"|(?<=\d) (?=(BLEU|chrF\+*|TER|points?|runs?|replicas?|segments?|systems?|metrics?|px|ms|s|min|[kMG]B)\b)"
)


def keep_together(text: str) -> str:
    r"""Return text in which no line ends between a number and the sign, the unit or the word that belongs to it.

    >>> keep_together("95% interval 0.37 to 1.41, p = 0.001").count("\u00a0")
    5
    """
    parts = _FORMULA.split(text)
    parts[::2] = [_AFTER_NUMBER.sub(_NO_BREAK, _BEFORE_NUMBER.sub(_joined, part)) for part in parts[::2]]
    return "".join(parts)


def literal(text: str) -> str:
    """Return text escaped so that Markdown, LaTeX, HTML, colours, icons and emoji codes stay text, kept together.

    A colon cannot be escaped (``:smile:`` is replaced after escapes are read), so an invisible word
    joiner is put behind it.
    """
    return _SPECIAL.sub(r"\\\1", keep_together(text)).replace(":", ":" + _WORD_JOINER).replace("\n", " ")


def _joined(match: re.Match[str]) -> str:
    return match[0].replace(" ", _NO_BREAK)
