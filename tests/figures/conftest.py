"""Result objects made by hand, and what figures hold, for the tests of figures."""

import json
import math

import numpy as np
import pytest

from mtsig_core.analysis.replicas.variance import VarianceRow
from mtsig_core.significance import Scope

NASTY = "<b>bold</b> & $x_1$ 100%{x}"


@pytest.fixture
def nasty_name():
    return NASTY


@pytest.fixture
def make_row():
    def make(system, scores, *, metric="BLEU", higher_is_better=True, test_set="mt06"):
        named = {f"seed{i + 1}": float(s) for i, s in enumerate(scores)}
        avg = float(np.mean(scores)) if len(scores) else math.nan
        return VarianceRow(
            scope=Scope(test_set, metric.lower(), metric, higher_is_better, systems=(system,)), signature="sig",
            n=len(named), avg=avg, s_sel=1.0, s_sel_closed=1.0, s_dev=None, s_test=0.5,
            mean_over_draws=avg, dev_ratio=None, scores=named,
        )

    return make


def _numbers(value):
    if isinstance(value, dict):
        for item in value.values():
            yield from _numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, float):
        yield value


def _own_texts(document):
    """Return every text that Plotly would interpret: names, titles, ticks, annotations, hovers."""
    layout = document["layout"]
    texts = [t.get("name", "") for t in document["data"]] + [t.get("hovertemplate", "") for t in document["data"]]
    texts += [a["text"] for a in layout.get("annotations", [])]
    for axis in ("xaxis", "yaxis"):
        texts += layout[axis].get("ticktext", []) + [layout[axis]["title"].get("text", "")]
    texts += [str(c) for t in document["data"] for c in t.get("customdata", []) if isinstance(c, str)]
    return [*texts, layout.get("title", {}).get("text", "")]


@pytest.fixture
def check():
    """Return a function that checks what holds of every figure, and returns its document and texts."""

    def check_figure(figure):
        document = json.loads(figure.to_json(), parse_constant=lambda name: pytest.fail(f"{name} in a figure"))
        assert all(math.isfinite(number) for number in _numbers(document))
        assert "bdata" not in figure.to_json()  # plain lists: readable by every host, and checked above
        texts = _own_texts(document)
        for marker in (trace.get("marker", {}) for trace in document["data"]):
            # a list of sizes makes Plotly draw markers half transparent, so faint that some colours do not show
            assert not isinstance(marker.get("size"), list) or "opacity" in marker
        for text in texts:
            assert NASTY not in text
            assert "<b>" not in text
            assert "$" not in text
        assert document["layout"]["paper_bgcolor"] == "rgba(0,0,0,0)"
        assert "color" not in document["layout"].get("font", {})
        return document, texts

    return check_figure
