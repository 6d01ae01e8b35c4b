"""One small report for the tests of reports and of replaying them; other modules have benches of their own."""

from __future__ import annotations

import pytest

from mtsig_core.reports.paper.model import PARTS
from mtsig_core.reports.paper.results import ReportRequest
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.paper.make import make_report
from tests.conftest import small_experiment

FEW = Settings(n_bootstrap=100, n_permutations=200)


@pytest.fixture(scope="package")
def bench():
    return Workbench(small_experiment(), settings=FEW)


@pytest.fixture(scope="package")
def report(bench):
    parts = tuple(part for part in PARTS if part != "plan")  # simulations take seconds
    return make_report(bench, ReportRequest(parts, metrics=(bench.metric("bleu"), bench.metric("ter"))))
