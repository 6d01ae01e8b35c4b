"""The front door: every public name resolves, is documented, and its examples give what they say."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import mtsig_core
from mtsig_core.significance import Result
from mtsig_core.workbench import differences as differences_module

ROOT = Path(__file__).resolve().parents[1]
#: Methods that give what answers are computed from: statistics, draws, metrics, names, a world to simulate.
DATA = {
    "basis", "data", "for_tests", "bootstrap", "comparable_sets", "metric", "metrics", "notes", "once", "pair",
    "pair_draws", "selection_sets", "simulated_world", "statistics", "own_statistics",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", mtsig_core.__all__)
def test_every_public_name_has_a_docstring_and_examples_that_run(name):
    value = getattr(mtsig_core, name)
    assert name in dir(mtsig_core)
    module = sys.modules[value.__module__]
    tests = [t for t in doctest.DocTestFinder(recurse=False).find(value, name, module=module) if t.examples]
    assert inspect.getdoc(value)
    assert tests, f"{name} has no Examples section"
    for test in tests:
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        report: list[str] = []
        runner.run(test, out=report.append)
        assert runner.failures == 0, "".join(report)


def test_the_example_of_the_module_runs():
    assert doctest.testmod(mtsig_core, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_public_names_are_those_of_the_type_checker():
    source = Path(mtsig_core.__file__).read_text(encoding="utf-8")
    typed = source.split("if TYPE_CHECKING:")[1].split("__version__")[0]
    assert set(mtsig_core.__all__) == set(mtsig_core._MODULES)
    assert all(name in typed for name in mtsig_core.__all__)
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        _ = mtsig_core.blue


def questions() -> list[tuple[str, type]]:
    """Return the type of each answer that a method of Workbench or Pair gives, unless it is plain data."""
    differences = {name: getattr(differences_module, name) for name in vars(differences_module)}
    answers = []
    for owner in (mtsig_core.Workbench, mtsig_core.Pair):
        for name, method in inspect.getmembers(owner, inspect.isfunction):
            if name.startswith("_") or name in DATA:
                continue
            names = {**differences, **method.__globals__}
            answer = eval(method.__annotations__["return"], names)
            types = [one for one in (typing.get_args(answer) or (answer,)) if one is not type(None)]
            answers += [(f"{owner.__name__}.{name}", one) for one in types if one not in (str, bool, float)]
    return answers


def test_every_answer_is_a_frozen_result_that_prints_as_a_table():
    answers = questions()
    assert len(answers) > 25
    for name, answer in answers:
        assert issubclass(answer, Result), f"{name} returns {answer.__name__}, which has no to_frame"
        assert dataclasses.is_dataclass(answer), name
        assert answer.__dataclass_params__.frozen, name


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", ["import mtsig_core", "from mtsig_core.cli.main import _parser; _parser().format_help()"]
)
def test_nothing_heavy_is_imported_before_it_is_needed(code):
    heavy = ("numpy", "pandas", "scipy", "sacrebleu", "mtsig_core.metrics", "mtsig_core.workbench")
    check = f"{code}; import sys; print(*[name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("", "")
