"""Commands about reading outputs: segments side by side, annotation sheets, MultEval's files."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig_core.cli.common import (
    clear_line,
    notes_of,
    open_bench,
    pair_asked,
    print_frame,
    print_json,
    questions_asked,
    report_progress,
)

if TYPE_CHECKING:  # these are imported where they are used: commands start sooner
    from mtsig_core.analysis.reading.segment_filters import Field, SegmentFilter
    from mtsig_core.workbench.reading import Reading

DONE = 0
FILTER_FIELDS: dict[str, Field] = {
    "source": "source", "references": "references", "baseline": "output a", "system": "output b",
}  # fmt: skip


def add_reading_commands(commands: argparse._SubParsersAction) -> tuple[argparse.ArgumentParser, ...]:
    """Add the commands ``segments`` and ``annotate``; the options of metrics are added by who calls."""
    told = "the segments of the median replicas side by side, ranked by gain or loss"
    segments = commands.add_parser("segments", help=told, description=f"{told.capitalize()}.")
    segments.add_argument("path", metavar="PATH", help="a run folder, or a zip or tar of one")
    segments.set_defaults(run=tell_segments)
    orders = ("gain", "loss", "index")
    segments.add_argument("--order", choices=orders, default="gain", help="what stands first (default: gain)")
    segments.add_argument("--limit", type=int, default=20, metavar="N", help="how many (default 20; 0: all)")
    _add_filters(segments)
    told = "write MultEval's --rankDir files of all systems (or of --system) there"
    segments.add_argument("--rank-dir", metavar="DIR", help=told)
    told = "write MultEval's --sentLevelDir files there"
    segments.add_argument("--sent-level-dir", metavar="DIR", help=told)
    told = "write a blind annotation sheet of the median replicas, or read filled ones"
    annotate = commands.add_parser("annotate", help=told, description=f"{told.capitalize()}.")
    annotate.add_argument("path", metavar="PATH", nargs="?", help="a run folder, or a zip or tar of one")
    annotate.set_defaults(run=annotate_or_read)
    annotate.add_argument("--key", required=True, metavar="KEY.csv", help="the key file: written, or read with --read")
    annotate.add_argument("--out", metavar="SHEET", help="the sheet to write: .csv, .tsv or .xlsx")
    told = "read this filled sheet (repeatable, one a person)"
    annotate.add_argument("--read", action="append", metavar="FILLED", help=told)
    annotate.add_argument("--n", type=int, default=50, metavar="N", help="segments to draw (default 50)")
    told = "stratified by the difference (default), or random"
    annotate.add_argument("--how", choices=("stratified", "random"), default="stratified", help=told)
    annotate.add_argument("--segments", metavar="LIST", default="", help="these segments instead, as in 3,7,10-12")
    annotate.add_argument("--with-equal", action="store_true", help="draw segments of equal outputs, too")
    told = "ask for adequacy, fluency, ranking or errors (repeatable; default: all)"
    annotate.add_argument("--ask", action="append", metavar="COLUMN", help=told)
    annotate.add_argument("--scale", default="1-5", metavar="LOW-HIGH", help="of adequacy and fluency (default 1-5)")
    annotate.add_argument("--error", action="append", metavar="NAME", help="a type of error to mark (repeatable)")
    annotate.add_argument("--seed", type=int, default=12345, help="of the choice and the sides (default 12345)")
    annotate.add_argument("--alpha", type=float, default=0.05, help="level of the result (default 0.05)")
    for command in (segments, annotate):
        command.add_argument("--test-set", metavar="NAME", help="what is read (default: the first)")
        command.add_argument("--baseline", metavar="A", help="the system to compare with (default: the experiment's)")
        command.add_argument("--system", metavar="B", help="the system to compare (default: the only other one)")
        told = "the test set that chooses the median replicas (default: another one than is read)"
        command.add_argument("--select-on", metavar="SET", help=told)
        command.add_argument("--json", action="store_true", help="print one JSON document")
        command.add_argument("--encoding", help="read files that are not UTF-8 as this (latin-1, cp1252)")
    return segments, annotate


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--contains", metavar="TEXT", default="", help="only segments that hold this text")
    parser.add_argument("--regex", action="store_true", help="take the text as a regular expression, as Python's re")
    parser.add_argument("--match-case", action="store_true", help="capital letters count")
    told = "look for the text only there: source, references, baseline or system (repeatable)"
    parser.add_argument("--field", action="append", choices=tuple(FILTER_FIELDS), help=told)
    parser.add_argument("--document", action="append", metavar="ID", help="only this document (repeatable)")
    for name, what in (("length", "words of the references"), ("gain", "gain of the system"),
                       ("score-baseline", "the baseline's score"), ("score-system", "the system's score")):  # fmt: skip
        parser.add_argument(f"--min-{name}", type=float, metavar="X", help=f"least {what}")
        parser.add_argument(f"--max-{name}", type=float, metavar="X", help=f"most {what}")
    told = "only where every replica of one beats every one of the other: any, baseline or system"
    parser.add_argument("--agree", choices=("any", "baseline", "system"), help=told)
    parser.add_argument("--changed", action="store_true", help="only where the outputs differ")


def _filter(options: argparse.Namespace) -> SegmentFilter:
    from mtsig_core.analysis.reading.segment_filters import FIELDS, Agree, Range, SegmentFilter

    def between(name: str) -> Range:
        low, high = getattr(options, f"min_{name}"), getattr(options, f"max_{name}")
        return (-math.inf if low is None else low, math.inf if high is None else high)

    agree: dict[str | None, Agree] = {None: "", "any": "any", "baseline": "a", "system": "b"}
    asked = {FILTER_FIELDS[name] for name in options.field or FILTER_FIELDS}
    return SegmentFilter(
        text=options.contains, regex=options.regex, match_case=options.match_case,
        fields=tuple(name for name in FIELDS if name in asked), documents=tuple(options.document or ()),
        length=between("length"), gain=between("gain"), score_a=between("score_baseline"),
        score_b=between("score_system"), agree=agree[options.agree], changed=options.changed,
    )  # fmt: skip


def tell_segments(options: argparse.Namespace) -> int:
    """Print the segments of two median replicas, ranked; or write MultEval's files."""
    from mtsig_core.analysis.reading.segment_filters import filter_segments
    from mtsig_core.formatting import score_decimals
    from mtsig_core.reports.reading import ranked, segment_lines, segments_document
    from mtsig_core.workbench.reading import ask_reading

    if options.limit < 0:
        raise ValueError(f"--limit must be 0 (all segments) or more; not {options.limit}.")
    if options.rank_dir or options.sent_level_dir:
        return _write_multeval(options)
    bench, _, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    test_set, metric = questions_asked(options, bench, metrics, (baseline, system))[0]
    found = ask_reading(bench, test_set, metric, baseline, system, select_on=options.select_on,
                        progress=report_progress)  # fmt: skip
    clear_line()
    unknown = set(options.document or ()) - set(found.table.document or ())
    if unknown:
        raise ValueError(f"--document: {test_set} has no document {min(unknown)!r}.")
    left = set(filter_segments(found.table, _filter(options)).tolist())
    places = [place for place in ranked(found.table, options.order) if place in left][: options.limit or None]
    notes = [note for note in (found.warning, *notes_of(bench, [(test_set, metric)])) if note]
    if options.json:
        print_json(segments_document(found.table, places, found.select_on, bench.experiment, notes))
        return DONE
    sides = [f"{system} ({replica})" for system, replica in (found.table.b, found.table.a)]
    chosen = f"median replicas by {metric.label} on {found.select_on}"
    print(f"{test_set}: {sides[0]} against {sides[1]}, {chosen}; {len(places)} of {_how_many(found, left)}")
    for note in notes:
        print(f"  {note}")
    for line in segment_lines(found.table, places, score_decimals(found.table.score_a) - 1):
        print(line)
    return DONE


