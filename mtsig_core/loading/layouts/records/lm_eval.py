"""Results of lm-evaluation-harness: the scores of each document, as ``--log_samples`` writes them, or of whole tasks.

::

    RUN/samples_TASK_TIME.jsonl    {"doc_id": ..., "target": ..., "filter": ..., "metrics": [...], "exact_match": 1.0}
    RUN/results_TIME.json          model, seeds and directions of the same run

A task is a test set, a document a segment. A metric of several filters is one metric per filter, called as the harness
calls it: ``exact_match,strict-match``. Runs of one model whose seeds differ are its replicas. Without any samples, the
scores of whole tasks are read from the results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.records.whole_runs import (
    is_score,
    json_in,
    object_in,
    plan_of,
    report_unused,
    runs_by_folder,
    whole_run,
)
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import first_records, read_records

NAME = "lm-evaluation-harness"
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl?")
_RESULTS = re.compile(r"results(?:_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+))?\.json")
_IS_RESULTS = re.compile(r'\s*\{\s*(?:"results"|"config_general")\s*:\s*\{')  # the second: lighteval
#: Keys of a sample that are no scores.
_NO_METRIC = frozenset((
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
))  # fmt: skip
#: What may differ between replicas, as results name it.
_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")


@dataclass(frozen=True)
class _Run:
    """What the results file of a run says."""

    file: str = ""
    model: str = ""
    seeds: Mapping[str, object] = field(default_factory=dict)
    directions: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


def recognise(files: FileTree) -> int:
    """Return 55 when there are samples of the harness, 54 when there are results, else 0."""
    return 55 if _samples(files) else 54 if _results(files) else 0


def _results(files: FileTree) -> dict[str, re.Match[str]]:
    matches = {path: _RESULTS.fullmatch(base_name(path)) for path in files}
    return {path: match for path, match in matches.items() if match and _IS_RESULTS.match(files.head(path))}


def _samples(files: FileTree) -> dict[str, re.Match[str]]:
    matches = {path: _SAMPLES.fullmatch(base_name(path)) for path in files}
    return {
        path: match for path, match in matches.items()
        # the harness's own name, with a time, is enough: a damaged file is then named, not passed over
        if match and files.entry(path).original is None and (match["time"] or _is_sample(files.head(path)))
    }  # fmt: skip


def _is_sample(head: str) -> bool:
    return any({"doc_id", "resps"} <= record.keys() for record in first_records(head)[:1])


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        For a line that is no sample, or a document with two scores of a metric.
    """
    samples = _samples(files)
    if not samples:
        return _whole_tasks(files, report)
    runs = {path: _run_of(path, match["time"], files) for path, match in samples.items()}
    names = _names(samples, runs, files, report)
    blocks = {
        path: _blocks(path, match["task"], names[path], runs[path], files, report) for path, match in samples.items()
    }
    used_results = {run.file for run in runs.values()}
    roles = [
        FileRole(path, "scores") if path in samples
        else FileRole(path, "ignored", reason="settings of a run, read with its samples" if path in used_results
                      else "not part of this layout")
        for path in files
    ]  # fmt: skip
    return Plan(tuple(roles), blocks=blocks)


def _run_of(path: str, time: str | None, files: FileTree) -> _Run:
    folder = path.rpartition("/")[0]
    same = [p for p in files if p.rpartition("/")[0] == folder and _RESULTS.fullmatch(base_name(p))]
    exact = [p for p in same if (m := _RESULTS.fullmatch(base_name(p))) and m["time"] == time]
    chosen = exact or (same if len(same) == 1 else [])
    if not chosen:
        return _Run()
    content = json_in(chosen[0], files)
    return _run_in(content, chosen[0]) if isinstance(content, dict) else _Run(chosen[0])


def _run_in(content: Mapping[str, object], file: str) -> _Run:
    """Return what results say of their run."""
    config = content.get("config")
    seeds = {key: config[key] for key in _SEEDS if key in config} if isinstance(config, dict) else {}
    directions = content.get("higher_is_better")
    model = content.get("model_name") or (config.get("model_args") if isinstance(config, dict) else "")
    return _Run(file, str(model or ""), seeds, directions if isinstance(directions, dict) else {})


def _whole_tasks(files: FileTree, report: Reporter) -> Plan:
    """Read the scores of whole tasks, of results without samples."""
    results = _results(files)
    contents = {path: object_in(path, files) for path in results}
    runs = {path: _run_in(content, path) for path, content in contents.items()}
    names = _names(results, runs, files, report)
    unused: set[str] = set()
    blocks = {path: _totals(path, names[path], contents[path], runs[path], unused) for path in results}
    report_unused(unused, list(results), report)
    return plan_of(files, blocks, {}, report)


