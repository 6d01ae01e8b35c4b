"""How much an upload may unpack to."""

from __future__ import annotations

from dataclasses import dataclass

from mtsig_core.loading.report import LoadError
from mtsig_core.storage.sizes import MIB


@dataclass(frozen=True)
class Limits:
    """Bounds on what is read into memory.

    Parameters
    ----------
    members : int
        Files in one upload.
    unpacked_bytes : int
        Sum of the sizes of all files, unpacked.
    ratio : float
        Unpacked bytes to bytes uploaded. Text packs 3 to 10 times, many similar replicas perhaps 50
        times, a bomb 1000 times; not looked at below `ratio_floor` unpacked bytes.
    ratio_floor : int
    text_bytes : int
        What the lines of all files take in memory, where equal lines are held once.
    file_bytes : int
        Of one file that is read as text or that an archive holds, unpacked.
    file_lines : int
        Of one file that is read as text.
    """

    members: int = 50_000
    unpacked_bytes: int = 2048 * MIB
    ratio: float = 200.0
    ratio_floor: int = 48 * MIB
    text_bytes: int = 1024 * MIB
    file_bytes: int = 256 * MIB
    file_lines: int = 8_000_000


DEFAULT_LIMITS = Limits()


def check_size(n_bytes: int, file: str, limits: Limits) -> None:
    """Raise LoadError where a file has more bytes, unpacked, than one file may have."""
    if n_bytes > limits.file_bytes:
        raise LoadError(
            f"{file}: holds {n_bytes / MIB:,.0f} MiB; the limit for one file is {limits.file_bytes / MIB:,.0f} MiB. "
            "Split it, or leave out what is not needed.",
            file,
        )


def check_lines(data: bytes, file: str, limits: Limits) -> None:
    """Raise LoadError where a file of text has more bytes or lines than one file may have."""
    check_size(len(data), file, limits)
    n_lines = max(data.count(b"\n"), data.count(b"\r"))
    if n_lines > limits.file_lines:
        message = f"{file}: holds {n_lines:,} lines; the limit for one file is {limits.file_lines:,}. Split it."
        raise LoadError(message, file)


class TextTooLarge(LoadError):
    """The lines of all files together take too much memory: no file alone is to blame, so none is left out."""


class Budget:
    """Counts unpacked bytes while they arrive and stops at the limits."""

    def __init__(self, limits: Limits, packed_bytes: int = 0, *, is_whole: bool = False) -> None:
        self.limits = limits
        self._is_whole = is_whole  # packed_bytes are those of the whole upload
        self.packed_bytes = packed_bytes
        self.used = 0

    def add_packed(self, n_bytes: int) -> None:
        """Count bytes of a packed file, unless those of the whole upload are known: it may be packed twice."""
        if not self._is_whole:
            self.packed_bytes += n_bytes

    def spend(self, n_bytes: int, file: str) -> None:
        """Count bytes unpacked from `file`; raise LoadError above a limit."""
        self.used += n_bytes
        self.check(self.used, file)

    def check(self, total: int, file: str) -> None:
        """Raise LoadError if `total` unpacked bytes are too many."""
        limits = self.limits
        if total > limits.unpacked_bytes:
            raise LoadError(
                f"{file}: unpacks to more than {limits.unpacked_bytes / MIB:,.0f} MiB in all, the limit. "
                "Upload fewer test sets or systems at a time.",
                file,
            )
        if total > limits.ratio_floor and total > limits.ratio * max(1, self.packed_bytes):
            raise LoadError(
                f"{file}: unpacks to more than {limits.ratio:.0f} times its packed size (already "
                f"{total / MIB:,.0f} MiB from {self.packed_bytes:,} bytes), as no text does; refused. "
                "Upload the folder unpacked if it is right.",
                file,
            )
