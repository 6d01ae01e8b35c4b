"""Pairs of languages in the names of test sets: "eng-jpn", "en_US-ja_JP" and "en-ja" are one.

Codes are those of BCP 47 and ISO 639, as the library langcodes knows them; codes of three letters become those of two
where there are any, and a macrolanguage stands for its usual member. Regions and writings after a code (``zh-CN``,
``zh_Hans``) are taken off.
"""

from __future__ import annotations

import re
from functools import cache

#: Codes in use that are no codes of the language that is meant (countries, mostly), and one language of two codes.
_OTHERS = {
    "arz": "ar", "cn": "zh", "cz": "cs", "dk": "da", "esp": "es", "gr": "el", "jap": "ja", "jp": "ja", "kr": "ko",
    "nb": "no", "plk": "pl", "se": "sv", "ua": "uk",
}  # fmt: skip
#: Languages without a code of two letters that are translated in shared tasks. All others of three letters are left
#: out: many are English words (new, dev, run).
_THREE_LETTERS = frozenset(("bho", "dsb", "haw", "hsb", "liv", "mas", "nah", "quy", "sah", "yue"))
_LANGUAGE = r"([A-Za-z]{2,3})(?:[_-](?:[A-Z]{2}|[A-Z][a-z]{3}))*"
_PAIR = re.compile(rf"(?<![A-Za-z]){_LANGUAGE}(?:-|_|→|->|2){_LANGUAGE}(?![A-Za-z])")


def language_pair(name: str) -> str:
    """Return the pair of languages that a name holds, in codes of two letters where they exist, or an empty text.

    Parameters
    ----------
    name : str
        Of a test set, or in a column of language pairs.

    Examples
    --------
    >>> language_pair("eng-jpn"), language_pair("wmt24.en_US-zh_Hans"), language_pair("new-dev")
    ('en-ja', 'en-zh', '')
    """
    for match in _PAIR.finditer(name):
        codes = [_plain(code.lower()) for code in match.groups()]
        if all(codes) and codes[0] != codes[1]:
            return "-".join(codes)
    return ""


@cache
def _plain(code: str) -> str:
    """Return the usual code of a language, or an empty text for what is none."""
    if code in _OTHERS:
        return _OTHERS[code]
    from langcodes import standardize_tag, tag_is_valid  # its tables take a tenth of a second to load

    if not tag_is_valid(code):
        return ""
    usual = standardize_tag(code, macro=True)
    return _OTHERS.get(usual, usual) if len(usual) == 2 or usual in _THREE_LETTERS else ""
