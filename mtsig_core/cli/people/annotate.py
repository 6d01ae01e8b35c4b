"""The command ``annotate``: blind annotation sheets, written and read."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, Command, metric_options, pair_options, reading_options

if TYPE_CHECKING:
    from mtsig_core.analysis.reading.sheets import AnnotationSheet
    from mtsig_core.loading.judgements.sheets.annotation_key import Asked
    from mtsig_core.workbench.medians import SheetChoice


def run(options: argparse.Namespace) -> int:
    """Write a blind sheet and its key, or read filled ones."""
    if options.read:
        if options.out or options.path:
            raise ValueError("--read takes filled sheets and --key only; leave out PATH and --out.")
        return _read(options)
    if not options.path or not options.out:
        raise ValueError("Give PATH and --out to write a sheet, or --read to read filled ones.")
    return _write(options)


def _write(options: argparse.Namespace) -> int:
    from mtsig_core.loading.judgements.sheets.annotation_key import key_csv
    from mtsig_core.reports.files.annotation_sheets import KINDS, sheet_bytes

    out, key = Path(options.out), Path(options.key)
    kind = next((k for k in KINDS if out.suffix.casefold() == f".{k}"), None)
    if kind is None:
        raise ValueError(f"--out: {options.out!r} should end in {', '.join('.' + k for k in KINDS)}.")
    if out.resolve() == key.resolve():
        raise ValueError("--out and --key are one file; annotators must not see the key.")
    asked, choice = _asked(options), _choice(options)
    pair = selection.chosen_pairs(options)[0]
    segments = pair.median_segments(options.select_on, progress=output.report_progress)
    replicas = segments.table.a[1], segments.table.b[1]
    sheet = pair.annotation_sheet(asked, choice, replicas=replicas, seed=options.seed)
    output.clear_line()
    for path, data in ((out, sheet_bytes(sheet, kind)), (key, key_csv(sheet.key))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if options.json:
        output.print_json(_document(sheet, options, segments.warning))
        return DONE
    if not output.is_for_people():
        output.print_list("file", [str(out), str(key)])
    output.say(f"{out}: {sheet.key.drawn}, to be judged without knowing the systems.")
    output.print_lines((*sheet.instructions, segments.warning))
    output.say(f"{key}: the key. Keep it from annotators; read filled sheets with --read FILLED --key {key}.")
    return DONE


def _document(sheet: AnnotationSheet, options: argparse.Namespace, warning: str) -> dict:
    key = sheet.key
    return {
        "sheet": key.sheet, "out": str(Path(options.out)), "key": str(Path(options.key)), "test_set": key.test_set,
        "baseline": dict(zip(("system", "replica"), key.a, strict=True)),
        "system": dict(zip(("system", "replica"), key.b, strict=True)),
        "segments": [int(item.segment) for item in key.items], "drawn": key.drawn,
        "notes": [warning] if warning else [],
    }  # fmt: skip


def _asked(options: argparse.Namespace) -> Asked:
    """Return what annotators are asked."""
    from mtsig_core.loading.judgements.sheets.annotation_key import COLUMNS, ERROR_TYPES, Asked

    columns = tuple(dict.fromkeys(options.ask or COLUMNS))
    return Asked(columns, _scale(options.scale), tuple(options.error or ERROR_TYPES))


def _choice(options: argparse.Namespace) -> SheetChoice:
    """Return which segments annotators get."""
    from mtsig_core.analysis.reading.annotation import segments_named
    from mtsig_core.workbench.medians import SheetChoice

    if options.n < 1 or options.seed < 0:
        raise ValueError(f"--n must be 1 or more and --seed 0 or more; not {options.n} and {options.seed}.")
    return SheetChoice(options.n, options.how, tuple(segments_named(options.segments)), options.with_equal)


def _scale(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)\s*", text)
    if not match:
        raise ValueError(f"--scale: expected worst and best, as in 1-5 or 0-100; not {text!r}.")
    return float(match[1]), float(match[2])


def _read(options: argparse.Namespace) -> int:
    from mtsig_core.analysis.reading.annotation import annotation_result
    from mtsig_core.loading.judgements.sheets.annotation_key import read_key
    from mtsig_core.loading.judgements.sheets.annotation_sheets import read_sheets
    from mtsig_core.reports.reading import (
        annotation_document,
        annotation_frame,
        annotation_headline,
        annotation_notes,
        annotation_sides,
    )

    if not 0 < options.alpha < 1:
        raise ValueError(f"--alpha must lie between 0 and 1; not {options.alpha}.")
    key = read_key(options.key, Path(options.key).read_bytes())
    sheets = [(name, Path(name).read_bytes()) for name in options.read]
    result = annotation_result(read_sheets(sheets, key, encoding=options.encoding), key.a, key.b, alpha=options.alpha)
    if options.json:
        output.print_json(annotation_document(result, key.test_set, key.drawn))
        return DONE
    output.say(f"{key.test_set}: {annotation_headline(result, options.alpha)}")
    output.say(annotation_sides(result))
    output.print_frame(annotation_frame(result), result.to_frame())
    if any(each.a or each.b for each in result.errors):
        output.print_frame(result.error_frame())
    output.print_lines((f"Drawn: {key.drawn}.", *annotation_notes(result)))
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--key", required=True, metavar="KEY.csv", help="the key file: written, or read together with --read"
    )
    parser.add_argument("--out", metavar="SHEET", help="the sheet to write: .csv, .tsv or .xlsx")
    parser.add_argument(
        "--read", action="append", metavar="FILLED", help="read this filled sheet; may be repeated, one per annotator"
    )
    parser.add_argument("--n", type=int, default=50, metavar="N", help="number of segments to draw (default 50)")
    parser.add_argument(
        "--how", choices=("stratified", "random"), default="stratified",
        help="draw stratified by the difference (default), or at random",
    )
    parser.add_argument("--segments", metavar="LIST", default="", help="use these segments instead, such as 3,7,10-12")
    parser.add_argument("--with-equal", action="store_true", help="draw segments of equal outputs, too")
    parser.add_argument(
        "--ask", action="append", metavar="COLUMN",
        help="ask for adequacy, fluency, ranking or errors; may be repeated (default: all)",
    )
    parser.add_argument(
        "--scale", default="1-5", metavar="LOW-HIGH", help="scale of adequacy and fluency (default 1-5)"
    )
    parser.add_argument("--error", action="append", metavar="NAME", help="a type of error to mark; may be repeated")
    parser.add_argument("--seed", type=int, default=12345, help="seed of the choice and the sides (default 12345)")
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level of the result (default 0.05)")


COMMAND = Command(
    "annotate", "write a blind annotation sheet of the median replicas, or read filled ones", run,
    (reading_options, pair_options, metric_options), _options, path_is_optional=True,
)
