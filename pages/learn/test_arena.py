"""Test arena: every test on experiments whose truth is known, its false alarms and its hits."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import rates

frame.show(rates.LESSON)
