"""Many comparisons: equal systems in all pairs, a garden of metrics, and what corrections do."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import many_comparisons

frame.show(many_comparisons.LESSON)
