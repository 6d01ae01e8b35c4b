"""Reports of scores as JSON, one file per run: sacreBLEU's, and those of people's own scripts.

::

    base.seed1.json          {"name": "BLEU", "score": 27.1, "signature": "nrefs:1|case:mixed|...", ...}
    base.seed2.json          or a list of several metrics
    base/seed1/metrics.json  {"accuracy": 0.91, "f1": 0.88, "n": 872}

A report of a script is one object in which a number has the name of a documented metric. Of one run per system nothing
can be tested: that is another case, which is refused with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mtsig_core.loading.layouts.common.file_names import names_of_outputs
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.layouts.records.whole_runs import is_score, json_in, plan_of, report_unused, whole_run
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.sources.tree import FileTree

NAME = "reports of runs"
_SACREBLEU = re.compile(r'\s*\[?\s*\{\s*"name"\s*:\s*"[^"]+",\s*"score"\s*:[^{]*"signature"\s*:', re.DOTALL)
#: One object without others inside, whole within the beginning of a file.
_FLAT = re.compile(r"\s*\{[^{}]*\}\s*")
_NUMBER = re.compile(r'"(?P<name>[^"\\]{1,60})"\s*:\s*-?\d')


def recognise(files: FileTree) -> int:
    """Return 11 when there are reports of several runs, else 0."""
    return 11 if len(_reports(files)) > 1 else 0


def _reports(files: FileTree) -> list[str]:
    return [path for path in files if base_name(path).casefold().endswith(".json") and _is_report(files.head(path))]


def _is_report(head: str) -> bool:
    if _SACREBLEU.match(head):
        return True
    return _FLAT.fullmatch(head) is not None and any(listed_direction(m["name"]) for m in _NUMBER.finditer(head))


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        When no system has several runs, or a file is damaged.
    """
    paths = _reports(files)
    names = names_of_outputs(paths, files, report)
    runs = Counter(system for system, _ in names.values())
    if max(runs.values()) < 2:
        raise LoadError(
            f"{paths[0]}: a report of one run, without scores of segments, and no system has several runs. Give the "
            "outputs themselves with their reference, or reports of several runs (SYSTEM.seed1.json, ...).",
            paths[0],
        )
    listed = some([f"{path}: {' '.join(filter(None, name))}" for path, name in names.items()], 4)
    message = f"Each report was read as that of one run ({listed})."
    report.assume("output-by-name", message, "To change this, rename the files: SYSTEM.seed1.json.", paths)
    blocks = {path: list(_blocks(path, names[path], files, report)) for path in paths}
    return plan_of(files, blocks, {}, report)


def _blocks(path: str, name: tuple[str, str], files: FileTree, report: Reporter) -> Iterator[ScoreBlock]:
    output = (name[0], name[1] or "1", DEFAULT_SET)
    content = json_in(path, files)
    if isinstance(content, dict) and "signature" not in content:
        scores = {key: value for key, value in content.items() if is_score(key, value)}
        report_unused(content.keys() - scores.keys(), [path], report)
        for metric, score in scores.items():
            yield whole_run(path, output, metric, score)
        return
    for entry in content if isinstance(content, list) else [content]:
        metric, score = (entry.get("name"), entry.get("score")) if isinstance(entry, dict) else (None, None)
        if not isinstance(metric, str) or isinstance(score, bool) or not isinstance(score, int | float):
            raise LoadError(f"{path}: expected a name and a score in each entry. Write the report again.", path)
        yield whole_run(path, output, metric, score)
