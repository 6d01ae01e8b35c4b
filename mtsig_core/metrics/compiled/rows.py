"""Statistics of hypotheses by compiled kernels: texts are encoded, kernels count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from mtsig_core.metrics.compiled import KERNELS_OF
from mtsig_core.metrics.compiled.encode import Pieces, References, Row, Words, characters, group_references

CHAR_ORDER = 6
Encoder = Words | Pieces
# Options of sacrebleu's classes that the kernels know; with any other, sacrebleu answers.
_COMPILED_OPTIONS = {"BLEU": {"tokenize", "lowercase", "force"}, "CHRF": {"lowercase", "word_order"}, "TER": set()}


def compiled_statistics(
    kind: str, options: Mapping[str, Any], oracle: Any, hypotheses: Sequence[str], references: Sequence[Row]
) -> np.ndarray | None:
    """Return what sacrebleu would, shape (N, S), or None if its kernels are not ready or do not cover it.

    Parameters
    ----------
    kind : {"BLEU", "CHRF", "TER"}
        sacrebleu's class.
    options : mapping
        Arguments of that class.
    oracle : object
        sacrebleu's own object, asked to split texts into words.
    hypotheses : sequence of N str
    references : sequence of N rows of str or None
    """
    kernels = KERNELS_OF[kind].loaded
    if kernels is None or not set(options) <= _COMPILED_OPTIONS[kind]:
        return None
    grouped = group_references(references)
    if not grouped.complete:
        return None
    return _COUNTERS[kind](kernels, options, oracle, hypotheses, grouped)


def _bleu(
    kernels: ModuleType, options: Mapping[str, Any], oracle: Any, hypotheses: Sequence[str], references: References
) -> np.ndarray:
    encode = bleu_encoder(options, oracle, [*hypotheses, *references.texts])
    ours, theirs = encode(hypotheses), encode(references.texts)
    out = np.empty((len(hypotheses), 10))
    kernels.bleu(
        ours.tokens,
        ours.starts,
        theirs.tokens,
        theirs.starts,
        references.groups,
        references.group_of,
        references.together,
        out,
    )
    return out


def bleu_encoder(options: Mapping[str, Any], oracle: Any, texts: Sequence[str]) -> Encoder:
    """Return what splits texts into words as sacrebleu's tokenizer does.

    13a may be applied to each white-space token on its own. It adds white space and never removes any,
    save for line ends; it surrounds the line with spaces, so first and last tokens are like others; and a
    match of its expressions reaches over white space nowhere: each looks at a full stop, comma or dash and
    at one character beside it, and white space beside it is what the pattern asks for at the edge of a
    token. A line end within a text may join tokens, so then lines are tokenized as a whole.
    """
    lowercase = options.get("lowercase", False)
    if options.get("tokenize") == "none":
        return Words(_lowercased_words if lowercase else str.split)
    if options.get("tokenize") == "13a" and not any("\n" in text for text in texts):
        return Pieces(lambda token: oracle.tokenizer(token).split(), str.lower if lowercase else str)
    return Words(lambda text: oracle._preprocess_segment(text).split())


def _lowercased_words(text: str) -> list[str]:
    return text.lower().split()


def _chrf(
    kernels: ModuleType, options: Mapping[str, Any], oracle: Any, hypotheses: Sequence[str], references: References
) -> np.ndarray:
    prepare: Callable[[str], str] = str.lower if options.get("lowercase") else str
    ours, theirs = [prepare(text) for text in hypotheses], [prepare(text) for text in references.texts]
    text_of, ref_of, pairs = _pairs(references)
    word_order = options.get("word_order", 0)
    counts = np.zeros((len(text_of), 3 * (CHAR_ORDER + word_order)))
    together = np.argsort(ref_of, kind="stable")

    def count(encode: Callable[[Sequence[str]], Any], order: int, column: int) -> None:
        a, b = encode(ours), encode(theirs)
        kernels.triples(a.tokens, a.starts, b.tokens, b.starts, text_of, ref_of, together, order, column, counts)

    count(characters, CHAR_ORDER, 0)
    if word_order:
        count(Pieces(oracle._remove_punctuation, str), word_order, 3 * CHAR_ORDER)
    out = np.empty((len(hypotheses), counts.shape[1]))
    kernels.best_pair(counts, pairs, out)
    return out


def _pairs(references: References) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each hypothesis with each of its references: text and reference numbers (P,), and ends (N + 1,)."""
    sizes = np.diff(references.groups)[references.group_of]
    pairs = np.concatenate([[0], sizes.cumsum()])
    text_of = np.repeat(np.arange(len(sizes)), sizes)
    ref_of = references.groups[references.group_of][text_of] + np.arange(pairs[-1]) - pairs[text_of]
    return text_of, ref_of, pairs


def _ter(
    kernels: ModuleType, options: Mapping[str, Any], oracle: Any, hypotheses: Sequence[str], references: References
) -> np.ndarray:
    return _edits(kernels, hypotheses, references)[:, :2].copy()


def _edits(kernels: ModuleType, hypotheses: Sequence[str], references: References) -> np.ndarray:
    encode = Words(_lowercased_words)
    ours, theirs = encode(hypotheses), encode(references.texts)
    out = np.empty((len(hypotheses), 6))
    kernels.ter(
        ours.tokens, ours.starts, theirs.tokens, theirs.starts, references.groups, references.group_of, out
    )
    return out


def compiled_edit_kinds(hypotheses: Sequence[str], references: Sequence[Row]) -> np.ndarray | None:
    """Return TER's edits by kind with the mean reference length, or None if the kernels are not ready.

    Returns
    -------
    ndarray of shape (N, 5)
        Insertions, deletions, substitutions, shifts, length.
    """
    kernels = KERNELS_OF["TER"].loaded
    grouped = group_references(references)
    if kernels is None or not grouped.complete:
        return None
    return _edits(kernels, hypotheses, grouped)[:, [2, 3, 4, 5, 1]]


_COUNTERS: Mapping[str, Callable[..., np.ndarray]] = {"BLEU": _bleu, "CHRF": _chrf, "TER": _ter}
