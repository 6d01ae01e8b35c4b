"""Sections of the page Data."""
