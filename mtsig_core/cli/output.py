"""What commands print: progress, tables and remarks for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from mtsig_core.metrics import Metric
    from mtsig_core.workbench.workbench import Workbench

SCHEMA = 2  # of every JSON document: raise it when a key changes its meaning or its place


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


def print_frame(frame: pd.DataFrame) -> None:
    """Print a table for people."""
    text = frame.to_string(index=False, float_format=lambda x: f"{x:.4g}" if abs(x) < 10 else f"{x:.2f}", na_rep="—")
    print(on_terminal(text))


def on_terminal(text: str) -> str:
    """Return lines in which characters that act on a terminal are written out: names may hold them."""
    from mtsig_core.formatting import visible

    return "\n".join(map(visible, text.split("\n")))


def print_origin(bench: Workbench, test_set: str, metric: Metric) -> None:
    """Print what a number rests on: the metric's signature, which names tokenizer and case, and what varied."""
    from mtsig_core.experiment.varied import get_varied

    varied = get_varied(bench.settings.replicas_are).label
    print(f"  signature: {bench.signature(test_set, metric)}; replicas differ by: {varied}")


def print_lines(lines: Iterable[str]) -> None:
    """Print remarks, indented; empty ones are left out."""
    for line in filter(None, lines):
        print(on_terminal(f"  {line}"))


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
