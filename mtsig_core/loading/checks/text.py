"""Warnings about the text itself: writing system, tokenization, case, Unicode form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from mtsig_core.experiment import Experiment
from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.report import ReportLine, some

#: Segments of a text that are looked at for its writing system and tokenization.
N_LOOKED_AT = 300
#: Characters of a segment that are looked at for its tokenization.
N_CHARACTERS = 1000
#: Outputs of a test set that are looked at to see whether text is tokenized.
N_OUTPUTS_LOOKED_AT = 3

_KANA = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_MARK = re.compile(r"[.,!?;:](?=\s|$)")
_SPACED_MARK = re.compile(r"(?<=\s)[.,!?;:](?=\s|$)")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9A-Fa-f]{1,5});")
_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")

#: Text without any of these cannot hold the pattern; looking for them is far quicker.
_CUES = {_ENTITY: ("&",)}

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
            f"Test set {test_set.name} is {language} text: BLEU with the usual tokenizer 13a means nothing "
            f"here. Keep to the tokenizer {advice}{also}, the one chosen for it; chrF needs none.",
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


def _n_marks(line: str) -> int:
    return len(_MARK.findall(line[:N_CHARACTERS]))


def _n_apart(line: str) -> int:
    return len(_SPACED_MARK.findall(f" {line[:N_CHARACTERS]}"))


def _mostly_apart(lines: Iterable[str]) -> bool:
    """Say whether most of the punctuation at the end of words stands apart."""
    texts = list(lines)
    return _is_tokenized(sum(map(_n_marks, texts)), sum(map(_n_apart, texts)))


def _is_tokenized(n: int, apart: int) -> bool:
    return n >= 5 and apart >= 0.8 * n


def tokenized_text(outputs: Outputs) -> Iterator[ReportLine]:
    """Text whose punctuation stands apart, so that a second tokenization changes scores."""
    experiment = outputs.experiment
    for test_set in experiment.test_sets:
        references = _mostly_apart(line for stream in _streams(test_set.references) for line in stream)
        own = outputs.on(test_set.name)
        n, apart = (outputs.sums(test_set.name, measure, N_LOOKED_AT) for measure in (_n_marks, _n_apart))
        tokenized = [o for o in own if _is_tokenized(n[o.row], apart[o.row])]
        if not tokenized and not references:
            continue
        if references and len(tokenized) == len(own):
            if experiment.tokenizer == "none":
                continue
            message = (
                f"Outputs and references of {test_set.name} look tokenized already. The tokenizer 'none' leaves them "
                "as they are. Name the tokenization when you publish scores."
            )
        else:
            sides = [f"the references of {test_set.name}"] if references else []
            sides += [some([o.label for o in tokenized])] if tokenized else []
            message = (
                f"Only a part of {test_set.name} looks tokenized: {' and '.join(sides)}. Detokenize it, so that "
                "outputs and references agree."
            )
        yield ReportLine("warning", message, _files(tokenized), "tokenized-text")


def looks_tokenized(experiment: Experiment) -> bool:
    """Say whether punctuation stands apart in the references of all test sets that have some, and in outputs."""
    scored = [t for t in experiment.test_sets if t.references]
    texts: list[Sequence[str]] = [[line for stream in _streams(t.references) for line in stream] for t in scored]
    for test_set in scored:
        replicas = [replica for system in experiment.systems for replica in system.on(test_set.name)]
        texts += [r.outputs[test_set.name][:N_LOOKED_AT] for r in replicas[:N_OUTPUTS_LOOKED_AT]]
    return bool(texts) and all(map(_mostly_apart, texts))


def too_short_for_bleu(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs without four words in any segment: BLEU is 0, also of a perfect one."""
    for test_set in outputs.experiment.test_sets:
        n_long = outputs.sums(test_set.name, _is_long, N_LOOKED_AT)
        suspects = [o for o in outputs.on(test_set.name) if not n_long[o.row]]
        short = [o for o in suspects if any(o.lines) and not any(map(_is_long, o.lines))]
        if short:
            yield ReportLine(
                "warning",
                f"{some([o.label for o in short])} on {test_set.name}: no segment has four words in a row, of which "
                "BLEU counts matches: it is 0 even for a perfect output. Use chrF, TER or exact match.",
                _files(short),
                "too-short-for-bleu",
            )


