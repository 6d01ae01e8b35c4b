"""Figures of Plotly whose script lies beside the page, in the gallery and in the notebook alike."""

import plotly.io
from plotly.io import base_renderers


class OfflineRenderer(base_renderers.MimetypeRenderer):
    """Draw a figure as a piece of HTML that brings no script of its own."""

    def to_mimebundle(self, fig_dict: dict) -> dict[str, str]:
        """Return the figure for a page that has loaded the script."""
        html = plotly.io.to_html(fig_dict, full_html=False, include_plotlyjs=False, include_mathjax=False,
                                 config={"displaylogo": False, "responsive": True})  # fmt: skip
        return {"text/html": html}


def use() -> None:
    """Draw every figure so from now on."""
    plotly.io.renderers["docs"] = OfflineRenderer()
    plotly.io.renderers.default = "docs"
