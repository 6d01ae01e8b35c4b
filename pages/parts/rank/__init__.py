"""Sections of the page Rank systems."""
