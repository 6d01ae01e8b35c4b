"""Pairs of languages in the names of test sets: "eng-jpn", "en_US-ja_JP" and "en-ja" are one.

Codes of three letters are those of ISO 639-2 and 639-3, for the languages of WMT's tasks. Regions and writings after a
code (``zh-CN``, ``zh_Hans``) are taken off.
"""

from __future__ import annotations

import re

#: Codes of three letters, and others in use, by the usual code of two letters.
_CODES = {
    "ar": "ara arb arz", "bg": "bul", "bho": "", "bn": "ben", "cs": "ces cze", "cy": "cym wel", "da": "dan",
    "de": "deu ger", "el": "ell gre", "en": "eng", "es": "spa esp", "et": "est ekk", "fa": "fas per pes", "fi": "fin",
    "fr": "fra fre", "gu": "guj", "ha": "hau", "he": "heb iw", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind",
    "is": "isl ice", "it": "ita", "iu": "iku", "ja": "jpn jap jp", "kk": "kaz", "km": "khm", "kn": "kan",
    "ko": "kor kr",
    "liv": "", "lt": "lit", "lv": "lav lvs", "mas": "", "mr": "mar", "ms": "msa may zsm", "nl": "nld dut",
    "no": "nor nb nob", "pl": "pol plk", "ps": "pus", "pt": "por", "ro": "ron rum", "ru": "rus", "sah": "",
    "sk": "slk slo", "sl": "slv", "sr": "srp", "sv": "swe", "sw": "swa swh", "ta": "tam", "te": "tel", "th": "tha",
    "tr": "tur",
    "uk": "ukr ua", "ur": "urd", "vi": "vie", "xh": "xho", "zh": "zho chi cmn cn", "zu": "zul",
}  # fmt: skip
_PLAIN = {code: usual for usual, others in _CODES.items() for code in (usual, *others.split())}
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
        codes = [_PLAIN.get(code.lower(), "") for code in match.groups()]
        if all(codes) and codes[0] != codes[1]:
            return "-".join(codes)
    return ""
