"""The outputs of an experiment as the checks look at them, with what several of them need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.experiment import Experiment
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.text.alignment import likeness, union_of, words_of

#: Segments of a test set at which outputs are compared with references, and of all outputs together.
FEWEST_COMPARED, MOST_COMPARED, MOST_COMPARISONS = 50, 200, 40_000


#: Lines of outputs that are told apart at once.
LINES_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Output:
    """One output, the file that it came from (or ""), and its place among the outputs of its test set."""

    system: str
    replica: str
    test_set: str
    lines: tuple[str, ...]
    file: str
    row: int

    @property
    def label(self) -> str:
        """``system/replica``."""
        return f"{self.system}/{self.replica}"


class Outputs:
    """All outputs of an experiment, in its order.

    Parameters
    ----------
    experiment : Experiment
    files : mapping of (system, replica, test set) to file name
    """

    def __init__(self, experiment: Experiment, files: Mapping[OutputKey, str]) -> None:
        self.experiment = experiment
        self._outputs = [
            Output(s.name, r.name, t.name, r.outputs[t.name], files.get((s.name, r.name, t.name), ""), row)
            for t in experiment.test_sets
            for row, (s, r) in enumerate((s, r) for s in experiment.systems_on(t.name) for r in s.on(t.name))
        ]
        self._by_set: dict[str, list[Output]] = {}
        for output in self._outputs:
            self._by_set.setdefault(output.test_set, []).append(output)
        self._texts: dict[str, tuple[list[str], np.ndarray]] = {}
        self._empty: dict[str, np.ndarray] = {}
        self._likeness: dict[str, np.ndarray] = {}
        self._wanted: dict[str, list[frozenset[str]]] = {}
        self._wanted_words: dict[str, dict[int, frozenset[str]]] = {}
        # replicas repeat one another: the value of one hypothesis at a place serves all of them
        self._likenesses: dict[tuple[str, int, str], float] = {}

    def __iter__(self) -> Iterator[Output]:
        return iter(self._outputs)

    def on(self, test_set: str) -> list[Output]:
        """Return the outputs of one test set."""
        return self._by_set.get(test_set, [])

    def files_of_systems(self, systems: Iterable[str]) -> list[str]:
        """Return the files of some systems."""
        wanted = set(systems)
        return [o.file for o in self._outputs if o.system in wanted]

    def same_text(self) -> list[list[Output]]:
        """Return groups of two or more outputs of a test set with exactly the same text."""
        return [group for group in self._by_text.values() if len(group) > 1]

    @cached_property
    def _by_text(self) -> dict[tuple[str, tuple[str, ...]], list[Output]]:
        groups: dict[tuple[str, tuple[str, ...]], list[Output]] = {}
        for output in self._outputs:
            groups.setdefault((output.test_set, output.lines), []).append(output)
        return groups

    @cached_property
    def copied_systems(self) -> list[list[str]]:
        """Groups of systems with the same outputs, whatever their replicas are called."""
        number = {key: i for i, key in enumerate(self._by_text)}
        texts_of: dict[str, list[int]] = {}
        for output in self._outputs:
            texts_of.setdefault(output.system, []).append(number[output.test_set, output.lines])
        groups: dict[tuple[int, ...], list[str]] = {}
        for system, texts in texts_of.items():
            groups.setdefault(tuple(sorted(texts)), []).append(system)
        return [group for group in groups.values() if len(group) > 1]

    def line_ids(self, system: str, test_set: str) -> np.ndarray:
        """Return a number for each hypothesis, equal where the texts are: shape (replicas, segments), int32."""
        return self._interned(test_set)[1][[o.row for o in self.on(test_set) if o.system == system]]

    def n_equal(self, test_set: str, lines: Sequence[str | None]) -> np.ndarray:
        """Return for each output of a test set how many of its hypotheses equal the line at their place: (outputs,)."""
        distinct, ids = self._interned(test_set)
        number = {text: i for i, text in enumerate(distinct)}
        wanted = np.array([-1 if line is None else number.get(line, -1) for line in lines], dtype=np.int32)
        return np.count_nonzero(ids == wanted, axis=1)

    def _interned(self, test_set: str) -> tuple[list[str], np.ndarray]:
        """Return the distinct hypotheses of a test set, and which of them each output has: (outputs, segments)."""
        if test_set not in self._texts:
            own = self.on(test_set)
            # a set may have references, and of its outputs only scores
            shape = len(own), self.experiment.test_set(test_set).n_segments
            ids: dict[str, int] = {}
            numbers = np.zeros(shape, dtype=np.int32)
            step = max(1, LINES_AT_ONCE // max(1, shape[1]))  # sorting takes some 30 bytes a line
            for start in range(0, shape[0], step):
                numbers[start : start + step] = _numbered(own[start : start + step], shape[1], ids)
            self._texts[test_set] = (list(ids), numbers)
        return self._texts[test_set]

    def sums(self, test_set: str, measure: Callable[[str], int], first: int | None = None) -> np.ndarray:
        """Return the sum of a measure over the segments of each output, measured once for each distinct text.

        Parameters
        ----------
        test_set : str
        measure : callable
            Takes a hypothesis.
        first : int, optional
            How many segments of each output to look at.

        Returns
        -------
        ndarray (outputs,)
            In the order of `on`.
        """
        distinct, ids = self._interned(test_set)
        ids = ids[:, :first]
        measured = np.zeros(len(distinct), dtype=np.int64)
        for i in range(len(distinct)) if first is None else np.unique(ids):
            measured[i] = measure(distinct[i])
        return np.array([measured[row].sum() for row in ids], dtype=np.int64)

    def tallies(self, test_set: str, kinds_in: Callable[[str], Iterable[int]], n_kinds: int) -> np.ndarray:
        """Return how many segments of each output are of each kind, looked at once for each distinct text.

        Parameters
        ----------
        test_set : str
        kinds_in : callable
            Takes a hypothesis, returns its kinds: numbers below `n_kinds`.
        n_kinds : int

        Returns
        -------
        ndarray (outputs, kinds)
        """
        distinct, ids = self._interned(test_set)
        texts_of_kind: dict[int, list[int]] = {}
        for i, text in enumerate(distinct):
            for kind in kinds_in(text):
                texts_of_kind.setdefault(kind, []).append(i)
        counts = np.zeros((len(ids), n_kinds), dtype=np.int64)
        for kind, texts in texts_of_kind.items():
            is_of_kind = np.zeros(len(distinct), dtype=bool)
            is_of_kind[texts] = True
            counts[:, kind] = is_of_kind[ids].sum(axis=1)
        return counts

    def n_empty(self, output: Output) -> int:
        """Return the number of blank hypotheses of an output."""
        if output.test_set not in self._empty:
            self._empty[output.test_set] = self.sums(output.test_set, lambda line: not line or line.isspace())
        return int(self._empty[output.test_set][output.row])

    def wanted(self, test_set: str) -> list[frozenset[str]]:
        """Return the words of each segment's references together."""
        if test_set not in self._wanted:
            columns = zip(*self.experiment.test_set(test_set).references, strict=True)
            self._wanted[test_set] = [union_of(column) for column in columns]
        return self._wanted[test_set]

    def compared(self, test_set: str) -> list[int]:
        """Return the indices of the segments that are looked at: evenly spaced, the fewer the more outputs."""
        n = self.experiment.test_set(test_set).n_segments
        most = max(FEWEST_COMPARED, min(MOST_COMPARED, MOST_COMPARISONS // max(1, len(self.on(test_set)))))
        return [round(float(i)) for i in np.linspace(0, n - 1, min(n, most))]

    def likeness(self, test_set: str) -> np.ndarray:
        """Return the share of words that outputs have in common with references: shape (outputs, compared).

        Outputs are in the order of `on`.
        """
        if test_set not in self._likeness:
            places = self.compared(test_set)
            rows = [self.likeness_at(output, places) for output in self.on(test_set)]
            self._likeness[test_set] = np.array(rows, dtype=float).reshape(len(rows), len(places))
        return self._likeness[test_set]

    def likeness_at(self, output: Output, places: Sequence[int], shift: int = 0) -> list[float]:
        """Return the likeness of some hypotheses with the reference `shift` lines below; 0 beyond the ends."""
        n = self.experiment.test_set(output.test_set).n_segments
        return [
            self._likeness_of(output.test_set, i + shift, output.lines[i]) if 0 <= i + shift < n else 0.0
            for i in places
        ]

    def _likeness_of(self, test_set: str, segment: int, line: str) -> float:
        key = (test_set, segment, line)
        value = self._likenesses.get(key)
        if value is None:
            value = self._likenesses[key] = likeness(words_of(line), self._wanted_at(test_set, segment))
        return value

    def _wanted_at(self, test_set: str, segment: int) -> frozenset[str]:
        """Return the words of one segment's references together: of long test sets few segments are asked for."""
        own = self._wanted_words.setdefault(test_set, {})
        if segment not in own:
            own[segment] = union_of([stream[segment] for stream in self.experiment.test_set(test_set).references])
        return own[segment]


def _numbered(own: Sequence[Output], n_segments: int, ids: dict[str, int]) -> np.ndarray:
    """Return the number of each line of some outputs, added to `ids` where it lacks: (outputs, segments)."""
    # Equal lines were read into one object each, so most are compared without looking at their text.
    objects = np.fromiter((id(line) for output in own for line in output.lines), np.int64, len(own) * n_segments)
    _, first, object_of = np.unique(objects, return_index=True, return_inverse=True)
    places = zip(*(part.tolist() for part in np.divmod(first, max(1, n_segments))), strict=True)
    texts = [own[row].lines[segment] for row, segment in places]
    number = np.array([ids.setdefault(text, len(ids)) for text in texts], dtype=np.int32)
    return number[object_of].reshape(len(own), n_segments)
