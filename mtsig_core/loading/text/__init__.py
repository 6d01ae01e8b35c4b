"""Bytes as lines, tables and XML."""
