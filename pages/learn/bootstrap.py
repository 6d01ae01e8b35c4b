"""Bootstrap: resample one sample, and see where its interval can be believed."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import bootstrap

frame.show(bootstrap.LESSON)
