"""Sections of the page Compare."""
