"""Metrics, target language, tokenizer and letters in the sidebar; a metric that a package adds on the pages."""

from __future__ import annotations

import sys

import pytest

from mtsig_core.metrics import metric_names, plugins
from tests.pages.session import app, goto, said, settle, table_1, upload, zipped

pytestmark = pytest.mark.slow

TOY = '''
from dataclasses import dataclass
import numpy as np
from mtsig_core.metrics.mean import MeanMetric


@dataclass(frozen=True)
class Dots(MeanMetric):
    name = "dots"
    label = "Dots"
    explanation = "Whether the output ends with a full stop."
    weakness = "All else."
    key = "dots v1"

    def signature(self, references):
        return "dots|v1"

    def segment_scores(self, hypotheses, references):
        return np.array([100.0 * h.rstrip().endswith(".") for h in hypotheses])
'''


@pytest.fixture
def toy_metric(tmp_path, monkeypatch):
    """A package with a metric, installed while the test lasts; beside it one that cannot be loaded."""
    package = tmp_path / "site"
    info = package / "dots-1.0.dist-info"
    info.mkdir(parents=True)
    (package / "dots.py").write_text(TOY)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mtsig.metrics]\ndots = dots:Dots\nbroken = nowhere:Metric\n")
    monkeypatch.syspath_prepend(str(package))
    plugins.forget_plugins()
    yield
    monkeypatch.undo()
    sys.modules.pop("dots", None)
    plugins.forget_plugins()


@pytest.mark.filterwarnings("ignore:Metric 'broken'")
def test_a_metric_of_a_package_is_on_the_pages(toy_metric):
    made = app(metrics="Dots")
    assert made.multiselect(key="metrics").options[-1] == "Dots"
    assert "Dots ↑" in table_1(goto(made, "Replicas", "table"))["metric"].tolist()
    assert "Dots:" in " ".join(m.value for m in goto(made, "Compare").markdown).replace("\\", "")
    text = said(made)
    assert "Whether the output ends with a full stop." in text
    assert "Metric 'broken' of dots (nowhere:Metric) is left out" in text


def test_every_metric_can_be_chosen_and_tells_what_it_is(folder):
    made = upload(app(), "mine.zip", zipped(folder))
    quick = [name for name in metric_names() if name != "meteor-1.5"]
    made.multiselect(key="metrics").set_value(quick)
    settle(made)
    assert made.multiselect(key="metrics").options[:5] == ["BLEU", "chrF", "chrF++", "TER", "NIST"]
    shown = goto(made, "Replicas", "table").dataframe[0].value["metric"].unique()
    assert len(shown) == len(quick)
    assert "lower is better; 0 (no edits) and up" in said(made)
    codes = [code.value for code in made.code]
    assert any(code.startswith("nist|nrefs:1|case:mixed|tok:none") for code in codes), codes
    goto(made, "Compare")


def test_the_target_language_brings_its_tokenizer(folder):
    for path in folder.rglob("*.txt"):
        path.write_text("".join("今天天气很好。" * 9 + line for line in path.read_text().splitlines(keepends=True)))
    made = upload(app(), "mine.zip", zipped(folder))
    assert (made.selectbox(key="lang").value, made.selectbox(key="tok").value) == ("zh", "zh")
    made.selectbox(key="tok").set_value("13a")
    assert "Usual here is the tokenizer zh" in said(settle(made))
    made.selectbox(key="lang").set_value("de")
    settle(made)
    assert made.selectbox(key="tok").value == "none"  # the text is tokenized
    made.toggle(key="nfc").set_value(True)
    settle(made)
    assert all("norm:NFC" in code.value for code in made.code if "tok:" in code.value)
