"""The command ``segments``: the outputs of two median replicas side by side, and MultEval's files."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, Command, metric_options, pair_options, reading_options

if TYPE_CHECKING:
    from mtsig_core.analysis.reading.segment_filters import Field, Range, SegmentFilter
    from mtsig_core.reports.files.multeval_files import MultEvalFiles
    from mtsig_core.workbench.pair import Pair
    from mtsig_core.workbench.results import MedianSegments
    from mtsig_core.workbench.workbench import Workbench

FILTER_FIELDS: dict[str, Field] = {
    "source": "source", "references": "references", "baseline": "output a", "system": "output b",
}  # fmt: skip
RANGES = {
    "length": "words of the references", "gain": "gain of the system", "score-baseline": "score of the baseline",
    "score-system": "score of the system",
}  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the segments of two median replicas, ranked; or write MultEval's files."""
    if options.limit < 0:
        raise ValueError(f"--limit must be 0 (all segments) or more; not {options.limit}.")
    if options.rank_dir or options.sent_level_dir:
        return _write_multeval(options)
    pair = selection.chosen_pairs(options)[0]
    segments = pair.median_segments(options.select_on, progress=output.report_progress)
    output.clear_line()
    unknown = set(options.document or ()) - set(segments.table.document or ())
    if unknown:
        raise ValueError(f"--document: {pair.test_set} has no document {min(unknown)!r}.")
    _print(pair, segments, options)
    return DONE


def _print(pair: Pair, segments: MedianSegments, options: argparse.Namespace) -> None:
    from mtsig_core.analysis.reading.segment_filters import filter_segments
    from mtsig_core.formatting import score_decimals
    from mtsig_core.reports.reading import ranked, segment_lines, segments_document

    table = segments.table
    selected = set(filter_segments(table, _filter(options)).tolist())
    places = [place for place in ranked(table, options.order) if place in selected][: options.limit or None]
    notes = [note for note in (segments.warning, *selection.notes_of_pairs([pair])) if note]
    if options.json:
        output.print_json(segments_document(table, places, segments.select_on, pair.bench.experiment, notes))
        return
    sides = [f"{system} ({replica})" for system, replica in (table.b, table.a)]
    chosen = f"median replicas by {pair.metric.label} on {segments.select_on}"
    total = _how_many(len(selected), len(table.index))
    output.say(f"{pair.test_set}: {sides[0]} against {sides[1]}, {chosen}; {len(places):,} of {total}")
    output.print_lines(notes)
    if not output.is_for_people():
        output.print_frame(table.to_frame().iloc[places])
        return
    for line in segment_lines(table, places, score_decimals(table.score_a) - 1):
        output.say(line)


def _how_many(selected: int, total: int) -> str:
    from mtsig_core.formatting import count

    if selected == total:
        return count(total, "segment")
    return f"{selected:,} that the filters leave of {total:,} segments"


def _filter(options: argparse.Namespace) -> SegmentFilter:
    from mtsig_core.analysis.reading.segment_filters import FIELDS, Agree, SegmentFilter

    agree: dict[str | None, Agree] = {None: "", "any": "any", "baseline": "a", "system": "b"}
    fields = {FILTER_FIELDS[name] for name in options.field or FILTER_FIELDS}
    length, gain, score_a, score_b = (_range(options, name) for name in RANGES)
    return SegmentFilter(
        text=options.contains, regex=options.regex, match_case=options.match_case,
        fields=tuple(name for name in FIELDS if name in fields), documents=tuple(options.document or ()),
        length=length, gain=gain, score_a=score_a, score_b=score_b, agree=agree[options.agree],
        changed=options.changed,
    )  # fmt: skip


