"""TER: edits, with shifts of phrases, a word of reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtsig_core.metrics.scoring.sacrebleu_adapter import SacrebleuMetric, asian_ter_text, segment_statistics

EDITS, REF_LEN = 0, 1
#: Languages written without blanks between words that sacreBLEU's ``asian_support`` splits into characters.
ASIAN = frozenset(("zh", "ja", "yue"))


@dataclass(frozen=True)
class TER(SacrebleuMetric):
    """Corpus translation edit rate x 100; lower is better, and more than 100 is possible.

    The statistics of a segment are [edits to the nearest reference, mean reference length]; with several
    references the latter is a fraction. Words are split at white space and compared without regard to
    case, as tercom and sacrebleu do by default, so there is no ``lowercase`` option.

    Parameters
    ----------
    language : str, optional
        Code of the target language. Chinese and Japanese have no blanks between words, so a segment would be one
        word: sacreBLEU's options ``normalized`` and ``asian_support`` then split characters, and the signature says
        so. For other languages it makes no difference, and is None.

    References
    ----------
    Snover et al. 2006, "A study of translation edit rate with targeted human annotation", section 3.
    """

    language: str | None = None

    name = "ter"
    label = "TER"
    higher_is_better = False
    scale = "0 (no edits) and up; more than 100 is possible"
    n_statistics = 2
    sacrebleu_class = "TER"
    explanation = (
        "TER counts how many words one would have to insert, delete or replace, and how many phrases to move, to turn "
        "the output into the nearest reference, and divides by the mean length of the references. It is an error rate: "
        "lower is better, and output that is much too long can exceed 100 (Snover, Dorr, Schwartz, Micciulla and "
        "Makhoul 2006)."
    )
    weakness = (
        "A synonym costs as much as nonsense, short output is punished less than long output, and the search for "
        "moves is a heuristic."
    )

    def __post_init__(self) -> None:
        if self.language not in ASIAN:
            object.__setattr__(self, "language", None)

    @property
    def sacrebleu_options(self) -> Mapping[str, Any]:
        """Arguments of sacrebleu's TER: its defaults, except where words are not set apart by blanks."""
        return {"normalized": True, "asian_support": True} if self.language else {}

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return [edits, mean reference length] of each segment, shape (N, 2)."""
        if not hypotheses:
            return np.empty((0, self.n_statistics))
        return segment_statistics("TER", (), *self.split(hypotheses, references))

    def split(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
    ) -> tuple[Sequence[str], Sequence[Sequence[str | None]]]:
        """Return the texts with blanks between the words that are compared."""
        if not self.language:
            return hypotheses, references
        rows = [[None if text is None else asian_ter_text(text) for text in row] for row in references]
        return [asian_ter_text(text) for text in hypotheses], rows

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return TER x 100, shape (...), of summed statistics, shape (..., 2).

        Without any word of reference it is 100 if there are edits and 0 if there are none.
        """
        sums = np.asarray(sums, dtype=float)
        edits, length = sums[..., EDITS], sums[..., REF_LEN]
        score = np.asarray(edits > 0, dtype=float)
        np.divide(edits, length, out=score, where=length > 0)
        score *= 100
        return score[()]

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of TER by each sum, shape (..., 2); 0 without any word of reference."""
        sums = np.asarray(sums, dtype=float)
        edits, length = sums[..., EDITS], sums[..., REF_LEN]
        out = np.zeros_like(sums)
        np.divide(100, length, out=out[..., EDITS], where=length > 0)
        np.divide(-100 * edits, length**2, out=out[..., REF_LEN], where=length > 0)
        return out
