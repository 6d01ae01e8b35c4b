"""Few replicas: which p-values a handful of runs can give, and what significance exaggerates."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import few_replicas

frame.show(few_replicas.LESSON)
