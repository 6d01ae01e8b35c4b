"""What ``experiment.toml`` says of an experiment, once it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mtsig_core.experiment import Role
from mtsig_core.loading.recognition.roles import FileRole

MANIFEST = "experiment.toml"
#: Finds the beginning of a list of files in the text of a manifest.
DECLARES = re.compile(r"^(files\s*=|\[\[\s*files\s*\]\])", re.MULTILINE)
_DEV = re.compile(r"(dev|tun(e|ing)|valid)", re.IGNORECASE)
Form = Literal["text", "json"]
#: Of tables of texts, by path: what a person says that each column is.
NamedTables = Mapping[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class DeclaredFile:
    """The role of a file, and how its lines are written."""

    role: FileRole
    form: Form = "text"


@dataclass(frozen=True)
class Settings:
    """What a manifest says; the defaults are those of an experiment without one.

    Parameters
    ----------
    paired_systems : tuple of str
        The systems that share seeds, where not all do.
    roles : mapping of test set to role
    directions : mapping of metric to bool
        Whether higher is better, of metrics whose scores come in files.
    assumed_directions : tuple of str
        Metrics whose direction in `directions` is a guess that nobody confirmed.
    metrics : mapping of name to bool
        Whether a column of numbers is a metric, where its name does not say so.
    whole_runs : tuple of str
        Test sets that have scores of whole runs, without segments.
    checkpoints : str
        Which checkpoint of a training is used; see `mtsig_core.loading.recognition.checkpoints`.
    replicas_are : str
        What replicas differ by: a key of `mtsig_core.experiment.varied.KINDS`.
    files : tuple of DeclaredFile
        What files are, where the manifest says so.
    named_columns : mapping of path to a tuple of (column, role)
        Of tables of texts: what their columns are, where a person says so; see `mtsig_core.loading.reshaping`.
    left_out : mapping of test set to a tuple of (int, str)
        Lines, from 1, and their documents, that were left out of its files; what is numbered by line counts them.
    renamed_systems, renamed_sets : mapping of name to name
        Of systems and test sets that occur only in files of scores; "" leaves one out.
    """

    name: str = ""
    target_language: str | None = None
    baseline: str = ""
    tokenizer: str | None = None
    paired: bool = False
    paired_systems: tuple[str, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    directions: Mapping[str, bool] = field(default_factory=dict)
    assumed_directions: tuple[str, ...] = ()
    metrics: Mapping[str, bool] = field(default_factory=dict)
    checkpoints: str = ""
    whole_runs: tuple[str, ...] = ()
    files: tuple[DeclaredFile, ...] = ()
    named_columns: NamedTables = field(default_factory=dict)
    left_out: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    renamed_systems: Mapping[str, str] = field(default_factory=dict)
    renamed_sets: Mapping[str, str] = field(default_factory=dict)
    replicas_are: str = "unknown"

    def role(self, test_set: str) -> Role:
        """Return the role of a test set: as declared, else ``dev`` for dev, tune, valid..., else ``test``."""
        return self.roles.get(test_set) or ("dev" if _DEV.match(test_set) else "test")
