"""The wheel holds the library and the app under one name each, and works with the core's packages alone."""

from __future__ import annotations

import json
import subprocess
import zipfile
from importlib.metadata import distributions

import pytest

import mtsig_core
from data import DEMONSTRATIONS, FIRST_SCREENS, VERDICT_LIMITS
from tests.conftest import document
from tests.packaging.environments import ROOT, create, environment, requirements, with_dependencies

ABSENT = ("numba", "pyarrow", "nltk", "distributed", "joblib", "rapidfuzz", "openpyxl", "streamlit", "plotly")
DRAWS = ("--resamples", "200", "--shuffles", "400")
COMMANDS = {
    "check": (),
    "table": ("--metric", "bleu", "--metric", "chrf", "--metric", "ter", *DRAWS),
    "compare": ("--baseline", "plain", "--system", "better", *DRAWS),
    "pairs": DRAWS,
    "median": (),
}


@pytest.fixture(scope="module")
def core(wheel, tmp_path_factory):
    """The programs of an environment that holds the wheel and what the core depends on."""
    packages = with_dependencies(requirements()).values()
    return create(tmp_path_factory.mktemp("core"), wheel, packages)


def run(command, home, **more):
    return subprocess.run(
        [str(word) for word in command], env=environment(home, **more), cwd=home, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_wheel_adds_two_names(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "mtsig_core", "mtsig_app", f"mtsig-{mtsig_core.__version__}.dist-info",
    }  # fmt: skip
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_library_and_app(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    packed = {"mtsig_core": "mtsig_core", "pages": "mtsig_app/pages"}
    for folder, target in packed.items():
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert {f"{target}/{path.relative_to(ROOT / folder).as_posix()}" for path in files} <= names
    assert {"mtsig_app/app.py", "mtsig_app/.streamlit/config.toml"} <= names
    shipped = [FIRST_SCREENS, VERDICT_LIMITS, *(own.path for own in DEMONSTRATIONS.values())]
    shipped += [own.nbest for own in DEMONSTRATIONS.values() if own.nbest]
    assert {f"mtsig_app/data/{path.name}" for path in shipped} <= names


@pytest.mark.slow
def test_the_core_has_no_optional_package(core, tmp_path):
    code = f"from importlib.util import find_spec; print([name for name in {ABSENT} if find_spec(name)])"
    assert run([core / "python", "-c", code], tmp_path).stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_core_gives_the_same_numbers(core, call, folder, tmp_path, command):
    arguments = [command, folder, "--json", *COMMANDS[command]]
    alone = run([core / "mtsig", *arguments], tmp_path)
    assert alone.returncode == 0, alone.stderr
    assert json.loads(alone.stdout) == document(call(*arguments))  # with all packages, in this process


@pytest.mark.slow
def test_a_hint_names_the_extra_that_makes_it_faster(core, folder, tmp_path):
    said = run([core / "mtsig", "table", folder], tmp_path).stderr.splitlines()
    assert [line for line in said if 'pip install "mtsig[fast]"' in line], said
    assert len([line for line in said if "pip install" in line]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [(["app"], "app"), (["table", "{folder}", "--metric", "meteor"], "metrics"),
     (["check", "{folder}/test/table.parquet"], "parquet")],
)  # fmt: skip
def test_what_needs_an_extra_says_which(core, folder, tmp_path, arguments, extra):
    (folder / "test" / "table.parquet").write_bytes(b"PAR1")
    result = run([core / "mtsig", *(word.format(folder=folder) for word in arguments)], tmp_path)
    assert result.returncode == 2
    assert f'pip install "mtsig[{extra}]"' in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_the_app_of_the_wheel_shows_its_demonstration(wheel, tmp_path):
    programs = create(tmp_path / "all", wheel, [d for d in distributions() if d.name != "mtsig"])
    (tmp_path / "data").mkdir()  # a folder of the same name where the app is started does no harm
    code = """
import sys
from streamlit.testing.v1 import AppTest
from mtsig_core.cli.start.app import app_script
assert app_script().parent.name == "mtsig_app", app_script()
app = AppTest.from_file(app_script(), default_timeout=100).run()
assert not app.exception, app.exception
import data
print(data.__file__, *[title.value for title in app.title])
"""
    result = run([programs / "python", "-P", "-c", code], tmp_path)
    assert result.returncode == 0, result.stderr
    assert "mtsig_app/data/__init__.py" in result.stdout
