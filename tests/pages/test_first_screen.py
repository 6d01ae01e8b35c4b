"""The first visit shows at once what was computed ahead, and what follows shows the same."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from data import FIRST_SCREENS
from pages.parts.compare.answer import MARGIN_LATE
from pages.parts.overview.front import shipped
from tests.pages.session import ROOT, unmarked

HEAVY = ("mtsig_core.loading", "mtsig_core.metrics", "mtsig_core.analysis", "mtsig_core.workbench", "scipy", "numba")


def shown(app: AppTest) -> list[str]:
    return [unmarked(element.value) for element in app.main.markdown]


@pytest.mark.slow
def test_the_first_visit_shows_what_a_later_drawing_shows():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert not app.exception
    first, screen = shown(app), shipped()["travel"]
    said = "".join(first)
    for claim, evidence in screen["answers"]:
        assert f"**{claim}**, {evidence}." in said
    assert screen["single_runs"] in said
    assert screen["size"] in said
    app.run()
    assert shown(app) == first
    assert not [b for b in app.button if b.label == "Cancel"], "nothing is computed again"


@pytest.mark.slow
def test_a_margin_that_is_stated_after_the_first_screen_is_said_to_be_late():
    from tests.pages.session import settle

    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert not any(MARGIN_LATE in c.value for c in app.caption)
    app.number_input(key="margin").set_value(0.5)
    settle(app)
    settle(app.switch_page("pages/explore/compare.py"))
    assert any(MARGIN_LATE in c.value for c in app.caption)


@pytest.mark.slow
def test_another_setting_is_computed_and_not_taken_from_what_was_shipped():
    from tests.pages.session import settle

    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.query_params["alpha"], app.query_params["boot"], app.query_params["shuffles"] = "0.1", "100", "100"
    settle(app)
    assert any("90% interval" in text for text in shown(app))


@pytest.mark.slow
def test_the_first_screen_imports_nothing_that_computes():
    code = ("import sys, pages.parts.overview.front, pages.parts.background, pages.parts.learn.order\n"
            f"print([name for name in {HEAVY!r} if name in sys.modules])")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert FIRST_SCREENS.stat().st_size < 100_000


@pytest.mark.slow
def test_of_many_systems_the_ranking_and_the_chosen_pair_are_said():
    from tests.pages.session import said, session, settle

    made = settle(session({"demo": "judged", "metrics": "chrF", "boot": "100", "shuffles": "100"}))
    text = said(made)
    assert "8 systems, 32 runs" in text
    assert re.search(r"\*\*chrF: (no system is separated|\w+ leads, )", text)
    assert re.search(r"\w+ against \w+, the pair chosen in the sidebar:", text)
    assert re.search(r"\*\*chrF: [^*]*\*\*, [+−]", text)
