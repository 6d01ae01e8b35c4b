from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.planning.components import SharedSeeds, variance_components
from mtsig_core.analysis.planning.planner import Pilot, PlanDesign, plan
from mtsig_core.figures.components import _log_ticks, luck_shares, luck_sizes
from mtsig_core.figures.planner import power_contour
from mtsig_core.reports.pairs.planner import components_frame, plan_frame, seeds_sentence
from mtsig_core.significance import Scope


@pytest.fixture
def components():
    rng = np.random.default_rng(1)
    a, b = (rng.normal(0, 2, (3, 1)) + rng.normal(0, 3, 50) + rng.normal(0, 5, (3, 50)) for _ in range(2))
    return variance_components(a, b, scope=Scope(systems=("<b>old</b>", "new")))


@pytest.fixture
def planned():
    return plan(Pilot((1.0, 1.0), (100.0, 100.0), 50.0, 400, 400), 1.5, PlanDesign(simulations=300))


def test_bars_add_up_to_all_the_luck(components):
    figure = luck_shares(components)
    assert sum(trace.x[0] for trace in figure.data) == pytest.approx(100)
    assert any("&lt;b&gt;old" in trace.name for trace in figure.data)
    assert not any("<b>old" in trace.name for trace in figure.data)


def test_sizes_draw_every_interval(components):
    lines = [trace for trace in luck_sizes(components, "BLEU").data if trace.mode == "lines"]
    assert len(lines) == len(components.rows)
    assert all(0 < line.x[0] < line.x[1] for line in lines)


def test_nothing_to_draw_is_said():
    nothing = variance_components(np.ones((1, 5)), np.ones((1, 5)))
    constant = variance_components(np.ones((3, 5)), np.ones((3, 5)))
    for found in (nothing, constant):
        for figure in (luck_shares(found), luck_sizes(found, "BLEU")):
            assert figure.layout.annotations[0].text


@pytest.mark.slow
def test_the_contour_marks_the_power_wanted_and_the_least_replicas(planned):
    figure = power_contour(planned)
    assert [trace.type for trace in figure.data] == ["contour", "contour", "scatter", "scatter"]
    assert figure.data[1].contours.start == 0.8
    assert list(figure.data[3].x) == [planned.needed]


@pytest.mark.slow
def test_tables_hold_texts_without_a_p_of_zero(components, planned):
    for frame in (components_frame(components), plan_frame(planned)):
        text = frame.to_string().lower()
        assert "nan" not in text
        assert " 0.000" not in text


def test_components_have_the_digits_of_their_scale(components):
    small = [replace(row, sd=row.sd / 100, low=row.low / 100, high=row.high / 100) for row in components.rows]
    told = components_frame(replace(components, rows=tuple(small)))
    sds = [text.split()[0] for text in told["sd"]]
    assert [float(text) for text in sds] == pytest.approx([row.sd for row in small], abs=6e-5)


def test_shared_seeds_are_asked_about_never_decided():
    alike = SharedSeeds(0.75, 0.12, 0.6, 0.01)
    assert "turn on" in seeds_sentence(alike, paired=False)
    assert "As expected" in seeds_sentence(alike, paired=True)
    other = SharedSeeds(0.1, 0.12, None, None)
    assert "do not show it" in seeds_sentence(other, paired=True)
    assert "No sign" in seeds_sentence(other, paired=False)


@pytest.mark.parametrize(("low", "high", "ticks"), [(0.9, 12, [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]),
                                                    (0.01, 80, [0.01, 0.1, 1, 10, 100])])
def test_a_logarithmic_axis_has_few_round_ticks(low, high, ticks):
    assert _log_ticks(low, high) == ticks
