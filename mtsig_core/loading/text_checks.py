"""Warnings about the text itself: writing system, tokenization, leftovers of pre-processing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from mtsig_core.experiment import Experiment
from mtsig_core.loading.outputs import Output, Outputs
from mtsig_core.loading.report import ReportLine, some

#: Segments of a text that are looked at for its writing system and tokenization.
N_LOOKED_AT = 300
#: Outputs of a test set that are looked at to see whether text is tokenized.
N_OUTPUTS_LOOKED_AT = 3
#: Share of an output's segments with leftovers of subword units from which it is suspect.
MANY_MARKS = 0.01

_KANA = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_MARK = re.compile(r"[.,!?;:](?=\s|$)")
_SPACED_MARK = re.compile(r"(?<=\s)[.,!?;:](?=\s|$)")
_SUBWORD = re.compile(r"\S@@(?= |$)|▁", re.MULTILINE)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9A-Fa-f]{1,5});")
_UNKNOWN = re.compile(r"<unk>|<UNK>|⁇|\[UNK\]|(?<!\S)UNK(?!\S)")

_TOKENIZERS = {
    "Chinese": ("zh", {"zh", "char", "flores101", "flores200", "spm"}),
    "Japanese": ("ja-mecab or char", {"ja-mecab", "char", "flores101", "flores200", "spm"}),
    "Korean": ("ko-mecab or char", {"ko-mecab", "char", "flores101", "flores200", "spm"}),
}


def cjk_with_13a(outputs: Outputs) -> Iterator[ReportLine]:
    """Chinese, Japanese or Korean text, for which BLEU's usual tokenizer gives nonsense."""
    experiment = outputs.experiment
    for test_set in experiment.test_sets:
        texts = [*_streams(test_set.references), *(o.lines[:N_LOOKED_AT] for o in outputs.on(test_set.name)[:3])]
        language = writing("\n".join(line for text in texts for line in text))
        if language is None:
            continue
        advice, suitable = _TOKENIZERS[language]
        if experiment.tokenizer in suitable:
            continue
        also = " (zh does not split kana)" if language == "Japanese" else ""
        yield ReportLine(
            "warning",
            f"Test set {test_set.name} is {language} text: BLEU and TER with the usual tokenizer 13a mean nothing "
            f"here. Choose the tokenizer {advice}{also}; chrF needs none.",
            (),
            "cjk-with-13a",
        )


def writing(text: str) -> str | None:
    """Return Chinese, Japanese or Korean when most letters are of that writing, else None."""
    if text.isascii():
        return None
    kana, hangul, han = (len(pattern.findall(text)) for pattern in (_KANA, _HANGUL, _HAN))
    letters = sum(map(str.isalpha, text))
    if kana + hangul + han < 0.3 * letters or not letters:
        return None
    if hangul > kana + han:
        return "Korean"
    return "Japanese" if kana > 0.1 * (kana + han) else "Chinese"


class _Marks(NamedTuple):
    """Punctuation at the end of words, and how much of it stands apart."""

    n: int
    spaced: int

    @property
    def tokenized(self) -> bool:
        return self.n >= 5 and self.spaced >= 0.8 * self.n


def tokenized_text(outputs: Outputs) -> Iterator[ReportLine]:
    """Text whose punctuation stands apart, so that a second tokenization changes scores."""
    experiment = outputs.experiment
    for test_set in experiment.test_sets:
        references = _marks(line for stream in _streams(test_set.references) for line in stream).tokenized
        own = outputs.on(test_set.name)
        found = [o for o in own if _marks(o.lines[:N_LOOKED_AT]).tokenized]
        if not found and not references:
            continue
        if references and len(found) == len(own):
            if experiment.tokenizer == "none":
                continue
            message = (
                f"Outputs and references of {test_set.name} look tokenized already: tokenizer none counts their tokens "
                "as they are; name the tokenization when you publish scores."
            )
        else:
            sides = [f"the references of {test_set.name}"] if references else []
            sides += [some([o.label for o in found])] if found else []
            message = (
                f"Only a part of {test_set.name} looks tokenized: {' and '.join(sides)}. Detokenize it, so that "
                "outputs and references are alike."
            )
        yield ReportLine("warning", message, _files(found), "tokenized-text")


def looks_tokenized(experiment: Experiment) -> bool:
    """Say whether punctuation stands apart in the references of all test sets that have some, and in outputs."""
    scored = [t for t in experiment.test_sets if t.references]
    texts: list[Sequence[str]] = [[line for stream in _streams(t.references) for line in stream] for t in scored]
    for test_set in scored:
        replicas = (replica for system in experiment.systems for replica in system.replicas)
        outputs = [r.outputs[test_set.name] for r in replicas if test_set.name in r.outputs]
        texts += [output[:N_LOOKED_AT] for output in outputs[:N_OUTPUTS_LOOKED_AT]]
    return bool(texts) and all(_marks(text).tokenized for text in texts)


