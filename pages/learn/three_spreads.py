"""Three spreads: what another run changes, what another test set changes, and which intervals know of both."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import three_spreads

frame.show(three_spreads.LESSON)