def _totals(
    path: str, names: tuple[str, str], content: Mapping[str, object], run: _Run, unused: set[str]
) -> list[ScoreBlock]:
    blocks = []
    results = content.get("results")
    tasks = dict(results) if isinstance(results, dict) else {}
    if len(tasks) > 1:
        tasks.pop("all", None)  # the mean over tasks, of lighteval
    for task, scores in tasks.items():
        numbers = scores if isinstance(scores, dict) else {}
        pairs = {key: key.rpartition(",") if "," in key else (key, "", "none") for key in numbers}
        filters = {name for metric, _, name in pairs.values() if is_score(metric, numbers.get(f"{metric},{name}"))}
        for key, (metric, _, _) in pairs.items():
            if is_score(metric, numbers[key]):
                label = key if len(filters) > 1 else metric
                higher = _direction(run, task, metric)
                blocks.append(whole_run(path, (names[0], names[1] or "1", task), label, numbers[key], higher))
            elif metric != "alias" and not metric.endswith("_stderr"):
                unused.add(metric)
    return blocks


def _names(
    matches: Mapping[str, re.Match[str]], runs: Mapping[str, _Run], files: FileTree, report: Reporter
) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file: by its folders, then by seed or time where a folder holds several."""
    names = runs_by_folder(matches, files, report)
    models = {pair: {runs[path].model for path, own in names.items() if own == pair} - {""} for pair in names.values()}
    for path, pair in names.items():
        if len(models[pair]) > 1:  # runs of several models in one folder are no replicas
            names[path] = (runs[path].model or pair[0], pair[1])
    groups: dict[tuple[str, str, str], list[str]] = {}
    for path, match in matches.items():
        groups.setdefault((*names[path], match.groupdict().get("task") or ""), []).append(path)
    for (system, _, _), paths in groups.items():
        if len(paths) > 1:
            for place, path in enumerate(sorted(paths, key=lambda p: matches[p]["time"] or ""), 1):
                seed = _own_seed(path, paths, runs)
                names[path] = (system, f"seed{seed}" if seed is not None else f"run{place}")
            sentence = "Several runs of one task in one folder are read as replicas, by seed or else by time"
            remedy = "To change this, put the files of each run into a folder of its own."
            report.gather_guess("runs-are-replicas", sentence, remedy, paths[0].rpartition("/")[0] or paths[0])
    _report_varied(names, runs, report)
    return names


def _own_seed(path: str, paths: Sequence[str], runs: Mapping[str, _Run]) -> object:
    for key in _SEEDS:
        values = [runs[p].seeds.get(key) for p in paths]
        if None not in values and len(set(map(str, values))) == len(values):
            return runs[path].seeds[key]
    return None


def _report_varied(names: Mapping[str, tuple[str, str]], runs: Mapping[str, _Run], report: Reporter) -> None:
    """Say which seeds vary between the replicas of a system, and warn where replicas share all of them."""
    for system in dict.fromkeys(system for system, _ in names.values()):
        by_replica = {names[path][1]: runs[path].seeds for path in names if names[path][0] == system}
        if len(by_replica) < 2 or not all(by_replica.values()):
            continue
        varied = [key for key in _SEEDS if len({str(seeds.get(key)) for seeds in by_replica.values()}) > 1]
        if varied:
            message = f"{system}: what varied between replicas, as the results say: {', '.join(varied)}."
            report.add("recognised", "what-varied", message)
        else:
            message = (
                f"{system}: the results of its {count(len(by_replica), 'replica')} name the same seeds. If nothing "
                "else differs (training, prompt), these are repeated runs of one model, not replicas."
            )
            report.add("warning", "what-varied", message)


def _blocks(
    path: str, task: str, names: tuple[str, str], run: _Run, files: FileTree, report: Reporter
) -> list[ScoreBlock]:
    scores: dict[tuple[str, str], dict[str, float | None]] = {}
    unused: set[str] = set()
    numbers = NumberReader(path)
    for line, record in read_records(files.lines(path, report), path):
        if not isinstance(record.get("doc_id"), int | str):
            raise LoadError(f"{path}, line {line}: has no doc_id; is it a sample of the harness?", path)
        segment = str(record["doc_id"])
        for metric, value in _metrics(record).items():
            if not isinstance(value, int | float):
                unused.add(metric)
                continue
            own = scores.setdefault((metric, str(record.get("filter", "none"))), {})
            score = numbers.read(float(value), line, metric)
            if own.setdefault(segment, score) != score:
                raise LoadError(f"{path}, line {line}: a second {metric} of document {segment}. Keep one.", path)
    if unused:
        sentence = f"Metrics without a number per document: {some(sorted(unused), 12)}"
        report.gather("ignored", "unused-metrics", sentence, path)
    filters = {name for _, name in scores}
    system, replica = names
    return [
        ScoreBlock(
            path, f"{metric},{name}" if len(filters) > 1 else metric, system, replica or "1", task, by_id=by_id,
            higher_is_better=_direction(run, task, metric),
        )
        for (metric, name), by_id in scores.items()
    ]  # fmt: skip


def _metrics(record: Mapping[str, object]) -> dict[str, object]:
    named = record.get("metrics")
    keys = named if isinstance(named, list) else record.keys() - _NO_METRIC
    return {key: record[key] for key in keys if isinstance(key, str) and key in record}


def _direction(run: _Run, task: str, metric: str) -> bool | None:
    of_task = run.directions.get(task)
    higher = of_task.get(metric) if isinstance(of_task, dict) else None
    return higher if isinstance(higher, bool) else None
