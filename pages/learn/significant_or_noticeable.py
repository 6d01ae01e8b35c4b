"""Significant or noticeable: a difference against p, against what people notice, and against a margin."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import noticeable

frame.show(noticeable.LESSON)
