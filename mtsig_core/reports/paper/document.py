"""A report as one JSON document: what was asked, every number, and what it was computed from."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mtsig_core.experiment import Experiment
from mtsig_core.metrics import Metric
from mtsig_core.reports.documents import (
    Document,
    by_n_document,
    compare_document,
    plain,
    settings_document,
    table_document,
)
from mtsig_core.reports.pairs.documents import pairs_document
from mtsig_core.reports.pairs.effect import combined_document, effect_document
from mtsig_core.reports.pairs.p_by_n import lottery_document
from mtsig_core.reports.pairs.planner import planner_document
from mtsig_core.reports.pairs.several import holm_across_metrics
from mtsig_core.reports.paper.results import ReportRequest, Results

SCHEMA = 1  # of the document: raise it when a key changes its meaning or its place
LIBRARIES = ("numpy", "scipy", "pandas", "sacrebleu", "numba", "nltk", "rapidfuzz", "plotly", "streamlit")


def report_document(results: Results, files: dict[str, str] | None = None) -> Document:
    """Return the document of a report.

    Parameters
    ----------
    results : Results
    files : dict of path to str, optional
        Sha256 of the files that were loaded.
    """
    experiment, settings = results.experiment, results.settings
    return plain({
        "schema": SCHEMA,
        "kind": "mtsig report",
        "name": experiment.name,
        "request": request_document(results.request),
        "settings": settings_document(settings, experiment),
        "environment": environment(),
        "digests": digests_document(experiment),
        "files": files or {},
        "signatures": [
            {"test_set": test_set, "metric": metric, "signature": text}
            for (test_set, metric), text in results.signatures.items()
        ],
        "results": _results(results),
        "notes": results.notes,
    })


def _results(results: Results) -> Document:
    """Return the documents of the commands that show the same, each without the settings, which stand above."""
    experiment, settings = results.experiment, results.settings
    documents: Document = {}
    if results.comparisons:
        compared = compare_document(results.comparisons, settings, experiment)
        for row, effect in zip(compared["results"], results.effects, strict=False):
            row.update(effect_document(effect))
        compared["combined"] = [combined_document(one) for one in results.combined]
        compared["p_holm_across_metrics"] = {
            system: holm_across_metrics([c for c in results.comparisons if c.b == system])
            for system in results.request.systems
        }
        documents["compare"] = compared
    if results.table is not None:
        documents["table"] = table_document(results.table, settings, experiment)
    if results.pairwise:
        documents["pairs"] = pairs_document(results.pairwise, settings, experiment)
    if results.by_n:
        documents["by_n"] = by_n_document(results.by_n, settings, experiment)
        documents["lottery"] = {"results": [lottery_document(one) for one in results.lotteries]}
    if results.plans:
        documents["planner"] = planner_document(results.plans, settings, experiment)
    unwanted = ("settings", "notes")
    return {name: {key: value for key, value in one.items() if key not in unwanted} for name, one in documents.items()}


def request_document(request: ReportRequest) -> Document:
    """Return a request so that `mtsig replay` can ask the same again."""
    return {
        "parts": request.parts, "test_sets": request.test_sets, "baseline": request.baseline,
        "systems": request.systems, "presets": request.presets, "difference": request.difference,
        "power": request.power, "metrics": [metric_document(metric) for metric in request.metrics],
    }  # fmt: skip


def metric_document(metric: Metric) -> Document:
    """Return the name of a metric and the options that make it."""
    inner = getattr(metric, "inner", metric)
    return {
        "name": metric.name, "tokenize": getattr(inner, "tokenize", None),
        "lowercase": bool(getattr(inner, "lowercase", False)), "language": getattr(inner, "language", None),
        "nfc": inner is not metric, "higher_is_better": metric.higher_is_better,
    }  # fmt: skip


def environment() -> Document:
    """Return the versions of Python and of the libraries, and the kind of machine."""
    return {
        "python": platform.python_version(), "machine": platform.machine(), "system": platform.system(),
        **{name: _installed(name) for name in LIBRARIES},
    }  # fmt: skip


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def digests_document(experiment: Experiment) -> Document:
    """Return the sha256 of what was analysed: test sets, and the text and the scores of every replica."""
    outputs: dict[str, Any] = {
        system.name: {replica.name: replica.digest for replica in system.replicas} for system in experiment.systems
    }
    return {
        "experiment": experiment.digest,
        "test_sets": {test_set.name: test_set.digest for test_set in experiment.test_sets},
        "replicas": outputs,
    }
