"""Sampling distribution: draw samples, and watch a statistic and its intervals."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import sampling

frame.show(sampling.LESSON)
