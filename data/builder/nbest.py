"""Candidate lists as the n-best lists of a decoder, in the format of Moses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from data.builder.candidates import UNIT, Lists
from mtsig_core.loading.nbest import NbestData, NbestList, load_nbest, read_nbest

#: The features of a list in their order, as Moses names them; one of them has two values.
GROUPS: Mapping[str, int] = {
    "LM0": 1, "Phrase0": 1, "Lexical0": 2, "Distortion0": 1, "WordPenalty0": 1, "UnknownWordPenalty0": 1,
    "PhrasePenalty0": 1,
}  # fmt: skip
#: What the decoder weighs these features by: whole numbers, so that its totals are exact.
DECODER = (10, 8, 5, 5, 6, 2, 6, 3)


def lines(lists: Lists) -> Iterator[str]:
    """Yield one line per distinct text of each segment, the best total first."""
    for segment, (texts, features) in enumerate(zip(lists.texts, lists.features, strict=True)):
        totals = features @ DECODER
        first = {text: i for i, text in reversed(list(enumerate(texts)))}
        for i in sorted(first.values(), key=lambda i: (-totals[i], i)):
            yield f"{segment} ||| {texts[i]} ||| {_named(features[i].tolist())} ||| {_decimal(totals[i] / 10)}\n"


def _named(values: list[float]) -> str:
    digits = iter(values)
    return " ".join(
        f"{name}= {' '.join(_decimal(next(digits)) for _ in range(size))}" for name, size in GROUPS.items()
    )


def _decimal(whole: float) -> str:
    """Return a whole number of 1/UNIT, or a tenth of one, as a decimal number."""
    return f"{whole / UNIT:.3f}".rstrip("0").rstrip(".")


def as_list(lists: Lists, name: str) -> NbestList:
    """Return lists as the reader of n-best lists gives them."""
    return read_nbest(lines(lists), name, lengths=(len(lists.texts),))


def as_data(lists: Mapping[tuple[str, str], Lists], references: Mapping[str, tuple[str, ...]]) -> NbestData:
    """Return the lists of (system, test set) as loading them gives them."""
    return load_nbest([(path, text.encode()) for path, text in files(lists, references)])


def files(
    lists: Mapping[tuple[str, str], Lists], references: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file of an archive of n-best lists, the references first."""
    for test_set, reference in references.items():
        yield f"{test_set}/reference.txt", "".join(f"{line}\n" for line in reference)
        for (system, of_set), own in lists.items():
            if of_set == test_set:
                yield f"{test_set}/{system}.nbest.txt", "".join(lines(own))
