"""Sections of the page Plan."""
