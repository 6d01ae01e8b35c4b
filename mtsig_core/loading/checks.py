"""Checks of a loaded experiment."""

from __future__ import annotations

from collections.abc import Mapping

from mtsig_core.experiment import Experiment
from mtsig_core.jobs import Progress, no_progress
from mtsig_core.loading.report import OutputKey, ReportLine


def check(
    experiment: Experiment, files: Mapping[OutputKey, str] | None = None, *, progress: Progress = no_progress
) -> tuple[ReportLine, ...]:
    """Return warnings."""
    return ()
