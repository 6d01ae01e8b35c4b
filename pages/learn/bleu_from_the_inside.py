"""BLEU from the inside: n-gram matches of a sentence that one can edit, and a test set that grows."""

from __future__ import annotations

from pages.parts.learn import frame
from pages.parts.learn.lessons import inside_bleu

frame.show(inside_bleu.LESSON)
