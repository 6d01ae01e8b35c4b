"""Layouts that are one table: of segment scores, or of scores of whole runs."""
