"""Runs of HELM: scores of each instance, or of whole runs where only those are there.

::

    TASK:KEY=VALUE,model=NAME/per_instance_stats.json   [{"instance_id": ..., "train_trial_index": 0, "stats": [...]}]
    TASK:KEY=VALUE,model=NAME/stats.json                [{"name": {"name": "exact_match", "split": ...}, "mean": ...}]
    TASK:KEY=VALUE,model=NAME/run_spec.json             the model and the settings of the run

A model is a system, a task with its other settings a test set, an instance a segment. Trials with other examples in the
prompt are replicas. What was measured under perturbations, and numbers about prompts, costs and times, are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mtsig_core.loading.layouts.records.whole_runs import is_score, json_in, plan_of, report_unused, whole_run
from mtsig_core.loading.recognition.names import base_name, split_keys
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import parse_items

NAME = "HELM"
#: Numbers of one instance, each with its name and perhaps what was perturbed.
MOST_METRICS = 2_000
_MOST_OBJECTS = 3 * MOST_METRICS + 2
INSTANCES, TOTALS = "per_instance_stats.json", "stats.json"
_START = {
    INSTANCES: re.compile(r'\s*\[\s*\{\s*"(?:instance_id|perturbation|train_trial_index)"'),
    TOTALS: re.compile(r'\s*\[\s*\{\s*"name"\s*:\s*\{\s*"name"'),
}
#: Numbers about prompts, answers and the machine.
_NO_SCORE = re.compile(
    r"(?:num|finish_reason|inference|training|estimated|batch|prompt|max|min|sum|logprob|predicted)(?:_.*)?"
)


def recognise(files: FileTree) -> int:
    """Return 57 when folders of runs hold statistics of HELM, else 0."""
    return 57 if _runs(files) else 0


def _runs(files: FileTree) -> list[str]:
    """Return the file to read of each run: that of its instances, else that of its totals."""
    paths = [p for p in files if (start := _START.get(base_name(p))) and start.match(files.head(p))]
    by_instance = {path.rpartition("/")[0] for path in paths if base_name(path) == INSTANCES}
    return [path for path in paths if base_name(path) == INSTANCES or path.rpartition("/")[0] not in by_instance]


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        For a file that is none of HELM after all, and when there is no score.
    """
    paths = _runs(files)
    names = {path: _names(path, files) for path in paths}
    unused: set[str] = set()
    blocks = {path: list(_blocks(path, names[path], files, unused)) for path in paths}
    report_unused(unused, paths, report)
    models = some(dict.fromkeys(system for system, _, _ in names.values()), 8)
    report.assume(
        "helm-runs",
        f"Runs of HELM: models were read as systems ({models}), tasks with their settings as test sets, trials as "
        "replicas. Scores under perturbations are not used.",
        "To change this, rename systems and test sets on the Data page.", paths,
    )  # fmt: skip
    reasons = {path: "of a run of HELM, whose scores are read" for path in files if base_name(path).endswith(".json")}
    return plan_of(files, blocks, reasons, report)


def _names(path: str, files: FileTree) -> tuple[str, str, str]:
    """Return model, replica and task of a run, by its settings or else by the name of its folder."""
    folder = path.rpartition("/")[0]
    name = folder.rpartition("/")[2] or files.name
    task, _, settings = name.partition(":")
    pieces = [piece for piece in settings.split(",") if piece]
    model = next((piece.partition("=")[2] for piece in pieces if piece.startswith("model=")), "")
    spec_file = f"{folder}/run_spec.json".lstrip("/")
    if spec_file in files:
        spec = json_in(spec_file, files)
        adapter = spec.get("adapter_spec") if isinstance(spec, dict) else None
        model = str(adapter.get("model") or model) if isinstance(adapter, dict) else model
    rest = ",".join(piece for piece in pieces if not piece.startswith(("model=", "model_deployment=")))
    own, replica = split_keys(rest) or (rest, "")
    return model or "model", replica, f"{task}:{own}" if own else task


def _blocks(
    path: str, names: tuple[str, str, str], files: FileTree, unused: set[str]
) -> Iterator[ScoreBlock]:
    text = "\n".join(files.text(path).lines)
    model, replica, task = names
    if base_name(path) == TOTALS:
        for metric, value in _scores(list(parse_items(text, path, _MOST_OBJECTS)), unused).items():
            yield whole_run(path, (model, replica or "1", task), metric, value)
        return
    scores: dict[tuple[str, str], dict[str, float | None]] = {}
    for instance in parse_items(text, path, _MOST_OBJECTS):
        stats = instance.get("stats")
        if isinstance(stats, list) and len(stats) > MOST_METRICS:
            message = f"{path}: {len(stats):,} numbers of one instance; the limit is {MOST_METRICS:,}."
            raise LoadError(f"{message} Keep those you need.", path)
        if instance.get("perturbation") is None:
            trial = str(instance.get("train_trial_index", 0))
            for metric, value in _scores(instance.get("stats"), unused).items():
                scores.setdefault((metric, trial), {})[str(instance.get("instance_id"))] = value
    several = len({trial for _, trial in scores}) > 1
    for (metric, trial), by_id in scores.items():
        own = "-".join(part for part in (replica, f"trial{trial}" if several else "") if part) or "1"
        yield ScoreBlock(path, metric, model, own, task, by_id=by_id)


def _scores(stats: object, unused: set[str]) -> Mapping[str, float]:
    """Return the means of what was measured on the test split without a perturbation, by metric."""
    by_split: dict[str, dict[str, float]] = {}
    for stat in stats if isinstance(stats, list) else ():
        name: Any = stat.get("name") if isinstance(stat, dict) else None
        if not isinstance(name, dict) or name.get("perturbation") is not None:
            continue
        metric, value = str(name.get("name")), stat.get("mean")
        if not is_score(metric, value) or _NO_SCORE.fullmatch(metric):
            unused.add(metric)
            continue
        by_split.setdefault(str(name.get("split") or "test"), {})[metric] = float(value)
    return by_split.get("test") or next(iter(by_split.values()), {})
