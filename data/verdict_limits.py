"""Compute ahead in which cases the verdict itself errs too often: they depend on nothing that is open."""

from __future__ import annotations

import json
from pathlib import Path

from data import VERDICT_LIMITS
from mtsig_core.analysis.calibration.rates import headline_limits

TRIALS = 10_000


def write(path: Path = VERDICT_LIMITS) -> None:
    """Write the measured rates."""
    rows = [[r.replicas, r.world, r.rate.at_5, r.rate.at_1, r.rate.trials] for r in headline_limits(TRIALS).rows]
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")
