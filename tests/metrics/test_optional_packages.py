"""Without any optional package: the same numbers, fewer metrics, and a hint for each."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.metrics import METRICS, get_metric, metric_hints

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = (
    "numba", "llvmlite", "joblib", "nltk", "rapidfuzz", "distributed", "openpyxl", "pyarrow", "streamlit", "plotly",
)  # fmt: skip
TEXTS = (["the cat sat on a mat .", "no", ""], [("a cat sat on the mat .",), ("yes",), ("nothing",)])
PROGRAM = f"""
import json, sys
for package in {OPTIONAL}:
    sys.modules[package] = None
import mtsig_core.metrics as metrics
loaded = sorted(name for name in ("pandas", "scipy", "sacrebleu") if name in sys.modules)
import mtsig_core.resampling
texts = {TEXTS}
def refused(name):
    try:
        metrics.get_metric(name)
    except ValueError as error:
        return str(error)
print(json.dumps({{
    "loaded": loaded,
    "statistics": {{name: metrics.get_metric(name).statistics(*texts).tolist() for name in metrics.metric_names()
                   if name != "meteor-1.5"}},
    "hints": metrics.metric_hints(),
    "refused": {{name: refused(name) for name in ("meteor", "ribes", "rouge-l")}},
}}))
"""


@pytest.fixture(scope="module")
def bare():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_importing_metrics_imports_nothing_heavy(bare):
    assert bare["loaded"] == []


@pytest.mark.slow
def test_the_same_numbers(bare):
    assert set(bare["statistics"]) >= {"bleu", "chrf", "chrf++", "ter", "nist", "bleu+1", "length", "exact-match"}
    for name, statistics in bare["statistics"].items():
        np.testing.assert_array_equal(get_metric(name).statistics(*TEXTS), statistics)


@pytest.mark.slow
def test_metrics_that_need_a_package_say_which_extra_brings_it(bare):
    assert not {"meteor", "ribes", "rouge-l"} & set(bare["statistics"])
    assert bare["refused"]["meteor"] == bare["refused"]["ribes"]
    for name, package in (("meteor", "nltk"), ("rouge-l", "rapidfuzz")):
        assert bare["refused"][name].startswith(f'{package} is not installed; pip install "mtsig[metrics]" ')
        assert bare["refused"][name] in bare["hints"]


def test_every_metric_says_whether_it_is_available():
    assert all(isinstance(metric.unavailable(), str) for metric in METRICS.values())
    assert len(metric_hints()) == len(set(metric_hints()))
