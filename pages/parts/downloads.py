"""Figures and tables as pages show them: each with its own downloads."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, Protocol

import plotly.graph_objects as go
import streamlit as st

from pages.parts.background import Finished
from pages.parts.text import keep_together

if TYPE_CHECKING:  # the first screen imports this module, and must not wait for what takes long to import
    import pandas as pd
    from pandas.io.formats.style import Styler

BUTTON_ROW, LEGEND_ROW = 28, 29  # pixels
LEGEND_LINE, LEGEND_KEY, LEGEND_LINES = 40, 6, 3  # characters of a line in a narrow column, and of a key; most lines
TITLE_LINE, TITLE_MOST, TITLE_ROW = 34, 44, 18  # characters of a title that is broken, of one that is not; pixels
BOTH_WAYS = 58  # characters of a title that says what left and right mean: its plot is as wide as the page
MOST_STYLED = 20_000  # cells whose numbers get commas: of more, the browser would be sent too much
ROW = 36  # pixels of a row of a table that can be sorted
SENTENCE = 60  # characters: of more, a column of a written table is given some width
# presses the camera of a figure, which no function of Streamlit or Plotly does from outside
PRESS_CAMERA = "<script>document.querySelector('.st-key-{place} .modebar-btn')?.click()</script>"
READY = "room for buttons"  # in a figure's metadata
PLAIN = (str, int, float, type(None))


class Named(Protocol):
    """What downloads need to know of a view."""

    @property
    def test_set(self) -> str:
        """Part of the names of files."""

    @property
    def picture(self) -> str:
        """The format of images."""


def file_name(*parts: str) -> str:
    """Return a file name without characters that some system refuses."""
    return re.sub(r"[^\w.+-]+", "-", "-".join(parts)).strip("-") or "mtsig"


def figure(view: Named, figure: go.Figure, name: str, *, alt: str, frame: pd.DataFrame | None = None) -> None:
    """Show a figure with one menu: the image, and the numbers that it shows as CSV.

    Parameters
    ----------
    view : View, or what names its files
    figure : plotly Figure
    name : str
        Of the files, and unique on the page.
    alt : str
        What a screen reader says.
    frame : DataFrame, optional
        The numbers of the figure; by default those of its marks.
    """
    stem = file_name("mtsig", view.test_set, name)
    _leave_space_for_buttons(figure)
    place = re.sub(r"\W", "-", f"figure-{name}")
    with st.container(key=place):
        st.plotly_chart(
            figure,
            key=f"figure {name}",
            alt=alt,
            config={
                "displayModeBar": True,
                "displaylogo": False,
                "modeBarButtons": [["toImage", "resetScale2d"]],
                "toImageButtonOptions": {"format": view.picture, "filename": stem, "scale": 2},
            },
        )
    with _menu():
        if st.button(f"Image ({view.picture.upper()})", key=f"image {name}", type="tertiary",
                     icon=":material/image:", help="The image format is under Settings in the sidebar."):
            st.html(PRESS_CAMERA.format(place=place), unsafe_allow_javascript=True)
        _csv(lambda: _numbers_of(figure) if frame is None else frame, f"figure {name}", stem)


def _numbers_of(figure: go.Figure) -> pd.DataFrame:
    from mtsig_core.reports.figure_data import figure_frame

    return figure_frame(figure)


def _menu() -> AbstractContextManager:
    return st.popover("Download", icon=":material/download:", type="tertiary")


@st.cache_resource(show_spinner=False)
def figures() -> Finished:
    """Return the figures that all sessions share."""
    return Finished(limit=60)


def built(draw: Callable[..., go.Figure], *given: Any, **options: Any) -> go.Figure:
    """Return the figure of some results, built once however often the page is drawn again.

    Parameters
    ----------
    draw : callable
        A function of `mtsig_core.figures`.
    *given, **options
        What it takes; results are told apart by being the same objects, so they must not change.
    """
    parts = (*given, *options.values())
    key = (draw, tuple(options), *(part if isinstance(part, PLAIN) else id(part) for part in parts))
    known = figures().get(key)
    if known is None:
        figure = draw(*given, **options)
        _leave_space_for_buttons(figure)
        known = parts, figure  # the parts stay alive, and so their ids stay theirs
        figures().put(key, known)
    return known[1]


def _leave_space_for_buttons(figure: go.Figure) -> None:
    """Move the plot down, unless it was, so that the camera button stands over nothing."""
    layout = figure.layout
    if layout.meta == READY:
        return
    layout.meta = READY
    _break_titles(figure)
    space = BUTTON_ROW + LEGEND_ROW * (_legend_lines(figure) - 1)
    layout.height = (layout.height or 380) + space
    if _is_above(figure) and not layout.title.text:
        # From the top of the figure: above the plot, a legend that gets more lines as the window gets narrower would
        # grow over the plot. Plotly keeps the room that it takes.
        layout.legend.update(yref="container", yanchor="top", y=1 - BUTTON_ROW / layout.height)
        space = BUTTON_ROW
    layout.margin.t = (layout.margin.t or 40) + space
    if layout.title.text:
        layout.title.pad.t = (layout.title.pad.t or 0) + space
    layout.modebar = {"bgcolor": "rgba(0,0,0,0)", "color": "#808495", "activecolor": "#808495"}


def _break_titles(figure: go.Figure) -> None:
    """Break titles below the plot that are wider than a telephone, and make room for their lines."""
    for axis in figure.select_xaxes():
        lines = (axis.title.text or "").split("<br>")
        if max(map(len, lines)) <= (BOTH_WAYS if lines[0].startswith("←") else TITLE_MOST):
            continue
        parts = [wrap(line, TITLE_LINE, break_long_words=False, break_on_hyphens=False) for line in lines]
        broken = [part for line in parts for part in line]
        axis.title.text, more = "<br>".join(broken), len(broken) - len(lines)
        figure.update_layout(height=(figure.layout.height or 380) + TITLE_ROW * more,
                             margin={"b": (figure.layout.margin.b or 52) + TITLE_ROW * more})


def _is_above(figure: go.Figure) -> bool:
    """Say whether a figure has a legend above its plot."""
    legend = figure.layout.legend
    return bool(figure.layout.showlegend and legend.orientation == "h" and (legend.y or 0) >= 1)


def _legend_lines(figure: go.Figure) -> int:
    """Return how many lines a legend above the plot may take; the first of several would reach under the buttons."""
    if not _is_above(figure):
        return 1
    names = dict.fromkeys(trace.name for trace in figure.data if trace.name and trace.showlegend is not False)
    lines, room = 1, LEGEND_LINE
    for name in names:
        width = len(name) + LEGEND_KEY
        if width > room < LEGEND_LINE:
            lines, room = lines + 1, LEGEND_LINE
        room -= width
    return min(lines, LEGEND_LINES)  # a longer legend has room of its own


def table(view: Named, frame: pd.DataFrame, name: str, *, caption: str, column_config: dict | None = None,
          height: int | Literal["content"] = "content", shown: pd.DataFrame | None = None) -> None:
    """Show a table (or, in its place, what is `shown`) that can be sorted, with CSV and LaTeX downloads.

    It is at most `height` pixels high.
    """
    if not isinstance(height, str) and (len(frame if shown is None else shown) + 1) * ROW <= height:
        height = "content"
    st.dataframe(_with_commas(frame if shown is None else shown), hide_index=True, column_config=column_config,
                 key=f"table {name}", height=height, alt=caption, placeholder="—")
    buttons(frame, name, file_name("mtsig", view.test_set, name), caption=caption)


def _with_commas(frame: pd.DataFrame) -> pd.DataFrame | Styler:
    """Return a table whose counts of a thousand and more are written 1,000; they sort as numbers still."""
    from mtsig_core.reports.tables import NUMBERS_OF_ITEMS

    large = [name for name in frame.select_dtypes("integer") if name.lower() not in NUMBERS_OF_ITEMS
             and frame[name].max() >= 1000]  # fmt: skip
    return frame.style.format("{:,}", subset=large, na_rep="—") if large and frame.size <= MOST_STYLED else frame


def plain_table(
    view: Named, frame: pd.DataFrame, name: str, *, caption: str, numbers: pd.DataFrame | None = None
) -> None:
    """Show a short table of texts, on screen long before one that can be sorted, with CSV and LaTeX downloads.

    Downloads hold `numbers`, where given, in place of the texts.
    """
    written_table(frame, caption)
    buttons(frame if numbers is None else numbers, name, file_name("mtsig", view.test_set, name), caption=caption)


def written_table(frame: pd.DataFrame, name: str) -> None:
    """Draw a table of texts, whose cells are as high as their texts need, with a name for who hears the page.

    For `st.table` the browser waits until it has all that it needs for charts as well; and where a table in Markdown
    is wider than a telephone, no key scrolls it in every browser.
    """
    texts = frame.astype(str)
    kinds = [_kind(texts[column].tolist()) for column in texts]
    head = _row("th", list(texts), kinds)
    body = "".join(_row("td", row, kinds) for row in texts.to_numpy().tolist())
    st.html(f'<div class="written" role="region" tabindex="0" aria-label="{escape(name)}"><table><thead>{head}</thead>'
            f"<tbody>{body}</tbody></table></div>")


def _row(tag: str, cells: list[str], kinds: list[str]) -> str:
    opened = [f'<{tag} class="{kind}">' if kind else f"<{tag}>" for kind in kinds]
    texts = (f"{o}{escape(keep_together(cell))}</{tag}>" for o, cell in zip(opened, cells, strict=True))
    return f"<tr>{''.join(texts)}</tr>"


def _kind(cells: list[str]) -> str:
    """Return the class of a column: figures stand at the right, and sentences need some width to be read."""
    if all(re.fullmatch(r"[-−]?[\d.,]+%?|—", cell) for cell in cells):
        return "figure"
    return "prose" if any(len(cell) > SENTENCE for cell in cells) else ""


def buttons(frame: pd.DataFrame, name: str, stem: str, *, latex: bool = True, caption: str = "") -> None:
    """Draw the download menu of a frame."""
    with _menu():
        _csv(lambda: frame, name, stem)
        if latex:
            st.download_button(
                "LaTeX", lambda: _as_latex(frame, caption, name), f"{stem}.tex", "text/plain",
                key=f"latex {name}", on_click="ignore", icon=":material/description:", type="tertiary",
            )


def _as_latex(frame: pd.DataFrame, caption: str, name: str) -> str:
    from mtsig_core.reports.tables import to_latex

    return to_latex(frame, caption=caption, label=f"tab:{name}")


def _as_csv(frame: pd.DataFrame) -> bytes | str:
    from mtsig_core.reports.tables import to_csv

    return to_csv(frame)


def _csv(frame: Callable[[], pd.DataFrame], name: str, stem: str) -> None:
    st.download_button(
        "CSV", lambda: _as_csv(frame()), f"{stem}.csv", "text/csv", key=f"csv {name}", on_click="ignore",
        icon=":material/table:", type="tertiary",
    )
