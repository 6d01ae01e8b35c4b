"""How files are named: what a name says about reference, source, documents, system and replica."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

Special = Literal["reference", "source", "documents"]

_TEXT_ENDINGS = frozenset(("txt", "text", "hyp", "hyps", "out", "output", "trans", "pred", "tok", "detok"))
_ENDING = re.compile(r"\.(?P<ending>[A-Za-z]{1,6}|[a-z]{2,3}[-_][A-Za-z]{2,4})$")
_SPECIAL: tuple[tuple[Special, re.Pattern[str]], ...] = (
    ("documents", re.compile(r"^(docids?|documents?|docs)(?![A-Za-z])|\.docs$", re.IGNORECASE)),
    ("reference", re.compile(r"^([Rr]ef|REF|[Rr]eference|REFERENCE)[sS]?(?![a-z])|\.refs?\d*(\.[a-z-]{2,5})?$")),
    ("source", re.compile(r"^([Ss]rc|SRC|[Ss]ource|SOURCE)s?(?![a-z])|\.src(\.[a-z-]{2,5})?$")),
)
_PACKED = re.compile(r"\.(?:gz|zst)$", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"md|json|jsonl|toml|ya?ml|log|csv|xml|html|pdf|png|jpe?g|svg|gif|zip|tar|tgz|xz|bz2|7z|rar|npz|npy|pt|bin|pkl|"
    r"xlsx?|docx?|parquet|py|sh|ini|cfg|conf|gold|exe|so"
)
_NOTES = re.compile(r"(readme|licen[cs]e|copying|changelog|known)(?![a-z])")
_MARKED = re.compile(
    r"^(?P<system>.*?[^._-])[._-]+(?P<replica>(?:seed|run|opt|rep|replica|init|random|rand|fold|trial)[._-]?\d+)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?P<system>.*?[^._-])[._-]+(?P<replica>\d+)$")
_PREFIXED = re.compile(r"^(?:hyp|hyps|hypothesis|out|output)\.(?P<system>.+)\.(?P<replica>[^.]+)$", re.IGNORECASE)


def base_name(path: str) -> str:
    """Return the file name without folders and without ``.gz`` or ``.zst``."""
    name = path.rsplit("/", 1)[-1]
    return _PACKED.sub("", name) or name


def special(path: str) -> Special | None:
    """Say whether the name is one of a reference, a source or a list of documents."""
    name = base_name(path)
    return next((kind for kind, pattern in _SPECIAL if pattern.search(name)), None)


def is_no_output(path: str) -> bool:
    """Say whether the name is one of a file that holds no segments: notes, logs, pictures, archives."""
    name = base_name(path)
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    return _NO_TEXT.fullmatch(ending) is not None or _NOTES.match(name.lower()) is not None


def without_ending(name: str) -> str:
    """Take one ending made of letters (``.txt``, ``.en``, ``.zh-CN``) off a base name."""
    short = _ENDING.sub("", name)
    return short or name


def stems(paths: Sequence[str]) -> dict[str, str]:
    """Return a name for each path: its base name without ending, or with it where two would be equal."""
    short = {path: without_ending(base_name(path)) for path in paths}
    same = Counter(short.values())
    full = {path: base_name(path) if same[name] > 1 else name for path, name in short.items()}
    same = Counter(full.values())
    return {path: path.rsplit("/", 1)[-1] if same[name] > 1 else name for path, name in full.items()}


def split_marked(name: str) -> tuple[str, str] | None:
    """Split ``SYSTEM.seed3``, ``SYSTEM_run3`` or ``SYSTEM-opt3`` into system and replica."""
    match = _MARKED.match(name)
    return (match["system"], match["replica"]) if match else None


def split_flat(path: str) -> tuple[str, str] | None:
    """Split a flat file name into system and replica, or return None when it names no replica.

    ``hyp.SYSTEM.K``, ``SYSTEM.seedK.txt``, ``SYSTEM_runK``, ``SYSTEM.K``, ``out.K``.
    """
    name = base_name(path)
    bare = _without_text_ending(name)
    for candidate in (bare, without_ending(bare)):
        if match := _PREFIXED.match(candidate):
            return match["system"], match["replica"]
        if pair := split_marked(candidate):
            return pair
        if match := _NUMBERED.match(candidate):
            return match["system"], match["replica"]
    return None


def _without_text_ending(name: str) -> str:
    head, dot, ending = name.rpartition(".")
    return head if dot and head and ending.lower() in _TEXT_ENDINGS else name
