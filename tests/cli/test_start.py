"""What the first answer needs is imported, and nothing that takes seconds besides."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What pages and the commands table, compare and pairs import before they can answer.
MODULES = ("mtsig_core.cli.main", "mtsig_core.workbench.workbench", "mtsig_core.workbench.pair",
           "mtsig_core.reports.documents",
           "mtsig_core.reports.pairs.documents")  # fmt: skip
SLOW = ("scipy", "sacrebleu", "numba", "nltk", "streamlit", "plotly", "joblib", "matplotlib", "asyncio", "distributed")


@pytest.mark.slow
def test_slow_libraries_wait_until_they_are_needed():
    code = f"import {', '.join(MODULES)}; import sys; print(*[name for name in {SLOW} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.stdout.strip(), done.stderr) == ("", "")
