"""Results as JSON documents: what the command line prints for programs.

Keys keep one order, undefined numbers are null, and every document states the settings, the versions and the
digest of the data that it was computed from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from mtsig_core import __version__
from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.reading.median import MedianReplica, RankTable
from mtsig_core.analysis.replicas.by_n import ByN, ByNRow
from mtsig_core.analysis.replicas.variance import VarianceRow, VarianceTable
from mtsig_core.experiment import Assumption, Experiment
from mtsig_core.loading import LoadError, LoadReport
from mtsig_core.loading.layouts.common.several import SeveralExperiments
from mtsig_core.loading.report import ReportLine
from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.pairs import Basis
from mtsig_core.resampling import Settings
from mtsig_core.significance import CoherentResult, CrossedResult, TestResult
from mtsig_core.significance.closed_form.equivalence import MarginTest

Document = dict[str, Any]


def plain(value: Any) -> Any:
    """Return a value made of JSON's own types: numpy's are converted, undefined numbers become None.

    Text that is not Unicode (from undecodable file names) is written with escapes.

    Raises
    ------
    TypeError
        For an object that has no JSON form.
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form; give numbers, text, lists or mappings.")


def versions() -> Document:
    """Return the versions that numbers may depend on."""
    return {"mtsig": __version__, "sacrebleu": _installed("sacrebleu"), "numpy": np.__version__}


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def settings_document(settings: Settings | None, experiment: Experiment) -> Document:
    """Return all that is needed to get the same numbers again."""
    draws = {} if settings is None else {
        "seed": settings.seed, "n_bootstrap": settings.n_bootstrap, "n_permutations": settings.n_permutations,
        "alpha": settings.alpha, "paired": settings.paired, "assume_equal_variation": settings.assume_equal_variation,
        "margin": settings.margin, "replicas_are": settings.replicas_are,
    }
    return plain(
        {
            **draws,
            "versions": versions(),
            "digest": experiment.digest,
            "guesses": guesses_document(experiment.assumptions),
        }
    )


def guesses_document(guesses: Sequence[Assumption]) -> list[Document]:
    """Return what was guessed while loading, and how to say otherwise."""
    return [plain({
        "kind": guess.code, "message": guess.message, "remedy": guess.remedy, "subject": guess.subject or None,
        "files": guess.files,
    }) for guess in guesses]


