"""BLEU from the inside: what counts as a match in a sentence, and what becomes of a test set that grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.metrics.bleu import BLEU, COUNTS, HYP_LEN, REF_LEN, TOTALS
from mtsig_core.metrics.nist import NIST
from mtsig_core.metrics.ribes import RIBES
from mtsig_core.metrics.scoring.sacrebleu_adapter import edit_steps
from mtsig_core.metrics.sentence_bleu import sentence_scores
from mtsig_core.metrics.ter import TER
from mtsig_core.metrics.text.information import Information
from mtsig_core.metrics.text.tokenizers import TOKENIZERS
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.teaching.run import Run

ORDER = 4
ABSENT, CLIPPED, MATCHED = 0, 1, 2
SETTINGS = tuple(name for name in ("13a", "intl", "none", "char") if name in TOKENIZERS)
MOST_TEXTS = 300  # of an open test set
_STREAM = 11  # which random numbers choose the sentences

#: Output and reference of an invented test set: short sentences first, as people speak, then long ones.
INVENTED = (
    ("Good morning, how are you?", "Good morning, how are you?"),
    ("I don't know.", "I do not know."),
    ("Where is the station?", "Where is the railway station?"),
    ("We'll see us tomorrow.", "See you tomorrow."),
    ("That is too expensive for me.", "That is too expensive for me."),
    ("Please close the door!", "Please shut the door."),
    ("The soup is cold", "The soup has gone cold."),
    ("Can you help me with this?", "Could you help me with this?"),
    ("The council decided on Monday to close the old bridge for repairs until the end of March.",
     "On Monday the council decided to close the old bridge for repairs until the end of March."),
    ('The minister said that "nobody will pay more", but the numbers of his own office show the opposite.',
     "The minister said that “nobody will pay more”, but figures from his own office show the opposite."),
    ("In the year 2019 the company sold 1,200 machines, most of them to customers in the U.S. and in Canada.",
     "In 2019 the company sold 1,200 machines, most of them to customers in the U.S. and Canada."),
    ("After three hours of negotiations both sides agreed about a first draft of the contract.",
     "After three hours of talks, both sides agreed on a first draft of the contract."),
    ("The researchers measured the temperature of the lake every day and found that it was rising since 1980.",
     "Researchers measured the temperature of the lake every day, and found that it had been rising since 1980."),
    ("Because of the long-lasting drought the harvest will be a third smaller than last year, say the farmers.",
     "Farmers say that the harvest will be a third smaller than last year because of the long-lasting drought."),
    ("The new line connects the airport with the city centre in only twelve minutes.",
     "The new line takes passengers from the airport to the city centre in only twelve minutes."),
    ("Who wants to learn a language needs patience, a good teacher and somebody to speak with.",
     "Anyone who wants to learn a language needs patience, a good teacher, and somebody to talk to."),
)  # fmt: skip


def states(output: Sequence[str], reference: Sequence[str], order: int) -> np.ndarray:
    """Return what becomes of each n-gram of an output, from left to right; shape (n-gram,).

    Parameters
    ----------
    output, reference : sequence of str
        Words.
    order : int

    Returns
    -------
    ndarray of int
        `MATCHED`; `CLIPPED` where the reference has it, but not as often as the output up to here; or `ABSENT`.

    Examples
    --------
    >>> states("the the cat".split(), "the cat sat".split(), 1).tolist()
    [2, 1, 2]
    """
    there = Counter(_ngrams(reference, order))
    left = there.copy()
    result = []
    for gram in _ngrams(output, order):
        result.append(MATCHED if left[gram] > 0 else CLIPPED if there[gram] else ABSENT)
        left[gram] -= 1
    return np.array(result, dtype=int)


def _ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


@dataclass(frozen=True, eq=False)
class InsideBLEU:
    """A sentence to look into, and a test set of which it is the first sentence.

    Parameters
    ----------
    output, reference : str
        The sentence to look into.
    texts : sequence of (output, reference)
        The others of the test set are drawn from these, with replacement.
    tokenize : str
    lowercase : bool
    seed : int

    Raises
    ------
    ValueError
        Without a reference, without texts, or for an unknown tokenizer.
    """

    output: str
    reference: str
    texts: Sequence[tuple[str, str]] = INVENTED
    tokenize: str = "13a"
    lowercase: bool = False
    seed: int = 1

    chunk_size = 128
    most = 5000

    def __post_init__(self) -> None:
        if not self.reference.strip():
            raise ValueError("Write a reference: without one there is nothing to compare the output with.")
        if len(self.texts) < 2:
            raise ValueError("This lesson needs a test set of at least 2 sentences.")

    @property
    def metric(self) -> BLEU:
        """BLEU as it is set."""
        return BLEU(self.tokenize, self.lowercase)

    @cached_property
    def words(self) -> tuple[list[str], list[str]]:
        """Words of the output and of the reference, as BLEU splits them."""
        split = NIST(self.tokenize, self.lowercase).splitter()
        return split(self.output), split(self.reference)

    @cached_property
    def own(self) -> np.ndarray:
        """BLEU's statistics of the sentence, shape (10,)."""
        return self.metric.statistics([self.output], [[self.reference]])[0]

    @cached_property
    def pool(self) -> np.ndarray:
        """BLEU's statistics of all texts, shape (text, 10)."""
        return _statistics(self.metric, self.texts)

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return BLEU's statistics of a chunk of sentences; the first sentence of all is the one to look into."""
        rng = random_streams.generator(self.seed, Stream.LESSON, chunk.index, _STREAM)
        drawn = self.pool[rng.integers(0, len(self.pool), self.chunk_size)]
        if chunk.index == 0:
            drawn[0] = self.own
        return {"statistics": drawn, "sentence": self.metric.segment_score(drawn), "plus one": sentence_scores(drawn)}

    @cached_property
    def by_setting(self) -> dict[tuple[str, bool], float]:
        """BLEU of all texts by tokenizer, and whether case is ignored: the same output every time."""
        metrics = {(name, lower): BLEU(name, lower) for name in SETTINGS for lower in (False, True)}
        return {key: _corpus_score(metric, _statistics(metric, self.texts)) for key, metric in metrics.items()}

    @cached_property
    def halves(self) -> tuple[float, float]:
        """BLEU of the half of the texts with the shorter references, and of the other half."""
        order = np.argsort(self.pool[:, REF_LEN], kind="stable")
        middle = len(order) // 2
        return _corpus_score(self.metric, self.pool[order[:middle]]), _corpus_score(
            self.metric, self.pool[order[middle:]])  # fmt: skip

    @cached_property
    def information(self) -> list[tuple[str, float, bool]]:
        """N-grams of one and two words of the reference, in order: text, bits, and whether the output has it.

        The weights are those of the references of all texts and of the sentence.
        """
        split = NIST(self.tokenize, self.lowercase).splitter()
        weights = Information(split, [[self.reference], *([reference] for _, reference in self.texts)])
        output, reference = self.words
        listed = []
        for order in (1, 2):
            matched = states(reference, output, order) == MATCHED
            grams = zip(_ngrams(reference, order), matched.tolist(), strict=True)
            listed += [(" ".join(gram), weights.weight(gram) or 0.0, there) for gram, there in grams]
        return listed

    @cached_property
    def order(self) -> list[int]:
        """Place in the reference of each word that RIBES pairs, in the order of the output."""
        if RIBES.unavailable():
            return []
        from nltk.translate.ribes_score import word_rank_alignment

        output, reference = self.words
        return [int(place) for place in word_rank_alignment(reference, output)]

    @cached_property
    def edits(self) -> tuple[list[list[str]], list[str], str]:
        """How TER edits the sentence: see `edit_steps`."""
        return edit_steps(self.output, self.reference)

    @cached_property
    def measures(self) -> dict[str, float]:
        """Scores of the sentence under several metrics, by label."""
        metrics = [NIST(self.tokenize, self.lowercase), TER()]
        if not RIBES.unavailable():
            metrics.append(RIBES(self.tokenize, self.lowercase))
        scores = {"BLEU": float(self.metric.segment_score(self.own[None])[0]),
                  "BLEU+1": float(sentence_scores(self.own[None])[0])}  # fmt: skip
        rows = [[self.reference], *([reference] for _, reference in self.texts)]
        for metric in metrics:
            matched = metric.prepared(rows).statistics([self.output], [[self.reference]])
            scores[metric.label] = float(metric.score(matched)[0])
        return scores


