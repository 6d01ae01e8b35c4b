"""Replicas that look as if they shared seeds: the page asks, and a button pairs them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.parts.data.check import _boxes
from tests.conftest import noisy, small_experiment, write_folder
from tests.pages.session import app, goto, said, settle, unmarked, upload, zipped


def test_the_same_advice_about_several_pairs_is_given_once():
    boxes = [unmarked(box) for box in _boxes(["Odd.", "a and b. If so, pair.", "a and c. If so, pair.", "Even."])]
    assert boxes == ["Odd.", "- a and b.\n- a and c.\n\nIf so, pair.\n\n", "Even."]


@pytest.mark.slow
def test_a_button_pairs_replicas_that_look_as_if_they_shared_seeds(tmp_path):
    experiment = small_experiment(dev=False)
    first, second = experiment.systems
    alike = tuple(
        replace(b, outputs={"test": noisy(list(a.outputs["test"]), k, 0.03)})
        for k, (a, b) in enumerate(zip(second.replicas, first.replicas, strict=True))
    )  # fmt: skip
    folder = write_folder(replace(experiment, systems=(second, replace(first, replicas=alike))), tmp_path)
    made = goto(upload(app("Data"), "mine.zip", zipped(folder)), "Compare", "why")
    assert "Do replicas of the same number share a seed" in said(made)
    made.button(key="pair replicas").click()
    settle(made)
    assert made.toggle(key="paired").value
    assert "As expected of paired replicas." in said(made)
    assert not [button for button in made.button if button.key == "pair replicas"]
