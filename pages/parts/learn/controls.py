"""The controls of a lesson as data: what can be set, how it stands in the address, and which widget sets it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts.learn import link

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Control(ABC):
    """Something that a lesson lets people set.

    Parameters
    ----------
    name : str
        In the address and in the values handed to the lesson.
    label : str
    help : str
    when : callable, optional
        Whether it is shown, by the values of the controls before it; a hidden one has its default.
    start : object
        Value before anybody sets one.
    """

    name: str
    label: str
    help: str = ""
    when: Callable[[Values], bool] | None = None
    start: Any = None

    @property
    def first(self) -> Any:
        """Value before anybody sets one."""
        return self.start

    @property
    @abstractmethod
    def expected(self) -> str:
        """What can stand in the address, as a sentence without a full stop."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """Return the value of a text of the address; raise ValueError where it is none."""

    def write(self, value: Any) -> str:
        """Return a value as the address has it."""
        return str(value)

    def take(self, key: str, value: Any) -> None:
        """Give the widget a value before it is drawn."""
        st.session_state[key] = value

    @abstractmethod
    def draw(self, key: str) -> Any:
        """Draw the widget, whose value stands in the session already, and return what it says."""


@dataclass(frozen=True)
class Pick(Control):
    """One of a few.

    Parameters
    ----------
    options : mapping of value to label
        The first one is the default.
    """

    options: Mapping[str, str] | None = None

    @property
    def _options(self) -> Mapping[str, str]:
        return self.options or {}

    @property
    def first(self) -> str:
        """The first option."""
        return next(iter(self._options))

    @property
    def expected(self) -> str:
        """The options."""
        return f"It must be one of {', '.join(self._options)}"

    def read(self, text: str) -> str:
        """Return an option."""
        if text not in self._options:
            raise ValueError(text)
        return text

    def draw(self, key: str) -> str:
        """Draw a list to open, or buttons where there are few and short options."""
        labels = self._options
        if len(labels) < 4 and sum(map(len, labels.values())) < 20:
            return str(st.segmented_control(
                self.label, list(labels), required=True, format_func=labels.__getitem__, key=key,
                help=self.help or None, persist_state="session",
            ))  # fmt: skip
        return str(st.selectbox(self.label, list(labels), format_func=labels.__getitem__, key=key,
                                help=self.help or None, persist_state="session"))


@dataclass(frozen=True)
class Slide(Control):
    """A number of a range; whole numbers where low, high and step are whole.

    Parameters
    ----------
    low, high, start, step : float
    unit : str
        Behind the number on screen.
    """

    low: float = 0
    high: float = 1
    start: float = 0
    step: float = 1
    unit: str = ""

    @property
    def _whole(self) -> bool:
        return all(isinstance(x, int) for x in (self.low, self.high, self.start, self.step))

    @property
    def expected(self) -> str:
        """The range."""
        return f"It must be a {'whole ' if self._whole else ''}number from {self.low:g} to {self.high:g}"

    def read(self, text: str) -> float:
        """Return a number of the range."""
        value = int(text) if self._whole else float(text)
        if not self.low <= value <= self.high:
            raise ValueError(text)
        return value

    def write(self, value: float) -> str:
        """Return the shortest text of the number."""
        return f"{value:g}"

    def draw(self, key: str) -> float:
        """Draw a slider."""
        return st.slider(self.label, self.low, self.high, step=self.step, key=key, help=self.help or None,
                         format=f"%d{self.unit}" if self._whole else f"%g{self.unit}", persist_state="session")


@dataclass(frozen=True)
class Number(Slide):
    """A number of a range that is typed."""

    def draw(self, key: str) -> float:
        """Draw a field."""
        return st.number_input(self.label, self.low, self.high, step=self.step, key=key, help=self.help or None,
                               persist_state="session")


@dataclass(frozen=True)
class Steps(Control):
    """A number of a short list, on a slider.

    Parameters
    ----------
    options : sequence of int or float
    start : int or float
    """

    options: Sequence[float] = ()
    start: float = 0

    @property
    def expected(self) -> str:
        """The numbers."""
        return f"It must be one of {', '.join(f'{x:g}' for x in self.options)}"

    def read(self, text: str) -> float:
        """Return a number of the list."""
        if float(text) not in self.options:
            raise ValueError(text)
        return self.options[list(self.options).index(float(text))]

    def write(self, value: float) -> str:
        """Return the shortest text of the number."""
        return f"{value:g}"

    def draw(self, key: str) -> float:
        """Draw a slider."""
        return st.select_slider(self.label, list(self.options), key=key, help=self.help or None,
                                format_func=lambda value: f"{value:,}", persist_state="session")


@dataclass(frozen=True)
class Switch(Control):
    """On or off."""

    start: bool = False

    @property
    def expected(self) -> str:
        """The two values."""
        return "It must be 1 or 0"

    def read(self, text: str) -> bool:
        """Return whether it is on."""
        if text not in ("0", "1"):
            raise ValueError(text)
        return text == "1"

    def write(self, value: bool) -> str:
        """Return 1 or 0."""
        return str(int(value))

    def draw(self, key: str) -> bool:
        """Draw a toggle."""
        return st.toggle(self.label, key=key, help=self.help or None, persist_state="session")


@dataclass(frozen=True)
class Text(Control):
    """A line that people write.

    Parameters
    ----------
    start : str
    most : int
        Characters.
    """

    start: str = ""
    most: int = 300

    @property
    def expected(self) -> str:
        """How long it may be."""
        return f"It must be one line of at most {self.most} characters"

    def read(self, text: str) -> str:
        """Return a line."""
        if len(text) > self.most or not text.isprintable():
            raise ValueError(text)
        return text

    def draw(self, key: str) -> str:
        """Draw a line to write into."""
        return str(st.text_input(self.label, key=key, help=self.help or None, max_chars=self.most,
                                 persist_state="session") or "")


@dataclass(frozen=True)
class Bars(Control):
    """Heights of bars that people draw by editing numbers.

    Parameters
    ----------
    start : tuple of int
    most : int
        The largest height.
    """

    start: tuple[int, ...] = ()
    most: int = 20

    @property
    def expected(self) -> str:
        """How many numbers."""
        return f"It must be {len(self.start)} whole numbers from 0 to {self.most} with commas between, not all 0"

    def read(self, text: str) -> tuple[int, ...]:
        """Return the heights."""
        heights = tuple(int(part) for part in text.replace(" ", "").split(","))
        if len(heights) != len(self.start) or not all(0 <= x <= self.most for x in heights) or not any(heights):
            raise ValueError(text)
        return heights

    def write(self, value: tuple[int, ...]) -> str:
        """Return the heights with commas between."""
        return ",".join(map(str, value))

    def draw(self, key: str) -> tuple[int, ...]:
        """Draw a line to write the heights into; heights that cannot be used leave the former ones."""
        typed = f"{key} typed"
        st.session_state.setdefault(typed, self.write(st.session_state[key]))
        text = st.text_input(self.label, key=typed, help=self.help or None, persist_state="session")
        try:
            st.session_state[key] = self.read(text)
        except ValueError:
            st.caption(f":material/error: {self.expected}.")
        return st.session_state[key]

    def take(self, key: str, value: tuple[int, ...]) -> None:
        """Put heights into the line as well."""
        super().take(key, value)
        st.session_state[f"{key} typed"] = self.write(value)


def draw(lesson: str, controls: Sequence[Control]) -> dict[str, Any]:
    """Draw the controls of a lesson, and return what they say by name.

    Parameters
    ----------
    lesson : str
    controls : sequence of Control
    """
    values: dict[str, Any] = {}
    wanted: dict[str, str | None] = {}
    for control in controls:
        key = f"{lesson} {control.name}"
        asked = link.asked(lesson, control.name, control.read, control.expected, control.write(control.first))
        if asked is not None:
            control.take(key, asked)
        if control.when is not None and not control.when(values):
            values[control.name], wanted[control.name] = control.first, None
            continue
        st.session_state.setdefault(key, control.first)
        value = values[control.name] = control.draw(key)
        wanted[control.name] = None if value == control.first else control.write(value)
    link.write(lesson, wanted)
    return values
