"""One score per file, of a whole run each.

::

    base/seed1/bleu.txt     27.3, or the line that sacreBLEU or multi-bleu prints
    base.seed1.bleu         the same beside the name of an output

The metric is what the file is called by, the run what its folders or the rest of its name say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mtsig_core.loading.layouts.common.run_folders import names_of_runs
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.layouts.records.whole_runs import plan_of, whole_run
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.lines import metric_of_number, one_score
from mtsig_core.loading.sources.tree import FileTree

NAME = "numbers of runs"


def recognise(files: FileTree) -> int:
    """Return 10 when several files hold one score of a documented metric each, else 0."""
    return 10 if len(_numbers(files)) > 1 else 0


def _numbers(files: FileTree) -> dict[str, tuple[str, str]]:
    """Return the metric of each file that holds one number, and the output that its own name says, or ""."""
    return {path: metric_of_number(path) for path in files if one_score(path, files.head(path)) is not None}


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        When no system has several runs.
    """
    numbers = _numbers(files)
    names = _names(numbers, files, report)
    runs = Counter((system, numbers[path][0]) for path, (system, _) in names.items())
    first = next(iter(numbers))
    if max(runs.values()) < 2:
        raise LoadError(
            f"{first}: one score of a whole run, and no system has several runs. They do not say how far another run "
            "would move them, so no test can be made. Give the outputs themselves with their reference, or the scores "
            "of several runs (SYSTEM/seed1/bleu.txt, ...).",
            first,
        )
    listed = some([f"{path}: {numbers[path][0]} of {' '.join(filter(None, name))}" for path, name in names.items()], 4)
    message = f"Files of one number were read as the scores of whole runs ({listed})."
    remedy = "To change this, write a table with columns system, run, metric and score."
    report.assume("output-by-name", message, remedy, numbers)
    scores = {path: one_score(path, files.head(path)) or 0.0 for path in numbers}
    blocks = {path: [whole_run(path, (system, replica or "1", DEFAULT_SET), numbers[path][0], scores[path])]
              for path, (system, replica) in names.items()}  # fmt: skip
    return plan_of(files, blocks, {}, report)


def _names(
    numbers: Mapping[str, tuple[str, str]], files: FileTree, report: Reporter
) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file, by its folders and what its own name says of an output."""
    parts = {path: [*path.split("/")[:-1], *([output] if output else [])] for path, (_, output) in numbers.items()}
    return names_of_runs(parts, files, report)
