"""Folders of one upload that hold an experiment each: what a person chooses from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mtsig_core.formatting import count
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, LoadReport
from mtsig_core.loading.sources.tree import FileTree

#: Folders that are looked into, and experiments that are described.
MOST_FOLDERS, MOST_DESCRIBED = 200, 30


@dataclass(frozen=True)
class NestedExperiment:
    """An experiment in a folder of an upload.

    Parameters
    ----------
    folder : str
        Its path below the folders that merely enclose everything.
    what : str
        What it holds, in a few words; "" where that was not looked at.
    """

    folder: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.folder} ({self.what})" if self.what else self.folder


class SeveralExperiments(LoadError):
    """An upload holds several experiments, of which one is to be chosen.

    Attributes
    ----------
    experiments : tuple of NestedExperiment
    """

    def __init__(self, name: str, experiments: Sequence[NestedExperiment], report: LoadReport | None = None) -> None:
        listed = "; ".join(map(str, experiments[:MOST_DESCRIBED]))
        more = len(experiments) - MOST_DESCRIBED
        listed += f"; and {more} more" if more > 0 else ""
        super().__init__(
            f"{name}: holds {count(len(experiments), 'experiment')}: {listed}. "
            f"Choose one: from the list on the Data page, or on the command line, for example --experiment "
            f"{experiments[0].folder!r}. To load them as test sets of one experiment, give them one layout: "
            "SET/systems/SYSTEM/REPLICA.txt with SET/reference.txt.",
            name,
            report,
        )
        self.experiments = tuple(experiments)


def experiments_in(
    files: FileTree, holds: Callable[[FileTree], bool], describe: Callable[[FileTree], str]
) -> list[NestedExperiment]:
    """Return the outermost folders below the top that hold an experiment each.

    Parameters
    ----------
    files : FileTree
    holds : callable
        Says whether a tree holds an experiment.
    describe : callable
        Says in a few words what it holds.
    """
    above = len(files.stripped)
    trees = list(_folders_below(files, holds, [MOST_FOLDERS]))
    return [
        NestedExperiment(tree.stripped[above:].rstrip("/"), describe(tree) if i < MOST_DESCRIBED else "")
        for i, tree in enumerate(trees)
    ]


def _folders_below(
    files: FileTree, holds: Callable[[FileTree], bool], left: list[int]
) -> Iterator[FileTree]:
    for name in files.folders():
        left[0] -= 1
        if left[0] < 0:
            return
        tree = files.below(name).without_enclosing()
        if holds(tree):
            yield tree
        else:
            yield from _folders_below(tree, holds, left)


def contents_of(plan: Plan) -> str:
    """Return what a plan holds, in a few words."""
    outputs = [role for role in plan.roles if role.kind == "output"]
    n_scores = sum(role.kind == "scores" for role in plan.roles)
    n_sets = len({role.test_set for role in outputs})
    words = [count(len({role.system for role in outputs}), "system"), count(len(outputs), "output")] if outputs else []
    words += [count(n_sets, "test set")] if n_sets > 1 else []
    words += [count(n_scores, "file") + " of scores"] if n_scores else []
    return ", ".join(words)
