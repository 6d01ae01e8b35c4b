"""Annotation sheets coming back: their key, their columns, and what they say."""
