"""Segment scores of outside metrics: recognised by name and content, read by format, attached to outputs."""

from __future__ import annotations

from mtsig_core.loading.scores.attach import Attached, KnownSet, attach
from mtsig_core.loading.scores.blocks import ScoreBlock, renamed
from mtsig_core.loading.scores.find import format_of, mark_scores, read_scores

__all__ = ["Attached", "KnownSet", "ScoreBlock", "attach", "format_of", "mark_scores", "read_scores", "renamed"]
