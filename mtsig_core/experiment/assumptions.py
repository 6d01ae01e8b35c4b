"""What was assumed while an experiment was loaded: shown wherever its numbers are shown."""

from __future__ import annotations

from dataclasses import dataclass

#: Code of the assumption on which the direction of every verdict under a metric depends.
DIRECTION = "direction"


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
