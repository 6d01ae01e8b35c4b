"""Calibration of the tests: as a document and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from mtsig_core.analysis.calibration.calibration import Calibration
from mtsig_core.analysis.calibration.inflation import Inflation
from mtsig_core.analysis.calibration.replica_effect import ReplicaEffects
from mtsig_core.analysis.calibration.report import CalibrationReport
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import format_p, format_percent, format_score, rare_share
from mtsig_core.reports.documents import Document, plain, settings_document
from mtsig_core.resampling import Settings

_EFFECT = ("test_set", "metric", "system", "n", "s_test", "f", "p", "n_permutations", "f_closed", "p_closed", "sd",
           "sd_low", "sd_high", "note")
_INFLATION = ("test_set", "metric", "a", "b", "n_a", "n_b", "variance", "variance_hypothesis", "ratio", "rate",
              "ratio_text", "rate_text", "note")


def calibration_document(
    reports: Sequence[CalibrationReport], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``calibration``."""
    return plain({
        "calibration": [_calibration(c) for one in reports for c in one.calibrations],
        "replica_effects": [_fields(row, _EFFECT) for one in reports for row in one.effects.rows],
        "inflation": [_fields(row, _INFLATION) for one in reports for row in one.inflations],
        "notes": notes,
        "settings": settings_document(settings, experiment),
    })


def _fields(row: object, names: Sequence[str]) -> Document:
    return {name: getattr(row, name) for name in names}


def _calibration(result: Calibration) -> Document:
    expected = result.expected
    return {
        "test_set": result.test_set, "metric": result.metric, "system": result.system, "n": result.n,
        "splits": result.n_splits, "possible_splits": result.n_possible,
        "tests": [
            {"preset": row.preset.name, "question": row.preset.question, "defined": len(row.p), "below": row.below,
             "share": row.share, "p": row.p}
            for row in result.rows
        ],
        "expected": None if expected is None else {
            "f": expected.f, "rate": expected.rate, "interval": [expected.low, expected.high]
        },
        "note": result.note,
    }


def calibration_frame(result: Calibration) -> pd.DataFrame:
    """Return the tests over the splits as people read them."""
    frame = result.to_frame()
    frame["share"] = [format_percent(row.share) for row in result.rows]
    frame["median p"] = [format_p(None if p != p else p) for p in frame["median p"].astype(float)]
    return frame


def replica_effects_frame(result: ReplicaEffects) -> pd.DataFrame:
    """Return whole-replica effects as people read them."""
    frame = result.to_frame()
    for title in ("s_test", "F", "replica sd", "sd low", "sd high"):
        frame[title] = [format_score(None if x != x else x) for x in frame[title].astype(float)]
    frame["p"] = [format_p(row.p, 1 / (row.n_permutations + 1) if row.n_permutations else None) for row in result.rows]
    return without_empty_notes(frame)


def without_empty_notes(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without its column of notes where all are empty."""
    return frame if frame["note"].any() else frame.drop(columns="note")


def calibration_lines(report: CalibrationReport) -> Iterator[str | tuple[pd.DataFrame, pd.DataFrame]]:
    """Yield what people read, in order: sentences, and tables, each also with its numbers and what they are about."""
    about = {"test set": report.test_set, "metric": report.label}
    yield f"{report.test_set}, {report.label}"
    for one in report.calibrations:
        if one.note:
            yield f"  {one.note}"
            continue
        yield f"  {one.system}: {one.n_splits:,} of {one.n_possible:,} ways to split {one.n} replicas in halves"
        yield calibration_frame(one), one.to_frame().assign(**about, system=one.system)
        if one.expected is not None:
            e = one.expected
            yield (
                f"  expected of tests that take outputs as given: {rare_share(e.rate)} false alarms at "
                f"{one.alpha:g} ({rare_share(e.low)} to {rare_share(e.high)})"
            )
    yield "  Do replicas differ as a whole?"
    effects = report.effects
    yield replica_effects_frame(effects), effects.to_frame().assign(**{"test set": report.test_set})
    for inflation in report.inflations:
        yield f"  {inflation.b} against {inflation.a}: {_inflation_phrase(inflation)}"


def _inflation_phrase(result: Inflation) -> str:
    if result.ratio is None:
        return result.note
    return (
        f"the variance of the difference is {format_score(result.ratio, 1)} times what tests by hypothesis assume; "
        f"expected false alarms {rare_share(result.rate)}"
    )
