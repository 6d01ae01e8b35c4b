"""What pages offer as CSV holds numbers as numbers: signs, symbols and units are for the screen."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from pages.parts import downloads
from tests.pages.session import app, goto

pytestmark = pytest.mark.slow
NO_NUMBER = re.compile(r"[−+<]?\s?\d[\d.,]*\s?[▲▼○⚠%].*|[−<]\s?\d.*|[\d.]+ to [−\d.]+")
VIEWS = {"Compare": ["answer", "tests", "why", "methods", "all"],
         "Rank systems": ["ranks", "pairs", "methods"], "Plan": ["p"],
         "Read and annotate": ["read", "differences", "choose"],
         "Trust the tests": ["yours", "rates"], "Replicas": ["spread", "table"],
         "Human judgement": ["systems"]}  # fmt: skip


@pytest.mark.parametrize("page", VIEWS)
def test_downloads_hold_numbers(page, monkeypatch):
    offered, draw = {}, downloads._csv

    def note(frame, name, stem):
        offered[name] = frame
        draw(frame, name, stem)

    monkeypatch.setattr(downloads, "_csv", note)
    made = app()
    for section in VIEWS[page]:
        goto(made, page, section)
    assert len(offered) >= 2
    seen: dict[str, str] = {}
    for name, frame in offered.items():
        places = frame().get("y", pd.Series(dtype=float)).astype(str)
        assert not places.isin(["-1", "-1.0"]).any(), f"{name}: the places of a drawing name no row"
        text = frame().to_csv(index=False)
        assert text not in seen, f"{name} and {seen[text]} hold the same"
        seen[text] = name
        for column, values in frame().astype(object).items():
            odd = [v for v in values if isinstance(v, str) and NO_NUMBER.fullmatch(v)]
            assert not odd, f"{name}, {column}: {odd[:3]}"
