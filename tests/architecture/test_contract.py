"""The layers hold, every module is in one, and what breaks them is rejected."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import rules

ROOT = Path(__file__).resolve().parents[2]
LINT = ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]
RULES = [rules.__file__, "."]
LATE = "def late():\n    import {}\n"
#: Modules, and what is planted in each: an import that its layer forbids, or a module that is in no layer.
FORBIDDEN = [
    ("mtsig_core/runtime/jobs.py", "import streamlit"),
    ("mtsig_core/metrics/base.py", "import mtsig_core.analysis.reading.median"),
    ("mtsig_core/metrics/mean.py", LATE.format("mtsig_core.analysis.reading.median")),
    ("mtsig_core/reports/latex.py", "import mtsig_core.figures.theme"),
    ("mtsig_core/analysis/reading/median.py", "import mtsig_core.analysis.systems.overlap"),
    ("mtsig_core/formatting.py", "import mtsig_core.runtime.jobs"),
    ("pages/explore/replicas.py", "import numpy"),
    ("pages/explore/replicas.py", "import mtsig_core.cli.main"),
    ("pages/explore/replicas.py", "import pages.start.data"),
    ("pages/parts/text.py", "import pages.start.data"),
    ("mtsig_core/shed/__init__.py", '"""A package that is in no layer."""'),
    ("mtsig_core/hut.py", '"""A module that is in no layer."""'),
    ("pages/shed/__init__.py", '"""A group of pages that is in no layer."""'),
]


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def copied(folder: Path) -> Path:
    for name in ("mtsig_core", "pages"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "app.py"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def copy(tmp_path):
    return copied(tmp_path)


@pytest.fixture
def few_files(tmp_path):
    """A tree of the files that the tests of names touch, which takes no time to search."""
    for name in ("mtsig_core/__init__.py", "mtsig_core/metrics/registry.py", "mtsig_core/metrics/bleu.py",
                 "mtsig_core/figures/theme.py", "mtsig_core/analysis/reading/median.py",
                 "mtsig_core/loading/__init__.py", "pages/parts/view.py", "pyproject.toml"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def plant(copy: Path, module: str, text: str) -> None:
    path = copy / module
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{path.read_text() if path.exists() else ''}\n{text}\n")


@pytest.mark.slow
def test_the_contract_holds_and_every_page_is_in_the_graph(copy):
    result = run(LINT, copy)
    assert result.returncode == 0, result.stdout
    import grimp

    graph = grimp.build_graph("mtsig_core", "pages", include_external_packages=True, cache_dir=None)
    for root in ("pages", "mtsig_core"):
        for path in (ROOT / root).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            assert name in graph.modules, f"{path} is not checked: is an __init__.py missing?"


@pytest.mark.slow
def test_no_cycle_and_no_stray_name_of_a_module(copy):
    result = run(RULES, copy)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def rejected(tmp_path_factory):
    """What the linter says of a tree that breaks every contract: all is planted at once, since a run takes a second."""
    tree = copied(tmp_path_factory.mktemp("planted"))
    for module, planted in FORBIDDEN:
        plant(tree, module, planted)
    result = run(LINT, tree)
    assert result.returncode == 1, result.stdout + result.stderr
    return " ".join(result.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(("module", "planted"), FORBIDDEN)
def test_what_the_layers_forbid_is_rejected(rejected, module, planted):
    importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    said = f"{importer} -> {planted.split()[-1]}" if "import" in planted else f"- {importer}"
    assert re.search(rf"{re.escape(said)}\b(?!\.)", rejected), rejected


@pytest.mark.slow
def test_a_cycle_is_rejected(copy):
    for planted, (one, other) in (("import mtsig_core.figures.{}", ("first", "second")),
                                  (LATE.format("mtsig_core.figures.{}"), ("third", "fourth"))):  # fmt: skip
        plant(copy, f"mtsig_core/figures/{one}.py", planted.format(other))
        plant(copy, f"mtsig_core/figures/{other}.py", planted.format(one))
    result = run(RULES, copy)
    assert result.returncode == 1, result.stderr
    assert "mtsig_core.figures.first, mtsig_core.figures.second" in result.stdout
    assert "mtsig_core.figures.fourth, mtsig_core.figures.third" in result.stdout


@pytest.mark.parametrize(
    ("module", "planted", "reason"),
    [
        ("mtsig_core/metrics/registry.py", 'LATER = "mtsig_core.analysis.reading.median"', "not in a layer below"),
        ("mtsig_core/metrics/registry.py", 'LATER = "mtsig_core.metrics.nowhere"', "names no module"),
        ("mtsig_core/metrics/registry.py", 'LATER = "pages.parts.view"', "knows no page"),
        ("mtsig_core/__init__.py", 'LATER = {"median": "mtsig_core.nowhere:median"}', "names no module"),
        ("mtsig_core/figures/theme.py", 'LATER = "mtsig_core.analysis.reading.median"', "by a string"),
        ("mtsig_core/figures/theme.py", 'LATER = lambda name: f"mtsig_core.analysis.{name}"', "by a string"),
        ("pages/parts/view.py", 'LATER = "mtsig_core.analysis.reading.median"', "by a string"),
    ],
)
def test_a_name_of_a_module_in_the_wrong_place_is_rejected(few_files, module, planted, reason):
    plant(few_files, module, planted)
    assert [problem for problem in rules.named_modules(few_files) if reason in problem]


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("mtsig_core/__init__.py", 'LATER = {"load": "mtsig_core.loading"}'),
        ("mtsig_core/metrics/registry.py", 'LATER = "mtsig_core.metrics.bleu"'),
    ],
)
def test_a_registry_may_name_what_is_below_it(few_files, module, planted):
    before = list(rules.named_modules(few_files))
    plant(few_files, module, planted)
    assert list(rules.named_modules(few_files)) == before
