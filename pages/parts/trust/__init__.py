"""Sections of the page Trust the tests."""
