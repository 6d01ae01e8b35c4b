"""Sections of the pages about what people judged."""
