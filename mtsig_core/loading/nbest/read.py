"""Lines of an n-best list -> `NbestList`, in memory proportional to the list itself."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from mtsig_core.formatting import count
from mtsig_core.loading.nbest.lines import Candidate, Groups, LineParser
from mtsig_core.loading.nbest.lists import NbestList
from mtsig_core.loading.report import LoadError, some
from mtsig_core.runtime.jobs import Progress, no_progress

MOST_SEGMENTS = 5_000_000  # ids beyond it are numbers of something else
MOST_FEATURES = 2000  # dense columns; lists of sparse features have millions
LARGEST = 1e100  # value of a feature: squares must stay numbers
_LINES_BETWEEN_REPORTS = 2000


def read_nbest(
    lines: Iterable[tuple[float, str]] | Iterable[str], file: str = "n-best list", *, lengths: Sequence[int] = (),
    progress: Progress = no_progress,
) -> NbestList:  # fmt: skip
    """Read one n-best list.

    Parameters
    ----------
    lines : iterable of str, or of (fraction read, str)
        The fraction, 0 to 1, is what progress reports.
    file : str
        Name for messages.
    lengths : sequence of int, optional
        Numbers of segments of the references at hand. The list is that of a reference that its ids fill, counted from
        0 or from 1; else of the beginning of a longer one.
    progress : Progress

    Returns
    -------
    NbestList
        Segments without candidates have one empty hypothesis whose features are 0; notes say which.

    Raises
    ------
    LoadError
        For a damaged line, with file and line; for a list without candidates or with too many features.
    """
    table = _table(lines, file, progress)
    if not table.segments:
        raise LoadError(f"{file}: holds no candidates. Give an n-best list.", file)
    progress(1.0, f"{file}: {len(table.segments):,} candidates")
    return table.finish(file, lengths)


def _table(lines: Iterable[tuple[float, str]] | Iterable[str], file: str, progress: Progress) -> _Table:
    """Return the candidates of all lines."""
    parser, table, blank = LineParser(file), _Table(), 0
    for number, item in enumerate(lines, 1):
        fraction, line = item if isinstance(item, tuple) else (0.0, item)
        if number % _LINES_BETWEEN_REPORTS == 1:
            progress(fraction, f"{file}: {number - 1:,} candidates")
        if not line.strip():
            blank = blank or number  # at the end they do no harm
        elif blank:
            raise LoadError(f"{file}, line {blank}: is blank; expected a candidate. Remove the line.", file)
        else:
            table.add(parser.parse(line, number))
    return table


@dataclass
class _Table:
    """Candidates in the order of the file, in compact arrays."""

    segments: array = field(default_factory=lambda: array("q"))
    totals: array = field(default_factory=lambda: array("d"))
    values: array = field(default_factory=lambda: array("d"))
    kinds: array = field(default_factory=lambda: array("l"))
    texts: list[str] = field(default_factory=list)
    _interned: dict[str, str] = field(default_factory=dict)
    _kind_of: dict[Groups, int] = field(default_factory=dict)

    def add(self, candidate: Candidate) -> None:
        if self.segments and self.segments[-1] != candidate.segment:
            self._interned.clear()  # texts repeat within a segment
        self.segments.append(candidate.segment)
        self.totals.append(candidate.total)
        self.values.extend(candidate.values)
        self.kinds.append(self._kind_of.setdefault(candidate.groups, len(self._kind_of)))
        self.texts.append(self._interned.setdefault(candidate.text, candidate.text))

    def finish(self, file: str, lengths: Sequence[int]) -> NbestList:
        self._check_range(file)
        ids = np.frombuffer(self.segments, dtype=np.int64)
        first, size = _numbering(int(ids.min()), int(ids.max()), lengths)
        if size > MOST_SEGMENTS:
            message = f"{file}, line {ids.argmax() + 1}: id {ids.max()}. Number the segments from 0 or from 1."
            raise LoadError(message, file)
        notes = _notes(ids, self.texts, first, size)
        groups, features, remarks = self._features(file)
        absent = np.setdiff1d(np.arange(size), ids - first)
        owners = np.concatenate([ids - first, absent])
        order = np.argsort(owners, kind="stable")
        rows = np.minimum(order, len(ids))  # all segments without candidates share one more row
        if len(absent) or not np.array_equal(rows, np.arange(len(ids))):
            features = np.concatenate([features, np.zeros((1, features.shape[1]))])[rows]
        texts = [*self.texts, ""]
        return NbestList(
            name=file,
            groups=groups,
            offsets=np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=size))]).astype(np.int64),
            features=features,
            texts=tuple(texts[row] for row in rows),
            totals=np.append(np.frombuffer(self.totals), np.nan)[rows],
            first_id=first,
            notes=(*notes, *remarks),
        )

    def _check_range(self, file: str) -> None:
        """Raise LoadError for a number whose square is beyond all floating point; a candidate stands on one line."""
        values, totals = np.frombuffer(self.values), np.frombuffer(self.totals)
        ends_of = [reduce(own, initial=0.0) for own in (values, totals) for reduce in (np.fmin.reduce, np.fmax.reduce)]
        if max(map(abs, ends_of)) <= LARGEST:  # without a copy of all values
            return
        far = [np.flatnonzero(np.abs(own) > LARGEST)[:1] for own in (values, totals)]
        widths = np.array([sum(size for _, size in groups) for groups in self._kind_of])
        ends = np.cumsum(widths[np.frombuffer(self.kinds, dtype=np.dtype("l"))])
        rows = [*np.searchsorted(ends, far[0], side="right").tolist(), *far[1].tolist()]
        message = f"{file}, line {min(rows) + 1}: a number is beyond {LARGEST:g}. Leave it out, or scale the feature."
        raise LoadError(message, file)

    def _features(self, file: str) -> tuple[Groups, np.ndarray, list[str]]:
        """Return all groups, features of shape (candidate, feature), and a sentence on features that some lack."""
        sizes = {name: size for groups in self._kind_of for name, size in groups}
        columns, n_columns = {}, 0
        for name, size in sizes.items():
            columns[name] = np.arange(n_columns, n_columns + size)
            n_columns += size
        if n_columns > MOST_FEATURES:
            raise LoadError(
                f"{file}: {n_columns:,} features, more than {MOST_FEATURES:,}. Tune on dense features; leave sparse "
                "ones out of the list.",
                file,
            )
        groups, flat = tuple(sizes.items()), np.frombuffer(self.values)
        if len(self._kind_of) == 1:
            return groups, flat.reshape(len(self.segments), n_columns), []
        kinds = np.frombuffer(self.kinds, dtype=np.dtype("l"))
        kind_columns = [
            np.concatenate([columns[name] for name, _ in own] or [np.zeros(0, np.int64)]) for own in self._kind_of
        ]
        widths = np.array([len(own) for own in kind_columns])[kinds]
        starts = np.cumsum(widths) - widths
        features = np.zeros((len(kinds), n_columns))
        order = np.argsort(kinds, kind="stable")
        bounds = np.searchsorted(kinds[order], np.arange(len(kind_columns) + 1))
        for kind, own in enumerate(kind_columns):
            rows = order[bounds[kind] : bounds[kind + 1]]
            features[rows[:, None], own] = flat[starts[rows][:, None] + np.arange(len(own))]
        lacking = int((widths < n_columns).sum())
        return groups, features, [f"Features that {count(lacking, 'candidate')} lacked count as 0."]


def _numbering(low: int, high: int, lengths: Sequence[int]) -> tuple[int, int]:
    """Return the id of the first segment (0 or 1) and the number of segments of a list with ids low to high."""
    is_from_0 = low == 0 or (high not in lengths and high + 1 in lengths)
    first = int(not is_from_0 and (low == 1 or high in lengths))
    return first, high - first + 1


def _notes(ids: np.ndarray, texts: list[str], first: int, size: int) -> list[str]:
    """Return what to know about a list, one sentence each: gaps, empty and repeated hypotheses."""
    notes = []
    present = np.unique(ids)
    absent = np.setdiff1d(np.arange(first, first + size), present)
    if len(absent):
        verb = "has" if len(absent) == 1 else "have"
        listed = some([str(i) for i in absent[:11]], 10)
        notes.append(f"{count(len(absent), 'segment')} {verb} no candidate: id {listed}; the output there is empty.")
    if 1 + int((np.diff(ids) != 0).sum()) > len(present):
        notes.append("Candidates of one segment are not adjacent; they were sorted.")
    empty = sum(not text for text in texts)
    if empty:
        what = "1 empty hypothesis" if empty == 1 else f"{empty} empty hypotheses"
        notes.append(f"{what}: never chosen where a segment has another candidate.")
    repeated = len(texts) - _n_distinct(ids, texts)
    if repeated:
        notes.append(f"{repeated:,} of {len(texts):,} hypotheses repeat another one of their segment.")
    return notes


def _n_distinct(ids: np.ndarray, texts: list[str]) -> int:
    """Return the number of texts that differ within their segment, summed over segments; one set at a time."""
    order = np.argsort(ids, kind="stable").tolist()
    ends = np.cumsum(np.unique(ids, return_counts=True)[1]).tolist()
    return sum(
        len({texts[row] for row in order[start:end]}) for start, end in zip([0, *ends], ends, strict=False)
    )
