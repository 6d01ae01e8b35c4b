"""Functions, files and folders stay small enough to be read at once."""

import ast
import textwrap
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("mtsig_core", "pages", "data")
LINES_OF_FUNCTION, PARAMETERS, LINES_OF_FILE, MODULES_OF_FOLDER = 40, 6, 400, 16

#: Longer functions: layouts of figures, and loops that a compiler turns into one piece of machine code.
LONG = {
    "mtsig_core/figures/combined.py:forest",
    "mtsig_core/figures/calibration.py:replica_effect_intervals",
    "mtsig_core/figures/median.py:replica_order",
    "mtsig_core/figures/median.py:segment_spread",
    "mtsig_core/figures/planner.py:power_contour",
    "mtsig_core/metrics/compiled/edits.py:_best_shift",
    "mtsig_core/metrics/compiled/ngrams.py:bleu",
    "mtsig_core/metrics/compiled/ngrams.py:triples",
    "mtsig_core/optimizers/compiled/envelopes.py:envelopes",
    # its docstring describes two forms of data
    "mtsig_core/loading/scores/frames.py:load_scores",
}
#: Files whose functions take more parameters: compiled code knows arrays only.
MANY_PARAMETERS = {
    "mtsig_core/metrics/compiled/edits.py",
    "mtsig_core/metrics/compiled/ngrams.py",
    "pages/parts/downloads.py",
    "pages/parts/settings_panel.py",
}


def python_files(root: Path, folders: tuple[str, ...]) -> list[Path]:
    return [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines, without the examples that end a docstring."""
    lines = function.end_lineno - function.lineno + 1
    docstring = (ast.get_docstring(function) or "").splitlines()
    return lines - len(docstring[docstring.index("Examples") :]) if "Examples" in docstring else lines


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len([one for one in named if one.arg not in ("self", "cls")])


@cache
def functions(root: Path, folders: tuple[str, ...] = SOURCES) -> list[tuple[str, str, int, int]]:
    """Return file, name, number of lines and number of parameters of each function."""
    return [
        (path.relative_to(root).as_posix(), node.name, length(node), parameters(node))
        for path in python_files(root, folders)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


@pytest.mark.slow
def test_functions_are_short():
    long = {f"{file}:{name}": lines for file, name, lines, _ in functions(ROOT) if lines > LINES_OF_FUNCTION}
    assert {name: lines for name, lines in long.items() if name not in LONG} == {}


@pytest.mark.slow
def test_functions_take_few_parameters():
    many = {f"{file}:{name}": n for file, name, _, n in functions(ROOT)
            if n > PARAMETERS and file not in MANY_PARAMETERS}  # fmt: skip
    assert many == {}


def test_files_are_short():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
               for path in python_files(ROOT, (*SOURCES, "tests"))}  # fmt: skip
    assert {name: n for name, n in lengths.items() if n > LINES_OF_FILE} == {}


def test_folders_hold_few_modules():
    modules = Counter(path.parent.relative_to(ROOT).as_posix() for path in python_files(ROOT, SOURCES)
                      if path.name != "__init__.py")  # fmt: skip
    assert {name: n for name, n in modules.items() if n > MODULES_OF_FOLDER} == {}


def test_folders_of_tests_mirror_those_of_the_library():
    apart = {"architecture", "benchmarks", "browser", "packaging", "pages", "data", "load"}
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    own = [folder for folder in folders if folder.parts and folder.parts[0] not in apart]
    assert [folder for folder in own if not (ROOT / "mtsig_core" / folder).is_dir()] == []


@pytest.mark.parametrize(("n_parameters", "n_lines"), [(6, 40), (7, 41)])
def test_the_measures_count_what_they_should(tmp_path, n_parameters, n_lines):
    names = ", ".join(f"p{i}" for i in range(n_parameters))
    method = f"def method(self, {names}):\n" + '    """Do.\n\n    Examples\n    --------\n    >>> 1\n    1\n    """\n'
    method += "    pass\n" * (n_lines - 4)  # besides the head, and three lines of docstring that are no example
    (tmp_path / "mtsig_core").mkdir()
    (tmp_path / "mtsig_core/one.py").write_text("class One:\n" + textwrap.indent(method, "    "))
    assert functions(tmp_path) == [("mtsig_core/one.py", "method", n_lines, n_parameters)]
