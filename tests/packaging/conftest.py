"""The wheel, built once for all tests of packaging."""

import subprocess
import sys

import pytest

from tests.packaging.environments import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The path of a wheel of this checkout."""
    pytest.importorskip("hatchling", reason="hatchling builds the wheel: pip install -r requirements-dev.txt")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return next(folder.glob("*.whl"))
