"""Replicas that look as if they shared seeds: the page asks, and a button pairs them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import noisy, small_experiment, write_folder
from tests.pages.session import app, goto, said, settle, upload, zipped


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
