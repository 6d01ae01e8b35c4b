"""Warnings from how much outputs, references and sources resemble one another: shifted, odd, untranslated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mtsig_core.experiment import TestSet
from mtsig_core.formatting import count
from mtsig_core.loading.checks.outliers import outliers
from mtsig_core.loading.checks.outputs import FEWEST_COMPARED, Output, Outputs
from mtsig_core.loading.report import ReportLine
from mtsig_core.loading.text.alignment import MOST_LINES, likeness, words_of

#: From this share of common words on, two segments count as the same text.
ALIKE = 0.8
#: Share of such segments from which a text looks like a copy of another.
MOSTLY = 0.5
#: Distances in lines that are tried, and how many systems are tried without suspicion.
SHIFTS, N_TRIED = (-1, 1, -2, 2), 5
#: How much better a shifted stretch must fit than it does in place, per segment on average.
MUCH_BETTER = 0.15
#: Share of common words below which two references may have nothing to do with each other; how many are compared.
UNRELATED, MOST_REFERENCES, FEWEST_LINES = 0.25, 6, 5
#: Difference of a replica's likeness from its siblings' that is worth a word, and how many times their spread.
FAR, TIMES_SPREAD = 0.05, 4.0
#: Ratio of a replica's length to its siblings' that is worth a word.
LENGTH_RATIO = 1.6


# Alignment


def shifted_alignment(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs of the right length of which a stretch fits the line above or below better than its own."""
    for test_set in outputs.experiment.test_sets:
        places = outputs.compared(test_set.name)
        for output, in_place in _suspects(outputs, test_set.name):
            shift = _best_shift(outputs, output, in_place, places)
            if shift is None:
                continue
            first, last = _stretch(outputs, output, shift, in_place, places)
            to_end = last >= len(output.lines) - 1 - abs(shift)
            where = f"from line {first + 1} " + ("on" if to_end else f"to {last + 1}")
            yield _warn(
                "shifted-alignment",
                f"{output.label} on {test_set.name} seems shifted {where}: it fits the reference "
                f"{count(abs(shift), 'line')} {'above' if shift < 0 else 'below'} better. Is a line missing or one too "
                "many before it?",
                [output],
            )


def _suspects(outputs: Outputs, test_set: str) -> Iterator[tuple[Output, np.ndarray]]:
    """Yield outputs with their likeness in place that may be shifted.

    They are some, in case the reference is shifted, and those with a stretch where others do much better.
    """
    own = outputs.on(test_set)
    if not own:
        return
    rows = outputs.likeness(test_set)
    usual = np.median(rows, axis=0)
    seen: set[str] = set()
    for output, row in zip(own, rows, strict=True):
        if (output.system not in seen and len(seen) < N_TRIED) or best_stretch(row, usual):
            yield output, row
        seen.add(output.system)


def _best_shift(outputs: Outputs, output: Output, in_place: np.ndarray, places: Sequence[int]) -> int | None:
    gains = {}
    for shift in SHIFTS:
        stretch = best_stretch(in_place, np.array(outputs.likeness_at(output, places, shift)))
        if stretch is not None:
            gains[shift] = stretch.gain
    return max(gains, key=lambda shift: gains[shift]) if gains else None


@dataclass(frozen=True)
class Stretch:
    """A stretch of segments: first and last index, and how much better the other likeness is in sum."""

    first: int
    last: int
    gain: float


def best_stretch(own: np.ndarray, other: np.ndarray) -> Stretch | None:
    """Return the stretch where `other` is much larger than `own`; None without one.

    Parameters
    ----------
    own, other : ndarray (segments,)
        Likeness of an output with its reference, in place and otherwise.
    """
    # The stretch with the largest sum of gains lies between a low and a later high of the running sum.
    total = np.concatenate([[0.0], np.cumsum(other - own, dtype=float)])
    end = int(np.argmax(total - np.minimum.accumulate(total)))
    start = int(np.argmin(total[: end + 1]))
    gain, n = float(total[end] - total[start]), end - start
    clear = n >= 5 and gain >= MUCH_BETTER * n and gain >= np.sqrt(n)
    return Stretch(start, end - 1, gain) if clear else None


def _stretch(
    outputs: Outputs, output: Output, shift: int, in_place: np.ndarray, places: Sequence[int]
) -> tuple[int, int]:
    """Return the first and last line of a shifted stretch, located again with all lines."""
    if len(output.lines) <= MOST_LINES:
        places = range(len(output.lines))
        in_place = np.array(outputs.likeness_at(output, places))
    stretch = best_stretch(in_place, np.array(outputs.likeness_at(output, places, shift)))
    return (places[stretch.first], places[stretch.last]) if stretch else (places[0], places[-1])


# Replicas


