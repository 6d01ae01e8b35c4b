"""The numbers of a figure as a table: what each row is, and numbers as numbers."""

import plotly.graph_objects as go

from mtsig_core.figures import theme
from mtsig_core.reports.figure_data import figure_frame


def test_an_axis_that_names_rows_gives_their_names():
    figure = go.Figure()
    figure.add_scatter(x=[1.0, 2.0], y=[0.0, 0.34])
    figure.add_scatter(x=[3.0], y=[-1.0])
    theme.rows_axis(figure, ["a &lt;b&gt;", "other<br>row"])
    frame = figure_frame(figure)
    assert frame.to_dict("list") == {"x": [1.0, 2.0, 3.0], "y": ["a <b>", "a <b>", "other row"]}


def test_an_axis_that_measures_keeps_its_numbers():
    figure = go.Figure(go.Scatter(x=[1, 2, 5], y=[0.1, 0.2, 0.3], name="p"))
    figure.update_xaxes(tickvals=[1, 2, 5], ticktext=["1", "2", "5"])
    assert figure_frame(figure).to_dict("list") == {"series": ["p"] * 3, "x": [1, 2, 5], "y": [0.1, 0.2, 0.3]}
