"""The drawn layers are those of the import contract."""

import shutil
import xml.etree.ElementTree as ElementTree

import pytest

from tests.architecture.drawing import ROOT, TARGET, svg


def test_the_drawing_is_the_one_of_the_contract():
    assert TARGET.read_text(encoding="utf-8") == svg(), "draw it again: make docs-architecture"


@pytest.mark.slow
def test_the_drawing_follows_the_contract(tmp_path):
    for name in ("mtsig_core", "pages"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    settings = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(settings.replace('    "metrics",\n', '    "metrics | shed",\n'))
    shed = tmp_path / "mtsig_core" / "shed"
    shed.mkdir()
    (shed / "__init__.py").write_text('"""Tools & <more>."""\n')
    drawn = svg(tmp_path)
    assert "Tools &amp; &lt;more&gt;" in drawn
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
