"""Where two systems differ: by kind of segment, in edits and in words; over all replicas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from mtsig_core.analysis.differences.buckets import (
    BucketTable,
    By,
    Grouping,
    buckets,
    by_difficulty,
    by_document,
    by_frequency,
    by_length,
)
from mtsig_core.analysis.differences.edits import EditTable, edit_table
from mtsig_core.analysis.differences.lengths import LengthTable, length_table
from mtsig_core.analysis.differences.ngrams import NgramTable, ngram_table
from mtsig_core.analysis.differences.stability import StabilityTable, stability_table
from mtsig_core.analysis.differences.words import WordTable, word_table
from mtsig_core.metrics import Metric, SegmentStatistics, default_tokenizer, target_language
from mtsig_core.metrics.edit_kinds import EditKinds
from mtsig_core.metrics.text.normalised import Normalised, normalised
from mtsig_core.metrics.text.word_matches import WordMatches, word_matches
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

if TYPE_CHECKING:
    from mtsig_core.workbench.pair import Pair

SEGMENT_KINDS: dict[str, By] = {by: by for by in get_args(By)}
# these do not depend on the metric, except for the words that it splits texts into
METRIC_FREE = ("edits", "words", "output-length", "ngrams", "stability")
WITHOUT_SPACES = ("zh", "ja-mecab", "char")  # tokenizers of text whose words are not separated by spaces
UNSPACED = "TER splits text at white space only: where words are written without it, it counts whole phrases as words."
Answer = BucketTable | EditTable | LengthTable | NgramTable | StabilityTable | WordTable


def differences(pair: Pair, by: str, settings: Settings, progress: Progress) -> Answer:
    """Return where two systems differ, by one kind.

    Raises
    ------
    ValueError
        For an unknown kind, or one that this experiment does not allow.
    """
    if by not in SEGMENT_KINDS and by not in METRIC_FREE:
        raise ValueError(f"Differences can be asked for by {', '.join((*SEGMENT_KINDS, *METRIC_FREE))}; not by {by!r}.")
    if why := why_not(pair, by):
        raise ValueError(why)
    if by in SEGMENT_KINDS:
        return _buckets(pair, SEGMENT_KINDS[by], settings, progress)
    if by == "edits":
        return _edits(pair, settings, progress)
    words = matches(pair, subprogress(progress, 0, 0.7))
    if by == "ngrams":
        return ngram_table(words, pair.a, pair.b, settings, subprogress(progress, 0.7, 1))
    if by == "stability":
        return stability_table(words, pair.a, pair.b)
    if by == "words":
        return word_table(words, pair.a, pair.b, settings)
    return length_table(words, pair.a, pair.b, settings)


def why_not(pair: Pair, by: str) -> str:
    """Return why two systems cannot be compared by one kind, or nothing."""
    test_set = pair.bench.experiment.test_set(pair.test_set)
    if by == "difficulty":
        return ""
    if by == "document":
        if test_set.documents is None:
            return f"{pair.test_set} does not say which segments belong to one document."
        return ""
    if by in SEGMENT_KINDS and not test_set.references:
        return f"{pair.test_set} has no references, whose words give the {by}: add them."
    return _why_no_words(pair)


def _why_no_words(pair: Pair) -> str:
    """Return why words cannot be compared, or nothing: it takes outputs of both systems and references."""
    experiment, name = pair.bench.experiment, pair.test_set
    if not any(experiment.system(system).on(name) for system in (pair.a, pair.b)):
        return f"This experiment holds scores and no text on {name}: words can only be looked at in outputs."
    for system in (pair.a, pair.b):
        if not experiment.system(system).on(name):
            return f"{system} has scores and no text on {name}: words can only be looked at in outputs."
    if not experiment.test_set(name).references:
        return f"{name} has no references, so no word can be called right or wrong: add them."
    return ""


def words_of(pair: Pair) -> tuple[str, bool]:
    """Return tokenizer and whether case is ignored: the metric's own, where it splits words by choice."""
    inner = pair.metric.inner if isinstance(pair.metric, Normalised) else pair.metric
    tokenize = getattr(inner, "tokenize", None) or default_tokenizer(pair.bench.experiment).value
    return tokenize, bool(getattr(inner, "lowercase", False))


def matches(pair: Pair, progress: Progress = no_progress) -> WordMatches:
    """Return which words and n-grams of the references the outputs of both systems have."""
    tokenize, lowercase = words_of(pair)
    return pair.once(
        ("word matches", tokenize, lowercase),
        lambda: word_matches(
            pair.bench.experiment, pair.test_set, (pair.a, pair.b), tokenize=tokenize, lowercase=lowercase,
            progress=progress,
        ),
        progress,
    )


def _buckets(pair: Pair, by: By, settings: Settings, progress: Progress) -> BucketTable:
    """Return both systems' scores by bucket of segments."""
    statistics = pair.statistics(subprogress(progress, 0, 0.6))
    used = np.arange(statistics.n_segments) if statistics.segments is None else statistics.segments
    words = None if _why_no_words(pair) else matches(pair, subprogress(progress, 0.6, 1))
    counts = None
    if words is not None:
        of_a, of_b = (words.word_counts(system)[:, used] for system in (pair.a, pair.b))
        counts = of_a, of_b, words.reference_words[used]
    return buckets(statistics, pair.a, pair.b, _grouping(pair, by, statistics, words), settings, words=counts)


def _grouping(pair: Pair, by: By, statistics: SegmentStatistics, words: WordMatches | None) -> Grouping:
    """Return the bucket of each segment that has a score."""
    used = np.arange(statistics.n_segments) if statistics.segments is None else statistics.segments
    if by == "document":
        documents = pair.bench.experiment.test_set(pair.test_set).documents or ()
        return by_document([documents[i] for i in used.tolist()])
    if by == "difficulty":
        return by_difficulty(statistics, pair.a, pair.b)
    assert words is not None  # as `why_not` has said
    if by == "frequency":
        return by_frequency(words.typical_frequency()[used])
    unit = "characters" if words_of(pair)[0] in ("zh", "char") else "words"
    return by_length(words.reference_words[used], unit)


def _edits(pair: Pair, settings: Settings, progress: Progress) -> EditTable:
    """Return both systems' edits by kind, whatever the metric."""
    by_character = EditKinds(language=target_language(pair.bench.experiment).value)
    kinds: Metric = by_character
    if isinstance(pair.metric, Normalised):
        kinds = normalised(kinds)
    statistics = pair.bench.statistics(pair.test_set, kinds, progress)
    table = edit_table(statistics, pair.a, pair.b, settings)
    is_one_word = words_of(pair)[0] in WITHOUT_SPACES and not by_character.language
    return replace(table, note=UNSPACED) if is_one_word else table
