"""What readers of results of whole runs share: a score for each run, test set and metric, without segments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from mtsig_core.loading.layouts.common.run_folders import names_of_runs
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import parse_json

#: Ends of the names of numbers that say how a run went, not how good it was.
_RUN = ("_per_second", "_samples", "_stderr", "_flos", "_co2_cost", "_energy_cost")


def json_in(path: str, files: FileTree) -> object:
    """Return the content of a JSON file; LoadError where it is none."""
    return parse_json("\n".join(files.text(path).lines), path, None)


def object_in(path: str, files: FileTree) -> Mapping[str, object]:
    """Return the object that a JSON file holds.

    Raises
    ------
    LoadError
        Where it holds something else.
    """
    content = json_in(path, files)
    if not isinstance(content, dict):
        raise LoadError(f"{path}: expected a JSON object; found {type(content).__name__}. Write the file again.", path)
    return content


def is_score(name: str, value: object) -> bool:
    """Say whether a number of a run is a score by its name: no length, time, count or cost."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return is_number and not f"_{name}".endswith(_RUN) and not is_no_metric(name)


def runs_by_folder(paths: Iterable[str], files: FileTree, report: Reporter) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file by its folder, however many files of one run lie there.

    Parameters
    ----------
    paths : iterable of str
    files : FileTree
        Its name is the folder of files at the top.
    report : Reporter
    """
    folders = {path: path.rpartition("/")[0] for path in paths}
    parts = {folder: folder.split("/") if folder else [files.name] for folder in folders.values()}
    # one folder is one run: no part of its name is that of a system above it
    alone = {folder: (own[-1], "") for folder, own in parts.items()}
    names = alone if len(parts) == 1 else names_of_runs(parts, files, report)
    return {path: names[folder] for path, folder in folders.items()}


def whole_run(
    file: str, output: tuple[str, str, str], metric: str, value: float, higher: bool | None = None
) -> ScoreBlock:
    """Return the score of a whole run.

    Parameters
    ----------
    file : str
    output : tuple of system, replica, test set
    metric : str
    value : float
    higher : bool, optional
        Whether higher is better, where the file says so.
    """
    system, replica, test_set = output
    named = test_set if test_set.strip() else "test"
    return ScoreBlock(file, metric, system, replica, named, in_order=(float(value),), exact=True, whole_run=True,
                      higher_is_better=higher)  # fmt: skip


def plan_of(
    files: FileTree, blocks: Mapping[str, Sequence[ScoreBlock]], reasons: Mapping[str, str], report: Reporter
) -> Plan:
    """Return the plan of files of scores; `reasons` say why others are not used.

    Raises
    ------
    LoadError
        When no file holds a score.
    """
    with_scores = {path: own for path, own in blocks.items() if own}
    if not with_scores:
        first = next(iter(blocks))
        raise LoadError(f"{first}: holds no score of a run. Give results with scores.", first)
    roles = [
        FileRole(path, "scores") if path in with_scores
        else FileRole(path, "ignored", reason=reasons.get(path, "not part of this layout"))
        for path in files
    ]  # fmt: skip
    return Plan(tuple(roles), blocks=with_scores)


def report_unused(names: Iterable[str], files: Sequence[str], report: Reporter) -> None:
    """List the numbers that are no scores."""
    listed = sorted(set(names))
    if listed:
        message = f"Numbers that are not scores, by their names: {some(listed, 12)}."
        report.add("ignored", "unused-metrics", message, files)
