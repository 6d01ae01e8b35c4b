"""Ids of segments inside the text are told from words with which sentences begin."""

from __future__ import annotations

import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading.checks import check

WORDS = ["the cat sits", "a dog runs off", "one more line", "red boats leave", "rain fell again", "we wait here"]


def warned(form, words=WORDS, outputs=None):
    """Return the warning about an experiment whose references (and outputs, by default) are written in a form."""
    written = tuple(form.format(text=text, i=i, j=7 * i % 11) for i, text in enumerate(words))
    systems = tuple(System(name, (Replica("1", {"test": outputs or written}),)) for name in "ab")
    experiment = Experiment("e", (TestSet("test", "test", (written,)),), systems)
    return [line for line in check(experiment) if line.code == "ids-in-lines"]


@pytest.mark.parametrize(("form", "said"), [
    ("{text} (spk1-utt{i:03})", "ends with an id such as 'spk1-utt000'"),
    ("utt_{i} {text}", "begins with an id such as 'utt_0'"),
    ("{i}\t{text}", "begins with an id such as '0'"),
    ("en-{i}-{j} {text}", "begins with an id such as 'en-0-0'"),
])  # fmt: skip
def test_an_id_in_every_line_is_named_with_the_remedy(form, said):
    (line,) = warned(form)
    assert said in line.message
    assert "references, a/1, b/1 of test" in line.message
    assert "FILE > CLEAN" in line.message


def test_ids_on_one_side_alone_are_named_too():
    (line,) = warned("utt_{i} {text}", outputs=tuple(WORDS))
    assert ": references of test" in line.message


@pytest.mark.parametrize("form", [
    "{text}", "{j} dogs: {text}", "v2 {text}", "{text} (2020)", "{text} ({text})", "{i}, {text}", "{i}",
])  # fmt: skip
def test_words_of_the_text_are_no_ids(form):
    assert warned(form) == []


def test_a_few_lines_prove_nothing():
    assert warned("utt_{i} {text}", WORDS[:4]) == []
