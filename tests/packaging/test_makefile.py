"""Every target of the Makefile runs a program that is there, and is listed as no file."""

import re
import subprocess
import sys

import pytest

from tests.packaging.environments import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
PROGRAMS = sorted(set(re.findall(r"python -m ((?:tests|data)[.\w]*)", MAKEFILE)))


@pytest.mark.slow
def test_every_program_of_the_makefile_can_be_imported():
    assert len(PROGRAMS) > 5
    code = f"import importlib\nfor name in {PROGRAMS}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_target_is_phony():
    listed = re.search(r"^\.PHONY:((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)[1].replace("\\\n", " ").split()
    targets = re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE)
    assert sorted(listed) == sorted(targets)
