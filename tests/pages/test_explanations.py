"""Explanations: every one is shown somewhere, and none that is asked for is missing."""

import re
from pathlib import Path

import pytest

from pages.parts.explanations import FOLDER, read

PAGES = Path(__file__).resolve().parents[2] / "pages"
TOPICS = sorted(path.stem for path in FOLDER.glob("*.md"))
ASKED = {
    topic
    for path in PAGES.rglob("*.py")
    for topic in re.findall(
        r"(?:explanations\.(?:explain|heading)\((?:[^()]*, )?|explanation=)\"([a-z0-9-]+)\"\)", path.read_text()
    )
}


def test_every_explanation_is_shown_and_every_topic_exists():
    assert set(TOPICS) == ASKED


@pytest.mark.parametrize("topic", TOPICS)
def test_an_explanation_has_a_specific_title_and_balanced_formulas(topic):
    title, text = read(topic)
    assert title.split()[0] in ("How", "What")
    assert title != "What is this?"
    fences = [line for line in text.split("\n") if line.count("$$") % 2]
    assert all(line == "$$" for line in fences), "a formula over several lines stands between lines of its own"
    assert len(fences) % 2 == 0
    assert "".join(line for line in text.split("\n") if "$$" not in line).count("$") % 2 == 0
