"""The words of the lessons, one Markdown file each.

A file has a title, a paragraph that leads in, and the sections *What do you expect?* (a question, choices as a task
list with the right one ticked, and the answer), *How it works* (with formula and source) and *So what*; before the last
two, the words of further sections of the lesson, each under its title.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
_CHOICE = re.compile(r"^- \[([ x])\] (.+)$", re.MULTILINE)
EXPECT, HOW, SO_WHAT = "What do you expect?", "How it works", "So what"


@dataclass(frozen=True)
class Text:
    """The words of one lesson, as Markdown.

    Parameters
    ----------
    title, lead : str
    question : str
        Asked before anything is played.
    choices : tuple of str
    right : int
        Place of the right choice.
    answer : str
        Given after enough play.
    asides : mapping of title to words
        Of further sections.
    how, so_what : str
    """

    title: str
    lead: str
    question: str
    choices: tuple[str, ...]
    right: int
    answer: str
    asides: Mapping[str, str]
    how: str
    so_what: str


@cache
def read(lesson: str) -> Text:
    """Return the words of a lesson, the name of a file without its ending.

    Raises
    ------
    ValueError
        When a section is missing, or not exactly one choice is ticked.
    """
    head, *parts = re.split(r"^## ", (FOLDER / f"{lesson}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    title, _, lead = head.partition("\n")
    sections = {name.strip(): text.strip() for name, _, text in (part.partition("\n") for part in parts)}
    titles = list(sections)
    if (titles[:1], titles[-2:]) != ([EXPECT], [HOW, SO_WHAT]):
        raise ValueError(f"{lesson}.md has the sections {titles}.")
    question, _, answer = re.split(r"((?:^- \[.+\n)+)", sections[EXPECT], flags=re.MULTILINE)
    choices = _CHOICE.findall(sections[EXPECT])
    ticked = [place for place, (mark, _) in enumerate(choices) if mark == "x"]
    if len(ticked) != 1:
        raise ValueError(f"{lesson}.md ticks {len(ticked)} choices; expected 1.")
    return Text(title.removeprefix("# ").strip(), lead.strip(), question.strip(), tuple(text for _, text in choices),
                ticked[0], answer.strip(), {title: sections[title] for title in titles[1:-2]},
                sections[HOW], sections[SO_WHAT])
