"""Sections of the page Read and annotate."""
