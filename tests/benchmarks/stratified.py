"""The stratified bootstrap of replicas against rliable's, which is installed with its own pins into its own folder."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np

from mtsig_core.resampling import bootstrap_means
from mtsig_core.resampling.compiled import SIGNED_SUMS
from tests.benchmarks._common import ROOT, Row, best_of

FOLDER = ROOT / ".venv-bench"
PINS = ("rliable==1.2.0", "arch==7.2.0", "numpy<2.5", "pandas<3")  # arch 7 does not load with pandas 3
SYSTEMS, REPLICAS, SETS, DRAWS = 2, 50, 30, 50_000
FEW_DRAWS = 10_000
INSTALL_SECONDS = 400
PEER = """
import json, sys, time
import numpy as np
from rliable import library, metrics
systems, replicas, sets, draws = map(int, sys.argv[1:])
rng = np.random.default_rng(0)
scores = {str(k): rng.normal(size=(replicas, sets)) for k in range(systems)}
start = time.perf_counter()
library.get_interval_estimates(scores, lambda x: np.array([metrics.aggregate_mean(x)]), reps=draws)
print(json.dumps(time.perf_counter() - start))
"""


def installed() -> str | None:
    """Return the Python that has rliable, made when there is none yet; None where it cannot be installed."""
    python, done = FOLDER / "bin" / "python", FOLDER / "installed"
    if done.exists() and done.read_text() == "\n".join(PINS):
        return str(python)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True, capture_output=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PINS],
            check=True, capture_output=True, timeout=INSTALL_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        print(f"rliable cannot be installed: {error}", file=sys.stderr)
        return None
    done.write_text("\n".join(PINS))
    return str(python)


def rliables(python: str) -> float | None:
    """Return rliable's seconds for all draws; None where it fails."""
    command = [python, "-c", PEER, *map(str, (SYSTEMS, REPLICAS, SETS, FEW_DRAWS))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"rliable failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return float(json.loads(done.stdout)) * DRAWS / FEW_DRAWS


def ours() -> list[np.ndarray]:
    """Return each system's mean over the sets, replicas redrawn within each."""
    rng = np.random.default_rng(0)
    found = []
    for system in range(SYSTEMS):
        scores = rng.normal(size=(SETS, REPLICAS))
        drawn = [bootstrap_means(of, DRAWS, 1, system=SETS * system + k) for k, of in enumerate(scores)]
        found.append(np.mean(drawn, axis=0))
    return found


def rows() -> list[Row]:
    """Return the mean; mtsig has no interquartile mean, which takes rliable four times as long."""
    SIGNED_SUMS.wait()
    python = installed()
    theirs = rliables(python) if python else None
    job = f"stratified bootstrap of {SYSTEMS} systems, {REPLICAS} replicas, {SETS} sets; mean, {DRAWS:,} draws"
    return [Row(job, "rliable 1.2.0", theirs, best_of(2, ours), 1, remark=f"extrapolated from {FEW_DRAWS:,} draws")]
