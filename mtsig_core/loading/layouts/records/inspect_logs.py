"""Evaluation logs of Inspect as JSON: the scores of each sample, and what was asked and answered.

A log is one object with ``eval`` (task and model), ``plan`` (with the seed), ``samples`` and their ``scores``. A task
is a test set, a sample a segment, a model a system. Epochs and several logs of one model are its replicas. The binary
``.eval`` form is not read: ``inspect log convert --to json``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import parse_json

NAME = "Inspect logs"
_START = re.compile(r'\s*\{\s*"(?:version|status|eval)"\s*:')
_EVAL = re.compile(r'"eval"\s*:\s*\{')
#: Grades as letters, as Inspect turns them into numbers.
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


@dataclass
class _Log:
    """One log: whose it is, and the score of each sample by (metric, epoch) and id."""

    path: str
    task: str
    model: str
    seed: object
    scores: dict[tuple[str, int], dict[str, float | None]] = field(default_factory=dict)

    @property
    def epochs(self) -> set[int]:
        """The epochs that have scores."""
        return {epoch for _, epoch in self.scores}


def recognise(files: FileTree) -> int:
    """Return 56 when there are logs of Inspect, else 0."""
    return 56 if _logs(files) else 0


def _logs(files: FileTree) -> list[str]:
    return [path for path in files if path.casefold().endswith((".json", ".json.gz")) and _is_log(files.head(path))]


def _is_log(head: str) -> bool:
    return _START.match(head) is not None and _EVAL.search(head) is not None and '"task"' in head


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        For a log without samples, or a grade that is no number.
    """
    paths = _logs(files)
    logs = [_read_log(path, files) for path in paths]
    replicas = _replicas(logs, report)
    blocks = {log.path: _blocks(log, replicas[log.path]) for log in logs}
    roles = [
        FileRole(path, "scores") if path in blocks else FileRole(path, "ignored", reason="not part of this layout")
        for path in files
    ]  # fmt: skip
    return Plan(tuple(roles), blocks=blocks)


def _read_log(path: str, files: FileTree) -> _Log:
    content = parse_json("\n".join(files.text(path).lines), path, None)
    evaluation = content.get("eval") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(evaluation, dict):
        raise LoadError(f"{path}: is not a log of Inspect: it has no object 'eval'. Export it again.", path)
    plan: Any = content.get("plan")
    config = plan.get("config") if isinstance(plan, dict) else None
    seed = config.get("seed") if isinstance(config, dict) else None
    log = _Log(path, str(evaluation.get("task") or "test"), str(evaluation.get("model") or "model"), seed)
    samples = content.get("samples")
    if not isinstance(samples, list) or not samples:
        raise LoadError(f"{path}: has no samples. Log them (inspect eval --log-samples), as JSON.", path)
    for number, sample in enumerate(samples, 1):
        _add_sample(sample, number, log)
    if not log.scores:
        raise LoadError(f"{path}: no sample has a score. Score the log first: inspect score.", path)
    return log


def _add_sample(sample: object, number: int, log: _Log) -> None:
    if not isinstance(sample, dict):
        raise LoadError(f"{log.path}, sample {number}: expected an object. Write the log again.", log.path)
    epoch = sample.get("epoch")
    scores = sample.get("scores")
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        for metric, grade in _grades(str(name), value):
            own = log.scores.setdefault((metric, epoch if isinstance(epoch, int) else 1), {})
            own[str(sample.get("id", number))] = _number(grade, f"{log.path}, sample {number}, {metric}", log.path)


def _grades(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from ((f"{name}/{key}", own) for key, own in value.items())
    else:
        yield name, value


def _number(grade: object, place: str, file: str) -> float | None:
    if grade is None:
        return None
    if isinstance(grade, int | float) and math.isfinite(grade):
        return float(grade)
    if isinstance(grade, str):
        known = GRADES.get(grade, GRADES.get(grade.casefold()))
        if known is not None:
            return known
        if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", grade.strip()):
            return float(grade)
    raise LoadError(f"{place}: the grade {str(grade)[:40]!r} is not a number or one of {', '.join(GRADES)}.", file)


def _replicas(logs: list[_Log], report: Reporter) -> dict[str, str]:
    """Return the name of each log among those of its model and task: by seed where seeds differ, else by order."""
    groups: dict[tuple[str, str], list[_Log]] = {}
    for log in logs:
        groups.setdefault((log.model, log.task), []).append(log)
    names: dict[str, str] = {}
    for (model, task), own in groups.items():
        seeds = [log.seed for log in own]
        by_seed = None not in seeds and len(set(map(str, seeds))) == len(own)
        for place, log in enumerate(own, 1):
            names[log.path] = f"seed{log.seed}" if by_seed and len(own) > 1 else f"run{place}" if len(own) > 1 else ""
        if len(own) > 1 or any(len(log.epochs) > 1 for log in own):
            varied = "the seed of generation" if by_seed and len(own) > 1 else "sampling"
            message = (
                f"{model} on {task}: logs and epochs are read as replicas. What varied is {varied}, not the training "
                "of the model."
            )
            remedy = "To compare logs as systems, load them with other names of models, as a table of scores."
            report.assume("what-varied", message, remedy, [log.path for log in own])
    return names


def _blocks(log: _Log, replica: str) -> list[ScoreBlock]:
    several: bool = len(log.epochs) > 1
    blocks = []
    for (metric, epoch), by_id in log.scores.items():
        name = "-".join(part for part in (replica, f"epoch{epoch}" if several else "") if part) or "1"
        blocks.append(ScoreBlock(log.path, metric, log.model, name, log.task, by_id=by_id))
    return blocks