def _statistics(metric: BLEU, texts: Sequence[tuple[str, str]]) -> np.ndarray:
    return metric.statistics([output for output, _ in texts], [[reference] for _, reference in texts])


def _corpus_score(metric: BLEU, statistics: np.ndarray) -> float:
    return float(metric.score(statistics.sum(axis=0)[None])[0])


@dataclass(frozen=True)
class Precisions:
    """The parts of BLEU.

    Attributes
    ----------
    matched, total : ndarray of int of shape (ORDER,)
        N-grams of the output that count as matches, and all of them.
    brevity : float
        Penalty: 1 unless the output is shorter than the reference.
    """

    matched: np.ndarray
    total: np.ndarray
    brevity: float


def precisions(statistics: np.ndarray) -> Precisions:
    """Take statistics of BLEU apart.

    Parameters
    ----------
    statistics : ndarray of shape (10,)
    """
    hyp, ref = statistics[HYP_LEN], statistics[REF_LEN]
    brevity = 0.0 if hyp == 0 else float(np.exp(min(0.0, 1 - ref / hyp)))
    return Precisions(statistics[COUNTS].astype(int), statistics[TOTALS].astype(int), brevity)


def growing(run: Run[InsideBLEU]) -> dict[str, np.ndarray]:
    """Return the score of the test set after each sentence by way of averaging, each of shape (sentence,).

    Parameters
    ----------
    run : Run of InsideBLEU
        Of one sentence or more.
    """
    n = np.arange(1, run.n + 1)
    return {
        "BLEU of the corpus": run.simulation.metric.score(run["statistics"].cumsum(axis=0)),
        "mean BLEU of the sentences": run["sentence"].cumsum() / n,
        "mean BLEU+1 of the sentences": run["plus one"].cumsum() / n,
    }
