"""mtsig's app: navigation, and the controls that all pages share."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from mtsig_core.resampling.compiled import warm
from pages.parts import background as answers
from pages.parts import view

PAGES = Path(__file__).parent / "pages"

NAVIGATION = {
    "Start": [("start/data.py", "Data", ":material/folder_open:")],
    "Explore": [
        ("explore/replicas.py", "Replicas", ":material/scatter_plot:"),
        ("explore/compare.py", "Compare", ":material/compare_arrows:"),
        ("explore/rank.py", "Rank systems", ":material/grid_on:"),
        ("explore/plan.py", "Plan", ":material/format_list_numbered:"),
        ("explore/read.py", "Read and annotate", ":material/menu_book:"),
        ("explore/trust.py", "Trust the tests", ":material/verified:"),
    ],
}


@st.cache_resource(show_spinner=False)
def warm_kernels() -> None:
    """Make the compiled kernels ready in the background, once for the server."""
    warm()


@st.cache_resource(show_spinner=False)
def visits() -> list[str]:
    """Return the addresses of the server's visits so far: nothing but whether there was one matters."""
    return []


def is_unknown_address() -> bool:
    """Say whether the very first visit of this server asks for a page other than the first.

    Until ``st.navigation`` has run once, Streamlit takes a folder named ``pages`` for its older kind of app, and
    covers any other page with "Page not found"; the same address is right when it is asked for again.
    """
    if visits():
        return False
    address = st.context.url or ""
    visits().append(address)
    return bool(urlsplit(address).path.strip("/"))


def main() -> None:
    """Draw the navigation, the shared controls and the chosen page."""
    st.set_page_config(page_title="mtsig", page_icon=str(PAGES / "parts" / "icon.png"), layout="wide")
    warm_kernels()
    sections = {
        group: [
            st.Page(PAGES / path, title=title, icon=icon, url_path=Path(path).stem.replace("_", "-"),
                    default=path == "explore/replicas.py")
            for path, title, icon in pages
        ]
        for group, pages in NAVIGATION.items()
    }
    page = st.navigation(sections)
    if is_unknown_address():
        st.html("<script>window.location.reload()</script>", unsafe_allow_javascript=True)
        st.stop()
    view.keep(view.sidebar())
    answers.begin()
    page.run()


if __name__ == "__main__":
    main()
