"""Names from uploaded files inside Markdown: shown as they are, never as markup."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$<&=^\"'@])")
_WORD_JOINER = "\u2060"


def literal(text: str) -> str:
    """Return text escaped so that Markdown, LaTeX, HTML, colours, icons and emoji codes stay text.

    A colon cannot be escaped (``:smile:`` is replaced after escapes are read), so an invisible word
    joiner is put behind it.
    """
    return _SPECIAL.sub(r"\\\1", text).replace(":", ":" + _WORD_JOINER).replace("\n", " ")