def _marks(lines: Iterable[str]) -> _Marks:
    text = "\n".join(lines)
    return _Marks(len(_MARK.findall(text)), len(_SPACED_MARK.findall(text)))


def bpe_marks(outputs: Outputs) -> Iterator[ReportLine]:
    """Subword marks (``@@``, U+2581) left in outputs."""

    def suspect(output: Output) -> int:
        if "@@" not in output.text and "▁" not in output.text:
            return 0
        n = _n_lines(_SUBWORD, output.lines)
        return n if n >= MANY_MARKS * len(output.lines) else 0

    sentence = "Subword marks (@@ or ▁) are left in {}. Join the subwords first."
    yield from _per_output(outputs, suspect, "bpe-marks", sentence)


def html_entities(outputs: Outputs) -> Iterator[ReportLine]:
    """Escaped characters (``&apos;``) in outputs but not in references, or the other way."""
    for test_set in outputs.experiment.test_sets:
        in_references = sum(_n_lines(_ENTITY, [x for x in s if x is not None]) for s in test_set.references)
        counted = [(o, _n_lines(_ENTITY, o.lines) if "&" in o.text else 0) for o in outputs.on(test_set.name)]
        escaped = [(o, n) for o, n in counted if n]
        if in_references and not escaped:
            message = (
                f"References of {test_set.name} hold escaped characters such as &apos; in {in_references} lines, "
                "outputs none. Unescape the references."
            )
        elif escaped and not in_references:
            message = (
                f"Escaped characters such as &apos; stand in {_listed(escaped)}, not in references. Unescape the "
                "outputs."
            )
        else:
            continue
        yield ReportLine("warning", message, _files([o for o, _ in escaped]), "html-entities")


def unknown_words(outputs: Outputs) -> Iterator[ReportLine]:
    """Placeholders of unknown words in outputs."""

    def suspect(output: Output) -> int:
        text = output.text
        if "unk" not in text and "UNK" not in text and "⁇" not in text:
            return 0
        return _n_lines(_UNKNOWN, output.lines)

    yield from _per_output(outputs, suspect, "unk", "Placeholders of unknown words (<unk>) stand in {}.")


def unicode_form(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs composed otherwise (NFC, NFD) than references: equal words then count as different."""
    for test_set in outputs.experiment.test_sets:
        references = decomposed_share([x for stream in test_set.references for x in stream if x is not None])
        if references is None:
            continue
        odd = []
        for output in outputs.on(test_set.name):
            share = None if output.text.isascii() else decomposed_share(output.lines)
            if share is not None and abs(share - references) >= 0.2:
                odd.append(output)
        if odd:
            form = "NFC, these outputs are not" if references < 0.5 else "decomposed (NFD), these outputs are not"
            yield ReportLine(
                "warning",
                f"Unicode forms differ on {test_set.name}: references are in {form}: {some([o.label for o in odd])}. "
                "They are scored as they are; convert both to NFC, or equal words count as different.",
                _files(odd),
                "unicode-form",
            )


def decomposed_share(lines: Sequence[str]) -> float | None:
    """Return the share of non-ASCII lines that are not in NFC; None without such lines."""
    telling = [line for line in lines if not line.isascii()]
    if not telling:
        return None
    return sum(not unicodedata.is_normalized("NFC", line) for line in telling) / len(telling)


def _per_output(
    outputs: Outputs, suspect: Callable[[Output], int], code: str, sentence: str
) -> Iterator[ReportLine]:
    found = [(output, n) for output in outputs if (n := suspect(output))]
    if found:
        yield ReportLine("warning", sentence.format(_listed(found)), _files([o for o, _ in found]), code)


def _listed(found: Sequence[tuple[Output, int]]) -> str:
    return some([f"{o.label} ({n} of {len(o.lines)} lines)" for o, n in found])


def _n_lines(pattern: re.Pattern[str], lines: Iterable[str]) -> int:
    return sum(pattern.search(line) is not None for line in lines)


def _streams(references: Sequence[Sequence[str | None]]) -> list[list[str]]:
    return [[x for x in stream[:N_LOOKED_AT] if x is not None] for stream in references]


def _files(outputs: Iterable[Output]) -> tuple[str, ...]:
    return tuple(o.file for o in outputs if o.file)
