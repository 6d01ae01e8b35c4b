"""Whether higher is better under a metric of which only the name is known."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Words in names of measures of error: lower is better.
ERRORS = frozenset((
    "ter", "hter", "htter", "pter", "wer", "cer", "per", "mer", "wil", "tercom", "cder", "eed", "charcut", "charactter",
    "character", "eer", "fid", "mcd", "mae", "mse", "rmse", "ppl", "perplexity", "loss", "nll", "entropy",
    "error", "errors", "err", "distance", "levenshtein", "edits", "mqm", "metricx", "penalty", "latency",
    "toxicity", "hallucination", "hallucinations",
))  # fmt: skip
#: Words in names of measures of quality: higher is better.
QUALITY = frozenset((
    "comet", "cometkiwi", "kiwi", "xcomet", "unite", "bleurt", "bleu", "sentbleu", "chrf", "chrf2", "meteor", "rouge",
    "rouge1", "rouge2", "rougel", "bertscore", "f1", "f2", "accuracy", "acc", "precision", "recall", "yisi", "prism",
    "nist", "ribes", "gemba", "da", "adequacy", "fluency", "meant", "bartscore", "moverscore", "quality", "exact",
    "match", "em", "gleu", "correct", "pass", "wins", "rating", "likert",
))  # fmt: skip


def direction(name: str, values: Iterable[float]) -> tuple[bool, str]:
    """Return whether higher is better, and the reason when that is an assumption ("" when it is well known).

    Names of error measures (TER, WER, perplexity, MQM, ...) mean lower, unless no score is positive: such
    files give errors a minus sign.
    """
    words = _words(name)
    if words & ERRORS:
        low, high = _range(values)
        if high <= 0 and low < 0:
            return True, "its name is that of a measure of errors, but no score is above 0: errors with a minus sign"
        return False, "its name is that of a measure of errors"
    return True, "" if words & QUALITY else "its name is not known"


def _words(name: str) -> set[str]:
    spaced = name.casefold()
    pieces = re.split(r"[^a-z0-9]+", spaced)
    # "MetricX-23" is metricx and 23; "metricx23", "comet22" and "rouge-1" lose or keep their number
    return {*pieces, *(piece.rstrip("0123456789") for piece in pieces), *(re.sub(r"[^a-z0-9]", "", spaced),)} - {""}


def _range(values: Iterable[float]) -> tuple[float, float]:
    low, high = 0.0, float("-inf")
    for value in values:
        low, high = min(low, value), max(high, value)
    return low, high
