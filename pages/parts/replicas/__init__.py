"""Sections of the page Replicas."""
