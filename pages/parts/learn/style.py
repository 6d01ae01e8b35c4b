"""The one block of style of the lessons: larger type without the sidebar for a projector, and paper."""

from __future__ import annotations

import streamlit as st

from pages.parts import address
from pages.parts.learn.order import PRESENT

_PRESENTING = """
html { font-size: 18px; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding-top: 0.8rem; }
"""
_PRINT = """
@media print {
  [data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stPopover"], [class*="st-key-lesson-bar"],
  [class*="st-key-section-of-"],
  .modebar-container {
    display: none !important;
  }
  [data-testid="stMain"], [data-testid="stAppViewContainer"], [data-testid="stApp"] {
    position: static; height: auto; overflow: visible;
  }
  [data-testid="stMainBlockContainer"] { padding: 0; zoom: 0.72; }
  [data-testid="stPlotlyChart"], [data-testid="stAlert"], .katex-display { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
"""


def apply() -> bool:
    """Style the page, and return whether it is presented."""
    address.check_choice(PRESENT, ["1", "0"], "the page with its sidebar")
    presenting = st.query_params.get(PRESENT) == "1"
    st.html(f"<style>{_PRESENTING if presenting else ''}{_PRINT}</style>")
    return presenting


def switch(presenting: bool) -> None:
    """Draw the button that enters or leaves the presentation."""
    label, icon = ("Leave presentation", "close_fullscreen") if presenting else ("Present", "present_to_all")
    if st.button(label, icon=f":material/{icon}:", key="lesson present", type="tertiary",
                 help=None if presenting else "Larger type, and no sidebar"):
        if presenting:
            del st.query_params[PRESENT]
        else:
            st.query_params[PRESENT] = "1"
        st.rerun()