def _how_many(found: Reading, left: set[int]) -> str:
    from mtsig_core.formatting import count

    every = len(found.table.index)
    return count(every, "segment") if len(left) == every else f"{len(left)} that the filters leave of {every} segments"


def _write_multeval(options: argparse.Namespace) -> int:
    from mtsig_core.workbench.reading import multeval_files

    bench, _, metrics = open_bench(options)
    experiment = bench.experiment
    baseline = experiment.system(options.baseline or experiment.baseline).name
    sets = [t.name for t in experiment.test_sets if baseline in {s.name for s in experiment.systems_on(t.name)}]
    wanted = experiment.test_set(options.test_set).name if options.test_set else None
    sets = [name for name in sets if name == wanted or (wanted is None)]
    if not sets:
        raise ValueError(f"{baseline!r} has no output on {wanted or 'any test set'}; the files show outputs.")
    test_set = next((n for n in sets if experiment.test_set(n).role != "dev"), sets[0])
    others = [experiment.system(options.system).name] if options.system else [
        s.name for s in experiment.systems_on(test_set) if s.name != baseline
    ]
    files = multeval_files(bench, test_set, metrics, baseline, others, select_on=options.select_on,
                           progress=report_progress)  # fmt: skip
    clear_line()
    written = []
    for folder, contents in ((options.rank_dir, files.ranked), (options.sent_level_dir, files.sentences)):
        for name, text in contents.items() if folder else ():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "backslashreplace"))
            written.append(str(path))
    if options.json:
        replicas = {name: list(names) for name, names in files.replicas.items()}
        print_json({"test_set": test_set, "systems": files.systems, "replicas": replicas, "files": written})
        return DONE
    for number, name in files.systems.items():
        order = ", ".join(f"opt{k} = {replica}" for k, replica in enumerate(files.replicas[name], 1))
        print(f"{number} = {name} ({order})")
    folders = " and ".join(filter(None, (options.rank_dir, options.sent_level_dir)))
    print(f"{len(written)} files of {test_set} written to {folders}")
    return DONE


