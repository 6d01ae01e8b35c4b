"""Warnings about outputs whose lines are not in the order of the references, though their number is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.report import ReportLine
from mtsig_core.loading.text.alignment import words_of

#: Lines of an output that are looked for among all references, and how many outputs are.
N_LINES, N_OUTPUTS = 40, 12
#: Likeness with the own reference below which an output is suspect.
SUSPECT = 0.45
#: Share of lines that resemble their own reference most, and resemblance (shared words to all words) with the best
#: one: an output in another order has few of the first and much of the second.
FEW_AT_PLACE, MUCH = 0.2, 0.3
#: Segments from which an order can be judged, and up to which it is.
FEWEST, MOST = 20, 20_000


def shuffled_lines(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs whose lines resemble references at other places: sorted, shuffled, or in a decoder's order."""
    for test_set in outputs.experiment.test_sets:
        if not FEWEST <= test_set.n_segments <= MOST:
            continue
        own = outputs.on(test_set.name)
        likeness = outputs.likeness(test_set.name).mean(axis=1) if own else np.zeros(0)
        for output in [o for o in own if likeness[o.row] < SUSPECT][:N_OUTPUTS]:
            yield from _judge(outputs, output)


def _judge(outputs: Outputs, output: Output) -> Iterator[ReportLine]:
    wanted = outputs.wanted(output.test_set)
    n = len(output.lines)
    looked_at = dict.fromkeys(int(k) for k in np.linspace(0, n - 1, min(N_LINES, n)))
    places = [i for i in looked_at if len(words_of(output.lines[i])) > 2]
    if len(places) < FEWEST // 2:
        return
    at_place, best_values = 0, []
    sizes, with_word = np.array(list(map(len, wanted))), _with_words(wanted, [output.lines[i] for i in places])
    for i in places:
        words = words_of(output.lines[i])
        shared = np.zeros(len(wanted), dtype=np.int64)
        for word in words:
            shared[with_word[word]] += 1
        values = shared / (len(words) + sizes - shared)
        best = values.max()
        best_values.append(best)
        at_place += values[i] == best
    if at_place <= FEW_AT_PLACE * len(places) and np.mean(best_values) >= MUCH:
        message = (
            f"{output.label} on {output.test_set}: its lines seem to be in another order than the references: of "
            f"{len(places):,} lines compared, {at_place:,} fit the reference in their own place best. Was the output "
            "sorted, or written in the order of decoding? Put it into the order of the source."
        )
        yield ReportLine("warning", message, (output.file,) if output.file else (), "shuffled-lines")


def _with_words(wanted: Sequence[frozenset[str]], lines: Sequence[str]) -> dict[str, list[int]]:
    """Return the segments whose references have each of the words of some lines."""
    places: dict[str, list[int]] = {word: [] for line in lines for word in words_of(line)}
    for i, ref in enumerate(wanted):
        for word in ref & places.keys():
            places[word].append(i)
    return places
