"""Intervals that overlap: what two intervals side by side say of a difference, and what they do not."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import overlapping

frame.show(overlapping.LESSON)
