"""The command ``convert``: a run folder of any layout in another one."""

from __future__ import annotations

import argparse

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, Command

LAYOUTS = ("native", "multeval", "sacrebleu-tsv", "mt-metrics-eval")


def run(options: argparse.Namespace) -> int:
    """Write an experiment in another layout, once it was seen to load again as it was."""
    from mtsig_core.formatting import count
    from mtsig_core.loading.layouts.common.words import in_words
    from mtsig_core.reports.converting.convert import convert

    folder = output.new_folder(options.out)
    experiment, report = selection.load_experiment(options)
    for line in (*report.refused, *report.warnings):
        output.remark(f"{line.kind}: {line.message}")
    converted = convert(experiment, options.to)
    written = output.write_files(folder, converted.files.items())
    if options.json:
        names = [
            {"test_set": key[0], "system": key[1], "replica": key[2],
             "there": dict(zip(("test_set", "system", "replica"), there, strict=True))}
            for key, there in converted.outputs.items()
        ]
        output.print_json({"from": report.layout, "to": options.to, "out": str(folder), "digest": experiment.digest,
                           "files": written, "outputs": names, "notes": converted.notes})  # fmt: skip
        return DONE
    if not output.is_for_people():
        output.print_list("file", written)
        return DONE
    output.say(f"{folder}: {count(len(written), 'file')} of the layout {options.to} (from {in_words(report.layout)}).")
    output.print_lines(converted.notes)
    return DONE


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", required=True, choices=LAYOUTS, help="the layout to write")
    parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder to write to")


COMMAND = Command("convert", "write a run folder of any layout in another one", run, own=_options)
