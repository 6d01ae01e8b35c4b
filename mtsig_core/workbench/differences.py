"""Questions about where two systems differ, asked of a workbench; every replica counts."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

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
from mtsig_core.metrics import Metric, default_tokenizer
from mtsig_core.metrics.edit_kinds import EditKinds
from mtsig_core.metrics.text.normalised import Normalised, normalised
from mtsig_core.metrics.text.word_matches import WordMatches, word_matches
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.workbench.pair import Where

# what does not depend on the metric, save for the words that it splits texts into
METRIC_FREE = ("edits", "words", "output-length", "ngrams", "stability")
WITHOUT_SPACES = ("zh", "ja-mecab", "char")  # tokenizers of text whose words no spaces tell apart
UNSPACED = "TER splits text at white space only: where words are written without it, it counts whole phrases as words."
Answer = BucketTable | EditTable | LengthTable | NgramTable | StabilityTable | WordTable


def ask(where: Where, what: str, settings: Settings, progress: Progress = no_progress) -> Answer:
    """Return the answer to one of the questions of this module, by name.

    Parameters
    ----------
    where : Where
    what : str
        A kind of bucket, or one of `METRIC_FREE`.
    settings : Settings
    progress : Progress

    Raises
    ------
    ValueError
        When the question cannot be asked of this experiment, or there is no such question.
    """
    kinds: dict[str, By] = {by: by for by in get_args(By)}
    if what in kinds:
        return ask_buckets(where, kinds[what], settings, progress)
    if what == "edits":
        return ask_edits(where, settings, progress)
    if what not in METRIC_FREE:
        raise ValueError(f"Differences can be asked for by {', '.join((*kinds, *METRIC_FREE))}; not by {what!r}.")
    words = ask_words(where, subprogress(progress, 0, 0.7))
    if what == "ngrams":
        return ngram_table(words, where.a, where.b, settings, subprogress(progress, 0.7, 1))
    if what == "stability":
        return stability_table(words, where.a, where.b)
    if what == "words":
        return word_table(words, where.a, where.b, settings)
    return length_table(words, where.a, where.b, settings)


def why_no_words(where: Where) -> str:
    """Return why words cannot be looked at, or nothing: it takes outputs of both systems and references."""
    test_set, experiment = where.bench.experiment.test_set(where.test_set), where.bench.experiment
    if not any(experiment.system(name).on(where.test_set) for name in (where.a, where.b)):
        return f"This experiment holds scores and no text on {where.test_set}: words can only be looked at in outputs."
    for name in (where.a, where.b):
        if not experiment.system(name).on(where.test_set):
            return f"{name} has scores and no text on {where.test_set}: words can only be looked at in outputs."
    if not test_set.references:
        return f"{where.test_set} has no references, so no word can be told right or wrong: add them."
    return ""


def why_no_buckets(where: Where, by: By) -> str:
    """Return why segments cannot be put into these buckets, or nothing."""
    test_set = where.bench.experiment.test_set(where.test_set)
    if by == "document" and test_set.documents is None:
        return f"{where.test_set} does not say which segments belong to one document."
    if by in ("length", "frequency") and not test_set.references:
        return f"{where.test_set} has no references, whose words give the {by}: add them."
    return why_no_words(where) if by in ("length", "frequency") else ""


def words_of(metric: Metric, where: Where) -> tuple[str, bool]:
    """Return tokenizer and whether case is ignored: the metric's own, where it splits words by choice."""
    inner = metric.inner if isinstance(metric, Normalised) else metric
    tokenize = getattr(inner, "tokenize", None) or default_tokenizer(where.bench.experiment).value
    return tokenize, bool(getattr(inner, "lowercase", False))


def ask_words(where: Where, progress: Progress = no_progress) -> WordMatches:
    """Return what the outputs of both systems have of the references' words and n-grams."""
    if why := why_no_words(where):
        raise ValueError(why)
    tokenize, lowercase = words_of(where.metric, where)
    return where.kept(
        ("word matches", tokenize, lowercase),
        lambda: word_matches(
            where.bench.experiment, where.test_set, (where.a, where.b), tokenize=tokenize, lowercase=lowercase,
            progress=progress,
        ),
        lambda made: made.nbytes,
    )


def ask_buckets(where: Where, by: By, settings: Settings, progress: Progress = no_progress) -> BucketTable:
    """Return both systems' scores by bucket of segments.

    Raises
    ------
    ValueError
        When there is nothing to make the buckets from.
    """
    if why := why_no_buckets(where, by):
        raise ValueError(why)
    statistics = where.statistics(subprogress(progress, 0, 0.6))
    kept = np.arange(statistics.n_segments) if statistics.segments is None else statistics.segments
    words = None if why_no_words(where) else ask_words(where, subprogress(progress, 0.6, 1))
    grouping: Grouping
    if by == "document":
        documents = where.bench.experiment.test_set(where.test_set).documents or ()
        grouping = by_document([documents[i] for i in kept.tolist()])
    elif by == "difficulty":
        grouping = by_difficulty(statistics, where.a, where.b)
    else:
        assert words is not None
        grouping = by_length(words.reference_words[kept]) if by == "length" else by_frequency(
            words.typical_frequency()[kept])
    counted = None
    if words is not None:
        of_a, of_b = (words.word_counts(system)[:, kept] for system in (where.a, where.b))
        counted = of_a, of_b, words.reference_words[kept]
    return buckets(statistics, where.a, where.b, grouping, settings, words=counted)


def ask_edits(where: Where, settings: Settings, progress: Progress = no_progress) -> EditTable:
    """Return both systems' edits by kind, whatever the metric.

    Raises
    ------
    ValueError
        When there is no text or no reference.
    """
    if why := why_no_words(where):
        raise ValueError(why)
    kinds: Metric = EditKinds()
    if isinstance(where.metric, Normalised):
        kinds = normalised(kinds)
    statistics = where.bench.statistics(where.test_set, kinds, progress)
    made = edit_table(statistics, where.a, where.b, settings)
    return replace(made, note=UNSPACED) if words_of(where.metric, where)[0] in WITHOUT_SPACES else made