def _is_long(line: str) -> bool:
    # what is written without blanks, or holds punctuation that tokenizers split off, may have more words
    if len(line) < 4 or not line.isascii():
        return len(line) > 3
    return next(islice(_WORD_OR_MARK.finditer(line), 3, None), None) is not None


def html_entities(outputs: Outputs) -> Iterator[ReportLine]:
    """Escaped characters (``&apos;``) in outputs but not in references, or the other way."""
    for test_set in outputs.experiment.test_sets:
        in_references = sum(_n_lines(_ENTITY, [x for x in s if x is not None]) for s in test_set.references)
        escaped = _with(outputs, test_set.name, _ENTITY)
        if in_references and not escaped:
            message = (
                f"References of {test_set.name} hold escaped characters such as &apos; in {in_references:,} lines, "
                "outputs none. Unescape the references."
            )
        elif escaped and not in_references:
            message = (
                f"Escaped characters such as &apos; occur in {_listed(escaped)}, not in references. Unescape the "
                "outputs."
            )
        else:
            continue
        yield ReportLine("warning", message, _files([o for o, _ in escaped]), "html-entities")


def unicode_form(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs composed otherwise (NFC, NFD) than references: equal words then count as different."""
    for test_set in outputs.experiment.test_sets:
        references = decomposed_share([x for stream in test_set.references for x in stream if x is not None])
        if references is None:
            continue
        telling, decomposed = (outputs.sums(test_set.name, measure) for measure in (_is_telling, _is_decomposed))
        odd = [
            o for o in outputs.on(test_set.name)
            if telling[o.row] and abs(decomposed[o.row] / telling[o.row] - references) >= 0.2
        ]
        if odd:
            form = "NFC, these outputs are not" if references < 0.5 else "decomposed (NFD), these outputs are not"
            yield ReportLine(
                "warning",
                f"Unicode forms differ on {test_set.name}: references are in {form}: {some([o.label for o in odd])}. "
                "Unless metrics convert text to NFC (--nfc), equal words count as different.",
                _files(odd),
                "unicode-form",
            )


def decomposed_share(lines: Sequence[str]) -> float | None:
    """Return the share of non-ASCII lines that are not in NFC; None without such lines."""
    telling = sum(map(_is_telling, lines))
    return sum(map(_is_decomposed, lines)) / telling if telling else None


def _is_telling(line: str) -> bool:
    return not line.isascii()


def _is_decomposed(line: str) -> bool:
    return not line.isascii() and not unicodedata.is_normalized("NFC", line)


def _with(outputs: Outputs, test_set: str, pattern: re.Pattern[str]) -> list[tuple[Output, int]]:
    """Return the outputs of a test set with segments that hold a pattern, and the number of these."""
    cues = _CUES[pattern]
    counts = outputs.sums(
        test_set, lambda line: any(cue in line for cue in cues) and pattern.search(line) is not None
    )
    return [(o, int(counts[o.row])) for o in outputs.on(test_set) if counts[o.row]]


def _listed(counted: Sequence[tuple[Output, int]]) -> str:
    return some([f"{o.label} ({n:,} of {len(o.lines):,} lines)" for o, n in counted])


def _n_lines(pattern: re.Pattern[str], lines: Iterable[str]) -> int:
    return sum(pattern.search(line) is not None for line in lines)


def _streams(references: Sequence[Sequence[str | None]]) -> list[list[str]]:
    return [[x for x in stream[:N_LOOKED_AT] if x is not None] for stream in references]


def _files(outputs: Iterable[Output]) -> tuple[str, ...]:
    return tuple(o.file for o in outputs if o.file)
