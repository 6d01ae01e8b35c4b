"""The documentation is whole: every page is reached from the first one, and what it shows to run does run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)


def reached_from(page: str) -> set[str]:
    """Return the pages of the tables of contents from one page on."""
    path = DOCS / f"{page}.md"
    if not path.exists():
        return {page}
    lists = TOCTREE.findall(path.read_text(encoding="utf-8"))
    entries = [line for text in lists for line in text.splitlines() if line and not line.startswith(":")]
    return {page}.union(*(reached_from(entry) for entry in entries))


def cells(notebook: Path) -> list[str]:
    parts = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(part["source"]) for part in parts if part["cell_type"] == "code"]


def test_every_page_is_in_the_table_of_contents():
    pages = {path.stem for path in DOCS.iterdir() if path.suffix in (".md", ".ipynb")}
    assert pages | {"gallery/index"} == reached_from("index")


def test_the_first_page_has_three_doors():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    doors = re.findall(r"grid-item-card\} (.*)\n:link: (.*)\n", text)
    assert doors == [
        ("I have runs to compare", "comparing"), ("I teach", "teaching"), ("I want the formulas", "formulas"),
    ]  # fmt: skip


def test_each_public_name_is_in_the_reference():
    import mtsig_core

    listed = re.findall(r"^   (\w+)$", (DOCS / "library.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(mtsig_core.__all__)


def test_each_example_has_its_picture():
    for program in (DOCS / "examples").glob("plot_*.py"):
        picture = re.search(r'^# sphinx_gallery_thumbnail_path = "(.*)"$', program.read_text(), re.MULTILINE)[1]
        assert picture == f"thumbnails/{program.stem.removeprefix('plot_')}.png"
        assert (DOCS / picture).is_file()


@pytest.mark.slow
def test_the_notebook_runs(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    monkeypatch.chdir(DOCS)
    code = cells(DOCS / "ten-lines.ipynb")
    assert sum(len([line for line in cell.splitlines() if line]) for cell in code) == 10
    names: dict[str, object] = {}
    *before, last = [line for cell in code for line in cell.splitlines()]
    exec("\n".join(before), names)
    figure = eval(last, names)
    assert len(figure.data) > 0
    assert names["comparison"].verdict.headline in capsys.readouterr().out
    assert names["table1_frame"](names["bench"].table(["test"]))["n"].tolist() == [50, 50]


def test_the_example_of_the_readme_runs(monkeypatch, tmp_path, capsys):
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(code) == 1
    values = np.random.default_rng(1).normal(size=(2, 3, 40))
    values[1] += 1
    index = pd.MultiIndex.from_product([["old", "new"], [1, 2, 3], range(40)], names=["system", "replica", "segment"])
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"score": values.ravel()}, index=index).reset_index().to_csv("accuracy.csv", index=False)
    exec(code[0], {})
    assert "new is" in capsys.readouterr().out


@pytest.mark.slow
def test_the_example_of_judgements_runs(monkeypatch, tmp_path):
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "judgements.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["agreement"]["metric"].tolist() == ["BLEU", "chrF"]
    assert len(names["correlations"].metrics) == 2


def test_the_threat_model_names_tests_that_exist():
    rows = [line for line in (DOCS / "threat-model.md").read_text(encoding="utf-8").splitlines() if "tests/" in line]
    assert len(rows) > 10
    named = {name for row in rows for name in re.findall(r"`(tests/[\w/]+\.py)`", row)}
    assert {name for name in named if not (ROOT / name).is_file()} == set()
    promises = (DOCS / "threat-model.md").read_text(encoding="utf-8").split("## Promises")[1].split("## ")[0]
    table = [line for line in promises.splitlines() if line.startswith("| ")][1:]
    assert [line for line in table if "`tests/" not in line] == []
