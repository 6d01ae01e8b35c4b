"""Signatures that sacrebleu would print, without importing it.

Importing it takes longer than reading all statistics from disk. The options met here make signatures that are few
words in a fixed order; for all others sacrebleu itself is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SAY_THEIR_NAME = frozenset({"13a", "intl", "none", "char", "zh"})  # tokenizers; others say a version of a program


def plain_signature(kind: str, options: Mapping[str, Any], n_references: int | str, version: str) -> str | None:
    """Return the signature of one of sacrebleu's metrics, or None where only sacrebleu knows it.

    Parameters
    ----------
    kind : {"BLEU", "CHRF", "TER"}
        sacrebleu's class.
    options : mapping of name to value
        Arguments of that class.
    n_references : int or "var"
    version : str
        Of sacrebleu.
    """
    of_kind = _KINDS.get(kind)
    parts = of_kind(dict(options)) if of_kind else None
    return None if parts is None else "|".join([f"nrefs:{n_references}", *parts, f"version:{version}"])


def _bleu(options: dict[str, Any]) -> list[str] | None:
    options.pop("force", None)
    case, tokenize = _case(options), options.pop("tokenize", None)
    if options or tokenize not in _SAY_THEIR_NAME:
        return None
    return [case, "eff:no", f"tok:{tokenize}", "smooth:exp"]


def _chrf(options: dict[str, Any]) -> list[str] | None:
    case, words = _case(options), options.pop("word_order", 0)
    return None if options else [case, "eff:yes", "nc:6", f"nw:{words}", "space:no"]


def _ter(options: dict[str, Any]) -> list[str] | None:
    return None if options else ["case:lc", "tok:tercom", "norm:no", "punct:yes", "asian:no"]


def _case(options: dict[str, Any]) -> str:
    return "case:lc" if options.pop("lowercase", False) else "case:mixed"


_KINDS = {"BLEU": _bleu, "CHRF": _chrf, "TER": _ter}
