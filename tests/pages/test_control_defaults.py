"""A browser that misses the first drawing of a control takes what a later drawing calls its usual value."""

import pytest

from tests.pages.session import app, session, settle


@pytest.mark.slow
def test_a_control_that_is_drawn_again_still_names_its_usual_value():
    made = settle(app("Replicas").run())
    for key in ("lang", "tok"):
        control = made.selectbox(key=key)
        assert control.options[control.proto.default] == control.options[control.index]
    metrics = made.multiselect(key="metrics")
    assert [metrics.options[i] for i in metrics.proto.default]


@pytest.mark.slow
def test_the_metric_of_the_figures_is_drawn_with_the_one_chosen():
    made = session({"demo": "news", "metrics": ["BLEU", "chrF"]}, "Replicas")
    chosen = made.button_group(key="one metric")
    assert drawn(chosen) == ["BLEU"]
    chosen.set_value("chrf")
    settle(made)
    assert drawn(settle(made).button_group(key="one metric")) == ["chrF"]


def drawn(control) -> list[str]:
    """Return what the newest drawing tells a browser to show."""
    return list(control.proto.raw_values) if control.proto.set_value else []
