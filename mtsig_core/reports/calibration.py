"""What is known of the tests, with these replicas: as a document and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.calibration.calibration import Calibration
from mtsig_core.analysis.calibration.inflation import Overclaim
from mtsig_core.analysis.replicas.replica_effect import ReplicaEffects
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import format_score, rare_share
from mtsig_core.reports.documents import Document, plain, settings_document
from mtsig_core.resampling import Settings


@dataclass(frozen=True)
class Trust:
    """A/A calibration, whole-replica effects, and what hypothesis-level tests overclaim.

    Attributes
    ----------
    test_set, label : str
    calibrations : tuple of Calibration
        One a system.
    effects : ReplicaEffects
    overclaims : tuple of Overclaim
        One for each system but the baseline.
    """

    test_set: str
    label: str
    calibrations: tuple[Calibration, ...]
    effects: ReplicaEffects
    overclaims: tuple[Overclaim, ...]


def trust_document(
    found: Sequence[Trust], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``calibrate``."""
    return plain({
        "calibration": [_calibration(c) for one in found for c in one.calibrations],
        "replica_effects": [_named(row, _EFFECT) for one in found for row in one.effects.rows],
        "overclaim": [_named(o, _OVERCLAIM) for one in found for o in one.overclaims],
        "notes": notes,
        "settings": settings_document(settings, experiment),
    })


_EFFECT = ("test_set", "metric", "system", "n", "s_test", "f", "p", "deals", "f_closed", "p_closed", "sd", "sd_low",
           "sd_high", "note")
_OVERCLAIM = ("test_set", "metric", "a", "b", "n_a", "n_b", "variance", "variance_hypothesis", "ratio", "rate",
              "ratio_text", "rate_text", "note")


def _named(row: object, names: Sequence[str]) -> Document:
    return {name: getattr(row, name) for name in names}


def _calibration(found: Calibration) -> Document:
    expected = found.expected
    return {
        "test_set": found.test_set, "metric": found.metric, "system": found.system, "n": found.n,
        "splits": found.n_splits, "possible_splits": found.n_possible,
        "tests": [
            {"preset": row.preset, "question": row.question, "defined": len(row.p), "below": row.below,
             "share": row.share, "p": row.p}
            for row in found.rows
        ],
        "expected": None if expected is None else {
            "f": expected.f, "rate": expected.rate, "interval": [expected.low, expected.high]
        },
        "note": found.note,
    }


def trust_lines(found: Trust) -> Iterator[str | pd.DataFrame]:
    """Yield what people read, in order: sentences and tables."""
    yield f"{found.test_set}, {found.label}"
    for one in found.calibrations:
        if one.note:
            yield f"  {one.note}"
            continue
        yield f"  {one.system}: {one.n_splits} of {one.n_possible} ways to split {one.n} replicas in halves"
        yield one.to_frame()
        if one.expected is not None:
            e = one.expected
            yield (
                f"  to expect of tests that take outputs as given: {rare_share(e.rate)} false alarms at "
                f"{one.alpha:g} ({rare_share(e.low)} to {rare_share(e.high)})"
            )
    yield "  Do replicas differ as a whole?"
    frame = found.effects.to_frame()
    yield frame if frame["note"].any() else frame.drop(columns="note")
    for over in found.overclaims:
        if over.ratio is None:
            yield f"  {over.b} against {over.a}: {over.note}"
        else:
            yield (
                f"  {over.b} against {over.a}: the variance of the difference is {format_score(over.ratio, 1)} times "
                f"what tests by hypothesis reckon with; false alarms to expect {rare_share(over.rate)}"
            )