def table_document(
    table: VarianceTable, settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``table``: one row per system, test set and metric; notes say what was left out."""
    rows = [_table_row(row) for row in table.rows]
    return plain({"rows": rows, "notes": notes, "settings": settings_document(settings, experiment)})


def _table_row(row: VarianceRow) -> Document:
    names = ("test_set", "metric", "signature", "higher_is_better", "system", "n", "avg", "s_sel", "s_dev", "s_test")
    ratio = row.dev_ratio
    return {
        **{name: getattr(row, name) for name in names},
        "scores": row.scores,
        "s_sel_closed": row.s_sel_closed,
        "mean_over_draws": row.mean_over_draws,
        "dev_ratio": None if ratio is None else {"value": ratio.value, "interval": [ratio.low, ratio.high]},
        "reasons": row.reasons,
    }


def compare_document(
    comparisons: Sequence[Comparison], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``compare``: one result per test set and metric; notes say what was left out."""
    results = [_comparison(c) for c in comparisons]
    return plain({"results": results, "notes": notes, "settings": settings_document(settings, experiment)})


def _comparison(c: Comparison) -> Document:
    return {
        "test_set": c.test_set,
        "metric": c.metric,
        "signature": c.signature,
        "higher_is_better": c.higher_is_better,
        "baseline": c.a,
        "system": c.b,
        "scores": {"baseline": dict(zip(c.replicas_a, c.scores_a, strict=True)),
                   "system": dict(zip(c.replicas_b, c.scores_b, strict=True))},
        "difference": c.difference,
        "interval": {name: getattr(c.intervals, name) for name in ("test_set", "optimizer", "both")},
        "reasons": c.intervals.reasons,
        "wins": None if c.wins is None else {"baseline": c.wins.a, "system": c.wins.b, "tie": c.wins.tie},
        "tests": [_test(t) for t in c.tests],
        "outcome": c.verdict.outcome,
        "coherent": None if c.coherent is None else _coherent(c.coherent),
        "crossed": None if c.crossed is None else _crossed(c.crossed),
        **({} if c.margin is None else {"not_worse": c.verdict.not_worse, "margin": _margin(c.margin)}),
        "basis": None if c.basis is None else basis_document(c.basis),
        "verdict": {"outcome": c.verdict.outcome, "headline": c.verdict.headline, "details": c.verdict.details},
    }


def basis_document(basis: Basis) -> Document:
    """Return the segments and replicas that a comparison uses, and those left out."""
    return {
        "segments": basis.n_used, "segments_left_out": basis.n_left_out, "lacking": dict(basis.lacking),
        "without_partner": basis.without_partner, "copies": dict(basis.copies),
    }  # fmt: skip


def _coherent(coherent: CoherentResult) -> Document:
    return {
        "kind": coherent.kind, "difference": coherent.difference, "p": coherent.p, "interval": coherent.interval,
        "decided_by": coherent.decided_by or None, "smallest_significant": coherent.smallest_significant,
        "tests": [{"test": t.name, "se": t.se, "df": t.df, "p": t.p(coherent.difference)} for t in coherent.tests],
        "note": coherent.note, "warning": coherent.warning,
    }  # fmt: skip


def _margin(test: MarginTest) -> Document:
    names = ("margin", "interval", "equivalent", "p_equivalent", "p_not_worse", "p_worse_by_margin")
    return {name: getattr(test, name) for name in names}


def _test(test: TestResult) -> Document:
    preset = test.preset
    names = ("difference", "p", "smallest_p", "exact", "draws", "interval", "note", "warning")
    about = {"preset": preset.name, "scheme": test.scheme, "unit": test.unit, "rule": preset.rule}
    return {**about, "question": preset.question, **{name: getattr(test, name) for name in names}}


def _crossed(crossed: CrossedResult) -> Document:
    names = ("kind", "difference", "variance", "se", "df", "t", "p", "low", "high", "smallest_detectable", "components",
             "note", "warning")
    return {name: getattr(crossed, name) for name in names}


def by_n_document(
    results: Sequence[ByN], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``by-n``: one row per result and number of replicas.

    Parameters
    ----------
    results : sequence of ByN
    settings : Settings
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    rows = [_by_n_row(result, row) for result in results for row in result.rows]
    return plain({"rows": rows, "notes": notes, "settings": settings_document(settings, experiment)})


def _by_n_row(result: ByN, row: ByNRow) -> Document:
    names = (
        "n", "mean", "low", "median", "high", "closed_form_sd", "expected_sd", "p_wrong_sign", "p_wrong_range",
        "reason",
    )  # fmt: skip
    return {
        "test_set": result.test_set, "metric": result.metric, **{name: getattr(row, name) for name in names},
        "model": result.model, "difference": result.difference,
    }  # fmt: skip


def median_document(
    medians: Mapping[str, tuple[MedianReplica, RankTable]], select_on: str, metrics: Sequence[Metric],
    experiment: Experiment, notes: Sequence[str] = (),
) -> Document:
    """Return the document of ``median``.

    Parameters
    ----------
    medians : mapping of system to (MedianReplica, RankTable)
    selected_on : str
        The test set that chose.
    metrics : sequence of Metric
        The first one chose; the others only rank.
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    systems = {system: _median(median, ranks) for system, (median, ranks) in medians.items()}
    document = {"select_on": select_on, "metric": metrics[0].name, "systems": systems, "notes": notes}
    return plain({**document, "settings": settings_document(None, experiment)})


def _median(median: MedianReplica, ranks: RankTable) -> Document:
    table = {
        replica: {metric: ranks.ranks[i, j] for j, metric in enumerate(ranks.metrics)}
        for i, replica in enumerate(ranks.replicas)
    }
    return {
        "replica": median.replica,
        "score": median.score,
        "rank_table": table,
        "middle": [name for name, _ in median.middle],
        "order": median.order,
        "medians": dict(zip(ranks.metrics, ranks.medians, strict=True)),
        "closest_to_all": ranks.closest,
        "best": ranks.best,
        "worst": ranks.worst,
        "note": median.note,
    }


def check_document(
    experiment: Experiment | None, report: LoadReport | None, *, error: LoadError | None = None
) -> Document:
    """Return the document of ``check``: what was recognised, and what is wrong with it.

    Parameters
    ----------
    experiment : Experiment or None
        None when nothing could be analysed.
    report : LoadReport or None
        None when loading failed before there was anything to report.
    error : LoadError, optional
        What stopped loading; it joins the refused files.
    """
    lines = report.refused if report else ()
    refused = [_refused(file, line.message) for line in lines for file in line.files or ("",)]
    if error is not None and _refused(error.file, str(error)) not in refused:
        refused.append(_refused(error.file, str(error)))
    return plain({
        "ok": experiment is not None,
        "layout": (report.layout if report else "") or None,
        "experiments": [vars(one) for one in error.experiments] if isinstance(error, SeveralExperiments) else [],
        "systems": {s.name: [r.name for r in s.replicas] for s in experiment.systems} if experiment else {},
        "test_sets": _test_sets(experiment),
        "outside_metrics": _outside(experiment),
        "repairs": [_remark(line) for line in report.repairs] if report else [],
        "warnings": [_remark(line) for line in report.warnings] if report else [],
        "recognised": [_remark(line) for line in report.recognised] if report else [],
        "assumed": [_remark(line) for line in report.of_kind("assumed")] if report else [],
        "ignored": [_remark(line) for line in report.ignored] if report else [],
        "refused": refused,
        "guesses": guesses_document(report.guesses) if report else [],
        "digest": experiment.digest if experiment else None,
    })


def _refused(file: str, message: str) -> Document:
    return {"file": file, "message": message}


def _remark(line: ReportLine) -> Document:
    return {"kind": line.code or line.kind, "message": line.message, "files": line.files}


def _test_sets(experiment: Experiment | None) -> Document:
    sets = experiment.test_sets if experiment else ()
    return {
        t.name: {
            "role": t.role, "segments": t.n_segments, "references": len(t.references),
            "reference_names": t.reference_names,
        }
        for t in sets
    }  # fmt: skip


def _outside(experiment: Experiment | None) -> Document:
    if experiment is None:
        return {}
    assumed = experiment.assumed_directions
    return {
        name: {"higher_is_better": up, "assumed": name in assumed} for name, up in experiment.outside_metrics.items()
    }
