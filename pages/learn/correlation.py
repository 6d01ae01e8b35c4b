"""Correlation: how r varies between few systems, what one outlier does, and how two metrics are compared."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import correlation

frame.show(correlation.LESSON)
