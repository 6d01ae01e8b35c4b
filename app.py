"""mtsig's app: navigation, and the controls that all pages share."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from pages.parts import address, background
from pages.parts.learn.order import LESSONS
from pages.parts.overview import front

PAGES = Path(__file__).parent / "pages"
HOME = "start/overview.py"
RESERVED = "first-page"  # the first page is at /, and Streamlit lets no other one have the name it is given here

NAVIGATION = {
    "Start": [
        (HOME, "Overview", ":material/home:"),
        ("start/data.py", "Data", ":material/folder_open:"),
    ],
    "Explore": [
        ("explore/replicas.py", "Replicas", ":material/scatter_plot:"),
        ("explore/compare.py", "Compare", ":material/compare_arrows:"),
        ("explore/rank.py", "Rank systems", ":material/leaderboard:"),
        ("explore/plan.py", "Plan", ":material/format_list_numbered:"),
        ("explore/read.py", "Read and annotate", ":material/menu_book:"),
        ("explore/trust.py", "Trust the tests", ":material/verified:"),
    ],
    "People": [
        ("people/human_judgement.py", "Human judgement", ":material/groups:"),
        ("people/metrics_against_people.py", "Metrics against people", ":material/how_to_vote:"),
    ],
    "Tools": [
        ("tools/optimizer_lab.py", "Optimizer lab", ":material/science:"),
        ("tools/report.py", "Report", ":material/article:"),
    ],
    "Learn": LESSONS,
}
SHOWN = sum(map(len, NAVIGATION.values())) - len(LESSONS) + 1  # of the pages: the controls below stay near
# addresses of former versions, so that links in papers and slides still open what they meant
FORMER = {
    "experiment": "start/data.py", "two-systems": "explore/compare.py", "all-pairs": "explore/rank.py",
    "how-many-replicas": "explore/plan.py", "median-system": "explore/read.py", "trust-the-tests": "explore/trust.py",
    "overview": HOME,
}  # fmt: skip


@st.cache_resource(show_spinner=False)
def warm_kernels() -> None:
    """Make the compiled kernels ready in the background, once for the server."""
    from mtsig_core.optimizers.compiled import ENVELOPES
    from mtsig_core.resampling.compiled import warm

    warm()
    ENVELOPES.start()  # the optimizer lab's, last


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
    asked = st.context.url or ""
    visits().append(asked)
    return bool(urlsplit(asked).path.strip("/"))


def is_lesson() -> bool:
    """Say whether a lesson is asked for: all lessons are listed beside one."""
    asked = urlsplit(st.context.url or "").path.rstrip("/").rpartition("/")[2]
    return asked in {Path(path).stem.replace("_", "-") for path, _, _ in LESSONS}


def icon() -> str:
    """Return the app's icon as Streamlit passes it on untouched: for a file it would import an image library first."""
    return f"data:image/png;base64,{b64encode((PAGES / 'parts' / 'icon.png').read_bytes()).decode()}"


def redirect_to(path: str) -> Callable[[], None]:
    """Return a page that opens another one under its present address, with all values of the former one."""

    def redirect() -> None:
        st.switch_page(PAGES / path, query_params=st.query_params.to_dict())

    return redirect


def navigation() -> dict[str, list[st.Page]]:
    """Return the pages by group, and the former addresses as hidden pages."""
    groups = {
        group: [
            st.Page(PAGES / path, title=title, icon=icon, default=path == HOME,
                    url_path=RESERVED if path == HOME else Path(path).stem.replace("_", "-"))
            for path, title, icon in pages
        ]
        for group, pages in NAVIGATION.items()
    }
    groups["Start"] += [
        st.Page(redirect_to(path), title=path, url_path=former, visibility="hidden")
        for former, path in FORMER.items()
    ]
    return groups


def draw_controls(earliest: float = 0) -> None:
    """Draw the sidebar, not before a time of the monotonic clock, and keep what it says for the page."""
    # with all that can be computed: the first screen does not wait for it
    from pages.parts import housekeeping, sidebar, view

    time.sleep(max(0, earliest - time.monotonic()))
    view.keep(sidebar.draw())
    housekeeping.start()


def note_first_screen() -> None:
    """Remember that the first screen's differences were seen: a margin that is stated later came after them."""
    from pages.parts import view
    from pages.parts.compare.answer import note_shipped_differences

    note_shipped_differences(view.current())


def main() -> None:
    """Draw the navigation, the shared controls and the chosen page."""
    st.set_page_config(page_title="mtsig", page_icon=icon(), layout="wide")
    st.html(PAGES / "parts" / "style.css")
    page = st.navigation(navigation(), expanded=is_lesson() or SHOWN)
    if is_unknown_address():
        st.html("<script>window.location.reload()</script>", unsafe_allow_javascript=True)
        st.stop()
    if page.url_path in FORMER:
        page.run()
    address.begin(page.url_path)
    background.begin()
    if not page.url_path and front.is_untouched():
        page.run()
        draw_controls(time.monotonic() + front.HEAD_START)
        note_first_screen()
    else:
        draw_controls()
        page.run()
    warm_kernels()


if __name__ == "__main__":
    main()
