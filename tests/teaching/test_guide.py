"""The teacher's guide: its links open lessons as they are, and its exercises have the answers that it gives."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from mtsig_core.teaching import Run
from mtsig_core.teaching.correlations import Correlations, correlation_summary, invented
from mtsig_core.teaching.many_comparisons import ManyComparisons, errors
from mtsig_core.teaching.noticeable import Experiments, noticed
from pages.parts.learn.lessons import correlation, inside_bleu, many_comparisons, noticeable
from tests.conftest import document

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
LESSONS = {module.LESSON.slug: module.LESSON for module in (correlation, inside_bleu, many_comparisons, noticeable)}
LINKS = [urlsplit(link) for link in re.findall(r"`(/[a-z-]+\?[^`]+)`", GUIDE)]
LINKS = [link for link in LINKS if link.path[1:] in LESSONS]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: f"{link.path}?{link.query}")
def test_a_link_asks_for_what_its_lesson_has(link):
    lesson = LESSONS[link.path[1:]]
    controls = {control.name: control for control in lesson.controls(None)}
    asked = dict(parse_qsl(link.query, strict_parsing=True))
    assert int(asked.pop("draws")) <= lesson.most_linked
    values = {name: control.first for name, control in controls.items()}
    values |= {name: controls[name].read(text) for name, text in asked.items()}
    assert lesson.simulate(values, None, 1).most > 0


def test_the_answers_on_the_lessons_are_what_they_draw():
    better = Run(ManyComparisons(better=3, gain=0.4)).step(300)
    assert errors(better, "holm").found < 0.5 < 0.6 < errors(better, "bh").found < 0.72
    mistaken = Run(Correlations(invented(0.6, 0.6, 0.5), 12)).step(1000)
    assert correlation_summary(mistaken).found["one"] > 0.33
    tiny = noticed(Run(Experiments()).step(500))
    assert 0.75 < tiny.significant < 0.87


@pytest.mark.slow
def test_the_exercises_have_their_answers(call):
    few = ("--json", "--resamples", "100", "--shuffles", "100")
    rows = document(call("pairs", ROOT / "data" / "judged.tar.xz", *few))["rows"]
    assert [sum(row[name] < 0.05 for row in rows) for name in ("p", "p_bh", "p_holm")] == [25, 25, 20]
    told = call("compare", ROOT / "data" / "news.tar.xz", "--test-set", "test", "--margin", "1", *few[1:])[1]
    told = " ".join(told.split())
    for words in ("better than words by 0.49 BLEU", "(p = 0.028)", "smaller than your margin", "on 54% of pairs"):
        assert words in told
