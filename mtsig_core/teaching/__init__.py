"""Lessons to play with: simulations that grow draw by draw, made of the library's own engine and tests."""

from mtsig_core.teaching.run import Run, Simulation

__all__ = ["Run", "Simulation"]
