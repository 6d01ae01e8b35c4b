"""Three tests: what chance alone would give, for three tests side by side."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import three_tests

frame.show(three_tests.LESSON)
