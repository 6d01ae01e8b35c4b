"""Outputs whose lengths and digests are known, and whose text is read on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType


class LazyOutputs(Mapping[str, tuple[str, ...]]):
    """Hypotheses by test set, read on first access; their lengths and digests are known before.

    Scores are looked up by digest, so most analyses never read the text. Safe to use from several
    threads.

    Parameters
    ----------
    read : callable
        Returns the hypotheses on a test set.
    lengths : mapping of test set to int
        Numbers of hypotheses.
    digests : mapping of test set to str
        Digests of the hypotheses by `mtsig_core.experiment.digests.text_digest`.
    """

    def __init__(
        self, read: Callable[[str], tuple[str, ...]], lengths: Mapping[str, int], digests: Mapping[str, str]
    ) -> None:
        self._read = read
        self._lines: dict[str, tuple[str, ...]] = {}
        self.lengths = MappingProxyType({name: lengths[name] for name in sorted(lengths)})
        self.digests = MappingProxyType({name: digests[name] for name in self.lengths})

    def __getitem__(self, test_set: str) -> tuple[str, ...]:
        if test_set not in self._lines and test_set in self.lengths:
            self._lines.setdefault(test_set, self._read(test_set))  # of two threads, one's lines are taken by both
        return self._lines[test_set]

    def __contains__(self, test_set: object) -> bool:
        return test_set in self.lengths

    def __iter__(self) -> Iterator[str]:
        return iter(self.lengths)

    def __len__(self) -> int:
        return len(self.lengths)
