"""The layers hold, cover every page file, and break when a forbidden import is planted."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LINT = ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]


def lint(folder: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, *LINT, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path):
    for name in ("mtsig_core", "pages"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("mtsig_core/jobs.py", "import streamlit"),
        ("mtsig_core/metrics/base.py", "import mtsig_core.analysis.reading.median"),
        ("mtsig_core/analysis/median.py", "import mtsig_core.analysis.systems.overlap"),
        ("pages/explore/replicas.py", "import numpy"),
    ],
)
def test_a_forbidden_import_breaks_the_contract(copy, module, planted):
    path = copy / module
    path.write_text(f"{path.read_text()}\n{planted}\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout


def test_the_contract_holds_and_every_page_is_in_the_graph(copy):
    result = lint(copy)
    assert result.returncode == 0, result.stdout
    import grimp

    graph = grimp.build_graph("mtsig_core", "pages", include_external_packages=True, cache_dir=None)
    for root in ("pages", "mtsig_core"):
        for path in (ROOT / root).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            assert name in graph.modules, f"{path} is not checked: is an __init__.py missing?"
