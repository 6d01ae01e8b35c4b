"""Test sets: the source and references of segments, and the lines of their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar, get_args

from mtsig_core.experiment.digests import digest_of, text_digest

T = TypeVar("T")
Role = Literal["dev", "test", "other"]
ROLES: tuple[str, ...] = get_args(Role)


class ExperimentError(ValueError):
    """The pieces given do not make a valid experiment; the message says which and what to do."""


@dataclass(frozen=True)
class TestSet:
    """Source and references of L segments.

    Parameters
    ----------
    name : str
    role : {"dev", "test", "other"}
        ``dev`` is the set that the systems were tuned on.
    references : tuple of reference streams, each a tuple of L segments
        A segment that one stream lacks is None; every segment has at least one reference. Empty where only
        there are scores only: `size` must then be given.
    reference_names : tuple of str, optional
    source : tuple of L segments, optional
    documents : tuple of L document ids, optional
    size : int, optional
        Number of segments L; given without references only.
    has_segments : bool
        False where scores are those of whole runs: `size` is then 1.
    left_out : tuple of (int, str), optional
        Line, from 1, and document id (or "") of each line of the files that is no segment because it has no
        reference: what is numbered by line, such as human judgements, counts them.

    Raises
    ------
    ExperimentError
        When lengths differ, a segment has no reference at all, a line that was left out is not in the files, or the
        role is unknown.
    """

    __test__ = False  # not a pytest class, whatever its name

    name: str
    role: Role
    references: tuple[tuple[str | None, ...], ...]
    reference_names: tuple[str, ...] = ()
    source: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    size: int | None = None
    has_segments: bool = True
    left_out: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        where = f"test set {self.name!r}"
        if not self.name:
            raise ExperimentError("A test set needs a name.")
        if self.role not in ROLES:
            raise ExperimentError(f"{where}: role must be one of {', '.join(ROLES)}; not {self.role!r}.")
        if not self.references and self.size is None:
            raise ExperimentError(f"{where}: no reference; add at least one, or state the number of segments.")
        set_ = object.__setattr__
        set_(self, "references", tuple(tuple(stream) for stream in self.references))
        names = self.reference_names or tuple(f"ref{i}" for i in range(len(self.references)))
        set_(self, "reference_names", tuple(names))
        for label in ("source", "documents"):
            if getattr(self, label) is not None:
                set_(self, label, tuple(getattr(self, label)))
        if len(self.reference_names) != len(self.references):
            raise ExperimentError(f"{where}: {len(self.references)} references but {len(names)} names.")
        if self.n_segments == 0:
            raise ExperimentError(f"{where}: the reference has no segments.")
        lengths = dict(zip(self.reference_names, map(len, self.references), strict=True))
        lengths |= {} if self.size is None else {"the stated size": self.size}
        lengths |= {n: len(getattr(self, n)) for n in ("source", "documents") if getattr(self, n) is not None}
        for label, length in lengths.items():
            if length != self.n_segments:
                first = self.reference_names[0] if self.references else "the test set"
                raise ExperimentError(f"{where}: {label} has {length} lines, {first} has {self.n_segments}.")
        for i, refs in enumerate(zip(*self.references, strict=True)):
            if all(ref is None for ref in refs):
                raise ExperimentError(f"{where}: segment {i + 1} has no reference.")
        set_(self, "size", None if self.references else self.size)
        set_(self, "left_out", tuple(sorted((line, document) for line, document in self.left_out)))
        _check_left_out([line for line, _ in self.left_out], self.n_lines, where)

    @property
    def n_segments(self) -> int:
        """Number of segments L."""
        return len(self.references[0]) if self.references else self.size or 0

    @property
    def n_lines(self) -> int:
        """Number of lines of the files: the segments, and the lines that were left out."""
        return self.n_segments + len(self.left_out)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The line of each segment in the files, from 1."""
        absent = {line for line, _ in self.left_out}
        return tuple(line for line in range(1, self.n_lines + 1) if line not in absent)

    @property
    def line_documents(self) -> tuple[str, ...] | None:
        """The document id of each line of the files; None where there are no documents."""
        if self.documents is None:
            return None
        by_line = dict(self.left_out) | dict(zip(self.lines, self.documents, strict=True))
        return tuple(by_line[line] for line in range(1, self.n_lines + 1))

    def in_lines(self, values: Sequence[T]) -> list[T | None]:
        """Return values of the segments, one per line of the files: None where a line was left out."""
        by_line: dict[int, T] = dict(zip(self.lines, values, strict=True))
        return [by_line.get(line) for line in range(1, self.n_lines + 1)]

    @cached_property
    def references_digest(self) -> str:
        """Sha256 of the reference texts alone: what statistics depend on besides the output."""
        return digest_of(text_digest(stream) for stream in self.references)

    @cached_property
    def digest(self) -> str:
        """Sha256 of everything in the test set."""
        parts = [self.name, self.role, *self.reference_names, self.references_digest]
        parts += ["source", text_digest(self.source)] if self.source is not None else []
        parts += ["documents", text_digest(self.documents)] if self.documents is not None else []
        parts += ["size", str(self.size)] if self.size is not None else []
        parts += [] if self.has_segments else ["whole runs"]
        parts += ["left out", *(f"{line} {document}" for line, document in self.left_out)] if self.left_out else []
        return digest_of(parts)


def _check_left_out(lines: Sequence[int], n_lines: int, where: str) -> None:
    wrong = [line for line in lines if not 1 <= line <= n_lines]
    if wrong or len(set(lines)) < len(lines):
        what = "a line was left out twice"
        if wrong:
            what = f"line {wrong[0]} was left out, but there are {n_lines:,} lines"
        raise ExperimentError(f"{where}: {what}.")
