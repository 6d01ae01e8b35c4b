"""What commands print: progress to stderr; tables and sentences in the format of the call, or one JSON document."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig_core.cli.columns import fitted
from mtsig_core.formatting import MINUS, UNDEFINED

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.metrics import Metric
    from mtsig_core.workbench.workbench import Workbench

SCHEMA = 2  # of every JSON document: raise it when a key changes its meaning or its place
FORMATS = ("text", "markdown", "latex", "csv", "json")
WIDTH = 80  # characters of a line where there is no terminal
_SIGNED = re.compile(rf"[{MINUS}+-][0-9]+([.][0-9]+)?")


@dataclass
class _Printing:
    """The format of this call, and whether nothing was printed in it yet."""

    format: str = "text"
    is_first: bool = True


_printing = _Printing()


def report_progress(fraction: float, what: str = "") -> None:
    """Show progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{fraction:4.0%} {what}", end="", file=sys.stderr, flush=True)


def clear_line() -> None:
    """Remove the line of progress."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def remark(text: str) -> None:
    """Print a warning or a note beside the output, to stderr."""
    clear_line()
    print(on_terminal(text), file=sys.stderr)


def print_json(document: dict) -> None:
    """Print a document for programs: the number of its schema first, then what was guessed while loading."""
    settings = document.get("settings")
    if isinstance(settings, dict) and "guesses" in settings:
        rest = {key: value for key, value in settings.items() if key != "guesses"}
        document = {"guesses": settings["guesses"], **document, "settings": rest}
    print(json.dumps({"schema": SCHEMA, **document}, ensure_ascii=False, indent=2, allow_nan=False))


def use_format(name: str) -> None:
    """Print tables and sentences in this format from now on."""
    if name not in FORMATS:
        raise ValueError(f"--format: must be one of {', '.join(FORMATS)}; not {name!r}.")
    _printing.format, _printing.is_first = name, True


def is_for_people() -> bool:
    """Say whether lines of text are wanted: in other formats everything that can be is a table."""
    return _printing.format == "text"


def is_for_spreadsheets() -> bool:
    """Say whether CSV is wanted: one table of people may be several of numbers."""
    return _printing.format == "csv"


def width() -> int:
    """Return how many characters a line of text has: those of the terminal, else 80."""
    return shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH


def print_frame(
    frame: pd.DataFrame, numbers: pd.DataFrame | None = None, about: Mapping[str, str] | None = None
) -> None:
    """Print a table: as people read it, or as CSV.

    Parameters
    ----------
    frame : DataFrame
    numbers : DataFrame, optional
        The same in full precision, for CSV.
    about : mapping of column to str, optional
        What all rows are about, for CSV: there a sentence cannot say it.
    """
    if _printing.format == "text":
        print(on_terminal(fitted(frame, width())))
        return
    from mtsig_core.reports.tables import to_csv, to_latex, to_markdown

    if not _printing.is_first:
        print()
    _printing.is_first = False
    if _printing.format == "csv":
        table = _as_numbers(frame) if numbers is None else numbers
        more = {name: value for name, value in (about or {}).items() if name not in table}
        table = table.assign(**more)[[*more, *table.columns]]
        print(to_csv(table).replace("\r\n", "\n"), end="")
    else:
        print((to_markdown if _printing.format == "markdown" else to_latex)(frame), end="")


def print_list(heading: str, values: Sequence[str]) -> None:
    """Print one column."""
    import pandas as pd

    print_frame(pd.DataFrame({heading: list(values)}))


def _as_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as programs read it: numbers with a sign as numbers, and nothing where nothing is defined."""
    def plain(cell: Any) -> Any:
        if not isinstance(cell, str):
            return cell
        if cell == UNDEFINED:
            return None
        return float(cell.replace(MINUS, "-")) if _SIGNED.fullmatch(cell) else cell

    return frame.astype(object).map(plain)


def say(text: str) -> None:
    """Print a sentence: wrapped for people, a paragraph of Markdown, a comment of LaTeX; beside CSV, to stderr."""
    if not text:
        return
    if _printing.format == "text":
        lead = text[: len(text) - len(text.lstrip(" -"))]
        rest = " " * (len(lead) if lead else 2)
        for line in on_terminal(text).split("\n"):
            print(textwrap.fill(line, width(), subsequent_indent=rest, break_on_hyphens=False, tabsize=1))
    elif _printing.format == "csv":
        print(on_terminal(text.strip()), file=sys.stderr)
    else:
        from mtsig_core.reports.tables import escape_markdown

        if not _printing.is_first:
            print()
        _printing.is_first = False
        is_item = text.lstrip(" ").startswith("- ")
        words = " ".join(text.strip(" -").split())
        comment = f"% {on_terminal(words)}"
        print(comment if _printing.format == "latex" else f"{'- ' if is_item else ''}{escape_markdown(words)}")


def on_terminal(text: str) -> str:
    """Return lines in which characters that act on a terminal are written out: names may hold them."""
    from mtsig_core.formatting import visible

    return "\n".join(map(visible, text.split("\n")))


def print_origin(bench: Workbench, *scored: tuple[str, Metric]) -> None:
    """Print what numbers rest on: signatures, which name tokenizer and case, each once; and what varied."""
    from mtsig_core.experiment.varied import get_varied

    varied = f"replicas differ by: {get_varied(bench.settings.replicas_are).label}"
    signatures = dict.fromkeys((metric.label, bench.signature(name, metric)) for name, metric in scored)
    if len(signatures) == 1:
        say(f"  signature: {next(iter(signatures))[1]}; {varied}")
    elif signatures:
        print_lines([*(f"signature of {label}: {text}" for label, text in signatures), varied])


def print_lines(lines: Iterable[str]) -> None:
    """Print remarks, indented; empty ones are left out."""
    for line in filter(None, lines):
        say(f"  {line}")


def new_folder(name: str) -> Path:
    """Return the folder that a call writes to.

    Raises
    ------
    ValueError
        When it holds something already: nothing is overwritten, and nothing old stands among the new.
    """
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{name}: exists and is not an empty folder; give --out a new one.")
    return folder


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Write files below a folder and return their paths in it."""
    written = []
    for path, data in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        written.append(path)
    return written
