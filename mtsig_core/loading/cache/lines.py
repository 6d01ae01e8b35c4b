"""Lines of text on disk: each distinct line once, and the numbers of the lines of every text."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from mtsig_core.loading.text.line_reader import LineNumbers

_NUMBER, _SIZE = np.dtype("<u4"), np.dtype("<u8")
_AT_ONCE = 2**10  # lines: what is encoded at once takes little memory


class LinesWriter:
    """Takes texts up, and gives the sections of a file that holds them.

    Parameters
    ----------
    numbers : LineNumbers
        Numbers of the lines that were read; lines that it lacks are added to it.
    """

    def __init__(self, numbers: LineNumbers) -> None:
        self._numbers = numbers
        self._texts: list[bytes] = []
        self._lengths: list[bytes] = []

    def place(self, lines: Sequence[str | None], file: str = "") -> int:
        """Add a text, perhaps the lines of a file whose line numbers exist already; return its place."""
        numbers = self._numbers.of_file.get(file)
        if numbers is None:
            numbers = np.array(self._numbers.of(lines), _NUMBER)
        self._texts.append(numbers.astype(_NUMBER, copy=False).tobytes())
        return len(self._texts) - 1

    def sections(self) -> dict[str, Iterable[bytes]]:
        """Return the sections, to be written in this order once all texts are added."""
        sizes = (len(text) // _NUMBER.itemsize for text in self._texts)
        return {
            "distinct": self._distinct(),
            "lengths": self._lengths,  # known once the distinct lines are written
            "numbers": self._texts,
            "sizes": [np.fromiter(sizes, _SIZE, len(self._texts)).tobytes()],
        }

    def _distinct(self) -> Iterator[bytes]:
        lines = iter(islice(self._numbers.lines, 1, None))
        while some := [line.encode("utf-8", "surrogatepass") for line in islice(lines, _AT_ONCE) if line is not None]:
            self._lengths.append(np.fromiter(map(len, some), _NUMBER, len(some)).tobytes())
            yield b"".join(some)


class StoredLines:
    """Texts of a file, decoded on access; equal lines are one object. Safe to use from several threads.

    Parameters
    ----------
    sections : mapping of name to bytes
        As `LinesWriter` gives them.
    """

    def __init__(self, sections: Mapping[str, memoryview]) -> None:
        self._distinct = sections["distinct"]
        lengths = np.frombuffer(sections["lengths"], _NUMBER)
        self._ends = np.concatenate([[0, 0], np.cumsum(lengths, dtype=np.int64)])  # of line 0, which is none, as well
        self._numbers = np.frombuffer(sections["numbers"], _NUMBER)
        sizes = np.frombuffer(sections["sizes"], _SIZE)
        self._places = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).tolist()
        self._lines: list[str | None] = [None] * (len(lengths) + 1)
        self._is_read = np.zeros(len(self._lines), dtype=bool)
        self._is_read[0] = True
        self._lock = threading.Lock()
        if self._ends[-1] != len(self._distinct) or self._places[-1] != len(self._numbers):
            raise ValueError("lines and their lengths do not agree")

    def length(self, place: int) -> int:
        """Return the number of lines of a text."""
        return self._places[place + 1] - self._places[place]

    def text(self, place: int) -> tuple[str | None, ...]:
        """Return the lines of a text."""
        numbers = self._numbers[self._places[place] : self._places[place + 1]]
        with self._lock:
            self._read(np.unique(numbers[~self._is_read[numbers]]).tolist())
        return tuple(map(self._lines.__getitem__, numbers.tolist()))

    def _read(self, wanted: Sequence[int]) -> None:
        for number in wanted:
            start, end = self._ends[number : number + 2].tolist()
            self._lines[number] = str(self._distinct[start:end], "utf-8", "surrogatepass")
        self._is_read[wanted] = True
