"""Where two outputs differ: their segments side by side, ranked by gain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.experiment import Experiment, TestSet
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.significance import Result, Scope, Scoped

Kind = Literal["same", "only a", "only b"]
Marked = tuple[tuple[str, bool], ...]
# scripts written without spaces are compared by character: one token a sentence would show nothing
_UNSPACED = r"\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# vowel signs, tone marks and voicing marks stay with their letter: alone they cannot be drawn
_MARKS = (
    r"\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f87\u0f8d-\u0fbc"
    r"\u102b-\u103e\u17b4-\u17d3\u3099\u309a\ufe00-\ufe0f"
)
# marks at the ends of a word stand alone, so that "area," and "area" are one word; those inside belong to it: 3.5, it's
_POINTS = re.escape(".,;:!?…\"'()[]{}<>«»‹›“”„‚‘’¿¡،؛؟۔।॥。、，．！？：；（）「」『』《》〈〉")
_OTHER = rf"[^\s{_UNSPACED}{_POINTS}]+"
_TOKEN = re.compile(
    rf"[{_UNSPACED}][{_MARKS}]*\s*|{_OTHER}(?:[{_POINTS}]+{_OTHER})*\s*|[{_POINTS}]\s*|\s+"
)
_POINT = re.compile(rf"[{_POINTS}\s]")


@dataclass(frozen=True, eq=False)
class Spread:
    """Segment scores of all replicas of a system: arrays of shape (segment,), in score units."""

    low: np.ndarray
    mean: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class SegmentTable(Scoped, Result):
    """Two replicas' outputs side by side; every array and tuple has one element per segment.

    Attributes
    ----------
    scope : Scope
    a, b : tuple of (str, str)
        System and replica shown on each side.
    index : ndarray of int
        Line of the segment in the files of the test set, from 1; segments without a score are left out.
    document : tuple of str, or None
    source : tuple of str, or None
    references : tuple of tuple of str
        The references that a segment has.
    output_a, output_b : tuple of str
    score_a, score_b : ndarray
        Score of the single segment.
    gain : ndarray
        Oriented by quality: positive means that b is better, whatever the metric's direction.
    spread_a, spread_b : Spread
        Over all replicas of each system.
    agree : tuple of str
        ``"b"`` where every replica of b's system beats every one of a's, ``"a"`` the other way round, else
        ``""``: there the difference is not due to the choice of replicas.

    Examples
    --------
    >>> import mtsig_core
    >>> from mtsig_core.loading.example import example_text
    >>> bench = mtsig_core.Workbench(example_text())
    >>> bench.pair(metric="exact-match").segments("seed1", "seed1").gain.tolist()
    [100.0, 0.0]
    """

    scope: Scope
    a: tuple[str, str]
    b: tuple[str, str]
    index: np.ndarray
    document: tuple[str, ...] | None
    source: tuple[str, ...] | None
    references: tuple[tuple[str, ...], ...]
    output_a: tuple[str, ...]
    output_b: tuple[str, ...]
    score_a: np.ndarray
    score_b: np.ndarray
    gain: np.ndarray
    spread_a: Spread
    spread_b: Spread
    agree: tuple[str, ...]

    def diff(self, index: int) -> tuple[tuple[str, Kind], ...]:
        """Return the word-level difference of the outputs of segment `index` (from 1)."""
        row = self.row(index)
        return word_diff(self.output_a[row], self.output_b[row])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Length of each segment in words, shape (segment,): mean of its references, else of the source.

        Characters count where a script has no spaces, as in `word_diff`; punctuation does not.
        """
        texts = zip(self.references, self.source or ("",) * len(self.index), strict=True)
        return np.array([sum(_n_words(t) for t in refs or (s,)) / max(1, len(refs)) for refs, s in texts])

    def row(self, index: int) -> int:
        """Return where segment `index` (from 1) stands; not all segments need have a score."""
        return int(np.flatnonzero(self.index == index)[0])

    def to_frame(self) -> pd.DataFrame:
        """Return one row per segment, in test-set order, with headings for people."""
        (name_a, replica_a), (name_b, replica_b) = self.a, self.b
        side_a, side_b = f"{name_a}/{replica_a}", f"{name_b}/{replica_b}"
        columns: dict[str, object] = {"segment": self.index}
        columns |= {} if self.document is None else {"document": self.document}
        columns |= {} if self.source is None else {"source": self.source}
        columns |= {"references": [" ||| ".join(refs) for refs in self.references]}
        columns |= {f"output of {side_a}": self.output_a, f"output of {side_b}": self.output_b}
        columns |= {f"{self.label} of {side_a}": self.score_a, f"{self.label} of {side_b}": self.score_b}
        columns |= {"gain": self.gain}
        for name, spread in ((name_a, self.spread_a), (name_b, self.spread_b)):
            columns |= {f"{name} lowest": spread.low, f"{name} mean": spread.mean, f"{name} highest": spread.high}
        names = {"a": name_a, "b": name_b, "": ""}
        return pd.DataFrame(columns | {"all replicas say": [names[x] for x in self.agree]})