def annotate_or_read(options: argparse.Namespace) -> int:
    """Write a blind sheet and its key, or read filled ones."""
    if options.read:
        if options.out or options.path:
            raise ValueError("--read takes filled sheets and --key only; leave out PATH and --out.")
        return _read(options)
    if not options.path or not options.out:
        raise ValueError("Give PATH and --out to write a sheet, or --read to read filled ones.")
    return _write(options)


def _write(options: argparse.Namespace) -> int:
    from mtsig_core.analysis.reading.annotation import segments_named
    from mtsig_core.loading.judgements.annotation_key import COLUMNS, ERROR_TYPES, Asked, key_csv
    from mtsig_core.reports.annotation_sheets import KINDS, sheet_bytes
    from mtsig_core.workbench.reading import ask_reading, draw_sheet

    out, key = Path(options.out), Path(options.key)
    kind = next((k for k in KINDS if out.suffix.casefold() == f".{k}"), None)
    if kind is None:
        raise ValueError(f"--out: {options.out!r} should end in {', '.join('.' + k for k in KINDS)}.")
    if out.resolve() == key.resolve():
        raise ValueError("--out and --key are one file; annotators must not see the key.")
    if options.n < 1 or options.seed < 0:
        raise ValueError(f"--n must be 1 or more and --seed 0 or more; not {options.n} and {options.seed}.")
    low, high = _scale(options.scale)
    asked = Asked(tuple(dict.fromkeys(options.ask or COLUMNS)), (low, high), tuple(options.error or ERROR_TYPES))
    segments = segments_named(options.segments)
    bench, _, metrics = open_bench(options)
    baseline, system = pair_asked(options, bench.experiment)
    test_set, metric = questions_asked(options, bench, metrics, (baseline, system))[0]
    found = ask_reading(bench, test_set, metric, baseline, system, select_on=options.select_on,
                        progress=report_progress)  # fmt: skip
    sheet = draw_sheet(found.table, asked, seed=options.seed, n=options.n, how=options.how, segments=segments,
                       with_equal=options.with_equal)  # fmt: skip
    clear_line()
    for path, data in ((out, sheet_bytes(sheet, kind)), (key, key_csv(sheet.key))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if options.json:
        print_json({"sheet": sheet.key.sheet, "out": str(out), "key": str(key), "test_set": test_set,
                    "baseline": dict(zip(("system", "replica"), sheet.key.a, strict=True)),
                    "system": dict(zip(("system", "replica"), sheet.key.b, strict=True)),
                    "segments": [int(i.segment) for i in sheet.key.items], "drawn": sheet.key.drawn,
                    "notes": [found.warning] if found.warning else []})  # fmt: skip
        return DONE
    print(f"{out}: {sheet.key.drawn}, to be judged without knowing the systems.")
    for line in filter(None, (*sheet.instructions, found.warning)):
        print(f"  {line}")
    print(f"{key}: the key. Keep it from annotators; read filled sheets with --read FILLED --key {key}.")
    return DONE


def _scale(text: str) -> tuple[float, float]:
    import re

    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)\s*", text)
    if not match:
        raise ValueError(f"--scale: expected worst and best, as in 1-5 or 0-100; not {text!r}.")
    return float(match[1]), float(match[2])


def _read(options: argparse.Namespace) -> int:
    from mtsig_core.analysis.reading.annotation import annotation_result
    from mtsig_core.loading.judgements.annotation_key import read_key
    from mtsig_core.loading.judgements.annotation_sheets import read_sheets
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
    found = annotation_result(read_sheets(sheets, key, encoding=options.encoding), key.a, key.b, alpha=options.alpha)
    if options.json:
        print_json(annotation_document(found, key.test_set, key.drawn))
        return DONE
    print(f"{key.test_set}: {annotation_headline(found, options.alpha)}")
    print(annotation_sides(found))
    print_frame(annotation_frame(found))
    if any(each.a or each.b for each in found.errors):
        print_frame(found.error_frame())
    for note in (f"Drawn: {key.drawn}.", *annotation_notes(found)):
        print(f"  {note}")
    return DONE
