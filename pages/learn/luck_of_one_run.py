"""Luck of one run: one replica of each system, again and again, and what reporting the best one does."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import single_runs

frame.show(single_runs.LESSON)
