"""The teacher's guide: every link opens a lesson of today, and every answer to an exercise is right."""

import re
import shlex
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from urllib.parse import parse_qsl, urlsplit

import pytest

from mtsig_core import Workbench, load_example
from mtsig_core.cli import main as commands
from mtsig_core.teaching import Run
from mtsig_core.teaching.correlations import Correlations, correlation_summary, invented
from mtsig_core.teaching.many_comparisons import ManyComparisons, errors
from mtsig_core.teaching.noticeable import Experiments, noticed
from pages.parts.learn import lessons, order
from pages.parts.learn.lesson import PLAY, Opened
from pages.parts.learn.lessons import inside_bleu
from pages.parts.learn.texts import read
from tests.conftest import document

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
PAGES = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8")
SPANS = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", GUIDE)]
LINKS = sorted({span for span in SPANS if re.match(r"/[a-z-]+\?", span)})
COMMANDS = sorted({span for span in SPANS if re.match(r"mtsig [a-z]", span)})
MODULES = [import_module(f"{lessons.__name__}.{found.name}") for found in iter_modules(lessons.__path__)]
LESSONS = {module.LESSON.slug: module.LESSON for module in MODULES if hasattr(module, "LESSON")}


def test_every_lesson_is_in_the_guide():
    assert set(LESSONS) == {Path(file).stem.replace("_", "-") for file, _, _ in order.LESSONS}
    assert {link[1:].split("?")[0] for link in LINKS} == set(LESSONS)
    assert [slug for slug in LESSONS if f"`/{slug}` |" not in GUIDE] == []


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_every_section_has_its_words_and_its_row_in_the_list_of_pages(lesson):
    assert [part.title for part in lesson.more] == list(read(lesson.slug).asides)
    listed = PAGES[PAGES.index(f"`/{lesson.slug}`") :].split("`/", 2)[1]
    assert re.findall(r"\| `(\w+)` \|", listed) == [part.slug for part in lesson.parts]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_asks_for_what_its_lesson_has(link):
    address = urlsplit(link)
    lesson = LESSONS[address.path[1:]]
    asked = dict(parse_qsl(address.query, strict_parsing=True))
    assert asked.pop("section", PLAY) in [part.slug for part in lesson.parts]
    assert int(asked.pop("draws")) <= lesson.most_linked
    values = {}
    for control in lesson.controls(None):
        values[control.name] = control.first
        if control.name in asked and (control.when is None or control.when(values)):
            values[control.name] = control.read(asked.pop(control.name))
    assert asked == {}
    assert lesson.simulate(values, None, 1).most > 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_one_and_has_its_data(command):
    assert (ROOT / commands._parser().parse_args(shlex.split(command)[1:]).path).is_file()


@pytest.mark.slow
def test_the_answers_on_the_lessons_are_what_they_draw():
    better = Run(ManyComparisons(better=3, gain=0.4)).step(300)
    assert errors(better, "holm").found < 0.5 < 0.6 < errors(better, "bh").found < 0.72
    mistaken = Run(Correlations(invented(0.6, 0.6, 0.5), 12)).step(1000)
    assert correlation_summary(mistaken).shares["one"] > 0.33
    tiny = noticed(Run(Experiments()).step(500))
    assert 0.75 < tiny.significant < 0.87


@pytest.mark.slow
def test_the_exercises_have_their_answers(call):
    few = ("--json", "--resamples", "100", "--shuffles", "100")
    rows = document(call("pairs", ROOT / "data" / "judged.tar.xz", *few))["rows"]
    assert [sum(row[name] < 0.05 for row in rows) for name in ("p", "p_bh", "p_holm")] == [25, 25, 20]
    told = call("compare", ROOT / "data" / "news.tar.xz", "--test-set", "test", "--margin", "1", *few[1:])[1]
    told = " ".join(told.split())
    said = ("better than words by 0.83 BLEU", "(p = 0.002)", "your margin of 1.00 BLEU is open", "on 61% of pairs")
    for words in said:
        assert words in told


def test_scores_without_texts_are_no_lesson_on_words():
    pair = Workbench(load_example()).pair()  # segment scores only
    opened = Opened(pair.statistics(), pair)
    values = {control.name: control.first for control in inside_bleu.controls(opened)}
    with pytest.raises(ValueError, match="it needs outputs and references"):
        inside_bleu.simulate(values, opened, 1)