def segment_table(
    experiment: Experiment, test_set: str, statistics: SegmentStatistics, a: tuple[str, str], b: tuple[str, str]
) -> SegmentTable:
    """Return two replicas' outputs side by side, with how the other replicas do on each segment.

    Parameters
    ----------
    experiment : Experiment
    test_set : str
    statistics : SegmentStatistics
    a, b : tuple of (str, str)
        System and replica on each side; a is the baseline.

    Raises
    ------
    ValueError
        When the statistics are of another test set, or a replica has no output there.
    """
    texts = experiment.test_set(test_set)
    scored = _scored_segments(texts, statistics)
    scores_a, scores_b = (_segment_scores(statistics, side) for side in (a, b))
    score_a, score_b = scores_a[_row(statistics, a)], scores_b[_row(statistics, b)]
    sign = 1.0 if statistics.metric.higher_is_better else -1.0
    return SegmentTable(
        scope=Scope.of(statistics, a[0], b[0]),
        a=a,
        b=b,
        index=np.array(texts.lines)[scored],
        document=_at(texts.documents, scored) if texts.documents is not None else None,
        source=_at(texts.source, scored) if texts.source is not None else None,
        references=_references(texts, scored),
        output_a=_at(_output(experiment, test_set, a), scored),
        output_b=_at(_output(experiment, test_set, b), scored),
        score_a=score_a,
        score_b=score_b,
        gain=sign * (score_b - score_a) + 0.0,
        spread_a=_spread(scores_a),
        spread_b=_spread(scores_b),
        agree=_agreement(sign * scores_a, sign * scores_b),
    )


def _segment_scores(statistics: SegmentStatistics, side: tuple[str, str]) -> np.ndarray:
    """Return the scores, shape (replica, segment), of all replicas of a side's system."""
    return statistics.metric.segment_score(statistics.of(_checked_system(statistics, side)))


