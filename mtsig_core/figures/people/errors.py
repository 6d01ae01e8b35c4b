"""Marked errors: penalties of each system by category and severity, stacked."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from mtsig_core.analysis.people.mqm import Penalties
from mtsig_core.figures import theme
from mtsig_core.formatting import number

#: Categories with a colour of their own; the others, the cheapest ones, share one.
MOST_CATEGORIES = 6
_OTHER, _NO_CATEGORY = "other categories", "no category"
_PATTERNS = ("", "/", ".", "x", "-", "+", "|")


def penalty_bars(penalties: Penalties) -> go.Figure:
    """Return one bar per system, the best on top: penalty per item, coloured by category, hatched by severity.

    Categories are those above the first slash; the costliest stand next to the axis.

    Parameters
    ----------
    penalties : Penalties
    """
    errors = penalties.errors[penalties.errors["penalty per item"] > 0]
    if errors.empty:
        return theme.message_figure("No marked error has a penalty.")
    parts = _parts(errors)
    systems = list(penalties.means)
    severities = list(parts.groupby("severity")["penalty per item"].sum().sort_values(ascending=False).index)
    categories = list(parts.groupby("group")["penalty per item"].sum().sort_values(ascending=False).index)
    figure = theme.base_figure(x=theme.axis_title("penalty per item", higher_is_better=False),
                               height=150 + 34 * len(systems))  # fmt: skip
    for place, category in enumerate(categories):
        colour = theme.PALETTE[place % len(theme.PALETTE)]
        for severity in severities:
            own = parts[(parts["group"] == category) & (parts["severity"] == severity)].set_index("system")
            if len(own):
                name = severity if categories == [_NO_CATEGORY] else f"{category}, {severity}"
                _bars(figure, systems, own, name,
                      (colour, _PATTERNS[severities.index(severity) % len(_PATTERNS)]))  # fmt: skip
    figure.update_layout(barmode="stack", bargap=0.3, legend={"traceorder": "normal"})
    theme.rows_axis(figure, [theme.short(name) for name in systems])
    return figure


def _parts(errors: pd.DataFrame) -> pd.DataFrame:
    """Return penalties and errors per item by system, group of categories and severity."""
    group = errors["category"].str.split("/").str[0].replace("", _NO_CATEGORY)
    costs = errors["penalty per item"].groupby(group).sum().sort_values(ascending=False)
    if len(costs) > MOST_CATEGORIES + 1:
        group = group.where(group.isin(costs.index[:MOST_CATEGORIES]), _OTHER)
    keys = [errors["system"], group.rename("group"), errors["severity"]]
    return errors.groupby(keys, sort=False)[["errors", "per item", "penalty per item"]].sum().reset_index()


def _bars(
    figure: go.Figure, systems: list[str], own: pd.DataFrame, name: str, look: tuple[str, str]
) -> None:
    """Draw one category and severity of every system that has it."""
    colour, pattern = look
    rows = [(i, system) for i, system in enumerate(systems) if system in own.index]
    figure.add_bar(
        x=[float(own.loc[system, "penalty per item"]) for _, system in rows], y=[-float(i) for i, _ in rows],
        orientation="h", name=theme.literal(name),
        marker={"color": colour, "line": {"width": 0}, "pattern": {"shape": pattern, "size": 6, "solidity": 0.35}},
        customdata=[
            f"{theme.literal(system)}: {theme.literal(name)}<br>{int(own.loc[system, 'errors'])} errors, "
            f"penalty {number(float(own.loc[system, 'penalty per item']), 3)} per item"
            for _, system in rows
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
