"""What was assumed while an experiment was loaded: shown wherever its numbers are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

#: Code of the assumption on which the direction of every verdict under a metric depends.
DIRECTION = "direction"
#: From so many metrics on, of which the same was assumed, one line names all of them.
MANY_METRICS = 4
MOST_NAMED, FEW_NAMED = 8, 5  # of many metrics: so many are all named, of more only the first few


@dataclass(frozen=True)
class Assumption:
    """One guess of the loader, for people and for programs.

    Parameters
    ----------
    code : str
        Kebab-case, such as ``direction`` or ``replica-by-number``.
    message : str
        A sentence that says what was taken for what, and why.
    remedy : str
        How to say otherwise; may be part of the message as well.
    subject : str
        What the guess is about: the metric of a direction; else "".
    files : tuple of str
    """

    code: str
    message: str
    remedy: str = ""
    subject: str = ""
    files: tuple[str, ...] = ()


class _Guess(Protocol):
    """A guess, or the line of a report that tells of one."""

    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def remedy(self) -> str: ...
    @property
    def subject(self) -> str: ...


_G = TypeVar("_G", bound=_Guess)


def in_few_lines(guesses: Iterable[_G]) -> list[_G]:
    """Return guesses for people to read: one stands for many metrics of which the same is said.

    Programs get them one by one, each with its metric.

    Examples
    --------
    >>> remedy = "If not, say so in experiment.toml: [metrics.{}] higher_is_better = false."
    >>> guesses = [Assumption(DIRECTION, f"{m}: assumed that higher is better. {remedy.format(m)}", remedy.format(m), m)
    ...            for m in ("kappi", "lumo", "mirv", "nax")]
    >>> [guess.message for guess in in_few_lines(guesses)]  # doctest: +NORMALIZE_WHITESPACE
    ['4 metrics (kappi, lumo, mirv, nax): assumed that higher is better. If not, say so in experiment.toml:
      [metrics.NAME] higher_is_better = false.']
    """
    groups: dict[tuple[str, str, int], list[_G]] = {}
    for i, guess in enumerate(guesses):
        said = guess.message.removesuffix(guess.remedy).removeprefix(guess.subject).strip()
        groups.setdefault((guess.code, said, -1) if guess.subject else ("", "", i), []).append(guess)
    lines: list[_G] = []
    for (_, said, _), own in groups.items():
        lines += own if len(own) < MANY_METRICS else [_joined(own, said)]
    return lines


def _joined(own: list[_G], said: str) -> _G:
    remedy = re.sub(r"\[metrics\..*?\](?= higher_is_better)", "[metrics.NAME]", own[0].remedy)
    shown = own if len(own) <= MOST_NAMED else own[:FEW_NAMED]
    more = f" and {len(own) - len(shown)} more" if len(own) > len(shown) else ""
    names = ", ".join(guess.subject for guess in shown) + more
    what = said.replace("its name is", "their names are")
    message = f"{len(own)} metrics ({names}){'' if what.startswith(':') else ' '}{what} {remedy}".rstrip()
    return replace(own[0], message=message, remedy=remedy, subject="")  # type: ignore[type-var]
