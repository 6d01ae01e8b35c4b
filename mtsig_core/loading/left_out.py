"""Lines of a test set's files that are no segments: which they are, by their numbers in the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.report import LoadError, Reporter, some


def with_reference(
    name: str, full: Sequence[Sequence[str | None]], files: Iterable[str], report: Reporter
) -> tuple[int, ...] | None:
    """Return the indices of segments with a reference, or None when all have one."""
    has = [any(line is not None for line in column) for column in zip(*full, strict=True)]
    missing = [str(i + 1) for i, yes in enumerate(has) if not yes]
    if not missing:
        return None
    if len(missing) == len(has):
        first = next(iter(files))
        raise LoadError(f"{first}: every line is blank, so no segment of test set {name!r} has a reference.", first)
    report.add(
        "warning",
        "no-reference-text",
        f"Test set {name!r}: {count(len(missing), 'segment')} without any reference left out for every system: "
        f"{'line' if len(missing) == 1 else 'lines'} {some(missing, 20)}.",
        files,
    )
    return tuple(i for i, yes in enumerate(has) if yes)


def before_loading(name: str, settings: Settings, n_lines: int) -> tuple[tuple[int, str], ...]:
    """Return the lines that the manifest says were left out; LoadError where its files cannot have had them."""
    before = settings.left_out.get(name, ())
    most = n_lines + len(before)
    for line, _ in before:
        if line > most:
            message = f"{MANIFEST}: test_sets.{name}.left_out names line {line}, but there were {most} lines at most. "
            raise LoadError(f"{message}Correct it.", MANIFEST)
    return before


def lines_left_out(
    before: Sequence[tuple[int, str]], used: Sequence[int] | None, documents: Sequence[str] | None, n_lines: int
) -> tuple[tuple[int, str], ...]:
    """Return the lines that are no segments, by their numbers before any was left out.

    Parameters
    ----------
    before : sequence of (int, str)
        Lines, from 1, and their documents, that are not in these files any more.
    used : sequence of int, optional
        Places, from 0, of the lines of these files that are segments.
    documents : sequence of str, optional
    n_lines : int
        Of these files.
    """
    if used is None:
        return tuple(before)
    absent = {line for line, _ in before}
    lines = [line for line in range(1, n_lines + len(absent) + 1) if line not in absent]
    now = sorted(set(range(n_lines)) - set(used))
    return (*before, *((lines[place], documents[place] if documents else "") for place in now))
