"""The target language of an experiment, declared or recognised, and the tokenizer that suits it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mtsig_core.experiment import Experiment
from mtsig_core.metrics.text.tokenizers import DEFAULT_TOKENIZER, TOKENIZERS

#: Languages that people can choose: those with a tokenizer or a stemmer of their own, and other frequent ones.
LANGUAGES = {
    "ar": "Arabic", "my": "Burmese", "zh": "Chinese", "cs": "Czech", "da": "Danish", "nl": "Dutch", "en": "English",
    "et": "Estonian", "fi": "Finnish", "fr": "French", "de": "German", "el": "Greek", "he": "Hebrew", "hi": "Hindi",
    "hu": "Hungarian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "km": "Khmer", "ko": "Korean",
    "lo": "Lao", "lv": "Latvian", "lt": "Lithuanian", "no": "Norwegian", "fa": "Persian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "es": "Spanish", "sv": "Swedish", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip

# The first of these that can be used here; for any other language, see `default_tokenizer`.
_SUITABLE = {
    "zh": ("zh",),
    "ja": ("ja-mecab", "flores200", "flores101", "char"),
    "ko": ("ko-mecab", "flores200", "flores101", "char"),
    "th": ("flores200", "flores101", "char"),
    "lo": ("flores200", "flores101", "char"),
    "km": ("flores200", "flores101", "char"),
    "my": ("flores200", "flores101", "char"),
}
# Code points of writings that tell the language, or nearly. Kana is looked for before Chinese characters, since
# Japanese has both.
_WRITINGS = {
    "ja": "\u3040-\u30ff\uff66-\uff9f",
    "ko": "\uac00-\ud7af\u1100-\u11ff",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "my": "\u1000-\u109f",
    "km": "\u1780-\u17ff",
    "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
}
_LINES_LOOKED_AT = 200
_SHARE_OF_LETTERS = 0.3
_SHARE_OF_KANA = 0.1
_PAIR = re.compile(r"(?<![a-z])([a-z]{2,3})[-_]([a-z]{2})(?![a-z])")
_NO_SOURCES = {"dev", "hyp", "new", "old", "out", "ref", "run", "set", "src", "sys", "the"}


@dataclass(frozen=True)
class Choice:
    """What was chosen for people, and why.

    Parameters
    ----------
    value : str
        A language's code or a tokenizer; empty for a language that is not known.
    reason : str
        Where it comes from, as part of a sentence; empty when not known.
    """

    value: str
    reason: str = ""


def target_language(experiment: Experiment) -> Choice:
    """Return the target language: as declared, else by the writing of the references, else by names of test sets.

    The Latin writing tells no language; then names such as ``newstest2019-en-de`` do.
    """
    declared = (experiment.target_language or "").strip().casefold().replace("_", "-").split("-")[0]
    if declared:
        names = {name.casefold(): code for code, name in LANGUAGES.items()}
        return Choice(names.get(declared, declared), "the experiment says so")
    written = _writing("\n".join(_reference_lines(experiment)))
    if written:
        return Choice(written, f"the references are written in {LANGUAGES[written]} letters")
    for name in [t.name for t in experiment.test_sets] + [experiment.name]:
        for match in _PAIR.finditer(name.casefold()):
            if match[1] not in _NO_SOURCES and match[2] in LANGUAGES:
                return Choice(match[2], f"the name {name!r} says so")
    return Choice("")


def default_tokenizer(experiment: Experiment, language: str | None = None) -> Choice:
    """Return the tokenizer to start with.

    Parameters
    ----------
    experiment : Experiment
    language : str, optional
        Code of the target language, where people have chosen one; else it is recognised.
    """
    from mtsig_core.loading.checks.text import looks_tokenized  # loading is slow to import, and done by then

    if experiment.tokenizer in TOKENIZERS and language is None:
        return Choice(experiment.tokenizer, "the experiment says so")
    code = target_language(experiment).value if language is None else language
    suitable = next((name for name in _SUITABLE.get(code, ()) if name in TOKENIZERS), None)
    if suitable:
        return Choice(suitable, f"the target language is {LANGUAGES[code]}")
    if looks_tokenized(experiment):
        return Choice("none", "the text is tokenized already")
    return Choice(DEFAULT_TOKENIZER, "sacreBLEU's default")


def _reference_lines(experiment: Experiment) -> Iterator[str]:
    for test_set in experiment.test_sets:
        for stream in test_set.references:
            yield from (line for line in stream[:_LINES_LOOKED_AT] if line)


def _writing(text: str) -> str:
    """Return the code of the language in whose letters most of a text is written; empty when it is none of these."""
    if text.isascii():
        return ""
    letters = sum(map(str.isalpha, text))
    counts = {code: len(re.findall(f"[{points}]", text)) for code, points in _WRITINGS.items()}
    east_asian = counts["ja"] + counts["zh"]
    if east_asian > _SHARE_OF_LETTERS * letters and counts["ko"] <= east_asian:
        return "ja" if counts["ja"] > _SHARE_OF_KANA * east_asian else "zh"
    code = max(counts, key=counts.__getitem__)
    return code if counts[code] > _SHARE_OF_LETTERS * letters else ""