def _range(options: argparse.Namespace, name: str) -> Range:
    low, high = (getattr(options, f"{end}_{name.replace('-', '_')}") for end in ("min", "max"))
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _write_multeval(options: argparse.Namespace) -> int:
    from mtsig_core.reports.files.multeval_files import multeval_files

    bench, metrics = selection.open_bench(options)
    baseline = bench.experiment.system(options.baseline or bench.experiment.baseline).name
    test_set = _readable_set(options, bench, baseline)
    others = [bench.experiment.system(options.system).name] if options.system else [
        s.name for s in bench.experiment.systems_on(test_set) if s.name != baseline
    ]
    tables = bench.multeval_tables(
        test_set, metrics, [baseline, *others], select_on=options.select_on, progress=output.report_progress)
    output.clear_line()
    written = _write(multeval_files(tables, bench.experiment), options)
    if options.json:
        replicas = {name: list(names) for name, names in tables.replicas.items()}
        output.print_json({"test_set": test_set, "systems": tables.systems, "replicas": replicas, "files": written})
        return DONE
    if not output.is_for_people():
        output.print_list("file", written)
        return DONE
    for number, name in tables.systems.items():
        order = ", ".join(f"opt{k} = {replica}" for k, replica in enumerate(tables.replicas[name], 1))
        output.say(f"{number} = {name} ({order})")
    folders = " and ".join(filter(None, (options.rank_dir, options.sent_level_dir)))
    output.say(f"{len(written)} files of {test_set} written to {folders}")
    return DONE


def _readable_set(options: argparse.Namespace, bench: Workbench, baseline: str) -> str:
    """Return the test set of a call, else the first one, no tuning set if possible, with outputs of the baseline."""
    experiment = bench.experiment
    wanted = experiment.test_set(options.test_set).name if options.test_set else None
    sets = [
        t.name for t in experiment.test_sets
        if wanted in (None, t.name) and baseline in {s.name for s in experiment.systems_on(t.name)}
    ]
    if not sets:
        raise ValueError(f"{baseline!r} has no output on {wanted or 'any test set'}; the files show outputs.")
    return next((name for name in sets if experiment.test_set(name).role != "dev"), sets[0])


def _write(files: MultEvalFiles, options: argparse.Namespace) -> list[str]:
    """Write the files that a call asks for and return their paths."""
    written = []
    for folder, contents in ((options.rank_dir, files.ranked), (options.sent_level_dir, files.sentences)):
        for name, text in contents.items() if folder else ():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "backslashreplace"))
            written.append(str(path))
    return written


def _options(parser: argparse.ArgumentParser) -> None:
    orders = ("gain", "loss", "index")
    parser.add_argument("--order", choices=orders, default="gain", help="which segments come first (default: gain)")
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="number of segments (default 20; 0: all)"
    )
    parser.add_argument(
        "--rank-dir", metavar="DIR", help="write MultEval's --rankDir files of all systems, or of --system"
    )
    parser.add_argument("--sent-level-dir", metavar="DIR", help="write MultEval's --sentLevelDir files")
    parser.add_argument("--contains", metavar="TEXT", default="", help="only segments that contain this text")
    parser.add_argument("--regex", action="store_true", help="the text is a regular expression (Python's re)")
    parser.add_argument("--match-case", action="store_true", help="tell capital letters from small ones")
    parser.add_argument(
        "--field", action="append", choices=tuple(FILTER_FIELDS),
        help="look for the text only here; may be repeated",
    )
    parser.add_argument("--document", action="append", metavar="ID", help="only this document; may be repeated")
    for name, what in RANGES.items():
        parser.add_argument(f"--min-{name}", type=float, metavar="X", help=f"smallest {what}")
        parser.add_argument(f"--max-{name}", type=float, metavar="X", help=f"largest {what}")
    parser.add_argument(
        "--agree", choices=("any", "baseline", "system"),
        help="only segments on which every replica of one system beats every one of the other: any, baseline or system",
    )
    parser.add_argument("--changed", action="store_true", help="only segments whose outputs differ")


COMMAND = Command(
    "segments", "the segments of the median replicas side by side, ranked by gain or loss", run,
    (reading_options, pair_options, metric_options), _options,
)
