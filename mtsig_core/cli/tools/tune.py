"""The command ``tune``: replicas of an optimizer on n-best lists."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig_core.cli import output
from mtsig_core.cli.command import DONE, Command, natural, positive

if TYPE_CHECKING:  # these are imported where they are used: commands start sooner
    from mtsig_core.loading.nbest import NbestData
    from mtsig_core.metrics import Metric
    from mtsig_core.optimizers import Baselines, Optimizer, TuningProblem, TuningResult

SEGMENTS = "segments of the list, counted from 0, as in 0-49"


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--out", metavar="DIR", help="write replicas (native layout) and weights to this new folder")
    names = "mert (default), pro, mira, risk, random or all; may be repeated"
    parser.add_argument("--optimizer", action="append", metavar="NAME", help=names)
    replicas = "replicas per optimizer (default 10)"
    parser.add_argument("--replicas", type=positive, default=10, metavar="R", help=replicas)
    parser.add_argument("--seed", type=natural, default=12345, help="seed of all replicas (default 12345)")
    option = "an option of the optimizers, such as restarts=5; may be repeated"
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=option)
    reference = "a file with references (default: recognised by name); may be repeated"
    parser.add_argument("--reference", action="append", default=[], metavar="FILE", help=reference)
    parser.add_argument("--system", metavar="NAME", help="the system whose lists are tuned on (default: all)")
    parser.add_argument("--dev", metavar="LIST", help=f"tune on these {SEGMENTS} (default with one list: first half)")
    parser.add_argument("--test", metavar="LIST", help=f"test on these {SEGMENTS} (default: the rest)")
    parser.add_argument("--metric", default="bleu", metavar="NAME", help="the metric to tune for (default bleu)")
    tokenizer = "tokenizer of the metric (default: none for decoders' lists, 13a for JSON lines)"
    parser.add_argument("--tokenize", metavar="T", help=tokenizer)
    parser.add_argument("--lowercase", action="store_true", help="ignore case")


def run(options: argparse.Namespace) -> int:
    """Print baselines and every replica, and write them where asked."""
    from mtsig_core.loading.nbest import load_nbest
    from mtsig_core.reports.tuning import tuning_document

    folder = output.new_folder(options.out) if options.out else None
    optimizers = _optimizers(options)
    data = load_nbest(
        options.path, references=options.reference, encoding=options.encoding, progress=output.report_progress
    )
    metric = _metric(options, data)
    systems = [options.system] if options.system else list(data.systems)
    results, documents = [], []
    for system in systems:
        problem = _problem(options, data, metric, system)
        own = _tune(options, problem, optimizers)
        results += own
        sets, least, notes = _baselines(problem), _least(own), (*data.notes, *problem.notes)
        output.clear_line()
        if options.json:
            documents.append(tuning_document(own, sets, least, notes))
        else:
            _print(own, sets, least, notes)
    if folder:
        _write(folder, results)
    if options.json:
        several = {"schema": documents[0]["schema"], "systems": documents}
        output.print_json(documents[0] if len(documents) == 1 else several)
    return DONE


def _optimizers(options: argparse.Namespace) -> list[Optimizer]:
    from mtsig_core.optimizers import OPTIMIZERS, get_optimizer

    names = options.optimizer or ["mert"]
    names = list(OPTIMIZERS) if "all" in names else list(dict.fromkeys(names))
    settings = dict(_setting(text) for text in options.option)
    kinds = [get_optimizer(name) for name in names]
    unused = [name for name in settings if not any(name in kind.options for kind in kinds)]
    if unused:
        known = ", ".join(dict.fromkeys(name for kind in kinds for name in kind.options))
        raise ValueError(f"--option {unused[0]}: no option of {', '.join(names)}; there are: {known}.")
    return [
        get_optimizer(kind.name, **{
            name: int(value) if isinstance(kind.options[name], int) and value.is_integer() else value
            for name, value in settings.items() if name in kind.options
        })
        for kind in kinds
    ]  # fmt: skip


def _setting(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise ValueError(f"--option {text}: expected NAME=NUMBER, as in restarts=5.") from None


def _metric(options: argparse.Namespace, data: NbestData) -> Metric:
    from mtsig_core.metrics import get_metric

    tokenize = options.tokenize or ("none" if data.is_tokenized else "13a")
    metric = get_metric(options.metric, tokenize=tokenize, lowercase=options.lowercase)
    if not metric.is_quality:
        raise ValueError(f"{metric.label} says nothing about quality, so nothing can be tuned for it; choose another.")
    return metric


def _problem(options: argparse.Namespace, data: NbestData, metric: Metric, system: str) -> TuningProblem:
    from mtsig_core.optimizers import tuning_problem

    size = next(iter(data.lists[system].values())).n_segments if system in data.lists else 0
    dev, test = _segments(options.dev, "--dev"), _segments(options.test, "--test")
    if len(data.lists.get(system, ())) == 1 and (dev is None) != (test is None):
        rest = [i for i in range(size) if i not in set(dev or test or ())]
        dev, test = (dev or rest), (test or rest)
    return tuning_problem(
        data, metric, system=system, dev_segments=dev, test_segments=test, progress=output.report_progress
    )


def _segments(text: str | None, option: str) -> list[int] | None:
    """Return the segments that a text such as ``0-49,60`` names."""
    if text is None:
        return None
    segments: list[int] = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        if not (first.strip().isdecimal() and (not last or last.strip().isdecimal())):
            raise ValueError(f"{option} {text}: expected numbers and ranges of segments, as in 0-49,60.")
        segments += range(int(first), int(last or first) + 1)
    return list(dict.fromkeys(segments))


def _tune(
    options: argparse.Namespace, problem: TuningProblem, optimizers: Sequence[Optimizer]
) -> list[TuningResult]:
    from mtsig_core.optimizers import tune_replicas

    return [
        tune_replicas(problem, optimizer, options.replicas, seed=options.seed, progress=output.report_progress)
        for optimizer in optimizers
    ]


def _baselines(problem: TuningProblem) -> list[Baselines]:
    from mtsig_core.optimizers import baselines

    if problem.test is None:
        return [baselines(problem.dev)]
    both = baselines(problem.dev, problem.test, name=f"{problem.dev.test_set} + {problem.test.test_set}")
    return [baselines(problem.dev), baselines(problem.test), both]


def _least(results: Sequence[TuningResult]) -> Any:
    from mtsig_core.analysis.tuning import least_variance

    return least_variance(results) if len(results[0].replicas) > 1 else None


def _print(results: Sequence[TuningResult], sets: Sequence[Baselines], least: Any, notes: Sequence[str]) -> None:
    from mtsig_core.reports.tuning import baselines_frame, least_variance_sentence, replicas_frame

    problem = results[0].problem
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    output.say(f"{problem.system}: {problem.metric.label} of what needs no tuning")
    output.print_frame(baselines_frame(sets))
    output.say("Replicas")
    output.print_frame(replicas_frame(results))
    if least is not None:
        output.say("Spread over replicas")
        output.print_frame(least.to_frame())
        output.say(least_variance_sentence(least))


def _write(folder: Path, results: Sequence[TuningResult]) -> None:
    from mtsig_core.optimizers import replica_files

    output.write_files(folder, replica_files(results, folder.name))
    print(f"{folder}: replicas and weights are written.", file=sys.stderr)


COMMAND = Command(
    "tune", "tune weights on n-best lists several times, and see how much the replicas differ", run,
    own=own_options, path="an n-best list, or a folder or archive of lists with references",
)
