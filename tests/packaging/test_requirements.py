"""The wheel's requirements, requirements.txt and the hints about missing packages say the same."""

import pytest
from packaging.requirements import Requirement

from mtsig_core.runtime.optional import OPTIONAL_PACKAGES
from tests.packaging.environments import PROJECT, ROOT, installed_megabytes, requirements, with_dependencies

EXTRAS = PROJECT["optional-dependencies"]
MOST_MEGABYTES = 350  # of the core, with all that it depends on


def read_requirements(name: str) -> set[Requirement]:
    lines = (ROOT / name).read_text().splitlines()
    return {Requirement(line) for line in lines if line and not line.startswith(("-", "#"))}


def test_requirements_txt_lists_the_core_and_every_extra():
    wanted = set(requirements(*(name for name in EXTRAS if name != "all")))
    assert read_requirements("requirements.txt") == wanted


def test_all_is_every_extra():
    assert Requirement(EXTRAS["all"][0]).extras == EXTRAS.keys() - {"all"}


@pytest.mark.parametrize("package", OPTIONAL_PACKAGES)
def test_a_hint_names_the_extra_that_installs_the_package(package):
    extra = EXTRAS[OPTIONAL_PACKAGES[package].extra]
    assert package in {Requirement(line).name for line in extra}


@pytest.mark.slow
def test_the_core_is_small():
    packages = with_dependencies(requirements())
    assert packages.keys() >= {"numpy", "pandas", "scipy", "sacrebleu"}
    assert 100 < installed_megabytes(packages.values()) < MOST_MEGABYTES


@pytest.mark.parametrize("package", ["numba", "pyarrow", "nltk", "distributed", "joblib", "rapidfuzz", "openpyxl",
                                     "streamlit", "plotly"])  # fmt: skip
def test_the_core_does_without(package):
    assert package not in with_dependencies(requirements())
