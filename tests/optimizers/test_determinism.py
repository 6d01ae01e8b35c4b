"""The same bytes from another process, with other kernels of the linear algebra library, with and without numba."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import hashlib, sys
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers.compiled import ENVELOPES
from mtsig_core.optimizers import OPTIMIZERS, get_optimizer, replica_files, tune_replicas, tuning_problem
from tests.optimizers.conftest import made_data
compiled, threads = sys.argv[1] == "numba", int(sys.argv[2])
if compiled:
    ENVELOPES.wait(300)
else:
    ENVELOPES.problem = "not wanted"
problem = tuning_problem(made_data(3, 40, 30, 8), get_metric("bleu", tokenize="none"))
options = {"mert": {"restarts": 2}, "pro": {"iterations": 3, "samples": 200}, "mira": {"epochs": 3},
           "risk": {"iterations": 20}, "random": {"samples": 100}}
results = [tune_replicas(problem, get_optimizer(n, **options[n]), 4, n_jobs=threads) for n in OPTIMIZERS]
for result in results:
    digest = hashlib.sha256(result.weights.tobytes())
    for replica in result.replicas:
        digest.update(replica.trajectory.weights.tobytes() + replica.trajectory.dev.tobytes())
    print(result.optimizer.name, digest.hexdigest())
print(hashlib.sha256(b"".join(data for _, data in replica_files(results))).hexdigest())
"""


def digests(compiled: str, threads: int, core: str | None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | ({"OPENBLAS_CORETYPE": core} if core else {})
    environment.pop("OPENBLAS_NUM_THREADS", None)  # products may use several, unlike in the tests of one process
    arguments = [sys.executable, "-c", CODE, compiled, str(threads)]
    done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_same_bytes_everywhere():
    expected = digests("numba", 2, None)
    assert len(expected.splitlines()) == 6
    for compiled, threads, core in (("numpy", 1, "Nehalem"), ("numba", 1, "Haswell"), ("numpy", 2, "Sandybridge")):
        assert digests(compiled, threads, core) == expected, (compiled, threads, core)
