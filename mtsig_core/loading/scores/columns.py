"""What the columns of a score table mean, by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

#: Names of each role, the surest first; blanks, dots, hyphens and underscores are one.
NAMES: dict[str, tuple[str, ...]] = {
    "system": (
        "system", "sys", "system name", "system id", "sysid", "mt system", "model", "model name", "model id", "method",
        "approach",
    ),
    "replica": (
        "replica", "replicate", "replica id", "seed", "random seed", "run", "run id", "run name", "rep", "repeat",
        "trial", "opt", "optimizer run", "init", "fold",
    ),
    "segment": (
        "segment", "seg", "segment id", "seg id", "segid", "segment number", "segment index", "sentence", "sentence id",
        "sent", "sent id", "sentid", "line", "line number", "item", "item id", "example", "example id", "instance",
        "instance id", "index", "idx", "id",
    ),
    "score": ("score", "value", "segment score", "seg score", "metric score", "metric value", "scores"),
    "metric": ("metric", "metric name", "measure", "score name", "score type"),
    "test_set": ("test set", "testset", "dataset", "data set", "set", "corpus", "split", "benchmark"),
    "document": ("document", "doc", "document id", "doc id", "docid"),
    "higher_is_better": ("higher is better", "higher better", "higher"),
}  # fmt: skip
#: Columns of numbers that are no scores: how many ratings a mean is of, and an index without a name.
COUNTS = frozenset(("n", "count", "n ratings", "n raters", "n annotators", "unnamed: 0", ""))


@dataclass(frozen=True)
class Columns:
    """Where each role stands in a header.

    Parameters
    ----------
    header : tuple of str
    places : mapping of role to column number
    metrics : tuple of int
        Columns of a wide table, one per metric; empty in a long one.
    """

    header: tuple[str, ...]
    places: dict[str, int]
    metrics: tuple[int, ...] = field(default=())

    @property
    def is_table_of_scores(self) -> bool:
        """Whether systems, segments and something that may be scores are there."""
        if not {"system", "segment"} <= self.places.keys():
            return False
        return "score" in self.places or len(self.free()) > 0

    def free(self) -> list[int]:
        """Return the columns that have no role and may be metrics: not counts, and not the index that pandas writes."""
        used = set(self.places.values())
        return [i for i, name in enumerate(self.header) if i not in used and _plain(name) not in COUNTS]


def columns_of(header: Sequence[str], names_of_roles: Mapping[str, Sequence[str]] = NAMES) -> Columns:
    """Return the roles of the columns of a header, each role taken by its surest name among `names_of_roles`."""
    plain = [_plain(name) for name in header]
    places = {}
    for role, names in names_of_roles.items():
        place = next((plain.index(name) for name in names if name in plain), None)
        if place is not None:
            places[role] = place
    return Columns(tuple(header), places)


def _plain(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip().strip("\ufeff\"'"))
    return " ".join(re.split(r"[\s_.\-]+", spaced.casefold())).strip()
