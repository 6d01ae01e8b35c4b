import tomllib
from pathlib import Path

import pytest

from mtsig_core.runtime import optional
from mtsig_core.runtime.optional import OPTIONAL_PACKAGES, is_installed, optional_hint


def test_what_is_installed_needs_no_hint():
    assert is_installed("json")
    assert not is_installed("no_such_package_of_any_name")


@pytest.mark.parametrize("package", sorted(OPTIONAL_PACKAGES))
def test_a_missing_package_is_named_with_its_extra_in_one_line(package, monkeypatch):
    monkeypatch.setattr(optional, "is_installed", lambda name: name != package)
    hint = optional_hint(package)
    assert hint.startswith(f"{package} is not installed; pip install \"mtsig[{OPTIONAL_PACKAGES[package].extra}]\" ")
    assert hint.endswith(".")
    assert "\n" not in hint
    assert all(optional_hint(other) == "" for other in OPTIONAL_PACKAGES if other != package)


def test_an_unknown_package_is_a_mistake_of_the_caller():
    with pytest.raises(KeyError):
        optional_hint("json")


def test_extras_are_those_of_the_project():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    extras = project.get("optional-dependencies")
    if extras is None:
        pytest.skip("the project declares no extras yet")
    for package, entry in OPTIONAL_PACKAGES.items():
        assert any(requirement.startswith(package) for requirement in extras[entry.extra]), package