def odd_replica(outputs: Outputs) -> Iterator[ReportLine]:
    """One replica that agrees with the references far less, or more, than its siblings, or is far shorter.

    An outlier test over the replicas of all systems must agree (see `mtsig_core.loading.checks.outliers`).
    """
    for test_set in outputs.experiment.test_sets:
        own = outputs.on(test_set.name)
        if not own:
            continue
        agreement = outputs.likeness(test_set.name).mean(axis=1)
        lengths = outputs.sums(test_set.name, len).astype(float)
        groups = [
            [i for i, output in enumerate(own) if output.system == system.name]
            for system in outputs.experiment.systems_on(test_set.name)
        ]
        said: set[int] = set()
        for values, describe in ((agreement, _far_off), (np.log1p(lengths), _odd_length)):
            measured = [values[places] for places in groups]
            for outlier in outliers(measured, n_segments=test_set.n_segments):
                places = groups[outlier.group]
                i = places[outlier.index]
                what = describe((lengths if describe is _odd_length else values)[places], outlier.index)
                if what and i not in said:
                    said.add(i)
                    yield _warn(
                        "odd-replica",
                        f"{own[i].label} is far {outlier.direction} its siblings on {test_set.name}: {what}. Did that "
                        "run fail, or is it another system's output?",
                        [own[i]],
                    )


def _far_off(values: np.ndarray, k: int) -> str:
    others = np.delete(values, k)
    middle = float(np.median(others))
    spread = float(np.abs(others - middle).max())
    if abs(values[k] - middle) <= max(FAR, TIMES_SPREAD * spread):
        return ""
    return (
        f"it shares {100 * values[k]:.0f}% of its words with the references, they {100 * others.min():.0f} to "
        f"{100 * others.max():.0f}%"
    )


def _odd_length(lengths: np.ndarray, k: int) -> str:
    others = np.delete(lengths, k)
    low, high = others.min(), others.max()
    if not lengths[k] or low <= LENGTH_RATIO * lengths[k] and lengths[k] <= LENGTH_RATIO * high:
        return ""
    return f"it has {lengths[k]:,.0f} characters, they {low:,.0f} to {high:,.0f}"


# References


def unrelated_references(outputs: Outputs) -> Iterator[ReportLine]:
    """References of one set that share no more words than different segments do: they may be of two sets."""
    for test_set in outputs.experiment.test_sets:
        places = outputs.compared(test_set.name)
        named = list(zip(test_set.reference_names, test_set.references, strict=True))
        for (first, a), (second, b) in combinations(named[:MOST_REFERENCES], 2):
            share, by_chance = _shared(a, b, places, 0), _shared(a, b, places, 1)
            if len(places) >= FEWEST_LINES and share < UNRELATED and share <= by_chance + UNRELATED / 3:
                yield _warn(
                    "unrelated-references",
                    f"References {first} and {second} of {test_set.name} share {100 * share:.0f}% of their words, no "
                    "more than different segments do. Are they of two test sets? Then put each into a folder of its "
                    "own with its outputs, or name the set in the names of all files. If one is no reference, leave "
                    "it out.",
                )


def _shared(a: Sequence[str | None], b: Sequence[str | None], places: Sequence[int], shift: int) -> float:
    """Return the mean likeness of two references at some places, the second some places further."""
    pairs = [(a[i], b[places[(k + shift) % len(places)]]) for k, i in enumerate(places)]
    shares = [likeness(words_of(x), words_of(y)) for x, y in pairs if x is not None and y is not None]
    return sum(shares) / len(shares) if shares else 1.0


# Source


def reference_like_source(outputs: Outputs) -> Iterator[ReportLine]:
    """References that are mostly the source itself."""
    for test_set in outputs.experiment.test_sets:
        like_source = _LikeSource(test_set, outputs)
        for name, stream in zip(test_set.reference_names, test_set.references, strict=True):
            share = like_source.share(stream)
            if share >= MOSTLY:
                yield _warn(
                    "reference-like-source",
                    f"Reference {name} of {test_set.name} looks like the source in {100 * share:.0f}% of segments. "
                    "Was the source taken for a reference?",
                )


def output_like_source(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs that are mostly the source itself where references are not: nothing was translated."""
    for test_set in outputs.experiment.test_sets:
        like_source = _LikeSource(test_set, outputs)
        if test_set.source is None or like_source.share(test_set.references[0]) >= MOSTLY / 2:
            continue
        for output in outputs.on(test_set.name):
            share = like_source.share(output.lines)
            if share >= MOSTLY:
                yield _warn(
                    "output-like-source",
                    f"{output.label} looks like the source of {test_set.name} in {100 * share:.0f}% of segments. Is "
                    "it the source, or was nothing translated?",
                    [output],
                )


class _LikeSource:
    """Says in how many segments a text looks like the source of a test set."""

    def __init__(self, test_set: TestSet, outputs: Outputs) -> None:
        self._source = test_set.source
        compared = outputs.compared(test_set.name)
        self._places = compared[:: max(1, len(compared) // FEWEST_COMPARED)]
        self._is_copy_at: dict[tuple[int, str], bool] = {}  # replicas repeat one another

    def share(self, lines: Sequence[str | None]) -> float:
        """Return the share of segments that look like the source."""
        if self._source is None:
            return 0.0
        matches = [self._resembles_source(i, line) for i in self._places if (line := lines[i]) is not None]
        return sum(matches) / len(matches) if matches else 0.0

    def _resembles_source(self, i: int, line: str) -> bool:
        if (i, line) not in self._is_copy_at:
            assert self._source is not None
            a, b = words_of(line), words_of(self._source[i])
            self._is_copy_at[i, line] = len(a & b) >= ALIKE * max(1, len(a | b))
        return self._is_copy_at[i, line]


def _warn(code: str, message: str, outputs: Sequence[Output] = ()) -> ReportLine:
    return ReportLine("warning", message, tuple(output.file for output in outputs if output.file), code)
