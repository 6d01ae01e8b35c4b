"""Figures of human judgements, and of tests and metrics against people."""
