"""Which of the files that lie in an upload box are meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from mtsig_core.loading.sources.archives import is_archive_name


class Named(Protocol):
    """Anything with a file name."""

    name: str


File = TypeVar("File", bound=Named)


def newest(files: Sequence[File]) -> Sequence[File]:
    """Return what was chosen last: an archive, or the loose files since.

    The box keeps what was opened before, and a second archive is meant to be opened instead of the first.
    """
    if is_archive_name(files[-1].name):
        return files[-1:]
    last = max((i for i, file in enumerate(files) if is_archive_name(file.name)), default=-1)
    return files[last + 1 :]
