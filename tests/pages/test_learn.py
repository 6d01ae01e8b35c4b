"""The lessons in a simulated session: they are asked, played, linked, and left and found again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.parts.learn.order import LESSONS, neighbours
from pages.parts.learn.texts import FOLDER, HOW, SO_WHAT, read
from tests.pages.session import PAGES, goto, said, session, settle, show

TITLES = [title for _, title, _ in LESSONS]
SLUGS = {title: Path(file).stem.replace("_", "-") for file, title, _ in LESSONS}
FIRST = TITLES[0]


def lesson(title: str, **query: str):
    """Open a lesson as a link does."""
    made = session({"demo": "news", "metrics": "BLEU"} | query)
    made.switch_page(PAGES[title])
    for name, value in query.items():
        made.query_params[name] = value
    return settle(made)


def drawn(made) -> str:
    """Return what the page says of the number of draws."""
    return next(m.value for m in made.markdown if " of at most " in m.value or "That is the maximum" in m.value)


def linked(made, parameter: str) -> str:
    """Return a value of the address: a list once it was read from there, text when it was written."""
    value = made.query_params[parameter]
    return value if isinstance(value, str) else value[0]


def test_every_lesson_has_its_words_and_every_file_its_lesson():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(SLUGS.values())
    for title, slug in SLUGS.items():
        text = read(slug)
        assert text.title == title
        assert len(text.choices) >= 2
        assert "Source" in text.how
        assert len(re.findall(r"\.(?:\s|$)", text.so_what)) == 2, f"{title}: 'So what' has two sentences"


def test_lessons_lead_to_their_neighbours():
    assert neighbours(FIRST)[0] is None
    assert neighbours(TITLES[-1])[1] is None
    for one, other in zip(TITLES, TITLES[1:], strict=False):
        assert neighbours(one)[1][1] == other
        assert neighbours(other)[0][1] == one


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("population", ["small", "open"])
def test_a_lesson_is_played_on_either_population(title, population):
    slug = SLUGS[title]
    made = lesson(title, population=population, draws="10")
    assert [t.value for t in made.title] == [title]
    assert drawn(made).startswith("**10 ")
    made.button(key=f"{slug} step 1").click()
    settle(made)
    assert drawn(made).startswith("**11 ")
    assert linked(made, "draws") == "11"
    made.button(key=f"{slug} restart").click()
    settle(made)
    assert drawn(made).startswith("**0 ")
    assert "nan" not in said(made).lower().split()


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_doors_lead_through_a_lesson_with_the_same_draws(title):
    slug, passed = SLUGS[title], []
    made = lesson(title, draws="10")
    while doors := [b for b in made.button if (b.key or "").startswith(f"door of {slug} ")]:
        passed.append(doors[0].label)
        doors[0].click()
        settle(made)
        assert linked(made, "draws") == "10"
    assert passed == [f"Next: {words}" for words in [*read(slug).asides, HOW]]
    assert [h.value for h in made.header] == [HOW, SO_WHAT]
    assert not made.get("plotly_chart")
    show(made, "")
    assert drawn(made).startswith("**10 ")


@pytest.mark.slow
def test_a_lesson_stops_where_nobody_sees_it_play():
    made = lesson(FIRST, draws="10")
    made.button(key="sampling-distribution play").click()
    settle(made)
    show(made, "how")
    show(made, "")
    assert made.button(key="sampling-distribution play")


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_a_lesson_opens_from_its_address_and_answers(title):
    slug = SLUGS[title]
    made = lesson(title, draws="30", lesson_seed="7")
    assert drawn(made).startswith("**30 ")
    assert made.number_input(key=f"{slug} lesson_seed").value == 7
    again = lesson(title, draws="30", lesson_seed="7")
    assert drawn(again) == drawn(made)
    made.radio(key=f"{slug} expected").set_value(read(slug).right)
    settle(made)
    assert "The answer comes after" in said(made) or made.success
    made.button(key=f"{slug} step 1000").click()
    settle(made)
    assert made.success[0].value.startswith("As you expected.")


@pytest.mark.slow
def test_a_lesson_is_found_as_it_was_left():
    made = lesson(FIRST, draws="40", shape="skewed", size="50")
    before = drawn(made)
    goto(made, "Data")
    made.switch_page(PAGES[FIRST])
    settle(made)
    assert drawn(made) == before
    assert made.selectbox(key="sampling-distribution shape").value == "skewed"
    assert linked(made, "shape") == "skewed"
    assert linked(made, "draws") == "40"


@pytest.mark.slow
def test_what_the_address_cannot_mean_is_said():
    made = lesson(FIRST, draws="many", size="21", shape="square", present="yes", lesson_seed="0", population="all")
    refused = "\n".join(w.value.replace("\\", "").replace("\u2060", "") for w in made.warning)
    for parameter in ("draws = 'many'", "size = '21'", "shape = 'square'", "present = 'yes'", "lesson_seed = '0'",
                      "population = 'all'"):  # fmt: skip
        assert parameter in refused
    assert drawn(made).startswith("**0 ")


@pytest.mark.slow
def test_a_run_stops_at_its_cap():
    made = lesson(FIRST, draws="2000")
    for _ in range(8):
        made.button(key="sampling-distribution step 1000").click()
        settle(made)
    assert drawn(made).startswith("**10,000 samples**. That is the maximum")
    assert made.button(key="sampling-distribution play").disabled


@pytest.mark.slow
def test_bars_are_edited_and_linked():
    made = lesson(FIRST, shape="bars", heights="1,0,0,0,0,0,0,0,0,1", draws="5")
    field = made.text_input(key="sampling-distribution heights typed")
    assert field.value == "1,0,0,0,0,0,0,0,0,1"
    field.set_value("1,2")
    settle(made)
    assert any("10 whole numbers from 0 to 20" in c.value for c in made.caption)
    assert linked(made, "heights") == "1,0,0,0,0,0,0,0,0,1"


@pytest.mark.slow
def test_a_presentation_goes_from_lesson_to_lesson():
    made = lesson(FIRST, present="1")
    assert any("stSidebar" in h.value and "font-size" in h.value for h in made.get("html"))
    made.button(key="lesson present").click()
    settle(made)
    assert "present" not in made.query_params
