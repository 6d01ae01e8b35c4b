"""The optimizer lab in a simulated session."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.loading.writing import zip_of
from mtsig_core.optimizers import OPTIMIZERS, get_optimizer
from pages.parts.lab.plan import Plan
from tests.conftest import WORDS
from tests.pages.session import PAGES, goto, said, session, settle, upload

pytestmark = pytest.mark.slow
N_SEGMENTS = 12


def lists() -> bytes:
    """Return a zip with an n-best list and its reference: the better candidate has the larger feature, blurred."""
    rng = np.random.default_rng(1)
    lines, references = [], []
    for segment in range(N_SEGMENTS):
        reference = [WORDS[i] for i in rng.integers(len(WORDS), size=12)]
        references.append(" ".join(reference))
        for candidate in range(6):
            errors = rng.integers(0, 5)
            own = [("x" if i < errors else word) for i, word in enumerate(reference)]
            features = -errors + rng.normal(size=3)
            named = " ".join(f"F{k}= {value:.3f}" for k, value in enumerate(features))
            lines.append(f"{segment} ||| {' '.join(own)} {candidate} ||| {named} ||| {features.sum():.3f}")
    files = {"list.nbest": lines, "reference.txt": references}
    return zip_of((name, ("\n".join(own) + "\n").encode()) for name, own in files.items())


def opened(source: str, section: str = "", demo: str = "news", **controls: object):
    """Open the lab on lists with some controls set, once the first run has registered the addresses of pages."""
    made = session({"demo": demo, "metrics": "BLEU", "lists": source})
    made.switch_page(PAGES["Optimizer lab"])
    for name, value in controls.items():
        made.session_state[f"lab {name.replace('_', ' ')}"] = value
    if section:
        made.query_params["section"] = section
    return settle(made)


def lab(section: str = ""):
    """Open the lab on the small list, with few replicas."""
    made = opened("own", section)
    made.file_uploader(key="lab upload").upload("mine.zip", lists())
    return settle(made)


def test_without_lists_the_page_says_how_to_open_some():
    made = opened("own")
    assert "No lists are open" in said(made)


def test_a_list_becomes_replicas_and_an_experiment():
    made = lab()
    assert made.multiselect(key="lab optimizers").value == ["mert"]
    made.multiselect(key="lab optimizers").set_value(["mert", "pro", "mira"])
    settle(made)
    made.number_input(key="lab replicas").set_value(4)
    made.number_input(key="lab pro samples").set_value(50)
    made.number_input(key="lab mira epochs").set_value(3)
    settle(made)
    next(b for b in made.button if b.label == "Make replicas").click()
    settle(made)
    text = said(made)
    assert "6 segments with 36 candidates to tune on, 6 segments to test on; 3 features" in text
    assert "3 systems (MERT, PRO, batch MIRA), 4 replicas each" in text
    assert "| 1-best |" in text
    made.button(key="lab open").click()
    settle(made)
    assert "Every page now shows these replicas." in [box.value for box in made.success]
    assert "3 systems, 12 replicas" in said(made)
    assert "MERT" in said(goto(made, "Compare"))


@pytest.mark.parametrize(("demo", "n", "controls"), [("travel", 10, {}), ("news", 3, {"replicas": 3})])
def test_the_demonstrations_become_replicas(demo, n, controls):
    made = opened(demo, demo=demo, **controls)
    text = said(made)
    assert f"1 system (MERT), {n} replicas" in text
    assert "| 1-best |" in text
    assert len(made.get("plotly_chart")) == 3


def test_all_optimizers_are_compared_on_a_demonstration():
    light = {"mert": {"restarts": 2}, "pro": {"samples": 100}, "mira": {"epochs": 3}, "risk": {"iterations": 10}}
    plan = Plan(tuple(get_optimizer(name, **light.get(name, {})) for name in OPTIMIZERS), 2, 1)
    text = said(made := opened("news", "spread", plan=plan, spread_replicas=2))
    assert all(f"| {optimizer.label} | 2 |" in text for optimizer in OPTIMIZERS.values())
    assert len(made.get("plotly_chart")) == 1


def test_every_metric_of_quality_can_be_tuned_for():
    made = lab()
    offered = made.selectbox(key="lab metric").options
    assert {"BLEU", "chrF", "TER", "NIST", "ROUGE-L"} < set(offered)
    assert "Length" not in offered
    made.checkbox(key="lab lowercase").set_value(True)
    made.selectbox(key="lab metric").set_value("ter")
    text = said(settle(made))
    assert "| 1-best |" in text
    assert not made.exception


def test_a_slow_run_goes_from_line_to_line():
    made = lab(section="steps")
    assert "Line 1 of" in said(made)
    assert "moves from left to right" in said(made)
    for _ in range(9):
        made.button(key="lab next").click()
        settle(made)
    text = said(made)
    assert "moves to the middle of the best step" in text or "the weights stay" in text
    made.button(key="lab next").click()
    settle(made)
    assert "Line 2 of" in said(made)
    made.button(key="lab again").click()
    assert "Line 1 of" in said(settle(made))


def test_a_slow_run_ends_and_starts_again():
    made = lab(section="steps")
    last = int(made.slider(key="lab step").max)
    made.slider(key="lab step").set_value(last)
    settle(made)
    while not made.button(key="lab next").disabled:
        made.button(key="lab next").click()
        settle(made)
    assert f"Line {last} of {last}" in said(made)
    made.number_input(key="lab slow seed").set_value(2)
    assert "Line 1 of" in said(settle(made))


def test_the_objective_has_steps_and_local_optima():
    text = said(lab(section="objective"))
    assert "Along F0, the score changes at" in text
    assert "This plane has" in text


def test_lists_on_the_data_page_lead_to_the_lab():
    made = upload(session({"demo": "news"}), "mine.zip", lists())
    assert "n-best list" in said(made)
    made = goto(made, "Optimizer lab")
    assert "6 segments with 36 candidates to tune on" in said(made)


def test_a_bad_list_names_file_and_line():
    made = opened("own")
    content = zip_of([("list.nbest", 40 * b"0 ||| a b ||| F= 1 ||| 1\n" + b"x ||| b\n"), ("reference.txt", b"a b\n")])
    made.file_uploader(key="lab upload").upload("bad.zip", content)
    settle(made)
    assert "list.nbest, line 41" in said(made)
