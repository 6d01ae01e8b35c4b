"""The numbers of a report again, and what differs: data, versions, settings, numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mtsig_core.experiment import Experiment
from mtsig_core.reports.paper.document import SCHEMA, digests_document, environment, metric_document
from mtsig_core.reports.paper.results import ReportRequest
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.workbench.options import SETTING_NAMES
from mtsig_core.workbench.paper.make import make_report
from mtsig_core.workbench.workbench import Workbench

TOLERANCE = 1e-9  # relative: other processors round otherwise
Kind = Literal["data", "file", "version", "setting", "number"]


@dataclass(frozen=True)
class Change:
    """Something that is not as it was.

    Parameters
    ----------
    kind : {"data", "file", "version", "setting", "number"}
    what : str
    before, now : object
        None where there is nothing.
    """

    kind: Kind
    what: str
    before: Any
    now: Any


@dataclass(frozen=True)
class Replay:
    """The outcome of computing a report again.

    Attributes
    ----------
    changes : tuple of Change
        What differs, causes first.
    compared : int
        How many numbers were compared; 0 where they could not be computed.
    """

    changes: tuple[Change, ...]
    compared: int

    @property
    def same(self) -> bool:
        """Whether all numbers were computed again, and are the same."""
        return self.compared > 0 and not any(change.kind == "number" for change in self.changes)


def replay(
    document: Mapping[str, Any], bench: Workbench, *, files: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None, progress: Progress = no_progress,
) -> Replay:
    """Compute the numbers of a report again and compare them.

    Parameters
    ----------
    document : mapping
        What ``report.json`` holds.
    bench : Workbench
        Of the data at hand.
    files : mapping of path to str, optional
        Sha256 of the files at hand, to name those that differ.
    settings : mapping of name to value, optional
        Settings that take the place of the report's; each is named as a difference.
    progress : Progress

    Raises
    ------
    ValueError
        When the document is no report, or one of another version of the format.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> report = mtsig_core.make_report(bench, n_bootstrap=100, n_permutations=100)
    >>> replay(report.document, bench).same, replay(report.document, bench, settings={"seed": 1}).same
    (True, False)
    """
    _check(document)
    causes = [
        *_files(document, files), *_data(document, bench.experiment), *_versions(document),
        *_settings(document, settings or {}),
    ]
    if missing := list(_missing(document, bench.experiment)):
        return Replay((*causes, *missing), 0)
    request = _request(document["request"], bench)
    for before, metric in zip(document["request"]["metrics"], request.metrics, strict=True):
        causes += _changes("setting", f"{metric.label}: ", before, metric_document(metric))
    wanted = replace(_settings_of(document), **(settings or {}))
    again = make_report(bench, request, settings=wanted, progress=progress).document
    numbers = list(_leaves(again["results"]))
    return Replay((*causes, *_changes("number", "", document["results"], again["results"])), len(numbers))


def _check(document: Mapping[str, Any]) -> None:
    if document.get("kind") != "mtsig report":
        raise ValueError("This was not written by mtsig report: give the report.json of a report.")
    if document.get("schema") != SCHEMA:
        raise ValueError(
            f"The report has format {document.get('schema')}; this version of mtsig reads format {SCHEMA}."
        )


def _settings_of(document: Mapping[str, Any]) -> Settings:
    return Settings(**{name: document["settings"][name] for name in SETTING_NAMES})


def _request(asked: Mapping[str, Any], bench: Workbench) -> ReportRequest:
    names = ("tokenize", "lowercase", "language", "nfc")
    metrics = tuple(bench.metric(one["name"], **{name: one[name] for name in names}) for one in asked["metrics"])
    return ReportRequest(
        tuple(asked["parts"]), tuple(asked["test_sets"]), metrics, asked["baseline"], tuple(asked["systems"]),
        tuple(asked["presets"]), asked["difference"], asked["power"],
    )


def _missing(document: Mapping[str, Any], experiment: Experiment) -> Iterator[Change]:
    """Yield what the report is about and the data at hand do not have."""
    asked = document["request"]
    systems, sets = {s.name for s in experiment.systems}, {t.name for t in experiment.test_sets}
    for what, wanted, present in (("system", [asked["baseline"], *asked["systems"]], systems),
                                  ("test set", asked["test_sets"], sets)):  # fmt: skip
        for name in wanted:
            if name not in present:
                yield Change("number", f"nothing can be computed without the {what} {name}", None, None)


def _files(document: Mapping[str, Any], files: Mapping[str, str] | None) -> Iterator[Change]:
    before = document["files"]
    if not before or files is None:
        return
    for path in sorted({*before, *files}):
        if before.get(path) != files.get(path):
            yield Change("file", path, before.get(path), files.get(path))


def _data(document: Mapping[str, Any], experiment: Experiment) -> Iterator[Change]:
    before, now = document["digests"], digests_document(experiment)
    yield from _changes("data", "test set ", before["test_sets"], now["test_sets"])
    for system in sorted({*before["replicas"], *now["replicas"]}):
        old, new = (side["replicas"].get(system) for side in (before, now))
        if old is None or new is None:
            yield Change("data", f"system {system}", old and "present", new and "present")
        else:
            yield from _changes("data", f"{system}/", old, new)


def _versions(document: Mapping[str, Any]) -> Iterator[Change]:
    from mtsig_core.reports.documents import versions

    yield from _changes("version", "", document["settings"]["versions"], versions())
    shown = {*document["settings"]["versions"]}
    old, new = ({k: v for k, v in side.items() if k not in shown} for side in (document["environment"], environment()))
    yield from _changes("version", "", old, new)


def _settings(document: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[Change]:
    for name, value in settings.items():
        if document["settings"][name] != value:
            yield Change("setting", name, document["settings"][name], value)


def _changes(kind: Kind, where: str, before: Any, now: Any) -> Iterator[Change]:
    """Yield what differs between two values made of JSON's types."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*before, *now]):
            path = f"{where}.{key}" if where and where[-1] not in " /." else f"{where}{key}"
            yield from _changes(kind, path, before.get(key), now.get(key))
    elif isinstance(before, list) and isinstance(now, list):
        for i in range(max(len(before), len(now))):
            sides = (side[i] if i < len(side) else None for side in (before, now))
            yield from _changes(kind, f"{where}[{i}]", *sides)
    elif not (_equal(before, now) or kind == "number" and _is_sentence(before) and _is_sentence(now)):
        yield Change(kind, where, before, now)


def _equal(before: Any, now: Any) -> bool:
    if _is_number(before) and _is_number(now):
        return math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=1e-12)
    return type(before) is type(now) and before == now


def _is_sentence(value: Any) -> bool:
    """Say whether a text only puts numbers into words, which are compared themselves; another version words it anew."""
    return isinstance(value, str) and value.count(" ") > 2


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _leaves(value: Any) -> Iterator[float]:
    """Yield the numbers of a document."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif _is_number(value):
        yield value
