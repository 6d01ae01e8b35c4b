"""People who look at an experiment, think, and go on: which of them asks what is drawn from a seed."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from tests.load.session import Session

PAGES = ("", "replicas", "compare", "rank", "plan", "read", "trust")
SEEDS = (1, 2)
PATIENCE = 120.0  # seconds after which an answer counts as missing
View = tuple[str, str, str, int]


@dataclass(frozen=True)
class Answer:
    """One action, and how long it took.

    Attributes
    ----------
    drawn : float
        Seconds until the page was drawn, with first results or those that were there.
    settled : float
        Seconds until nothing was on its way any more.
    is_warm : bool
        Whether somebody had seen this view before.
    """

    who: str
    what: str
    drawn: float
    settled: float
    is_warm: bool


@dataclass
class Crowd:
    """What all people share: the clock, the views that somebody has seen, and what was measured."""

    host: str
    think: float
    until: float
    most: int
    seen: set[View] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def is_over(self) -> bool:
        """Say whether the time, or the number of actions, is used up."""
        return time.monotonic() > self.until or len(self.answers) >= self.most


@dataclass
class Person:
    """One tab on one experiment.

    Parameters
    ----------
    systems : frozenset of str
        What the experiment compares; anything else in the lists of systems is somebody else's.
    """

    crowd: Crowd
    name: str
    query: str
    systems: frozenset[str]
    random: random.Random
    page: str = ""
    test_set: str = ""
    seed: int = 0

    async def visit(self, wait: float) -> None:
        """Come, ask until the time is over, and close the tab."""
        self.page, self.test_set, self.seed = "", "", 0
        await asyncio.sleep(wait)
        try:
            async with Session(self.crowd.host, self.query) as tab:
                await self._timed(tab, "first visit", tab.open())
                while not self.crowd.is_over():
                    await asyncio.sleep(self.crowd.think)
                    if self.random.random() < 0.6:
                        await self._turn_page(tab)
                    else:
                        await self._change_setting(tab)
        except Exception as error:  # whatever stops one person is an error of the run, not its end
            self.crowd.errors.append(f"{self.name}: {type(error).__name__}: {error}")

    async def _turn_page(self, tab: Session) -> None:
        self.page = self.random.choice([page for page in PAGES if page != self.page])
        await self._timed(tab, "page", tab.go_to(self.page))

    async def _change_setting(self, tab: Session) -> None:
        sets = [name for name in tab.widgets["selectbox", "Test set"].options
                if name != self.test_set and "tuning" not in name]  # fmt: skip
        if sets and self.random.random() < 0.5:
            self.test_set = self.random.choice(sets)
            await self._timed(tab, "test set", tab.choose("Test set", self.test_set))
        else:
            self.seed = self.random.choice([seed for seed in SEEDS if seed != self.seed])
            await self._timed(tab, "seed", tab.type_number("Random seed", self.seed))

    async def _timed(self, tab: Session, what: str, action) -> None:
        view = (self.query, self.page, self.test_set, self.seed)
        is_warm, began, before = view in self.crowd.seen, time.monotonic(), len(tab.errors)
        await action
        in_time = await tab.first_drawn(PATIENCE)
        drawn = time.monotonic() - began
        in_time = await tab.settle(PATIENCE) and in_time
        self.crowd.answers.append(Answer(self.name, what, drawn, time.monotonic() - began, is_warm))
        self.crowd.seen.add(view)
        if not in_time:
            self.crowd.errors.append(f"{self.name}: no answer in {PATIENCE:.0f} s: {what} {view}")
        self.crowd.errors += [f"{self.name}: {error}" for error in tab.errors[before:]]
        shown = set(tab.widgets["selectbox", "Baseline (A)"].options)
        if shown != self.systems:
            self.crowd.errors.append(f"{self.name}: sees {shown}, not {set(self.systems)}")
