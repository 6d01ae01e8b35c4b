"""Compare, Tests: the recommended tests side by side, and the published variants behind a switch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.reports.pairs.comparator import comparator, comparator_numbers
from pages.parts import address, downloads, explanations
from pages.parts.compare.comparisons import comparisons
from pages.parts.matrices import coloured
from pages.parts.text import keep_together, literal
from pages.parts.view import View

PUBLISHED = "published variants"
ONE_LINE, TWO_LINES = 36, 62  # pixels of a row: a table breaks lines only from 61 on
SIDE_BY_SIDE = 2  # metrics beside which names and questions have room for one line in a window of 1280 pixels


def draw(now: View, system: str) -> None:
    """Draw the section: tests by metric with verdicts, what each asks, and where they disagree."""
    explanations.heading("What each test says", "tests")
    published = st.toggle(
        "Show published variants", **address.switch("published", PUBLISHED),
        help="Adds the rules of Koehn, Graham's lecture, sacreBLEU, MultEval and Fu, each with its error rate.",
    )
    results = comparisons(now, system, published=bool(published))
    if results is None:
        return
    table = comparator(results)
    for text in table.disagreements:
        st.markdown(f":material/call_split: **The tests disagree.** {literal(text)}")
    frame, words = table.to_frame(), table.outcomes.reset_index(drop=True)
    st.caption(keep_together(
        f"▲ better, ▼ worse, ○ inconclusive: what each test says of {literal(system)} at significance level "
        f"α = {now.settings.alpha:g}."
    ))
    st.dataframe(
        coloured(frame[["test", *table.labels, "question"]], words), hide_index=True, key="comparator",
        height="content", **_layout(table.labels),
        alt="p-values and verdicts of all tests under all metrics",
    )
    downloads.buttons(comparator_numbers(results), "comparator", downloads.file_name("mtsig", now.test_set, "tests"),
                      caption=f"Tests of {system} against {now.baseline} "
                              f"under {', '.join(table.labels)} on {now.test_set}")
    if any(t.preset.warning for result in results for t in result.tests):
        st.caption("⚠ rejects too often: the details say why. Such a test never decides the verdict.")
    notes = dict.fromkeys(f"{t.preset.label}: {t.note}" for result in results for t in result.tests if t.note)
    for text in notes:
        st.caption(literal(text))
    with st.expander("How each p is computed, and how often each test errs"):
        downloads.written_table(_details(frame), "How each p is computed")


def _details(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how each p is computed and how often each test errs, in one column that a telephone has room for."""
    floors = ["no lower limit" if floor == "none" else floor for floor in frame["smallest reachable p"]]
    limits = frame["limitation"] if "limitation" in frame else [""] * len(frame)
    rows = zip(frame["how p is computed"], floors, frame["measured false alarms at 0.05"], limits, strict=True)
    texts = [
        f"{rule} Smallest reachable p: {floor}. Measured false alarms at 0.05: {alarms}. {limit}"
        for rule, floor, alarms, limit in rows
    ]
    return pd.DataFrame({"test": frame["test"], "how p is computed, and how often the test errs": texts})


def _layout(labels: Sequence[str]) -> dict[str, Any]:
    """Return the sizes by which p under three metrics and the question stand side by side in a window of 1280 pixels.

    Names of tests and questions go on in a second line where there are more metrics than leave them room for one.
    """
    few = len(labels) <= SIDE_BY_SIDE
    widths = {"test": 256 if few else 190, **dict.fromkeys(labels, 145), "question": 250 if few else 180}
    return {
        "row_height": ONE_LINE if few else TWO_LINES,
        "column_config": {name: st.column_config.TextColumn(width=width) for name, width in widths.items()},
    }