def _references(texts: TestSet, scored: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Return the references of each scored segment, without those that a segment lacks."""
    return tuple(tuple(text for stream in texts.references if (text := stream[i]) is not None) for i in scored.tolist())


def _scored_segments(texts: TestSet, statistics: SegmentStatistics) -> np.ndarray:
    """Return the places of the segments that have scores; raise ValueError when the statistics are of other text."""
    scored = np.arange(texts.n_segments) if statistics.segments is None else statistics.segments
    if (
        statistics.test_set != texts.name
        or statistics.n_segments != len(scored)
        or scored.max() >= texts.n_segments
    ):
        raise ValueError(
            f"The statistics are of {statistics.test_set!r} ({statistics.n_segments:,} segments); "
            f"expected those of {texts.name!r} ({texts.n_segments:,} segments)."
        )
    return scored


def _checked_system(statistics: SegmentStatistics, side: tuple[str, str]) -> str:
    if side[0] not in statistics.systems:
        raise ValueError(f"No system {side[0]!r} in the statistics; there are: {', '.join(statistics.systems)}.")
    return side[0]


def _row(statistics: SegmentStatistics, side: tuple[str, str]) -> int:
    names = statistics.names(side[0])
    if side[1] not in names:
        available = ", ".join(names)
        raise ValueError(f"{side[0]} has no replica {side[1]!r} on {statistics.test_set!r}; there are: {available}.")
    return names.index(side[1])


def _output(experiment: Experiment, test_set: str, side: tuple[str, str]) -> tuple[str, ...]:
    replicas = experiment.system(side[0]).on(test_set)
    outputs = next((r.outputs[test_set] for r in replicas if r.name == side[1]), None)
    if outputs is None:
        raise ValueError(f"{side[0]}/{side[1]} has no output on {test_set!r} in this experiment.")
    return outputs


def _at(lines: tuple[str, ...], places: np.ndarray) -> tuple[str, ...]:
    return tuple(lines[i] for i in places.tolist())


def _spread(scores: np.ndarray) -> Spread:
    return Spread(scores.min(axis=0), scores.mean(axis=0), scores.max(axis=0))


def _agreement(quality_a: np.ndarray, quality_b: np.ndarray) -> tuple[str, ...]:
    """Say, by segment, whose replicas all beat the other's; qualities have shape (n, segment)."""
    b_wins = quality_b.min(axis=0) > quality_a.max(axis=0)
    a_wins = quality_a.min(axis=0) > quality_b.max(axis=0)
    return tuple(np.select([b_wins, a_wins], ["b", "a"], default="").tolist())


def _tokens(text: str) -> list[str]:
    """Return words, each with the white space behind it."""
    return _TOKEN.findall(text)


def _n_words(text: str) -> int:
    return sum(_POINT.match(token) is None for token in _tokens(text))


def closest_reference(output: str, references: Sequence[str]) -> int:
    """Return the place of the reference that shares most words, in order, with an output; the first among equals.

    Raises
    ------
    ValueError
        When there is no reference.
    """
    from rapidfuzz.distance import Indel  # takes longer to import than to use

    words = [token.strip() for token in _tokens(output)]
    similar = [Indel.normalized_similarity(words, [token.strip() for token in _tokens(r)]) for r in references]
    if not similar:
        raise ValueError("The closest reference was asked for, but the segment has none.")
    return similar.index(max(similar))


def word_diff(text_a: str, text_b: str) -> tuple[tuple[str, Kind], ...]:
    """Return pieces of two texts and where each stands, in reading order.

    The pieces "same" and "only b" together are `text_b`; "same" and "only a" are `text_a` up to white
    space. Scripts without spaces are compared by character, others by word.
    """
    tokens_a, tokens_b = _tokens(text_a), _tokens(text_b)
    pieces: list[tuple[str, Kind]] = []
    for tag, a1, a2, b1, b2 in _opcodes(tokens_a, tokens_b):
        if tag == "equal":
            pieces.append(("".join(tokens_b[b1:b2]), "same"))
            continue
        pieces += [("".join(tokens_a[a1:a2]), "only a")] if a2 > a1 else []
        pieces += [("".join(tokens_b[b1:b2]), "only b")] if b2 > b1 else []
    return tuple(pieces)


def marked_sides(text_a: str, text_b: str) -> tuple[Marked, Marked]:
    """Return the pieces of each of two texts, with whether the other one lacks them.

    The pieces of a side together are its text, white space and all; else as `word_diff`.
    """
    tokens_a, tokens_b = _tokens(text_a), _tokens(text_b)
    blocks = _opcodes(tokens_a, tokens_b)
    return (
        tuple(("".join(tokens_a[a1:a2]), tag != "equal") for tag, a1, a2, _, _ in blocks if a2 > a1),
        tuple(("".join(tokens_b[b1:b2]), tag != "equal") for tag, _, _, b1, b2 in blocks if b2 > b1),
    )


def _opcodes(tokens_a: Sequence[str], tokens_b: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    bare_a, bare_b = [t.strip() for t in tokens_a], [t.strip() for t in tokens_b]
    return SequenceMatcher(None, bare_a, bare_b, autojunk=False).get_opcodes()
