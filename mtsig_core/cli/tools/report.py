"""The commands ``report`` and ``replay``: a report for a paper, and the same numbers again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import (
    DONE,
    FAILED_CHECK,
    Command,
    metric_options,
    natural,
    positive,
    resampling_options,
    source_options,
    test_set_option,
)

if TYPE_CHECKING:
    from mtsig_core.workbench.paper.replay import Change, Replay

PARTS = ("data", "verdict", "table1", "tests", "pairs", "runs", "plan", "methods", "checklist")
FORMATS = ("html", "markdown", "latex", "csv", "json")
MOST_CHANGES = 20  # that are printed of each kind
KINDS = ("file", "data", "version", "setting", "number")


def write_report(options: argparse.Namespace) -> int:
    """Write a report on an experiment to a folder."""
    from mtsig_core.formatting import count
    from mtsig_core.loading import file_hashes
    from mtsig_core.reports.paper.files import report_files
    from mtsig_core.reports.paper.model import DEFAULT_PARTS
    from mtsig_core.reports.paper.results import ReportRequest
    from mtsig_core.workbench.paper.make import make_report

    folder = output.new_folder(options.out)
    bench, metrics = selection.open_bench(options)
    request = ReportRequest(
        tuple(options.include or DEFAULT_PARTS), (options.test_set,) if options.test_set else (), tuple(metrics),
        options.baseline or "", tuple(options.system or ()), tuple(options.preset or ()), options.difference,
        options.power,
    )
    hashes = file_hashes(options.path, encoding=options.encoding)
    report = make_report(bench, request, files=hashes, progress=output.report_progress)
    written = output.write_files(folder, report_files(report, tuple(dict.fromkeys(options.write or FORMATS))))
    output.clear_line()
    if options.json:
        output.print_json({"out": str(folder), "files": written})
        return DONE
    if not output.is_for_people():
        output.print_list("file", written)
        return DONE
    output.say(f"{folder}: {count(len(written), 'file')}, among them {', '.join(p for p in written if '/' not in p)}.")
    return DONE


def replay_report(options: argparse.Namespace) -> int:
    """Compute the numbers of a report again; print what differs."""
    from mtsig_core.loading import file_hashes
    from mtsig_core.workbench.paper.replay import replay
    from mtsig_core.workbench.workbench import Workbench

    document = _document(options.report)
    experiment, _ = selection.load_experiment(options)
    bench = Workbench(experiment)
    changed = {name: getattr(options, name) for name in ("seed", "n_bootstrap", "n_permutations", "alpha")}
    result = replay(
        document, bench, files=file_hashes(options.path, encoding=options.encoding), progress=output.report_progress,
        settings={name: value for name, value in changed.items() if value is not None},
    )
    output.clear_line()
    if options.json:
        output.print_json({
            "same": result.same, "compared": result.compared,
            "changes": [vars(change) for change in result.changes],
        })
    else:
        _print(result)
    return DONE if result.same else FAILED_CHECK


def _document(name: str) -> dict[str, Any]:
    try:
        document = json.loads(Path(name).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{name}: not a JSON document ({error}). Give the report.json that mtsig report wrote."
        ) from error
    if not isinstance(document, dict):
        raise ValueError(f"{name} was not written by mtsig report: give the report.json of a report.")
    return document


def _print(result: Replay) -> None:
    from mtsig_core.formatting import count

    if not output.is_for_people():
        _print_changes(result)
        return
    for kind in KINDS:
        own = [change for change in result.changes if change.kind == kind]
        for change in own[:MOST_CHANGES]:
            output.say(f"{kind}: {_in_words(change)}")
        if len(own) > MOST_CHANGES:
            output.say(f"{kind}: {len(own) - MOST_CHANGES} more differ.")
    numbers = count(result.compared, "number")
    if result.same:
        output.say(f"The same: {numbers} computed again.")
    elif not result.compared:
        output.say("Not computed again: the data lack what the report is about.")
    else:
        output.say(f"Not the same: {numbers} computed again.")


def _print_changes(result: Replay) -> None:
    import pandas as pd

    rows = [(change.kind, change.what, str(change.before), str(change.now)) for change in result.changes]
    output.print_frame(pd.DataFrame(rows, columns=["kind", "what", "before", "now"]))


def _in_words(change: Change) -> str:
    if change.before is None and change.now is None:
        return change.what
    if change.now is None:
        return f"{change.what}: {_short(change.before)} before, nothing now"
    if change.before is None:
        return f"{change.what}: nothing before, {_short(change.now)} now"
    return f"{change.what}: {_short(change.before)} before, {_short(change.now)} now"


def _short(value: Any) -> str:
    text = str(value)
    longest = 50 if " " in text else 16
    return text if len(text) <= longest else f"{text[: longest - 4]}…"


def _report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder to write to")
    parser.add_argument(
        "--include", action="append", choices=PARTS, metavar="PART",
        help=f"only this part; may be repeated: {', '.join(PARTS)} (default: all but runs and plan)",
    )
    parser.add_argument(
        "--write", action="append", choices=FORMATS, metavar="FORMAT",
        help=f"only this format; may be repeated: {', '.join(FORMATS)} (default: all)",
    )
    parser.add_argument("--baseline", metavar="A", help="the system to compare with (default: the experiment's)")
    parser.add_argument(
        "--system", action="append", metavar="B", help="a system to compare; may be repeated (default: all others)"
    )
    parser.add_argument("--preset", action="append", metavar="NAME", help="use only this test; may be repeated")
    parser.add_argument(
        "--difference", type=float, metavar="D",
        help="what a plan is for: the smallest difference that matters (default: --margin)",
    )
    parser.add_argument("--power", type=float, default=0.8, help="share of experiments that must find it (default 0.8)")


def _replay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", metavar="REPORT.json", help="what mtsig report wrote")
    parser.add_argument("path", metavar="RUNS", help="the run folder, or a zip or tar of it")
    source_options(parser)
    parser.add_argument("--seed", type=natural, help="another seed than the report's")
    parser.add_argument("--resamples", dest="n_bootstrap", type=positive, metavar="B", help="another number of samples")
    parser.add_argument(
        "--shuffles", dest="n_permutations", type=positive, metavar="R", help="another number of permutations"
    )
    parser.add_argument("--alpha", type=float, help="another significance level")


REPORT = Command(
    "report", "write a report: HTML, Markdown, LaTeX, CSV and JSON, with methods and a checklist", write_report,
    (metric_options, test_set_option, resampling_options), _report_options,
)
REPLAY = Command(
    "replay", "compute the numbers of a report again, or name what differs", replay_report, own=_replay_options,
    path="",
)
