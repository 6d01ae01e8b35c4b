"""Metrics of words: how texts are split, and what a signature says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.scoring.sacrebleu_adapter import word_splitter
from mtsig_core.metrics.text.tokenizers import DEFAULT_TOKENIZER, check_tokenizer, tokenizer_key

Row = Sequence[str | None]


def n_references(references: Sequence[Row]) -> str:
    """Return the number of references of a segment as sacrebleu's signatures write it: ``1``, or ``var``."""
    counts = {sum(ref is not None for ref in row) for row in references}
    return str(counts.pop()) if len(counts) == 1 else "var"


def given(row: Row) -> list[str]:
    """Return the references of a segment, without gaps."""
    return [text for text in row if text is not None]


class Split:
    """Splits texts into words, each distinct text once."""

    def __init__(self, split: Callable[[str], list[str]]) -> None:
        self._split = split
        self._cached: dict[str, list[str]] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the words of a text."""
        words = self._cached.get(text)
        if words is None:
            words = self._cached[text] = self._split(text)
        return words

    def rows(
        self, hypotheses: Iterable[str], references: Iterable[Row]
    ) -> Iterable[tuple[list[str], list[list[str]]]]:
        """Yield the words of each hypothesis, and those of each of its references."""
        for hypothesis, row in zip(hypotheses, references, strict=True):
            yield self(hypothesis), [self(text) for text in given(row)]


@dataclass(frozen=True)
class WordMetric(Metric):
    """A metric that compares words, split by one of sacrebleu's tokenizers.

    Parameters
    ----------
    tokenize : str
        One of `mtsig_core.metrics.TOKENIZERS`.
    lowercase : bool

    Raises
    ------
    ValueError
        When the tokenizer is unknown or what it needs is not installed.
    """

    tokenize: str = DEFAULT_TOKENIZER
    lowercase: bool = False

    #: Raised when what `statistics` returns changes, so that nothing old is taken from the cache.
    version = "1"

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenize)

    @property
    def options(self) -> str:
        """What besides words a signature has to tell, as ``name:value`` joined by ``|``."""
        return ""

    @property
    def key(self) -> str:
        """Name, options and versions of all that the statistics rest on."""
        case = "lc" if self.lowercase else "mixed"
        return f"{self.name} v{self.version} {case} {self.options} [{tokenizer_key(self.tokenize)}]"

    def signature(self, references: Sequence[Row]) -> str:
        """Return number of references, case, tokenizer and options, in the manner of sacrebleu."""
        case = "lc" if self.lowercase else "mixed"
        parts = [f"nrefs:{n_references(references)}", f"case:{case}", f"tok:{self.tokenize}", self.options]
        return "|".join(filter(None, [self.name, *parts, f"version:mtsig-{self.version}"]))

    def splitter(self) -> Split:
        """Return what splits texts as the options say."""
        return Split(word_splitter(self.tokenize, self.lowercase))
